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


def luminance(colour):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
              for c in (int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def written_on(colour):
    # One of the two always has 4.58:1 or more: the square root of the 21:1 between them.
    light = luminance(colour) + 0.05
    return '#FFFFFF' if 1.05 / light >= light / 0.05 else '#000000'


def css(rows, column):
    return ''.join(f'  "@define-color flow_{row[0]} {row[column]};\\n"\n'
                   f'  "@define-color flow_on_{row[0]} {written_on(row[column])};\\n"\n' for row in rows)


def table(name, rows, colour_of):
    lines = ''.join(f'  {{ 0x{colour_of(row[1])[1:]}, 0x{colour_of(row[2])[1:]} }},\n' for row in rows)
    return f'static const unsigned int {name}[FLOW_N_COLORS][2] = {{\n{lines}}};\n\n'


def main(source, target):
    rows = read(source)
    with open(target, 'w', encoding='utf-8') as out:
        out.write('/* Made from palette.txt; do not edit. */\n\n#pragma once\n\n')
        out.write('typedef enum {\n')
        for row in rows:
            out.write(f'  FLOW_COLOR_{row[0].upper()},\n')
        out.write('  FLOW_N_COLORS,\n} FlowColor;\n\n')
        out.write('#ifdef FLOW_COLORS_TABLE\n')
        out.write(table('flow_colors', rows, lambda colour: colour))
        out.write(table('flow_on_colors', rows, written_on))
        out.write('static const char flow_colors_css_light[] =\n' + css(rows, 1) + '  ;\n\n')
        out.write('static const char flow_colors_css_dark[] =\n' + css(rows, 2) + '  ;\n')
        out.write('#endif\n')


main(*sys.argv[1:])
