/* test-save_restore.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "flow-checkpoint.h"
#include "flow-op-runner.h"

/* Against what TensorFlow 1.15 said when it was asked the same (its words stand here). */

typedef struct {
  FlowOpRunner *runner;
  GArray *outputs;
} Fixture;

static void
set_up (Fixture       *f,
        gconstpointer  data)
{
  flow_kernels_register ();
  f->runner = flow_op_runner_new ();
  f->outputs = g_array_new (FALSE, TRUE, sizeof (FlowValue));
  g_array_set_clear_func (f->outputs, flow_op_runner_clear_value);
}

static void
tear_down (Fixture       *f,
           gconstpointer  data)
{
  g_array_unref (f->outputs);
  flow_op_runner_free (f->runner);
}

/* "a|b" is a vector of two strings, "" one of none. */
static FlowTensor *
make_strings (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, "|", -1);
  gint64 n = *text != '\0' ? (gint64) g_strv_length (words) : 0;
  g_autoptr (FlowShape) shape = flow_shape_new_vector (n);
  FlowTensor *tensor = flow_tensor_new (FLOW_DTYPE_STRING, shape, NULL, NULL);

  for (gint64 i = 0; i < n; i++)
    flow_tensor_take_string (tensor, i, g_bytes_new (words[i], strlen (words[i])));
  return tensor;
}

static FlowTensor *
make_matrix (void)
{
  g_autoptr (FlowShape) shape = flow_shape_new_matrix (10, 9);
  FlowTensor *tensor = flow_tensor_new (FLOW_DTYPE_FLOAT, shape, NULL, NULL);

  for (int i = 0; i < 90; i++)
    FLOW_WRITABLE (float, tensor)[i] = (float) i;
  return tensor;
}

static FlowAttrList *
make_attrs (const char *name,
            const int  *dtypes,
            guint       n)
{
  FlowAttrList *attrs = flow_attr_list_new ();
  g_autoptr (FlowAttr) attr = flow_attr_new_type_list (dtypes, n);

  flow_attr_list_set (attrs, name, attr);
  return attrs;
}

static gboolean
run (Fixture          *f,
     const char       *type,
     FlowAttrList     *attrs,
     const FlowValue  *inputs,
     guint             n_inputs,
     GError          **error)
{
  g_array_set_size (f->outputs, 0);
  return flow_op_runner_run (f->runner, "op", type, attrs, inputs, n_inputs, f->outputs, error);
}

static gboolean
save (Fixture     *f,
      const char  *type,
      const char  *prefix,
      const char  *names,
      FlowTensor  *specs,
      guint        n,
      FlowTensor **tensors,
      GError     **error)
{
  g_autoptr (FlowTensor) prefix_tensor = flow_tensor_new_string (prefix, -1);
  g_autoptr (FlowTensor) names_tensor = make_strings (names);
  FlowValue inputs[8] = { { prefix_tensor }, { names_tensor } };
  guint fixed = 2;
  int dtypes[5];
  g_autoptr (FlowAttrList) attrs = NULL;

  if (specs != NULL)
    inputs[fixed++].tensor = specs;
  for (guint i = 0; i < n; i++)
    {
      inputs[fixed + i].tensor = tensors[i];
      dtypes[i] = tensors[i]->dtype;
    }
  attrs = make_attrs (strcmp (type, "SaveV2") == 0 ? "dtypes" : "T", dtypes, n);
  return run (f, type, attrs, inputs, fixed + n, error);
}

static gboolean
restore (Fixture     *f,
         const char  *prefix,
         const char  *names,
         const char  *specs,
         guint        n,
         const int   *dtypes,
         GError     **error)
{
  g_autoptr (FlowTensor) prefix_tensor = flow_tensor_new_string (prefix, -1);
  g_autoptr (FlowTensor) names_tensor = make_strings (names);
  g_autoptr (FlowTensor) specs_tensor = make_strings (specs);
  FlowValue inputs[] = { { prefix_tensor }, { names_tensor }, { specs_tensor } };
  g_autoptr (FlowAttrList) attrs = make_attrs ("dtypes", dtypes, n);

  return run (f, "RestoreV2", attrs, inputs, 3, error);
}

