/* test-contradictions.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-op-runner.h"
#include "flow-variant.h"

#include <string.h>

/* Nodes whose attrs and inputs do not go together, as no program writes them but a stranger's file may: some of them end
 * TensorFlow's own process. They are refused in words, or as TensorFlow has it. */

static void
set_int (FlowAttrList *attrs,
         const char   *name,
         gint64        value)
{
  flow_attr_list_take (attrs, name, flow_attr_new_int (value));
}

static void
set_types (FlowAttrList *attrs,
           const char   *name,
           FlowDType     dtype,
           gsize         n)
{
  g_autofree int *dtypes = g_new (int, n + 1);

  for (gsize i = 0; i < n; i++)
    dtypes[i] = (int) dtype;
  flow_attr_list_take (attrs, name, flow_attr_new_type_list (dtypes, n));
}

static void
set_shapes (FlowAttrList *attrs,
            const char   *name,
            int           rank,
            gsize         n)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_attr_unref);

  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (FlowShape) shape = flow_shape_new_of_rank (rank);

      for (int d = 0; d < rank; d++)
        shape->dims[d] = 1;
      g_ptr_array_add (items, flow_attr_new_shape (shape));
    }
  flow_attr_list_take (attrs, name, flow_attr_new_list_of (FLOW_ATTR_SHAPE, items));
}

static void
set_string (FlowAttrList *attrs,
            const char   *name,
            const char   *value)
{
  flow_attr_list_take (attrs, name, flow_attr_new_string (value, -1));
}

static GArray *
new_outputs (void)
{
  GArray *outputs = g_array_new (FALSE, TRUE, sizeof (FlowValue));

  g_array_set_clear_func (outputs, flow_op_runner_clear_value);
  return outputs;
}

/* Runs a node on @tensors. Gives what it says, or NULL where it is done or waits. */
static char *
run (FlowOpRunner *runner,
     const char   *type,
     FlowAttrList *attrs,
     GPtrArray    *tensors)
{
  g_autoptr (GArray) outputs = new_outputs ();
  g_autoptr (GError) error = NULL;
  g_autofree FlowValue *inputs = g_new0 (FlowValue, tensors->len + 1);

  for (guint i = 0; i < tensors->len; i++)
    inputs[i].tensor = g_ptr_array_index (tensors, i);
  if (flow_op_runner_run (runner, "op", type, attrs, inputs, tensors->len, outputs, &error))
    return NULL;
  return error != NULL ? g_strdup (error->message) : NULL;
}

static GPtrArray *
new_tensors (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) flow_tensor_unref);
}

static FlowTensor *
new_strings (gint64 n)
{
  g_autoptr (FlowShape) shape = flow_shape_new_vector (n);
  FlowTensor *tensor = flow_tensor_new_zeros (FLOW_DTYPE_STRING, shape, NULL, NULL);

  for (gint64 i = 0; i < n; i++)
    flow_tensor_take_string (tensor, i, g_bytes_new_static ("", 0));
  return tensor;
}

static FlowTensor *
new_ints (const gint32 *values,
          gint64        n)
{
  g_autoptr (FlowShape) shape = flow_shape_new_vector (n);
  FlowTensor *tensor = flow_tensor_new (FLOW_DTYPE_INT32, shape, NULL, NULL);

  memcpy (tensor->data, values, (gsize) n * sizeof *values);
  return tensor;
}

/* --- counts of features ------------------------------------------------------------------------------------------ */

typedef struct {
  guint n_sparse;
  guint n_sparse_types;
  guint n_dense;
  guint n_dense_types;
  guint n_dense_shapes;
  int rank;
  const char *words;
} Features;

