# test-scripts.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Scripts in the manner of TensorFlow-1 tutorials print what they print under TensorFlow 1.15.5: golden/python/scripts,
recorded by oracle/record_scripts.py. Arguments are names of scripts; without any all are run."""

import concurrent.futures
import difflib
import glob
import os
import subprocess
import sys
import tempfile

# What never ends is named instead of ending the whole test.
HANGS_AFTER_S = 900

SCRIPTS = os.path.join(os.environ["G_TEST_SRCDIR"], "golden", "python", "scripts")


def difference(path):
    """The first lines that differ, or None."""
    with open(path[:-3] + ".out", "rb") as file:
        want = file.read().decode().splitlines()
    with tempfile.TemporaryDirectory() as folder:
        try:
            run = subprocess.run([sys.executable, "-m", "flowstep", path], capture_output=True, cwd=folder,
                                 timeout=HANGS_AFTER_S)
        except subprocess.TimeoutExpired:
            return ["it has not ended after %d seconds" % HANGS_AFTER_S]
    got = run.stdout.decode().splitlines()
    lines = list(difflib.unified_diff(want, got, "TensorFlow", "Flowstep", n=0, lineterm=""))
    if run.returncode != 0:
        lines += run.stderr.decode().splitlines()[-8:]
    return lines[:40] or None


def main():
    paths = sorted(path for path in glob.glob(os.path.join(SCRIPTS, "*.py"))
                   if not sys.argv[1:] or os.path.basename(path)[:-3] in sys.argv[1:])
    print("1..%d" % len(paths))
    failed = not paths
    # Most of a script's time is its interpreter's alone: one to a processor.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for i, (path, why) in enumerate(zip(paths, pool.map(difference, paths)), 1):
            failed = failed or why is not None
            print("%s %d %s" % ("ok" if why is None else "not ok", i, os.path.basename(path)[:-3]), flush=True)
            for line in why or []:
                print("# " + line[:300], flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