/* make_strings() cannot say one empty string; a vector of them can only be built. */
static FlowTensor *
empty_specs (guint n)
{
  g_autoptr (FlowShape) shape = flow_shape_new_vector (n);

  return flow_tensor_new (FLOW_DTYPE_STRING, shape, NULL, NULL);
}

static void
save_two (Fixture *f)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowTensor) x = make_matrix ();
  const double three = 3;
  g_autoptr (FlowTensor) y = flow_tensor_new_scalar (FLOW_DTYPE_DOUBLE, &three);
  g_autoptr (FlowTensor) specs = empty_specs (2);
  FlowTensor *tensors[] = { x, y };

  g_assert_true (save (f, "SaveV2", "a", "x|y", specs, 2, tensors, &error));
  g_assert_no_error (error);
}

static void
test_round_trip (Fixture       *f,
                 gconstpointer  data)
{
  const int dtypes[] = { FLOW_DTYPE_DOUBLE, FLOW_DTYPE_FLOAT };
  g_autoptr (GError) error = NULL;
  FlowTensor *part;

  save_two (f);
  g_assert_true (restore (f, "a", "y|x", "|10 9 2,3:4,5", 2, dtypes, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (flow_tensor_get_double (g_array_index (f->outputs, FlowValue, 0).tensor, 0), ==, 3);
  part = g_array_index (f->outputs, FlowValue, 1).tensor;
  g_assert_cmpint (FLOW_DIMS (part)[0], ==, 3);
  g_assert_cmpint (FLOW_DIMS (part)[1], ==, 5);
  g_assert_cmpfloat (flow_tensor_get_double (part, 0), ==, 22);
  g_assert_cmpfloat (flow_tensor_get_double (part, 14), ==, 44);
}

static void
test_restore_errors (Fixture       *f,
                     gconstpointer  data)
{
  static const struct {
    const char *prefix;
    const char *names;
    const char *specs;
    guint n;
    int dtypes[3];
    int code;
    const char *message;
  } cases[] = {
    { "a", "x|z|b", "||", 3, { 1, 1, 1 }, FLOW_ERROR_NOT_FOUND, "Key b not found in checkpoint" },
    { "a", "x|y", "|", 2, { 3, 1 }, FLOW_ERROR_INVALID_ARGUMENT,
      "tensor_name = x; expected dtype int32 does not equal original dtype float\n"
      "tensor_name = y; expected dtype float does not equal original dtype double" },
    { "a", "x", "|", 1, { 1 }, FLOW_ERROR_INVALID_ARGUMENT,
      "tensor_names and shape_and_slices have different number of elements: 1 vs. 2" },
    { "a", "x", "10 9 -:-", 2, { 1, 1 }, FLOW_ERROR_INVALID_ARGUMENT, "Got 1 tensor names, but 2 expected dtypes." },
    { "none", "x", "10 9 -:-", 1, { 1 }, FLOW_ERROR_NOT_FOUND,
      "Unsuccessful TensorSliceReader constructor: Failed to find any matching files for none" },
    { "a", "x", "10 10 0,5:-", 1, { 1 }, FLOW_ERROR_INVALID_ARGUMENT,
      "tensor_name = x; shape in shape_and_slice spec [10,10] does not match the shape stored in checkpoint: [10,9]" },
    { "a", "x", "-5 0,1", 1, { 1 }, FLOW_ERROR_INVALID_ARGUMENT, NULL },
    { "a", "x", "x", 1, { 1 }, FLOW_ERROR_INVALID_ARGUMENT,
      "Need least two elements in shape_and_slice specification: x" },
    { "a", "x", "10 9 0,20:-", 1, { 1 }, FLOW_ERROR_INTERNAL,
      "Extent in dimension 0 out of bounds: shape = [10,9], slice = 0,20:-" },
    { "../a", "x", "10 9 -:-", 1, { 1 }, FLOW_ERROR_PERMISSION_DENIED, NULL },
    { "", "x", "10 9 -:-", 1, { 1 }, FLOW_ERROR_NOT_FOUND,
      "Unsuccessful TensorSliceReader constructor: Failed to find any matching files for " },
    { "no/such", "x", "10 9 -:-", 1, { 1 }, FLOW_ERROR_INVALID_ARGUMENT,
      "Unsuccessful TensorSliceReader constructor: Failed to get matching files on no/such: Not found: no; No such file "
      "or directory" },
    { "sub", "x", "10 9 -:-", 1, { 1 }, FLOW_ERROR_DATA_LOSS,
      "Unable to open table file ./sub: Failed precondition: sub; Is a directory: perhaps your file is in a different file "
      "format and you need to use a different restore operator?" },
    { "a.index", "x", "10 9 -:-", 1, { 1 }, FLOW_ERROR_NOT_FOUND,
      "Tensor name \"x\" not found in checkpoint files a.index" },
    { "a", "x|y", "", 1, { 1 }, FLOW_ERROR_INVALID_ARGUMENT, "Got 2 tensor names, but 1 expected dtypes." },
  };
  g_autofree char *sub = g_build_filename (flow_op_runner_get_folder (f->runner), "sub", NULL);

  save_two (f);
  g_assert_cmpint (g_mkdir (sub, 0700), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (restore (f, cases[i].prefix, cases[i].names, cases[i].specs, cases[i].n, cases[i].dtypes, &error));
      g_test_message ("%s", error->message);
      g_assert_error (error, FLOW_ERROR, cases[i].code);
      if (cases[i].message != NULL)
        g_assert_true (g_str_has_prefix (error->message, cases[i].message));
      g_assert_cmpuint (f->outputs->len, ==, 0);
    }
  g_rmdir (sub);
}

static void
test_prefix_of_two (Fixture       *f,
                    gconstpointer  data)
{
  const int dtypes[] = { FLOW_DTYPE_FLOAT };
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowTensor) prefix = make_strings ("a|b");
  g_autoptr (FlowTensor) names = make_strings ("x");
  g_autoptr (FlowTensor) specs = empty_specs (1);
  FlowValue inputs[] = { { prefix }, { names }, { specs } };
  g_autoptr (FlowAttrList) attrs = make_attrs ("dtypes", dtypes, 1);

  g_assert_false (run (f, "RestoreV2", attrs, inputs, 3, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "Input prefix should have a single element, got 2 instead."));
}

static void
assert_folder_empty (Fixture *f)
{
  GDir *dir = g_dir_open (flow_op_runner_get_folder (f->runner), 0, NULL);

  g_assert_null (g_dir_read_name (dir));
  g_dir_close (dir);
}

static void
test_save_errors (Fixture       *f,
                  gconstpointer  data)
{
  static const struct {
    const char *prefix;
    const char *names;
    const char *specs;
    guint n;
    int code;
    const char *message;
  } cases[] = {
    { "b", "x", "", 1, FLOW_ERROR_INVALID_ARGUMENT,
      "tensor_names and shape_and_slices have different number of elements: 1 vs. 0" },
    { "b", "x", "10 9 -:-", 2, FLOW_ERROR_INVALID_ARGUMENT, "Got 1 tensor names but 2 tensors." },
    { "b", "x|x", "|", 2, FLOW_ERROR_INVALID_ARGUMENT, "Adding duplicate key: x" },
    { "b", "x|", "|", 2, FLOW_ERROR_INVALID_ARGUMENT, NULL },
    { "no/dir/b", "x", "10 9 -:-", 1, FLOW_ERROR_NOT_FOUND, "no/dir; No such file or directory" },
    { "b", "x", "10 9 0,5:-", 1, FLOW_ERROR_INVALID_ARGUMENT,
      "Slice in shape_and_slice specification does not match the shape of the tensor to  save: 10 9 0,5:-, tensor: "
      "[10,9]" },
    { "b", "x", "bad", 1, FLOW_ERROR_INVALID_ARGUMENT, "Need least two elements in shape_and_slice specification: bad" },
    { "../b", "x", "10 9 -:-", 1, FLOW_ERROR_PERMISSION_DENIED, NULL },
  };
  g_autoptr (FlowTensor) x = make_matrix ();
  FlowTensor *tensors[] = { x, x };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FlowTensor) specs = make_strings (cases[i].specs);

      g_assert_false (save (f, "SaveV2", cases[i].prefix, cases[i].names, specs, cases[i].n, tensors, &error));
      g_test_message ("%s", error->message);
      g_assert_error (error, FLOW_ERROR, cases[i].code);
      if (cases[i].message != NULL)
        g_assert_true (g_str_has_prefix (error->message, cases[i].message));
      assert_folder_empty (f);
    }
}

