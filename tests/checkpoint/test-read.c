/* test-read.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <string.h>

#include <zlib.h>

#include "flow-checkpoint.h"
#include "flow-npz.h"
#include "flow-tensor-compare.h"

static char *
golden_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "golden", "checkpoint", name, NULL);
}

static FlowCheckpoint *
open_golden (const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = golden_path (name);
  FlowCheckpoint *checkpoint = flow_checkpoint_open (path, &error);

  g_assert_no_error (error);
  g_assert_nonnull (checkpoint);
  return checkpoint;
}

static FlowTensor *
read_tensor (FlowCheckpoint *checkpoint,
             const char     *name,
             const char     *spec)
{
  g_autoptr (GError) error = NULL;
  FlowTensor *tensor = flow_checkpoint_read_slice (checkpoint, name, spec, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (tensor);
  return tensor;
}

static void
assert_read_error (FlowCheckpoint *checkpoint,
                   const char     *name,
                   const char     *spec,
                   int             code,
                   const char     *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowTensor) tensor = flow_checkpoint_read_slice (checkpoint, name, spec, NULL, &error);

  g_assert_null (tensor);
  g_assert_error (error, FLOW_ERROR, code);
  if (strstr (error->message, words) == NULL)
    g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
}

/* Every tensor of a file against what was put into it (tests/oracle/record_checkpoints.py). */
static void
test_values (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *npz_path = golden_path ("expected.npz");
  g_autoptr (FlowNpz) npz = flow_npz_open (npz_path, &error);
  g_autoptr (FlowCheckpoint) checkpoint = open_golden (data);
  guint n = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < flow_checkpoint_get_n_tensors (checkpoint); i++)
    {
      FlowCheckpointTensor *info = flow_checkpoint_get_tensor (checkpoint, i);
      g_autofree char *key = g_strconcat (strchr (data, 's') != NULL ? "sliced/" : "all/", info->name, NULL);
      g_autoptr (FlowTensor) tensor = read_tensor (checkpoint, info->name, NULL);
      g_autoptr (FlowTensor) expected = NULL;
      g_autoptr (FlowTensorDiff) diff = NULL;

      g_assert_null (info->problem);
      g_assert_cmpint (info->dtype, ==, tensor->dtype);
      g_assert_true (flow_shape_equal (info->shape, tensor->shape));
      if (!flow_npz_has_key (npz, key))
        continue;
      expected = flow_npz_read (npz, key, NULL, &error);
      g_assert_no_error (error);
      diff = flow_tensor_compare (tensor, expected, NULL);
      g_test_message ("%s", info->name);
      g_assert_true (diff->equal_bits);
      n++;
    }
  g_assert_cmpuint (n, ==, strcmp (data, "all.index") == 0  ? 18
                           : strcmp (data, "all.v1") == 0     ? 16
                           : strcmp (data, "sliced") == 0     ? 2
                                                              : 1);
  g_assert_null (flow_checkpoint_get_problems (checkpoint)[0]);
}

static void
test_quantized (void)
{
  g_autoptr (FlowCheckpoint) checkpoint = open_golden ("all");
  g_autoptr (FlowTensor) tensor = read_tensor (checkpoint, "q/32", "");

  g_assert_cmpint (tensor->dtype, ==, FLOW_DTYPE_QINT32);
  g_assert_cmpint (flow_tensor_get_int (tensor, 0), ==, -3);
}

static void
test_many (void)
{
  g_autoptr (FlowCheckpoint) checkpoint = open_golden ("many");

  g_assert_cmpuint (flow_checkpoint_get_n_tensors (checkpoint), ==, 200);
  for (int i = 0; i < 200; i++)
    {
      g_autofree char *name = g_strdup_printf ("m/%03d", i);
      g_autoptr (FlowTensor) tensor = read_tensor (checkpoint, name, NULL);

      g_assert_cmpint (flow_tensor_get_int (tensor, 0), ==, i);
    }
}

