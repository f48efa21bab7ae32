/* flow-palette.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#define FLOW_COLORS_TABLE
#include "flow-palette.h"

#include <glib.h>

/**
 * flow_palette_get_rgb:
 * @color: a colour's name
 * @theme: light or dark
 *
 * Needs no display and no style context, so that pictures can be drawn without a window.
 *
 * Returns: the colour as 0xRRGGBB
 */
unsigned int
flow_palette_get_rgb (FlowColor color,
                      FlowTheme theme)
{
  g_return_val_if_fail (color < FLOW_N_COLORS, 0);

  return flow_colors[color][theme == FLOW_THEME_DARK ? 1 : 0];
}

/**
 * flow_palette_get_rgb_on:
 * @color: what the ground is filled with
 * @theme: light or dark
 *
 * Returns: what is to be written on that ground, as 0xRRGGBB: black or white, at 4.5:1 or more
 */
unsigned int
flow_palette_get_rgb_on (FlowColor color,
                         FlowTheme theme)
{
  g_return_val_if_fail (color < FLOW_N_COLORS, 0);

  return flow_on_colors[color][theme == FLOW_THEME_DARK ? 1 : 0];
}

/**
 * flow_palette_get_css:
 * @theme: light or dark
 *
 * Returns: (transfer none): a style sheet of `@define-color flow_NAME #RRGGBB;` lines
 */
const char *
flow_palette_get_css (FlowTheme theme)
{
  return theme == FLOW_THEME_DARK ? flow_colors_css_dark : flow_colors_css_light;
}
