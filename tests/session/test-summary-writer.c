/* test-summary-writer.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-event-file.h"
#include "flow-session.h"
#include "flow-test-graph.h"

#include <glib/gstdio.h>
#include <string.h>

/* Event files that graphs write themselves (tf.contrib.summary), read back. */

static const char graph_text[] =
  "w SummaryWriter shared_name=\"run\" container=\"\"\n"
  "dir Const dtype=string value=s:logs/train\n"
  "out Const dtype=string value=s:../../../outside\n"
  "queue Const dtype=int32 value=i:10\n"
  "suffix Const dtype=string value=s:.v2\n"
  "create CreateSummaryFileWriter w dir queue queue suffix\n"
  "create_outside CreateSummaryFileWriter w out queue queue suffix\n"
  "s Placeholder dtype=int64 shape=[]\n"
  "tag Const dtype=string value=s:loss\n"
  "x Placeholder dtype=float\n"
  "none Const dtype=string value=s:\n"
  "color Placeholder dtype=uint8\n"
  "raw Placeholder dtype=string\n"
  "rate Const dtype=float value=f:8000\n"
  "scalar WriteScalarSummary w s tag x T=float\n"
  "histogram WriteHistogramSummary w s tag x T=float\n"
  "image WriteImageSummary w s tag x color T=float max_images=n:1\n"
  "audio WriteAudioSummary w s tag x rate max_outputs=n:1\n"
  "tensor WriteSummary w s x tag none T=float\n"
  "proto WriteRawProtoSummary w s raw\n"
  "graph WriteGraphSummary w s raw\n"
  "event ImportEvent w raw\n"
  "flush FlushSummaryWriter w\n"
  "close CloseSummaryWriter w\n";

typedef struct {
  char *folder;
  FlowGraph *graph;
  FlowSession *session;
} Fixture;

static void
set_up (Fixture       *f,
        gconstpointer  data)
{
  f->folder = g_dir_make_tmp ("flow-events-XXXXXX", NULL);
  f->graph = flow_test_graph (graph_text);
  f->session = flow_session_new (f->graph, NULL);
  flow_session_set_folder (f->session, f->folder);
}

static void
remove_all (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *below = g_build_filename (path, name, NULL);

      remove_all (below);
    }
  g_remove (path);
}

static void
tear_down (Fixture       *f,
           gconstpointer  data)
{
  g_object_unref (f->session);
  g_object_unref (f->graph);
  remove_all (f->folder);
  g_free (f->folder);
}

/* Runs one op with what it may need; the error's code, 0 for none. */
static int
run (Fixture    *f,
     const char *target,
     gint64      step,
     FlowTensor *x,
     const char *raw,
     gsize       raw_length)
{
  const char *feeds[] = { "s:0", "x:0", "color:0", "raw:0", NULL };
  const char *targets[] = { target, NULL };
  const char *none[] = { NULL };
  static const guint8 red[] = { 255, 0, 0, 255 };
  g_autoptr (FlowShape) four = flow_shape_new_vector (4);
  g_autoptr (GBytes) bytes = g_bytes_new_static (red, sizeof red);
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  g_autoptr (FlowTensor) step_value = flow_tensor_new_int64 (step);
  g_autoptr (FlowTensor) number = flow_tensor_new_float (0.5f);
  g_autoptr (FlowTensor) color = flow_tensor_new_from_bytes (FLOW_DTYPE_UINT8, four, bytes, NULL);
  g_autoptr (FlowTensor) text = flow_tensor_new_string (raw != NULL ? raw : "", (gssize) raw_length);
  g_autoptr (GPtrArray) fetched = NULL;
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (values, step_value);
  g_ptr_array_add (values, x != NULL ? x : number);
  g_ptr_array_add (values, color);
  g_ptr_array_add (values, text);
  fetched = flow_session_run (f->session, feeds, values, none, targets, 0, NULL, &error);
  if (error != NULL)
    g_test_message ("%s", error->message);
  return error != NULL ? error->code : 0;
}

static FlowTensor *
make_floats (int           rank,
             const gint64 *dims)
{
  g_autoptr (FlowShape) shape = flow_shape_new (rank, dims);
  FlowTensor *out = flow_tensor_new (FLOW_DTYPE_FLOAT, shape, NULL, NULL);

  for (gint64 i = 0; i < out->n_elements; i++)
    FLOW_WRITABLE (float, out)[i] = (float) i / 8;
  return out;
}

static FlowEventFile *
read_back (Fixture *f)
{
  g_autofree char *folder = g_build_filename (f->folder, "logs", "train", NULL);
  g_auto (GStrv) files = flow_event_file_list (folder);
  g_autoptr (GError) error = NULL;
  FlowEventFile *events;

  g_assert_nonnull (files);
  g_assert_cmpuint (g_strv_length (files), ==, 1);
  g_assert_true (g_str_has_suffix (files[0], ".v2"));
  events = flow_event_file_load (files[0], &error);
  g_assert_no_error (error);
  return events;
}

