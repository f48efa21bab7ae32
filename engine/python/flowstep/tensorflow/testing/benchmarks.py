# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.test.Benchmark, and attributes that a test sets and has set back."""

import inspect
import os
import sys
import time

from ..framework import proto, tf_logging as logging


def _median(numbers):
    numbers = sorted(numbers)
    return (numbers[len(numbers) // 2] + numbers[(len(numbers) - 1) // 2]) / 2. if numbers else -1


def benchmark_config():
    """Sessions that leave the graph's dependencies as they are."""
    config = proto.message_class("ConfigProto")()
    config.graph_options.rewrite_options.dependency_optimization = 2
    return config


def _told(name, values, extras, metrics):
    """What was measured, as TensorFlow's message of it prints."""
    lines = ["entry {", '  name: "%s"' % name]
    for key in ("iters", "cpu_time", "wall_time", "throughput"):
        if values[key] is not None:
            lines.append("  %s: %s" % (key, values[key]))
    for key in sorted(extras or {}):
        value = extras[key]
        number = "double_value: %s" % float(value) if isinstance(value, (int, float)) else 'string_value: "%s"' % value
        lines += ["  extras {", '    key: "%s"' % key, "    value {", "      " + number, "    }", "  }"]
    for metric in metrics or []:
        for word in ("name", "value"):
            if word not in metric:
                raise TypeError("metric must has a '%s' field" % word)
        lines += ["  metrics {", '    name: "%s"' % metric["name"], "    value: %s" % float(metric["value"])]
        for word in ("min_value", "max_value"):
            if word in metric:
                lines += ["    %s {" % word, "      value: %s" % float(metric[word]), "    }"]
        lines.append("  }")
    return "\n".join(lines + ["}", ""])


class Benchmark:
    """Base of classes whose methods measure something."""

    @classmethod
    def is_abstract(cls):
        return len(cls.mro()) <= 2

    def _name(self, given):
        frames = [f.frame for f in inspect.stack()]
        for frame in reversed(frames):
            if isinstance(frame.f_locals.get("self"), Benchmark):
                return "%s.%s" % (type(frame.f_locals["self"]).__name__, given or frame.f_code.co_name)
        raise ValueError("Unable to determine calling Benchmark class.")

    def report_benchmark(self, iters=None, cpu_time=None, wall_time=None, throughput=None, extras=None, name=None,
                         metrics=None):
        name = self._name(name)
        values = dict(iters=iters, cpu_time=cpu_time, wall_time=wall_time, throughput=throughput)
        if extras is not None and not isinstance(extras, dict):
            raise TypeError("extras must be a dict")
        if metrics is not None and not isinstance(metrics, list):
            raise TypeError("metrics must be a list")
        known = {key: -1 if value is None else value for key, value in values.items()}
        logging.info("Benchmark [%s] iters: %d, wall_time: %g, cpu_time: %g,throughput: %g, extras: %s, metrics: %s", name,
                     known["iters"], known["wall_time"], known["cpu_time"], known["throughput"], extras or "None",
                     metrics or "None")
        print(_told(name, values, extras, metrics))

    def run_op_benchmark(self, sess, op_or_tensor, feed_dict=None, burn_iters=2, min_iters=10, store_trace=False,
                         store_memory_usage=True, name=None, extras=None, mbs=0):
        """Runs it so many times, and tells how long one run takes; memory is not kept apart here."""
        for _ in range(burn_iters):
            sess.run(op_or_tensor, feed_dict=feed_dict)
        taken = []
        for _ in range(min_iters):
            start = time.time()
            sess.run(op_or_tensor, feed_dict=feed_dict)
            taken.append(time.time() - start)
        median = _median(taken)
        values = {"iters": min_iters, "wall_time": median, "extras": dict(extras or {}), "name": name,
                  "throughput": mbs / median}
        self.report_benchmark(**values)
        return values


class StubOutForTesting:
    """Sets attributes of modules and classes, and sets them back."""

    def __init__(self):
        self.cache, self.stubs = [], []

    def __del__(self):
        self.CleanUp()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.CleanUp()

    def CleanUp(self):
        self.SmartUnsetAll()
        self.UnsetAll()

    @staticmethod
    def _kept(holder, name, value):
        """A static method is found as a function, and has to be set back as what it was."""
        return staticmethod(value) if isinstance(holder.__dict__.get(name), staticmethod) else value

    def SmartSet(self, obj, attr_name, new_attr):
        """Sets the attribute where it is defined: in the object, or in the class that it has it from."""
        if inspect.ismodule(obj) or (not inspect.isclass(obj) and attr_name in obj.__dict__):
            holder, value = obj, getattr(obj, attr_name)
        else:
            holder = None
            for kind in reversed(inspect.getmro(obj if inspect.isclass(obj) else type(obj))):
                if hasattr(obj, attr_name):
                    holder, value = kind, getattr(obj, attr_name)
            if holder is None:
                raise AttributeError("Attribute not found.")
        self.stubs.append((holder, attr_name, self._kept(obj, attr_name, value)))
        setattr(holder, attr_name, new_attr)

    def SmartUnsetAll(self):
        for holder, name, value in reversed(self.stubs):
            setattr(holder, name, value)
        self.stubs = []

    def Set(self, parent, child_name, new_child):
        self.cache.append((parent, self._kept(parent, child_name, getattr(parent, child_name)), child_name))
        setattr(parent, child_name, new_child)

    def UnsetAll(self):
        for parent, child, name in reversed(self.cache):
            setattr(parent, name, child)
        self.cache = []


def test_src_dir_path(relative_path):
    """A path beside the script, or where the environment says that sources of tests are."""
    base = os.environ.get("TEST_SRCDIR", os.path.dirname(os.path.abspath(sys.argv[0])))
    return os.path.join(base, "org_tensorflow/tensorflow" if "TEST_SRCDIR" in os.environ else "", relative_path)
