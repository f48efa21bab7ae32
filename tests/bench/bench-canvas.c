/* bench-canvas.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include <adwaita.h>

#include "flow-canvas-private.h"

/* Frames of the real widget, 1200 x 800 in a window with other things in it, from before-paint to
 * after-paint of the frame clock: at rest, panning, zooming, stepping, opening. Figures are medians in
 * milliseconds, in brackets the worst. bench-canvas [FILE] */

#define N_FRAMES 60

typedef enum {
  MOTION_REST,
  MOTION_PAN,
  MOTION_ZOOM,
  MOTION_STEP,
  MOTION_OPEN,
  N_MOTIONS,
} Motion;

static const char *const motion_names[N_MOTIONS] = { "rest", "pan", "zoom", "step", "open" };

typedef struct {
  GtkWidget *window;
  FlowCanvas *canvas;
  FlowGraph *graph;
  guint8 *states;
  Motion motion;
  gint64 before;
  double frames[N_FRAMES];
  guint n_frames;
  GMainLoop *loop;
} Bench;

/* A graph that shows about @n items at once: a square of short chains, each in a scope of its own or, with
 * @in_one, all in a scope. */
static FlowGraph *
make_graph (guint    n,
            gboolean in_one)
{
  g_autoptr(FlowGraph) graph = flow_graph_new ();
  g_autoptr(GArray) defs = g_array_new (FALSE, TRUE, sizeof (FlowNodeDef));
  g_autoptr(GStringChunk) strings = g_string_chunk_new (1 << 16);
  g_autoptr(FlowAttrList) attrs = flow_attr_list_new ();
  g_autoptr(GPtrArray) lists = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify)
                                                                  flow_problem_free);
  g_autoptr(GError) error = NULL;
  static const char *const types[] = { "MatMul", "BiasAdd", "Relu", "Mul", "Tanh" };
  const char *before = NULL;

  for (guint i = 0; i < n; i++)
    {
      FlowNodeDef def = { .op = types[i % 5], .offset = -1, .attrs = attrs };
      g_autofree char *part = in_one ? g_strdup ("wide") : g_strdup_printf ("part_%uq", i / 10);
      g_autofree char *name = g_strdup_printf ("%s/%s_%uq", part, types[i % 5], i);
      char **list = g_new0 (char *, 2);

      def.name = g_string_chunk_insert (strings, name);
      def.name_length = strlen (name);
      list[0] = i % 10 != 0 ? (char *) before : NULL;
      def.inputs = (const char *const *) list;
      def.n_inputs = list[0] != NULL;
      before = def.name;
      g_ptr_array_add (lists, list);
      g_array_append_val (defs, def);
    }
  flow_graph_import (graph, (const FlowNodeDef *) (gconstpointer) defs->data, defs->len, problems,
                     &error);
  if (error != NULL)
    g_printerr ("%s\n", error->message);
  return g_steal_pointer (&graph);
}

static void
move (Bench *bench)
{
  FlowCamera camera = bench->canvas->camera;
  guint n = flow_graph_get_n_nodes (bench->graph);

  switch (bench->motion)
    {
    case MOTION_PAN:
      camera.x -= 7.0;
      camera.y -= 3.0;
      _flow_canvas_set_camera (bench->canvas, camera);
      break;
    case MOTION_ZOOM:
      _flow_canvas_zoom_at (bench->canvas, camera.zoom * (bench->n_frames % 40 < 20 ? 1.02 : 1 / 1.02),
                            600.0, 400.0);
      break;
    case MOTION_STEP:
      {
        guint at = bench->n_frames % n;
        g_autoptr(GBytes) states = NULL;

        bench->states[at] = FLOW_NODE_DONE;
        states = g_bytes_new (bench->states, n);
        flow_canvas_set_node_states (bench->canvas, states);
        flow_canvas_set_next_node (bench->canvas, (at + 1) % n);
        break;
      }
    case MOTION_OPEN:
      if (bench->n_frames % 15 == 0)
        _flow_canvas_toggle_item (bench->canvas, flow_item_of_group (1));
      break;
    case MOTION_REST:
    default:
      gtk_widget_queue_draw (GTK_WIDGET (bench->canvas));
    }
}

static gboolean
tick_cb (GtkWidget     *widget,
         GdkFrameClock *clock,
         gpointer       data)
{
  move (data);
  return G_SOURCE_CONTINUE;
}

static void
before_paint_cb (GdkFrameClock *clock,
                 Bench         *bench)
{
  bench->before = g_get_monotonic_time ();
}

static void
after_paint_cb (GdkFrameClock *clock,
                Bench         *bench)
{
  if (bench->n_frames < N_FRAMES)
    bench->frames[bench->n_frames++] = (g_get_monotonic_time () - bench->before) / 1000.0;
  if (bench->n_frames == N_FRAMES)
    g_main_loop_quit (bench->loop);
}

static void
settle (Bench *bench)
{
  gint64 start = g_get_monotonic_time ();

  do
    g_main_context_iteration (NULL, FALSE);
  while (flow_canvas_is_busy (bench->canvas) || g_get_monotonic_time () - start < 200000);
}

