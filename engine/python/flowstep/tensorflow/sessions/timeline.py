# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tensorflow.python.client.timeline: the steps of a run as Chrome's trace viewer reads them."""

import json


class Timeline:
    """Made of RunMetadata.step_stats."""

    def __init__(self, step_stats, graph=None):
        self._step_stats = step_stats

    def generate_chrome_trace_format(self, show_dataflow=True, show_memory=False, op_time="schedule"):
        events = []
        for pid, device in enumerate(self._step_stats.dev_stats):
            events.append({"name": "process_name", "ph": "M", "pid": pid, "args": {"name": device.device + " Compute"}})
            for stats in device.node_stats:
                label, _, op = stats.timeline_label.partition(" = ")
                op = (op or label or stats.node_name).partition("(")[0]
                events.append({"ph": "X", "cat": "Op", "name": op, "pid": pid, "tid": 0, "ts": stats.all_start_micros,
                               "dur": max(stats.all_end_rel_micros, 1), "args": {"name": stats.node_name, "op": op}})
        return json.dumps({"traceEvents": events}, indent=4, separators=(",", ": "), sort_keys=True)
