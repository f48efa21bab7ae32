/* flow-canvas-render.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <flowstep.h>

G_BEGIN_DECLS

/**
 * FlowCanvasRenderOptions:
 * @open_scopes: (nullable): scopes to open, %NULL-terminated; a number opens scopes so many names deep
 * @expand_all: open every scope
 * @states: (nullable): a FlowNodeState byte per node
 * @next_node: the next op, or %FLOW_NODE_NONE
 * @width: of the picture in pixels, 0 = as large as the drawing needs
 * @height: likewise
 * @dark: with the dark column of the palette
 * @high_contrast: borders and text at full contrast
 * @direction: 0 down, 1 up, 2 right, 3 as it fits a picture of that size, as FlowCanvasDirection
 * @hide_edge_shapes: no shapes on the edges
 *
 * What flow_canvas_render_file() draws. Start from %FLOW_CANVAS_RENDER_OPTIONS_INIT.
 */
typedef struct {
  const char *const *open_scopes;
  gboolean expand_all;
  GBytes *states;
  guint32 next_node;
  guint width;
  guint height;
  gboolean dark;
  gboolean high_contrast;
  guint direction;
  gboolean hide_edge_shapes;
} FlowCanvasRenderOptions;

#define FLOW_CANVAS_RENDER_OPTIONS_INIT { .next_node = FLOW_NODE_NONE, .direction = 3 }

gboolean flow_canvas_render_file (FlowGraph                      *graph,
                                  const FlowCanvasRenderOptions  *options,
                                  const char                     *path,
                                  GError                        **error);

G_END_DECLS