static int
compare_doubles (gconstpointer a,
                 gconstpointer b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static void
run_motions (Bench      *bench,
             const char *name)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (bench->canvas));
  gulong before;
  gulong after;

  g_print ("%-16s %6u boxes %6u wires, zoom %.2f:", name, bench->canvas->display->n_boxes,
           bench->canvas->display->n_wires, bench->canvas->camera.zoom);
  before = g_signal_connect (clock, "before-paint", G_CALLBACK (before_paint_cb), bench);
  after = g_signal_connect (clock, "after-paint", G_CALLBACK (after_paint_cb), bench);
  for (bench->motion = 0; bench->motion < N_MOTIONS; bench->motion++)
    {
      guint id;

      settle (bench);
      bench->n_frames = 0;
      id = gtk_widget_add_tick_callback (GTK_WIDGET (bench->canvas), tick_cb, bench, NULL);
      g_main_loop_run (bench->loop);
      gtk_widget_remove_tick_callback (GTK_WIDGET (bench->canvas), id);
      qsort (bench->frames, N_FRAMES, sizeof (double), compare_doubles);
      g_print ("  %s %.1f (%.1f)", motion_names[bench->motion], bench->frames[N_FRAMES / 2],
               bench->frames[N_FRAMES - 1]);
    }
  g_print ("\n");
  g_signal_handler_disconnect (clock, before);
  g_signal_handler_disconnect (clock, after);
}

/* All of it at once, then as it is worked with. */
static void
run (Bench      *bench,
     const char *name)
{
  guint n = flow_graph_get_n_nodes (bench->graph);

  flow_canvas_set_graph (bench->canvas, bench->graph);
  settle (bench);
  flow_canvas_expand_all (bench->canvas);
  settle (bench);
  bench->states = g_malloc (n);
  memset (bench->states, FLOW_NODE_PENDING, n);
  flow_canvas_set_follow_next (bench->canvas, FALSE);
  flow_canvas_zoom_fit (bench->canvas);
  settle (bench);
  run_motions (bench, name);
  flow_canvas_set_zoom (bench->canvas, 1.0);
  settle (bench);
  run_motions (bench, name);
  flow_canvas_set_graph (bench->canvas, NULL);
  g_clear_pointer (&bench->states, g_free);
  g_clear_object (&bench->graph);
}

/* From the wish to see into a scope of so many ops until they are laid out and the first frame with them is under
 * way, and until all has moved to its place and is painted. */
static void
run_wide (Bench *bench,
          guint  n)
{
  double laid_out[9];
  double times[9];
  gint64 begin;

  bench->graph = make_graph (n, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      flow_canvas_set_graph (bench->canvas, bench->graph);
      settle (bench);
      /* The first look has opened what can be read. */
      flow_canvas_collapse_all (bench->canvas);
      settle (bench);
      begin = g_get_monotonic_time ();
      flow_canvas_expand (bench->canvas, "wide");
      while (bench->canvas->layout_done != bench->canvas->layout_generation)
        g_main_context_iteration (NULL, TRUE);
      laid_out[i] = (double) (g_get_monotonic_time () - begin) / 1000.0;
      while (flow_canvas_is_busy (bench->canvas))
        g_main_context_iteration (NULL, TRUE);
      times[i] = (double) (g_get_monotonic_time () - begin) / 1000.0;
      flow_canvas_set_graph (bench->canvas, NULL);
    }
  qsort (times, G_N_ELEMENTS (times), sizeof (double), compare_doubles);
  qsort (laid_out, G_N_ELEMENTS (laid_out), sizeof (double), compare_doubles);
  g_print ("a scope of %u children: laid out %.1f (%.1f), at rest %.1f (%.1f)\n", n,
           laid_out[G_N_ELEMENTS (times) / 2], laid_out[G_N_ELEMENTS (times) - 1],
           times[G_N_ELEMENTS (times) / 2], times[G_N_ELEMENTS (times) - 1]);
  g_clear_object (&bench->graph);
}

int
main (int   argc,
      char *argv[])
{
  static const guint sizes[] = { 200, 2000, 20000 };
  Bench bench = { 0 };
  GtkWidget *box;
  GtkWidget *row;

  if (!gtk_init_check ())
    {
      g_print ("no display\n");
      return 77;
    }
  flow_kernels_register ();
  adw_init ();
  bench.loop = g_main_loop_new (NULL, FALSE);
  bench.window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (bench.window), 1600, 1000);
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  bench.canvas = FLOW_CANVAS (flow_canvas_new ());
  gtk_widget_set_size_request (GTK_WIDGET (bench.canvas), 1200, 800);
  gtk_box_append (GTK_BOX (row), gtk_label_new ("side"));
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (bench.canvas));
  gtk_box_append (GTK_BOX (box), row);
  gtk_box_append (GTK_BOX (box), gtk_label_new ("status"));
  gtk_window_set_child (GTK_WINDOW (bench.window), box);
  gtk_window_present (GTK_WINDOW (bench.window));
  settle (&bench);

  if (argc > 1)
    {
      g_autoptr(GError) error = NULL;

      bench.graph = flow_graph_load_file (argv[1], &error);
      if (bench.graph == NULL)
        {
          g_printerr ("%s\n", error->message);
          return 1;
        }
      run (&bench, "file");
    }
  if (argc == 1)
    run_wide (&bench, 1000);
  if (argc == 1)
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
      {
        g_autofree char *name = g_strdup_printf ("%u items", sizes[i]);

        bench.graph = make_graph (sizes[i], FALSE);
        run (&bench, name);
      }
  gtk_window_destroy (GTK_WINDOW (bench.window));
  g_main_loop_unref (bench.loop);
  return 0;
}