/* Parts of a tensor that is stored whole and of one that is stored in parts are the same. */
static void
test_slices (gconstpointer data)
{
  static const char *const specs[] = { "10 6 0,4:-", "10 6 -:-", "10 6 2,5:1,3", "10 6 9,1:5,1", "10 6 4,6:2,4" };
  g_autoptr (FlowCheckpoint) checkpoint = open_golden (data);

  for (guint i = 0; i < G_N_ELEMENTS (specs); i++)
    {
      g_autoptr (FlowTensor) a = read_tensor (checkpoint, "emb", specs[i]);
      g_autoptr (FlowTensor) b = read_tensor (checkpoint, "w", specs[i]);
      g_autoptr (FlowTensorDiff) diff = flow_tensor_compare (a, b, NULL);

      g_assert_true (diff->equal_bits);
    }
  {
    g_autoptr (FlowTensor) a = read_tensor (checkpoint, "emb", "10 6 2,5:1,3");

    g_assert_cmpint (FLOW_DIMS (a)[0], ==, 5);
    g_assert_cmpint (FLOW_DIMS (a)[1], ==, 3);
    g_assert_cmpfloat (flow_tensor_get_double (a, 0), ==, 13);
    g_assert_cmpfloat (flow_tensor_get_double (a, 14), ==, 39);
  }
}

/* In the words of TensorFlow 1.15. */
static void
test_slice_errors (void)
{
  g_autoptr (FlowCheckpoint) sliced = open_golden ("sliced");
  g_autoptr (FlowCheckpoint) partial = open_golden ("partial");
  g_autoptr (FlowCheckpoint) v1 = open_golden ("sliced.v1");
  g_autoptr (FlowTensor) some = read_tensor (partial, "emb", "10 6 1,3:-");

  g_assert_cmpfloat (flow_tensor_get_double (some, 0), ==, 6);
  assert_read_error (partial, "emb", "", FLOW_ERROR_INVALID_ARGUMENT,
                     "Does not have sufficient slices for partitioned tensor emb to restore in slice_spec: -:-");
  assert_read_error (partial, "emb", "10 6 3,2:-", FLOW_ERROR_INVALID_ARGUMENT,
                     "Does not have sufficient slices for partitioned tensor emb to restore in slice_spec: 3,2:-");
  assert_read_error (sliced, "nope", NULL, FLOW_ERROR_NOT_FOUND, "Key nope not found in checkpoint");
  assert_read_error (sliced, "emb", "10 7 0,1:-", FLOW_ERROR_INVALID_ARGUMENT,
                     "tensor_name = emb; shape in shape_and_slice spec [10,7] does not match the shape stored in "
                     "checkpoint: [10,6]");
  assert_read_error (sliced, "emb", "x", FLOW_ERROR_INVALID_ARGUMENT,
                     "Need least two elements in shape_and_slice specification: x");
  assert_read_error (sliced, "emb", "-5 0,1", FLOW_ERROR_INVALID_ARGUMENT, "shape_and_slice");
  assert_read_error (sliced, "emb", "10 6 0,20:-", FLOW_ERROR_INTERNAL,
                     "Extent in dimension 0 out of bounds: shape = [10,6], slice = 0,20:-");
  assert_read_error (sliced, "emb", "10 6 5,9223372036854775807:-", FLOW_ERROR_INTERNAL, "Extent in dimension 0 out");
  assert_read_error (sliced, "emb", "10 6 -1,5:-", FLOW_ERROR_INVALID_ARGUMENT,
                     "Expected non-negative start and positive length but got start = -1, length = 5: string = -1,5:-");
  assert_read_error (sliced, "emb", "10 6 a:-", FLOW_ERROR_INVALID_ARGUMENT,
                     "Expected a pair of numbers or '-' but got 'a': string = a:-");
  assert_read_error (sliced, "emb", "10 6 0,5", FLOW_ERROR_INTERNAL,
                     "Mismatching ranks: shape = [10,6], slice = 0,5");
  assert_read_error (sliced, "emb", "10 6  0,5:-", FLOW_ERROR_INVALID_ARGUMENT,
                     "Non numerical dimension in shape_and_slice: 10 6  0,5:-");
  assert_read_error (v1, "nope", NULL, FLOW_ERROR_NOT_FOUND, "Tensor name \"nope\" not found in checkpoint files ");
  assert_read_error (v1, "emb", "11 6 0,1:-", FLOW_ERROR_INVALID_ARGUMENT,
                     "Shape in shape_and_slice spec does not match the shape in the save file: [11,6], save file "
                     "shape: [10,6]");
}

