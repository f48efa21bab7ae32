/* render-graph.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <locale.h>
#include <stdio.h>

#include "flow-canvas-render.h"

/* Draws a graph file as `flowstep --render` does, for looking at what the canvas makes of it:
 * render-graph FILE OUT [--dark] [--all] [--run] [--right] [--size WxH] [SCOPE...] */

static GBytes *
make_states (FlowGraph *graph)
{
  guint n = flow_graph_get_n_nodes (graph);
  guint8 *states = g_malloc0 (n + 1);

  /* Something of every state, in the order of the file. */
  for (guint i = 0; i < n; i++)
    states[i] = i < n / 3 ? FLOW_NODE_DONE : i == n / 3 ? FLOW_NODE_NEXT
                : i < n / 3 + 8 ? FLOW_NODE_READY : i < 2 * n / 3 ? FLOW_NODE_PENDING
                : FLOW_NODE_NOT_IN_RUN;
  if (n > 8)
    {
      states[4] = FLOW_NODE_DEAD;
      states[6] = FLOW_NODE_FAILED;
      states[7] = FLOW_NODE_STALE;
      states[0] = FLOW_NODE_FED;
    }
  return g_bytes_new_take (states, n);
}

int
main (int   argc,
      char *argv[])
{
  FlowCanvasRenderOptions options = FLOW_CANVAS_RENDER_OPTIONS_INIT;
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) scopes = g_ptr_array_new ();
  g_autoptr(FlowGraph) graph = NULL;
  g_autoptr(GBytes) states = NULL;
  gboolean run = FALSE;

  setlocale (LC_ALL, "");
  if (argc < 3)
    return 2;
  for (int i = 3; i < argc; i++)
    if (g_str_equal (argv[i], "--dark"))
      options.dark = TRUE;
    else if (g_str_equal (argv[i], "--all"))
      options.expand_all = TRUE;
    else if (g_str_equal (argv[i], "--run"))
      run = TRUE;
    else if (g_str_equal (argv[i], "--right"))
      options.direction = 2;
    else if (g_str_equal (argv[i], "--up"))
      options.direction = 1;
    else if (g_str_equal (argv[i], "--size") && i + 1 < argc)
      sscanf (argv[++i], "%ux%u", &options.width, &options.height);
    else
      g_ptr_array_add (scopes, argv[i]);
  g_ptr_array_add (scopes, NULL);
  options.open_scopes = (const char *const *) scopes->pdata;
  flow_kernels_register ();
  graph = flow_graph_load_file (argv[1], &error);
  if (graph == NULL)
    {
      g_printerr ("%s\n", error != NULL ? error->message : "no graph");
      return 3;
    }
  if (run)
    {
      options.states = states = make_states (graph);
      options.next_node = flow_graph_get_n_nodes (graph) / 3;
    }
  if (!flow_canvas_render_file (graph, &options, argv[2], &error))
    {
      g_printerr ("%s\n", error->message);
      return 1;
    }
  return 0;
}
