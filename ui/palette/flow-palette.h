/* flow-palette.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-colors.h"

/**
 * FlowTheme:
 *
 * Which column of the palette to draw with.
 */
typedef enum {
  FLOW_THEME_LIGHT,
  FLOW_THEME_DARK,
} FlowTheme;

unsigned int flow_palette_get_rgb    (FlowColor color,
                                      FlowTheme theme);
unsigned int flow_palette_get_rgb_on (FlowColor color,
                                      FlowTheme theme);
const char  *flow_palette_get_css    (FlowTheme theme);