/* Whatever a person may point at. */
static void
test_resolve (void)
{
  static const struct {
    const char *path;
    FlowCheckpointKind kind;
    const char *prefix;
  } cases[] = {
    { "all", FLOW_CHECKPOINT_BUNDLE, "all" },
    { "all.index", FLOW_CHECKPOINT_BUNDLE, "all" },
    { "all.data-00000-of-00001", FLOW_CHECKPOINT_BUNDLE, "all" },
    { "sharded.data-00001-of-00002", FLOW_CHECKPOINT_BUNDLE, "sharded" },
    { "all.v1", FLOW_CHECKPOINT_V1, "all.v1" },
    { "sharded.v1", FLOW_CHECKPOINT_V1, "sharded.v1-?????" "-of-?????" },
    { "sharded.v1-00001-of-00003", FLOW_CHECKPOINT_V1, "sharded.v1-?????" "-of-00003" },
  };
  g_autoptr (GError) error = NULL;
  g_autofree char *nothing = golden_path ("nothing");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = golden_path (cases[i].path);
      g_autofree char *expected = golden_path (cases[i].prefix);
      FlowCheckpointKind kind;
      g_autofree char *prefix = flow_checkpoint_resolve (path, &kind, &error);

      g_assert_no_error (error);
      g_assert_cmpint (kind, ==, cases[i].kind);
      g_assert_cmpstr (prefix, ==, expected);
    }
  g_assert_null (flow_checkpoint_resolve (nothing, NULL, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND);
  g_assert_true (g_str_has_prefix (error->message, "Unsuccessful TensorSliceReader constructor: Failed to find any "
                                                   "matching files for "));
}

static guint32
crc_of (const FlowTensor *tensor)
{
  guint32 crc = 0;

  if (tensor->dtype != FLOW_DTYPE_STRING)
    return (guint32) crc32_z (0, tensor->data, tensor->n_bytes);
  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      gsize length;
      const char *text = flow_tensor_get_string (tensor, i, &length);
      guint64 n = GUINT64_TO_LE (length);

      crc = (guint32) crc32_z (crc, (const guint8 *) &n, 8);
      if (length > 0)
        crc = (guint32) crc32_z (crc, (const guint8 *) text, length);
    }
  return crc;
}

static void
check_fixture_line (FlowCheckpoint *checkpoint,
                    const char     *line)
{
  g_auto (GStrv) words = g_strsplit (line + 1, " ", -1);
  g_autoptr (FlowTensor) tensor = read_tensor (checkpoint, words[0], NULL);
  g_autoptr (GString) shape = g_string_new (NULL);

  for (int d = 0; d < FLOW_RANK (tensor); d++)
    g_string_append_printf (shape, d > 0 ? "x%" G_GINT64_FORMAT : "%" G_GINT64_FORMAT, FLOW_DIMS (tensor)[d]);
  g_assert_cmpstr (flow_dtype_name (tensor->dtype), ==, words[1]);
  g_assert_cmpstr (shape->len > 0 ? shape->str : "-", ==, words[2]);
  g_assert_cmphex (crc_of (tensor), ==, g_ascii_strtoull (words[3], NULL, 16));
}

