/* bench-open.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <flowstep.h>

#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* How long opening takes: `bench-open [N_NODES | FILE...]`, of each the best of five, in CPU time; of a file also
 * against what reading its bytes takes. */

#define ROUNDS 5
#define UNITS_PER_LAYER 10

/* Of this thread: what else the machine does is not measured. */
static gint64
cpu_time_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

/* An attr whose AttrValue is given as bytes. */
static void
add_attr (FlowProtoWriter *w,
          const char      *name,
          const char      *value,
          gsize            size)
{
  flow_proto_writer_begin (w, 5);
  flow_proto_writer_add_string (w, 1, name);
  flow_proto_writer_add_bytes (w, 2, value, size);
  flow_proto_writer_end (w);
}

static void
add_node (FlowProtoWriter *w,
          const char      *prefix,
          const char      *leaf,
          const char      *op,
          const char      *input,
          const char      *input2)
{
  g_autofree char *name = g_strconcat (prefix, leaf, NULL);

  flow_proto_writer_begin (w, 1);
  flow_proto_writer_add_string (w, 1, name);
  flow_proto_writer_add_string (w, 2, op);
  if (input != NULL)
    flow_proto_writer_add_string (w, 3, input);
  if (input2 != NULL)
    flow_proto_writer_add_string (w, 3, input2);
  flow_proto_writer_add_string (w, 4, "/job:worker/task:0/device:CPU:0");
  if (strcmp (op, "Const") == 0)
    {
      static const char tensor[] = "\x42\x0a\x08\x01\x12\x00\x2a\x04\x00\x00\x80\x3f";

      add_attr (w, "dtype", "\x30\x01", 2);
      add_attr (w, "value", tensor, sizeof tensor - 1);
    }
  else
    add_attr (w, "T", "\x30\x01", 2);
  add_attr (w, "_output_shapes", "\x0a\x02\x3a\x00", 4);
  flow_proto_writer_end (w);
}

/* Units of six nodes in scopes of two levels, each reading the one before. */
static GBytes *
make_graph (guint n_nodes)
{
  FlowProtoWriter w;
  g_autofree char *last = NULL;

  flow_proto_writer_init (&w);
  for (guint i = 0; i < n_nodes; i += 6)
    {
      g_autofree char *prefix = g_strdup_printf ("layer_%u/unit_%u/", i / 6 / UNITS_PER_LAYER, i / 6 % UNITS_PER_LAYER);
      g_autofree char *constant = g_strconcat (prefix, "c", NULL);
      g_autofree char *product = g_strconcat (prefix, "mul", NULL);
      g_autofree char *sum = g_strconcat (prefix, "add", NULL);
      g_autofree char *control = g_strconcat ("^", prefix, "c", NULL);

      add_node (&w, prefix, "c", "Const", NULL, NULL);
      add_node (&w, prefix, "mul", "Mul", last != NULL ? last : constant, constant);
      add_node (&w, prefix, "add", "Add", product, constant);
      add_node (&w, prefix, "relu", "Relu", sum, NULL);
      add_node (&w, prefix, "neg", "Neg", product, control);
      add_node (&w, prefix, "id", "Identity", sum, control);
      g_free (last);
      last = g_strconcat (prefix, "relu", NULL);
    }
  return flow_proto_writer_finish (&w, NULL);
}

/* In CPU time, with the file in the page cache. */
static double
read_ms (const char *path)
{
  gint64 best = G_MAXINT64;

  for (guint i = 0; i < ROUNDS; i++)
    {
      gint64 begin = cpu_time_us ();
      g_autofree char *bytes = NULL;

      g_file_get_contents (path, &bytes, NULL, NULL);
      best = MIN (best, cpu_time_us () - begin);
    }
  return (double) best / 1e3;
}

static double
measure (const char *label,
         GBytes     *bytes)
{
  gint64 best = G_MAXINT64;
  gint64 best_write = G_MAXINT64;
  gint64 best_pack = G_MAXINT64;
  gint64 best_unpack = G_MAXINT64;
  gsize before = 0;
  gsize after = 0;
  guint n_nodes = 0;
  guint n_problems = 0;

  for (guint i = 0; i < ROUNDS; i++)
    {
      gint64 begin;
      g_autoptr (GError) error = NULL;
      g_autoptr (FlowModel) model = NULL;

      before = mallinfo2 ().uordblks + mallinfo2 ().hblkhd;
      begin = cpu_time_us ();
      model = flow_model_load_bytes (bytes, label, NULL, &error);
      best = MIN (best, cpu_time_us () - begin);
      after = mallinfo2 ().uordblks + mallinfo2 ().hblkhd;
      if (model == NULL)
        {
          printf ("%s: %s\n", label, error->message);
          return 0;
        }
      {
        g_autoptr (GBytes) written = NULL;

        begin = cpu_time_us ();
        written = flow_graph_to_bytes (flow_model_get_graph (model), NULL);
        best_write = MIN (best_write, cpu_time_us () - begin);
      }
      {
        g_autoptr (GPtrArray) pieces = NULL;
        g_autoptr (FlowGraph) unpacked = NULL;

        begin = cpu_time_us ();
        pieces = flow_graph_pack (flow_model_get_graph (model), NULL);
        best_pack = MIN (best_pack, cpu_time_us () - begin);
        begin = cpu_time_us ();
        unpacked = flow_graph_unpack (pieces, NULL);
        best_unpack = MIN (best_unpack, cpu_time_us () - begin);
      }
      n_nodes = flow_graph_get_n_nodes (flow_model_get_graph (model));
      n_problems = flow_model_get_problems (model)->len;
    }
  printf ("%s: %u nodes, %.1f MB, %u problems: opened in %.1f ms, %.2f us a node, %.1f MB of memory; "
          "written in %.1f ms, packed for the window in %.1f, "
          "unpacked in %.1f\n", label, n_nodes,
          (double) g_bytes_get_size (bytes) / 1e6, n_problems, (double) best / 1e3,
          n_nodes > 0 ? (double) best / n_nodes : 0.0, ((double) after - (double) before) / 1e6,
          (double) best_write / 1e3, (double) best_pack / 1e3, (double) best_unpack / 1e3);
  return (double) best / 1e3;
}

int
main (int    argc,
      char **argv)
{
  flow_kernels_register ();
  if (argc > 1 && !g_ascii_isdigit (argv[1][0]))
    {
      for (int i = 1; i < argc; i++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (GBytes) bytes = flow_model_read_bytes (argv[i], &error);

          if (bytes == NULL)
            printf ("%s: %s\n", argv[i], error->message);
          else
            {
              double opened = measure (argv[i], bytes);
              double read = read_ms (argv[i]);

              printf ("  reading its bytes %.2f ms: opening is %.1f of it\n", read, opened / MAX (read, 0.001));
            }
        }
      return 0;
    }
  {
    guint n = argc > 1 ? (guint) g_ascii_strtoull (argv[1], NULL, 10) : 100000;
    g_autoptr (GBytes) bytes = make_graph (n);

    measure ("made up", bytes);
  }
  return 0;
}
