#!/usr/bin/env python3
# count_cases.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Counts, for each op, the recorded cases it stands in; the build makes `flowstep-cli ops --coverage` know them.

    python3 tests/oracle/count_cases.py OUT.json GOLDEN.json.gz...
"""

import collections
import gzip
import json
import sys


def main(out, *paths):
    counts = collections.Counter()
    for path in paths:
        with (gzip.open if path.endswith('.gz') else open)(path, 'rb') as file:
            for case in json.load(file)['cases']:
                counts.update({node['op'] for node in case['nodes']})
    with open(out, 'w', encoding='utf-8') as file:
        json.dump({'ops': dict(sorted(counts.items()))}, file, indent=0)
        file.write('\n')


if __name__ == '__main__':
    main(*sys.argv[1:])
