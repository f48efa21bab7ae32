# record_scripts.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Writes golden/python/scripts/NAME.out beside each NAME.py: what TensorFlow 1.15 prints of it. A script is kept only if it
prints the same twice, once on one processor.

usage: python record_scripts.py [NAME...]"""

import glob
import os
import subprocess
import sys
import tempfile

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden", "python", "scripts")
# TensorFlow's profiler prints this by itself.
CHATTER = b"Parsing Inputs...\n"


def run(path, one_processor):
    limit = (lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})) if one_processor else None
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", PYTHONHASHSEED="random")
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([sys.executable, "-u", path], cwd=folder, env=environment, preexec_fn=limit, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit("%s: exit status %d\n%s" % (path, done.returncode, done.stderr.decode()[-2000:]))
    return done.stdout.replace(CHATTER, b"")


def main():
    names = sys.argv[1:] or sorted(os.path.basename(p)[:-3] for p in glob.glob(os.path.join(SCRIPTS, "*.py")))
    for name in names:
        path = os.path.abspath(os.path.join(SCRIPTS, name + ".py"))
        text = run(path, False)
        if text != run(path, True):
            sys.exit("%s prints something else the second time" % name)
        with open(path[:-3] + ".out", "wb") as file:
            file.write(text)
        print(name, len(text.splitlines()))


if __name__ == "__main__":
    main()
