# test-composites.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What our face makes of the cases of oracle/cases_composites.py and oracle/cases_families.py against
golden/python/composites.txt.gz, node for node."""

import gzip
import json
import os
import sys

HERE = os.environ["G_TEST_SRCDIR"]
sys.path.insert(0, os.path.join(HERE, "oracle"))
sys.dont_write_bytecode = True


def recorded():
    found, lines = {}, None
    for line in gzip.open(os.path.join(HERE, "golden", "python", "composites.txt.gz"), "rt").read().split("\n"):
        if line.startswith("# "):
            lines = found[line[2:]] = []
        else:
            lines.append(json.loads(line))
    return found


def difference(want, got):
    for a, b in zip(want, got):
        if a[:3] != b[:3]:
            return "%s, not %s" % (b[:3], a[:3])
        if a[3] != b[3]:
            return "%s: attrs %s" % (a[0], [k for k in set(a[3]) | set(b[3]) if a[3].get(k) != b[3].get(k)])
    return None if len(want) == len(got) else "%d nodes, not %d" % (len(got), len(want))


def main():
    import flowstep.script
    flowstep.script.install()
    import tensorflow as tf
    import cases_composites
    import cases_families
    import record_composites
    wanted = recorded()
    cases = {**cases_composites.CASES, **cases_families.CASES}
    print("1..%d" % len(wanted))
    failed = 0
    for i, (name, lines) in enumerate(sorted(wanted.items()), 1):
        try:
            problem = difference(lines, record_composites.run(tf, cases[name]))
        except Exception as error:
            problem = "%s: %s" % (type(error).__name__, str(error).replace("\n", " ")[:200])
        failed += problem is not None
        print("%sok %d - %s" % ("not " if problem else "", i, name))
        if problem:
            print("# " + problem)
    sys.exit(failed != 0 or not wanted)


if __name__ == "__main__":
    main()