static void
test_features (void)
{
  static const Features cases[] = {
    { 1, 2, 0, 0, 0, 1, "len(sparse_keys) != len(sparse_types)" },
    { 2, 1, 0, 0, 0, 1, "len(sparse_keys) != len(sparse_types)" },
    { 0, 0, 2, 1, 2, 1, "len(dense_keys) != len(dense_types)" },
    { 0, 0, 1, 1, 2, 1, "len(dense_keys) != len(dense_shapes)" },
    { 0, 0, 1, 1, 1, FLOW_SHAPE_MAX_RANK, "dense_shapes[0] has too many dimensions" },
  };
  g_autoptr (FlowOpRunner) runner = flow_op_runner_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Features *f = &cases[i];
      g_autoptr (FlowAttrList) attrs = flow_attr_list_new ();
      g_autoptr (GPtrArray) tensors = new_tensors ();
      g_autofree char *said = NULL;

      set_int (attrs, "Nsparse", f->n_sparse);
      set_int (attrs, "Ndense", f->n_dense);
      set_types (attrs, "sparse_types", FLOW_DTYPE_STRING, f->n_sparse_types);
      set_types (attrs, "Tdense", FLOW_DTYPE_INT64, f->n_dense_types);
      set_shapes (attrs, "dense_shapes", f->rank, f->n_dense_shapes);
      g_ptr_array_add (tensors, new_strings (1));
      g_ptr_array_add (tensors, new_strings (0));
      for (guint k = 0; k < f->n_sparse + f->n_dense; k++)
        g_ptr_array_add (tensors, new_strings (1));
      for (guint k = 0; k < f->n_dense_types; k++)
        g_ptr_array_add (tensors, flow_tensor_new_int64 (3));
      said = run (runner, "ParseExample", attrs, tensors);
      g_assert_cmpstr (said, ==, f->words);
    }
}

/* --- areas of one name ------------------------------------------------------------------------------------------- */

/* TF: areas of different kinds are different resources. An element of a map may lack parts, one of the others never. */
static void
test_areas (void)
{
  static const char *const maps[] = { "MapStage", "MapUnstage", "OrderedMapStage", "OrderedMapUnstage" };
  g_autoptr (FlowOpRunner) runner = flow_op_runner_new ();

  for (guint i = 0; i < G_N_ELEMENTS (maps); i += 2)
    {
      g_autoptr (FlowAttrList) put = flow_attr_list_new ();
      g_autoptr (FlowAttrList) take = flow_attr_list_new ();
      g_autoptr (FlowAttrList) plain = flow_attr_list_new ();
      g_autoptr (GPtrArray) element = new_tensors ();
      g_autoptr (GPtrArray) part = new_tensors ();
      g_autoptr (GPtrArray) nothing = new_tensors ();
      g_autofree char *said = NULL;

      set_string (put, "shared_name", "area");
      set_string (take, "shared_name", "area");
      set_string (plain, "shared_name", "area");
      set_types (put, "dtypes", FLOW_DTYPE_INT64, 2);
      set_types (put, "fake_dtypes", FLOW_DTYPE_INT64, 2);
      set_types (take, "dtypes", FLOW_DTYPE_INT64, 1);
      set_types (plain, "dtypes", FLOW_DTYPE_INT64, 2);
      g_ptr_array_add (element, flow_tensor_new_int64 (7));
      g_ptr_array_add (element, new_ints ((gint32[]) { 0, 1 }, 2));
      g_ptr_array_add (element, flow_tensor_new_int64 (1));
      g_ptr_array_add (element, flow_tensor_new_int64 (2));
      g_ptr_array_add (part, flow_tensor_new_int64 (7));
      g_ptr_array_add (part, new_ints ((gint32[]) { 0 }, 1));
      g_assert_null (run (runner, maps[i], put, element));
      g_assert_null (run (runner, maps[i + 1], take, part));
      said = run (runner, "Unstage", plain, nothing);
      g_assert_null (said);
      g_assert_nonnull (strstr (flow_op_runner_get_waiting (runner), "empty"));
    }
}

/* --- sizes ------------------------------------------------------------------------------------------------------- */

static void
test_negative_sizes (void)
{
  g_autoptr (FlowOpRunner) runner = flow_op_runner_new ();

  for (int axis = 0; axis < 2; axis++)
    {
      g_autoptr (FlowAttrList) attrs = flow_attr_list_new ();
      g_autoptr (GPtrArray) tensors = new_tensors ();
      g_autoptr (FlowShape) shape = flow_shape_new_matrix (4, 4);
      g_autofree char *said = NULL;

      set_int (attrs, "num_split", 3);
      flow_attr_list_take (attrs, "T", flow_attr_new_type (FLOW_DTYPE_FLOAT));
      flow_attr_list_take (attrs, "Tlen", flow_attr_new_type (FLOW_DTYPE_INT32));
      g_ptr_array_add (tensors, flow_tensor_new_zeros (FLOW_DTYPE_FLOAT, shape, NULL, NULL));
      g_ptr_array_add (tensors, new_ints ((gint32[]) { 8, -5, 1 }, 3));
      g_ptr_array_add (tensors, flow_tensor_new_int32 (axis));
      said = run (runner, "SplitV", attrs, tensors);
      g_assert_cmpstr (said, ==, "Split size at index 1 must be >= 0. Got: -5");
    }
}