static char *
dup_text (Fixture *f)
{
  gsize length;
  const char *text = flow_tensor_get_string (g_array_index (f->outputs, FlowValue, 0).tensor, 0, &length);

  return g_strndup (text, length);
}

static void
test_sharded (Fixture       *f,
              gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowTensor) x = make_matrix ();
  g_autoptr (FlowTensor) y = flow_tensor_new_int32 (5);
  g_autoptr (FlowTensor) base = flow_tensor_new_string ("m_temp_1/part", -1);
  g_autoptr (FlowTensor) shard = flow_tensor_new_int32 (0);
  g_autoptr (FlowTensor) n_shards = flow_tensor_new_int32 (2);
  g_autoptr (FlowTensor) destination = flow_tensor_new_string ("m", -1);
  g_autoptr (FlowTensor) parts = make_strings ("m_temp_1/part-00000-of-00002|m_temp_1/part-1");
  g_autoptr (FlowTensor) outside = make_strings ("../other/part-0");
  g_autoptr (FlowTensor) specs = empty_specs (1);
  g_autoptr (FlowAttrList) none = flow_attr_list_new ();
  FlowValue name_inputs[] = { { base }, { shard }, { n_shards } };
  FlowValue spec_inputs[] = { { base }, { n_shards } };
  FlowValue merge_inputs[] = { { parts }, { destination } };
  FlowValue outside_inputs[] = { { outside }, { destination } };
  const int dtypes[] = { FLOW_DTYPE_FLOAT, FLOW_DTYPE_INT32 };
  FlowTensor *tensors[] = { x };
  g_autofree char *text = NULL;
  g_autofree char *folder = g_build_filename (flow_op_runner_get_folder (f->runner), "m_temp_1", NULL);

  g_assert_true (run (f, "ShardedFilespec", none, spec_inputs, 2, &error));
  text = dup_text (f);
  g_assert_cmpstr (text, ==, "m_temp_1/part-?????" "-of-00002");
  g_free (text);
  g_assert_true (run (f, "ShardedFilename", none, name_inputs, 3, &error));
  text = dup_text (f);
  g_assert_cmpstr (text, ==, "m_temp_1/part-00000-of-00002");
  g_assert_true (save (f, "SaveV2", text, "x", specs, 1, tensors, &error));
  tensors[0] = y;
  g_assert_true (save (f, "SaveV2", "m_temp_1/part-1", "y", specs, 1, tensors, &error));

  g_assert_false (run (f, "MergeV2Checkpoints", none, outside_inputs, 2, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_PERMISSION_DENIED);
  g_clear_error (&error);
  g_assert_true (run (f, "MergeV2Checkpoints", none, merge_inputs, 2, &error));
  g_assert_no_error (error);
  g_assert_false (g_file_test (folder, G_FILE_TEST_EXISTS));
  g_assert_true (restore (f, "m", "x|y", "|", 2, dtypes, &error));
  g_assert_cmpint (flow_tensor_get_int (g_array_index (f->outputs, FlowValue, 1).tensor, 0), ==, 5);
}

