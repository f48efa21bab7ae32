/* bench-layout.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <math.h>

#include "flow-layout.h"

/* bench-layout [FILE...]: what scene and layout of a graph cost and how good they are; without a file
 * a graph of 100,000 ops of towers and unrolled cells. Milliseconds are the best of three. */

static FlowGraph *
make_towers (guint n_ops)
{
  g_autoptr(FlowGraph) graph = flow_graph_new ();
  g_autoptr(GArray) defs = g_array_new (FALSE, TRUE, sizeof (FlowNodeDef));
  g_autoptr(GStringChunk) strings = g_string_chunk_new (1 << 20);
  g_autoptr(FlowAttrList) attrs = flow_attr_list_new ();
  g_autoptr(GPtrArray) inputs = g_ptr_array_new ();
  g_autoptr(GPtrArray) lists = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify)
                                                                  flow_problem_free);
  g_autoptr(GError) error = NULL;
  static const char *const types[] = { "MatMul", "BiasAdd", "Relu", "Mul", "Add", "Tanh", "Sigmoid" };
  const char *before[8] = { NULL };

  for (guint i = 0; i < n_ops; i++)
    {
      guint tower = i % 8;
      guint cell = i / 8 / 10;
      guint block = cell / 10;
      FlowNodeDef def = { .op = types[i / 8 % 7], .offset = -1, .attrs = attrs };
      g_autofree char *name = g_strdup_printf ("tower_%u/block_%u/cell_%u/part_%u/op_%u", tower,
                                               block, cell, i / 8 % 3, i / 8 % 10);
      char **list = g_new0 (char *, 3);

      def.name = g_string_chunk_insert (strings, name);
      def.name_length = strlen (name);
      if (before[tower] != NULL)
        {
          list[0] = (char *) before[tower];
          def.n_inputs = 1;
          if (i % 5 == 0 && before[(tower + 1) % 8] != NULL)
            {
              list[1] = (char *) before[(tower + 1) % 8];
              def.n_inputs = 2;
            }
        }
      def.inputs = (const char *const *) list;
      before[tower] = def.name;
      g_ptr_array_add (lists, list);
      g_array_append_val (defs, def);
    }
  flow_graph_import (graph, (const FlowNodeDef *) (gconstpointer) defs->data, defs->len, problems,
                     &error);
  if (error != NULL)
    {
      g_printerr ("%s\n", error->message);
      return NULL;
    }
  return g_steal_pointer (&graph);
}

static double
line_length (const FlowLayout *layout)
{
  double sum = 0.0;

  for (guint i = 0; i < layout->n_nodes; i++)
    {
      const FlowLayoutNode *node = &layout->nodes[i];

      for (guint k = 0; k < node->n_lines; k++)
        for (guint32 p = node->line_first[k]; p + 3 < node->line_first[k + 1]; p += 3)
          sum += hypot (node->points[2 * p + 6] - node->points[2 * p],
                        node->points[2 * p + 7] - node->points[2 * p + 1]);
    }
  return sum;
}

static void
measure (const char *name,
         FlowGraph  *graph)
{
  double scene_ms = G_MAXDOUBLE;
  double root_ms = G_MAXDOUBLE;
  double snapshot_ms = G_MAXDOUBLE;
  double all_ms = G_MAXDOUBLE;
  double again_ms = G_MAXDOUBLE;
  guint64 crossings = 0;
  double length = 0.0;
  guint n_groups = 0;
  guint largest = 0;

  for (guint round = 0; round < 3; round++)
    {
      gint64 start = g_get_monotonic_time ();
      g_autoptr(FlowScene) scene = flow_scene_new (graph, NULL, FLOW_FLOW_DOWN);
      g_autoptr(FlowLayout) root = NULL;
      g_autoptr(FlowLayout) all = NULL;
      g_autoptr(FlowLayout) again = NULL;

      scene_ms = MIN (scene_ms, (g_get_monotonic_time () - start) / 1000.0);
      start = g_get_monotonic_time ();
      root = flow_layout_new (scene, FALSE);
      flow_layout_run (root, NULL);
      root_ms = MIN (root_ms, (g_get_monotonic_time () - start) / 1000.0);
      for (guint g = 0; g < scene->groups->len; g++)
        flow_scene_group (scene, g)->is_open = TRUE;
      start = g_get_monotonic_time ();
      all = flow_layout_new (scene, FALSE);
      snapshot_ms = MIN (snapshot_ms, (g_get_monotonic_time () - start) / 1000.0);
      start = g_get_monotonic_time ();
      flow_layout_run (all, NULL);
      all_ms = MIN (all_ms, (g_get_monotonic_time () - start) / 1000.0);
      flow_layout_commit (all, scene);
      start = g_get_monotonic_time ();
      again = flow_layout_new (scene, FALSE);
      flow_layout_run (again, NULL);
      again_ms = MIN (again_ms, (g_get_monotonic_time () - start) / 1000.0);
      crossings = 0;
      for (guint i = 0; i < all->n_nodes; i++)
        {
          crossings += flow_layered_count_crossings (all->nodes[i].layered);
          largest = MAX (largest, all->nodes[i].n_items);
        }
      length = line_length (all);
      n_groups = all->n_nodes;
    }
  g_print ("%-24s %7u ops %6u groups (largest %u): scene %.1f ms, root %.2f ms, all open: snapshot "
           "%.1f ms, layout %.1f ms, arranged again %.1f ms; %" G_GUINT64_FORMAT
           " crossings, length %.2g\n", name, flow_graph_get_n_nodes (graph), n_groups, largest,
           scene_ms, root_ms, snapshot_ms, all_ms, again_ms, crossings, length);
}

int
main (int   argc,
      char *argv[])
{
  flow_kernels_register ();
  for (int i = 1; i < argc; i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(FlowGraph) graph = flow_graph_load_file (argv[i], &error);
      g_autofree char *folder = g_path_get_dirname (argv[i]);
      g_autofree char *name = g_path_get_basename (folder);

      if (graph == NULL)
        {
          g_printerr ("%s: %s\n", argv[i], error->message);
          return 1;
        }
      measure (name, graph);
    }
  if (argc < 2)
    {
      g_autoptr(FlowGraph) graph = make_towers (100000);

      measure ("towers", graph);
    }
  return 0;
}