/* Every checkpoint of the collection of real and recorded files, each tensor against the bytes that
 * TensorFlow reads. Without the collection: the list is read, nothing more. */
static void
test_fixtures (void)
{
  g_autofree char *list_path = golden_path ("fixtures.txt");
  g_autofree char *contents = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (FlowCheckpoint) checkpoint = NULL;
  const char *shared = g_getenv ("FLOW_TEST_SHARED");
  guint n_expected = 0;
  guint n_files = 0;
  guint n_tensors = 0;

  g_assert_true (g_file_get_contents (list_path, &contents, NULL, NULL));
  lines = g_strsplit (contents, "\n", -1);
  for (guint i = 0; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      g_autoptr (GError) error = NULL;

      if (*lines[i] != '\t')
        {
          char *kind = strrchr (lines[i], ' ');
          g_autofree char *path = NULL;
          g_autofree char *folder = NULL;

          if (checkpoint != NULL)
            g_assert_cmpuint (flow_checkpoint_get_n_tensors (checkpoint), ==, n_expected);
          g_clear_object (&checkpoint);
          n_expected = 0;
          *kind++ = '\0';
          path = g_build_filename (shared != NULL ? shared : "/nowhere", "fixtures", lines[i], NULL);
          folder = g_path_get_dirname (path);
          if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
            continue;
          checkpoint = strcmp (kind, "v1") == 0 ? flow_checkpoint_open (path, &error)
                                                : flow_checkpoint_open_prefix (path, &error);
          g_test_message ("%s", lines[i]);
          g_assert_no_error (error);
          g_assert_cmpint (flow_checkpoint_get_kind (checkpoint), ==,
                           strcmp (kind, "v1") == 0 ? FLOW_CHECKPOINT_V1 : FLOW_CHECKPOINT_BUNDLE);
          n_files++;
          continue;
        }
      n_expected++;
      if (checkpoint == NULL)
        continue;
      check_fixture_line (checkpoint, lines[i]);
      n_tensors++;
    }
  g_test_message ("%u files, %u tensors", n_files, n_tensors);
  g_assert_cmpuint (n_files, ==, n_tensors > 0 ? 41 : 0);
}

static void
test_budget (void)
{
  g_autoptr (FlowCheckpoint) checkpoint = open_golden ("all");
  g_autoptr (FlowBudget) budget = flow_budget_new (40);
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowTensor) tensor = flow_checkpoint_read (checkpoint, "a/float", budget, &error);

  g_assert_null (tensor);
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED);
  g_clear_error (&error);
  tensor = flow_checkpoint_read (checkpoint, "s/strings", budget, &error);
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED);
  g_assert_cmpuint (flow_budget_get_used (budget), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/checkpoint/read/bundle", "all.index", test_values);
  g_test_add_data_func ("/checkpoint/read/v1", "all.v1", test_values);
  g_test_add_data_func ("/checkpoint/read/sliced", "sliced", test_values);
  g_test_add_data_func ("/checkpoint/read/sliced-v1", "sliced.v1", test_values);
  g_test_add_data_func ("/checkpoint/read/sharded", "sharded", test_values);
  g_test_add_data_func ("/checkpoint/read/sharded-v1", "sharded.v1", test_values);
  g_test_add_func ("/checkpoint/read/quantized", test_quantized);
  g_test_add_func ("/checkpoint/read/many", test_many);
  g_test_add_data_func ("/checkpoint/read/slices", "sliced", test_slices);
  g_test_add_data_func ("/checkpoint/read/slices-v1", "sliced.v1", test_slices);
  g_test_add_func ("/checkpoint/read/slice-errors", test_slice_errors);
  g_test_add_func ("/checkpoint/read/resolve", test_resolve);
  g_test_add_func ("/checkpoint/read/fixtures", test_fixtures);
  g_test_add_func ("/checkpoint/read/budget", test_budget);
  return g_test_run ();
}