static gboolean
restore_v1 (Fixture     *f,
            const char  *pattern,
            const char  *name,
            const char  *spec,
            int          dtype,
            GError     **error)
{
  g_autoptr (FlowTensor) pattern_tensor = flow_tensor_new_string (pattern, -1);
  g_autoptr (FlowTensor) name_tensor = flow_tensor_new_string (name, -1);
  g_autoptr (FlowTensor) spec_tensor = flow_tensor_new_string (spec != NULL ? spec : "", -1);
  FlowValue inputs[] = { { pattern_tensor }, { name_tensor }, { spec_tensor } };
  g_autoptr (FlowAttrList) attrs = flow_attr_list_new ();
  g_autoptr (FlowAttr) attr = flow_attr_new_type (dtype);

  flow_attr_list_set (attrs, "dt", attr);
  return run (f, spec != NULL ? "RestoreSlice" : "Restore", attrs, inputs, spec != NULL ? 3 : 2, error);
}

/* Files of one old checkpoint that say different things of one name. */
static void
test_other_whole (Fixture       *f,
                  gconstpointer  data)
{
  static const char *const words[] = { "Incompatible tensor shapes detected for tensor t: existing = ",
                                       "Incompatible tensor types detected for tensor t: existing = " };
  g_autoptr (FlowTensor) x = make_matrix ();
  g_autoptr (FlowTensor) y = flow_tensor_new_int32 (5);
  g_autoptr (FlowTensor) ints = flow_tensor_new_zeros (FLOW_DTYPE_INT32, x->shape, NULL, NULL);
  g_autoptr (FlowTensor) specs = empty_specs (1);
  FlowTensor *others[] = { y, ints };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (save (f, "SaveSlices", "odd-00000-of-00002", "t", specs, 1, &x, &error));
      g_assert_true (save (f, "SaveSlices", "odd-00001-of-00002", "t", specs, 1, &others[i], &error));
      g_assert_false (restore_v1 (f, "odd-*", "t", NULL, FLOW_DTYPE_FLOAT, &error));
      g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL);
      g_assert_true (g_str_has_prefix (error->message, words[i]));
    }
}