static void
test_writes (Fixture       *f,
             gconstpointer  data)
{
  g_autoptr (FlowTensor) image = make_floats (4, (const gint64[]) { 1, 2, 3, 1 });
  g_autoptr (FlowTensor) sound = make_floats (2, (const gint64[]) { 1, 8 });
  g_autoptr (FlowEventFile) events = NULL;
  FlowEventSeries *loss;
  /* A summary of one value: tag "p", number 1. */
  static const char summary[] = "\x0a\x08\x0a\x01p\x15\x00\x00\x80\x3f";
  static const char event[] = "\x10\x07";

  g_assert_cmpint (run (f, "create", 0, NULL, NULL, 0), ==, 0);
  g_assert_cmpint (run (f, "create", 0, NULL, NULL, 0), ==, 0);
  for (gint64 step = 0; step < 3; step++)
    g_assert_cmpint (run (f, "scalar", step, NULL, NULL, 0), ==, 0);
  g_assert_cmpint (run (f, "histogram", 3, sound, NULL, 0), ==, 0);
  g_assert_cmpint (run (f, "image", 3, image, NULL, 0), ==, 0);
  g_assert_cmpint (run (f, "audio", 3, sound, NULL, 0), ==, 0);
  g_assert_cmpint (run (f, "tensor", 4, sound, NULL, 0), ==, 0);
  g_assert_cmpint (run (f, "proto", 5, NULL, summary, sizeof summary - 1), ==, 0);
  g_assert_cmpint (run (f, "graph", 6, NULL, "", 0), ==, 0);
  g_assert_cmpint (run (f, "event", 7, NULL, event, sizeof event - 1), ==, 0);
  g_assert_cmpint (run (f, "flush", 0, NULL, NULL, 0), ==, 0);
  g_assert_cmpint (run (f, "close", 0, NULL, NULL, 0), ==, 0);
  g_assert_cmpint (run (f, "scalar", 9, NULL, NULL, 0), ==, FLOW_ERROR_NOT_FOUND);
  events = read_back (f);
  g_assert_cmpuint (flow_event_file_get_problems (events)->len, ==, 0);
  g_assert_cmpstr (flow_event_file_get_version (events), ==, "brain.Event:2");
  g_assert_cmpuint (flow_event_file_get_n_events (events), ==, 11);
  loss = flow_event_file_find (events, FLOW_EVENT_SCALAR, "loss");
  g_assert_nonnull (loss);
  g_assert_cmpint (g_array_index (loss->points, FlowEventPoint, 2).step, ==, 2);
  g_assert_cmpfloat (g_array_index (loss->points, FlowEventPoint, 2).value, ==, 0.5);
  g_assert_nonnull (flow_event_file_find (events, FLOW_EVENT_IMAGE, "loss/image"));
  g_assert_nonnull (flow_event_file_find (events, FLOW_EVENT_SCALAR, "p"));
}

static void
test_refuses (Fixture       *f,
              gconstpointer  data)
{
  g_autoptr (FlowTensor) sound = make_floats (2, (const gint64[]) { 1, 8 });
  g_autofree char *logs = g_build_filename (f->folder, "logs", NULL);

  g_assert_cmpint (run (f, "scalar", 0, NULL, NULL, 0), ==, FLOW_ERROR_NOT_FOUND);
  g_assert_cmpint (run (f, "flush", 0, NULL, NULL, 0), ==, FLOW_ERROR_NOT_FOUND);
  g_assert_cmpint (run (f, "close", 0, NULL, NULL, 0), ==, FLOW_ERROR_NOT_FOUND);
  g_assert_cmpint (run (f, "create_outside", 0, NULL, NULL, 0), ==, FLOW_ERROR_PERMISSION_DENIED);
  g_assert_cmpint (run (f, "create", 0, NULL, NULL, 0), ==, 0);
  g_assert_cmpint (run (f, "scalar", 0, sound, NULL, 0), ==, FLOW_ERROR_INVALID_ARGUMENT);
  g_assert_cmpint (run (f, "image", 0, sound, NULL, 0), ==, FLOW_ERROR_INVALID_ARGUMENT);
  g_assert_false (g_file_test (logs, G_FILE_TEST_EXISTS));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  flow_kernels_register ();
  g_test_add ("/session/summary-writer/writes", Fixture, NULL, set_up, test_writes, tear_down);
  g_test_add ("/session/summary-writer/refuses", Fixture, NULL, set_up, test_refuses, tear_down);
  return g_test_run ();
}