/* --- numbers at the edge ------------------------------------------------------------------------------------------- */

/* The greatest number there is counts as any other; what the sanitizers see is that nothing overflows. */
static void
test_greatest_count (void)
{
  g_autoptr (FlowOpRunner) runner = flow_op_runner_new ();
  g_autoptr (FlowAttrList) attrs = flow_attr_list_new ();
  g_autoptr (GPtrArray) tensors = new_tensors ();
  g_autoptr (FlowShape) one = flow_shape_new_vector (1);
  g_autoptr (FlowShape) none = flow_shape_new_vector (0);
  FlowTensor *values = flow_tensor_new (FLOW_DTYPE_INT64, one, NULL, NULL);
  g_autofree char *said = NULL;

  *FLOW_WRITABLE (gint64, values) = G_MAXINT64;
  g_ptr_array_add (tensors, values);
  g_ptr_array_add (tensors, flow_tensor_new (FLOW_DTYPE_FLOAT, none, NULL, NULL));
  flow_attr_list_take (attrs, "T", flow_attr_new_type (FLOW_DTYPE_INT64));
  flow_attr_list_take (attrs, "output_type", flow_attr_new_type (FLOW_DTYPE_FLOAT));
  flow_attr_list_take (attrs, "binary_output", flow_attr_new_bool (FALSE));
  said = run (runner, "DenseCountSparseOutput", attrs, tensors);
  g_assert_null (said);
}

/* Rows without elements cost nothing, so there may be more of them than can be counted. */
static void
test_rows_of_nothing (void)
{
  g_autoptr (FlowOpRunner) runner = flow_op_runner_new ();
  g_autoptr (FlowShape) wide = flow_shape_new_matrix (G_MAXINT64, 0);
  g_autoptr (FlowShape) two = flow_shape_new_vector (2);
  g_autoptr (FlowTensor) values = flow_tensor_new (FLOW_DTYPE_FLOAT, wide, NULL, NULL);
  g_autoptr (FlowTensor) splits = new_ints ((gint32[]) { 0, 0 }, 2);
  g_autoptr (FlowAttrList) put = flow_attr_list_new ();
  g_autoptr (FlowAttrList) take = flow_attr_list_new ();
  g_autoptr (GArray) packed = new_outputs ();
  g_autoptr (FlowTensor) both = flow_tensor_new_zeros (FLOW_DTYPE_VARIANT, two, NULL, NULL);
  g_autoptr (GPtrArray) tensors = new_tensors ();
  g_autoptr (GError) error = NULL;
  const FlowValue inputs[] = { { splits, NULL }, { values, NULL } };
  g_autofree char *said = NULL;

  set_int (put, "RAGGED_RANK", 1);
  flow_attr_list_take (put, "Tvalues", flow_attr_new_type (FLOW_DTYPE_FLOAT));
  flow_attr_list_take (put, "Tsplits", flow_attr_new_type (FLOW_DTYPE_INT32));
  flow_attr_list_take (put, "batched_input", flow_attr_new_bool (FALSE));
  flow_op_runner_run (runner, "put", "RaggedTensorToVariant", put, inputs, 2, packed, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    FLOW_WRITABLE (FlowVariant *, both)[i] =
      g_object_ref (flow_tensor_get_variant (g_array_index (packed, FlowValue, 0).tensor, 0));
  g_ptr_array_add (tensors, flow_tensor_ref (both));
  set_int (take, "input_ragged_rank", 1);
  set_int (take, "output_ragged_rank", 2);
  flow_attr_list_take (take, "Tvalues", flow_attr_new_type (FLOW_DTYPE_FLOAT));
  flow_attr_list_take (take, "Tsplits", flow_attr_new_type (FLOW_DTYPE_INT32));
  said = run (runner, "RaggedTensorFromVariant", take, tensors);
  g_assert_nonnull (said);
  g_assert_nonnull (strstr (said, "too many rows"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  flow_kernels_register ();
  g_test_add_func ("/kernels/contradictions/features", test_features);
  g_test_add_func ("/kernels/contradictions/areas", test_areas);
  g_test_add_func ("/kernels/contradictions/negative-sizes", test_negative_sizes);
  g_test_add_func ("/kernels/contradictions/greatest-count", test_greatest_count);
  g_test_add_func ("/kernels/contradictions/rows-of-nothing", test_rows_of_nothing);
  return g_test_run ();
}