static void
assert_v1_error (Fixture    *f,
                 const char *pattern,
                 const char *name,
                 const char *spec,
                 int         dtype,
                 int         code,
                 const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (restore_v1 (f, pattern, name, spec, dtype, &error));
  g_test_message ("%s", error->message);
  g_assert_error (error, FLOW_ERROR, code);
  g_assert_true (g_str_has_prefix (error->message, message));
}

static void
test_v1 (Fixture       *f,
         gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowTensor) x = make_matrix ();
  g_autoptr (FlowTensor) y = flow_tensor_new_int32 (-5);
  g_autoptr (FlowTensor) specs = make_strings ("20 9 0,10:-");
  FlowTensor *tensors[] = { x, y };
  const int dtypes[] = { FLOW_DTYPE_INT32, FLOW_DTYPE_FLOAT };

  g_assert_true (save (f, "Save", "v1", "x|y", NULL, 2, tensors, &error));
  g_assert_true (save (f, "SaveSlices", "v1s", "x", specs, 1, tensors, &error));
  g_assert_no_error (error);
  g_assert_true (restore_v1 (f, "v1", "x", NULL, FLOW_DTYPE_FLOAT, &error));
  g_assert_cmpfloat (flow_tensor_get_double (g_array_index (f->outputs, FlowValue, 0).tensor, 89), ==, 89);
  g_assert_true (restore_v1 (f, "v1s", "x", "20 9 2,3:-", FLOW_DTYPE_FLOAT, &error));
  g_assert_cmpfloat (flow_tensor_get_double (g_array_index (f->outputs, FlowValue, 0).tensor, 0), ==, 18);
  /* RestoreV2 reads them as well. */
  g_assert_true (restore (f, "v1", "y|x", "|", 2, dtypes, &error));
  g_assert_cmpint (flow_tensor_get_int (g_array_index (f->outputs, FlowValue, 0).tensor, 0), ==, -5);

  assert_v1_error (f, "v1", "q", NULL, FLOW_DTYPE_FLOAT, FLOW_ERROR_NOT_FOUND,
                   "Tensor name \"q\" not found in checkpoint files v1");
  assert_v1_error (f, "v1", "x", NULL, FLOW_DTYPE_INT32, FLOW_ERROR_INVALID_ARGUMENT,
                   "Expected to restore a tensor of type int32, got a tensor of type float instead: tensor_name = x");
  assert_v1_error (f, "v9", "x", NULL, FLOW_DTYPE_INT32, FLOW_ERROR_NOT_FOUND,
                   "Unsuccessful TensorSliceReader constructor: Failed to find any matching files for v9");
  assert_v1_error (f, "v1s", "x", NULL, FLOW_DTYPE_FLOAT, FLOW_ERROR_INVALID_ARGUMENT, "Error copying slice data");
  assert_v1_error (f, "v1s", "x", "20 9 8,3:-", FLOW_DTYPE_FLOAT, FLOW_ERROR_INVALID_ARGUMENT,
                   "Error copying slice data");
  assert_v1_error (f, "v1s", "x", "21 9 8,3:-", FLOW_DTYPE_FLOAT, FLOW_ERROR_INVALID_ARGUMENT,
                   "Shape in shape_and_slice spec does not match the shape in the save file: [21,9], save file shape: "
                   "[20,9]");
}

