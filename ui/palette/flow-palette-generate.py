#!/usr/bin/env python3
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""palette.txt -> flow-colors.h: enum, table and style sheets of the colours."""

import sys


def read(path):
    rows = []
    with open(path, encoding='utf-8') as lines:
        for number, line in enumerate(lines, 1):
            words = line.split()
            if not words or words[0] == '#':
                continue
            if len(words) != 3:
                sys.exit(f'{path}:{number}: expected NAME LIGHT DARK')
            for colour in words[1:]:
                if len(colour) != 7 or colour[0] != '#':
                    sys.exit(f'{path}:{number}: not a colour: {colour}')
                int(colour[1:], 16)
            rows.append(words)
    return rows


def css(rows, column):
    return ''.join(f'  "@define-color flow_{row[0]} {row[column]};\\n"\n' for row in rows)


def main(source, target):
    rows = read(source)
    with open(target, 'w', encoding='utf-8') as out:
        out.write('/* Made from palette.txt; do not edit. */\n\n#pragma once\n\n')
        out.write('typedef enum {\n')
        for row in rows:
            out.write(f'  FLOW_COLOR_{row[0].upper()},\n')
        out.write('  FLOW_N_COLORS,\n} FlowColor;\n\n')
        out.write('#ifdef FLOW_COLORS_TABLE\n')
        out.write('static const unsigned int flow_colors[FLOW_N_COLORS][2] = {\n')
        for row in rows:
            out.write(f'  {{ 0x{row[1][1:]}, 0x{row[2][1:]} }},\n')
        out.write('};\n\n')
        out.write('static const char flow_colors_css_light[] =\n' + css(rows, 1) + '  ;\n\n')
        out.write('static const char flow_colors_css_dark[] =\n' + css(rows, 2) + '  ;\n')
        out.write('#endif\n')


main(*sys.argv[1:])