/* One bad tensor, and nothing is restored. */
static void
test_all_or_nothing (Fixture       *f,
                     gconstpointer  data)
{
  const int dtypes[] = { FLOW_DTYPE_FLOAT, FLOW_DTYPE_DOUBLE };
  g_autoptr (GError) error = NULL;
  g_autofree char *shard = g_build_filename (flow_op_runner_get_folder (f->runner), "a.data-00000-of-00001", NULL);
  g_autofree char *bytes = NULL;
  gsize n;

  save_two (f);
  g_assert_true (g_file_get_contents (shard, &bytes, &n, NULL));
  bytes[n - 1] ^= 1;
  g_assert_true (g_file_set_contents (shard, bytes, (gssize) n, NULL));
  g_assert_false (restore (f, "a", "x|y", "|", 2, dtypes, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS);
  g_assert_true (g_str_has_prefix (error->message, "Checksum does not match: stored "));
  g_assert_cmpuint (f->outputs->len, ==, 0);
}

/* A link out of the folder is not followed. */
static void
test_links (Fixture       *f,
            gconstpointer  data)
{
  const char *folder = flow_op_runner_get_folder (f->runner);
  g_autoptr (GError) error = NULL;
  g_autofree char *shard = g_build_filename (folder, "a.data-00000-of-00001", NULL);
  g_autofree char *link = g_build_filename (folder, "link", NULL);
  const int dtypes[] = { FLOW_DTYPE_FLOAT };

  save_two (f);
  g_assert_cmpint (symlink ("/etc", link), ==, 0);
  g_assert_false (restore (f, "link/passwd", "x", "10 9 -:-", 1, dtypes, &error));
  g_assert_nonnull (error);
}

#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/kernels/save-restore/round-trip", test_round_trip);
  ADD ("/kernels/save-restore/restore-errors", test_restore_errors);
  ADD ("/kernels/save-restore/prefix-of-two", test_prefix_of_two);
  ADD ("/kernels/save-restore/save-errors", test_save_errors);
  ADD ("/kernels/save-restore/sharded", test_sharded);
  ADD ("/kernels/save-restore/other-whole", test_other_whole);
  ADD ("/kernels/save-restore/v1", test_v1);
  ADD ("/kernels/save-restore/all-or-nothing", test_all_or_nothing);
  ADD ("/kernels/save-restore/links", test_links);
  return g_test_run ();
}
