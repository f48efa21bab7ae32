/* test-hostile-math.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-op-runner.h"

#include <stdlib.h>
#include <string.h>

/* Malformed inputs of math ops, row by row: TensorFlow's published advisories and their neighbours.
 * Each must give the code and the words, or succeed where nothing is wrong; none may crash, hang or
 * take more memory than the budget.
 *
 * An input is DTYPE[DIMS]=VALUE,VALUE...: the last value repeats, without values it is zeros, without
 * [] a scalar. Attrs are NAME=VALUE; dtypes and counts that follow from the inputs are filled in. */

typedef struct {
  const char *row;
  const char *op;
  const char *inputs;
  const char *attrs;           /* nullable */
  int code;                    /* 0: must succeed */
  const char *words;           /* part of the message; of a success the output, as text (nullable) */
} Hostile;

#define INVALID FLOW_ERROR_INVALID_ARGUMENT
#define EXHAUSTED FLOW_ERROR_RESOURCE_EXHAUSTED

static const Hostile rows[] = {
  { "B01", "MatMul", "f32[2,3]; f32[4,5]", NULL, INVALID,
    "Matrix size-incompatible: In[0]: [2,3], In[1]: [4,5]" },
  { "B01", "MatMul", "f32[3]; f32[3,2]", NULL, INVALID, "In[0] is not a matrix" },
  { "B01", "MatMul", "f32[2,3]; f32[3,2,1]", NULL, INVALID, "In[1] is not a matrix" },
  { "B02", "MatMul", "f32[70000,1]; f32[1,70000]", NULL, EXHAUSTED,
    "OOM when allocating tensor with shape[70000,70000]" },
  { "B03", "BatchMatMulV2", "f32[2,3,4]; f32[3,4,5]", NULL, INVALID,
    "In[0] and In[1] must have compatible batch dimensions" },
  { "B03", "BatchMatMul", "f32[2,3,4]; f32[3,4,5]", NULL, INVALID, "must be the same" },
  { "B04", "Add", "f32[2,3]; f32[2,4]", NULL, INVALID, "Incompatible shapes: [2,3] vs. [2,4]" },
  { "B04", "Less", "f32[2,3]; f32[2,4]", NULL, INVALID, "Incompatible shapes: [2,3] vs. [2,4]" },
  { "B04", "Maximum", "f32[2,3]; f32[2,4]", NULL, INVALID, "Incompatible shapes: [2,3] vs. [2,4]" },
  { "B04", "Mul", "f32[1048576,1]; f32[1,1048576]", NULL, EXHAUSTED, "OOM when allocating tensor" },
  { "B05", "SqrtGrad", "f32[2]=1; f32[0]", NULL, INVALID, "" },
  { "B05", "TanhGrad", "f32[4]; f32[2,2]", NULL, INVALID, "" },
  { "B05", "SigmoidGrad", "f32[]; f32[0]", NULL, INVALID, "" },
  { "B05", "RsqrtGrad", "f32[2]=1; f32[0]", NULL, INVALID, "" },
  { "B06", "Div", "i32[2]=5; i32[2]=1,0", NULL, INVALID, "Integer division by zero" },
  { "B06", "FloorDiv", "i64=5; i64=0", NULL, INVALID, "Integer division by zero" },
  { "B06", "Mod", "i32=5; i32=0", NULL, INVALID, "Integer division by zero" },
  { "B06", "FloorMod", "i64=5; i64=0", NULL, INVALID, "Integer division by zero" },
  { "B06", "Div", "i32=-2147483648; i32=-1", NULL, 0, "-2147483648" },
  { "B06", "FloorDiv", "i32=-2147483648; i32=-1", NULL, 0, "-2147483648" },
  { "B06", "Mod", "i64=-9223372036854775808; i64=-1", NULL, 0, "0" },
  { "B06", "FloorMod", "i32=-2147483648; i32=-1", NULL, 0, "0" },
  { "B07", "Pow", "i32=2; i32=-1", NULL, INVALID,
    "Integers to negative integer powers are not allowed" },
  { "B07", "Pow", "i32=3; i32=1073741824", NULL, 0, "1" },
  { "B08", "Cast", "f32[5]=nan,inf,-inf,1e30,-1e30", "DstT=int32", 0, "-2147483648" },
  { "B08", "Cast", "f32[5]=nan,inf,-inf,1e30,-1e30", "DstT=uint8", 0, "0" },
  { "B08", "Cast", "f32[5]=nan,inf,-inf,1e30,-1e30", "DstT=int64", 0, "-9223372036854775808" },
  { "B08", "Cast", "f32[5]=nan,inf,-inf,1e30,-1e30", "DstT=bool", 0, "1" },
  { "B08", "Cast", "str[1]", "DstT=float32", FLOW_ERROR_UNIMPLEMENTED,
    "Cast string to float is not supported" },
  { "B09", "AddN", "f32[2]; f32[3]", NULL, INVALID,
    "must have the same size and shape.  Input 0: [2] != input 1: [3]" },
  { "B10", "Cholesky", "f32[2,3]", NULL, INVALID, "square" },
  { "B10", "Cholesky", "f32[2,2]=1,2,2,1", NULL, INVALID, "Cholesky decomposition was not successful" },
  { "B10", "Cholesky", "f32[0,0]", NULL, 0, NULL },
  { "B10", "MatrixInverse", "f32[2,2]=1,2,2,4", NULL, INVALID, "Input is not invertible" },
  { "B10", "MatrixInverse", "f32[0,0]", NULL, 0, NULL },
  { "B10", "MatrixTriangularSolve", "f32[3,3]=1; f32[2,3]", NULL, INVALID, "" },
  { "D01", "Range", "i32=0; i32=10; i32=0", NULL, INVALID, "Requires delta != 0" },
  { "D01", "Range", "i32=0; i32=10; i32=-1", NULL, INVALID, "" },
  { "D01", "Range", "f32=nan; f32=10; f32=1", NULL, INVALID, "" },
  { "D01", "Range", "f32=0; f32=nan; f32=1", NULL, INVALID, "" },
  { "D01", "Range", "f32=0; f32=10; f32=nan", NULL, INVALID, "" },
  { "D01", "Range", "i64=-9223372036854775808; i64=9223372036854775807; i64=1", NULL, INVALID,
    "<= 9223372036854775807" },
  { "D01", "Range", "f32=-1e38; f32=1; f32=1", NULL, INVALID, "<= 9223372036854775807" },
  { "D02", "Range", "i64=0; i64=1099511627776; i64=1", NULL, EXHAUSTED, "" },
  { "D04", "LinSpace", "f32=0; f32=1; i32=0", NULL, INVALID, "Requires num > 0: 0" },
  { "D04", "LinSpace", "f32=0; f32=1; i32=-5", NULL, INVALID, "Requires num > 0: -5" },
  { "D04", "LinSpace", "f32=0; f32=1; i32[1]=5", NULL, INVALID, "num must be a scalar" },
  { "D06", "TopKV2", "f32[5]; i32=-1", NULL, INVALID, "Need k >= 0" },
  { "D06", "TopKV2", "f32[5]; i32=6", NULL, INVALID, "must have at least k columns" },
  { "D06", "TopKV2", "f32[5]; i32[2]=1", NULL, INVALID, "k must be scalar" },
  { "D06", "TopKV2", "f32; i32=1", NULL, INVALID, "" },
  { "D08", "Sum", "f32[2,3]; i32[1]=3", NULL, INVALID,
    "Invalid reduction dimension (3 for input with 2 dimension(s)" },
  { "D08", "Mean", "f32[2,3]; i32[1]=-3", NULL, INVALID, "Invalid reduction dimension" },
  { "D08", "Max", "f32[2,3]; i32[2]=0", NULL, INVALID, "duplicate dimension" },
  { "D08", "Prod", "f32[2,3]; i32[2]=0,-2", NULL, INVALID, "duplicate dimension" },
  { "D08", "Min", "f32[2,3]; i32[1,1]=0", NULL, INVALID, "" },
  { "D08", "All", "bool[2,3]; i32[1]=3", NULL, INVALID, "Invalid reduction dimension" },
  { "D08", "Any", "bool[2,3]; i32[2]=0", NULL, INVALID, "duplicate dimension" },
  { "D09", "ArgMax", "f32[2,3]; i32=2", NULL, INVALID, "Expected dimension in the range" },
  { "D09", "ArgMax", "f32[0,3]; i32=0", NULL, INVALID, "Reduction axis 0 is empty in shape [0,3]" },
  { "D09", "ArgMin", "f32[2,3]; i32[2]=0", NULL, INVALID, "" },
  { "D10", "Where", "bool[1,1,1,1,1,1,1,1,1]=1", NULL, INVALID, "" },
  { "D10", "Select", "bool[3]; f32[2]; f32[2]", NULL, INVALID, "" },
  { "D11", "SegmentSum", "f32[1,10,1]; i64[1]=1676240524292489355", NULL, -1, "" },
  { "D11", "SegmentMean", "f32[2]; i32[2]=1,0", NULL, INVALID, "segment ids are not increasing" },
  { "D11", "SegmentMax", "f32[1]; i32[1]=-1", NULL, INVALID, ">= 0" },
  { "D11", "SegmentMin", "f32[3]; i32[2]=0", NULL, INVALID, "same size as dimension 0" },
  { "D11", "SegmentProd", "f32[1,10,1]; i64[1]=9223372036854775807", NULL, -1, "" },
  { "D12", "UnsortedSegmentSum", "f32[2]; i32[2]; i32=-1", NULL, INVALID, "must not be negative" },
  { "D12", "UnsortedSegmentMax", "f32[2]; i32[2]; i32[2]=3", NULL, INVALID, "" },
  { "D12", "UnsortedSegmentMin", "f32[2]; i32[2]=0,7; i32=5", NULL, INVALID, "is out of range [0, 5)" },
  { "D12", "UnsortedSegmentSum", "f32[2]=1; i32[2]=-5,0; i32=1", NULL, 0, "1" },
  { "D16", "Bincount", "i32[1]=-1; i32=3; f32[0]", NULL, INVALID, "Input arr must be non-negative!" },
  { "D16", "Bincount", "i32[1]=1; i32=-1; f32[0]", NULL, INVALID, "" },
  { "D16", "Bincount", "i32[1]=1; i32[2]=3; f32[0]", NULL, INVALID, "" },
  { "D16", "Bincount", "i32[3]=1; i32=4; f32[2]", NULL, INVALID, "must have the same size" },
  { "D16", "Bincount", "i32[3]=1; i32=2147483647; f64[0]", NULL, EXHAUSTED, "" },
  { "D17", "HistogramFixedWidth", "f32[2]=nan; f32[2]=0,1; i32=5", NULL, INVALID, "must not contain NaN" },
  { "D17", "HistogramFixedWidth", "f32[2]; f32[2]=2,1; i32=5", NULL, INVALID,
    "value_range[0] < value_range[1]" },
  { "D17", "HistogramFixedWidth", "f32[2]; f32[3]=0,1; i32=5", NULL, INVALID, "" },
  { "D17", "HistogramFixedWidth", "f32[2]; f32[2]=0,1; i32=0", NULL, INVALID,
    "nbins should be a positive number" },
  { "G04", "SparseSegmentSum", "f32[4,2]; i32[1]=9; i32[1]=0", NULL, INVALID,
    "Bad: indices[0] == 9 out of range [0, 4)" },
  { "G04", "SparseSegmentMean", "f32[4,2]; i32[2]=0; i32[2]=1,0", NULL, INVALID,
    "segment ids are not increasing" },
  { "G04", "SparseSegmentSqrtN", "f32[4,2]; i32[2]=0; i32[1]=1", NULL, INVALID, "same size" },
  { "G04", "SparseSegmentSum", "f32[4,2]; i32[1]=0; i32[1]=2147483647", NULL, INVALID,
    "segment ids must be >= 0" },
  { "G05", "BroadcastGradientArgs", "i32[2]=2,3; i32[2]=2,4", NULL, INVALID,
    "Incompatible shapes: [2,3] vs. [2,4]" },
  { "G05", "BroadcastGradientArgs", "i32[1,2]=2,3; i32[2]=2,4", NULL, INVALID, "must be a vector" },
  { "G05", "BroadcastGradientArgs", "i64[2]=-1,4611686018427387904; i64[1]=1", NULL, -1, "" },
  { "G05", "BroadcastArgs", "i32[2]=2,3; i32[2]=2,4", NULL, INVALID, "" },
  { "G05", "BroadcastArgs", "i64[2]=-1,4611686018427387904; i64[1]=1", NULL, -1, "" },
  { "G06", "L2Loss", "f32=3", NULL, 0, "4.5" },
  { "7", "MatMul", "f32[2,0]; f32[0,3]", NULL, 0, "0" },
  { "7", "Sum", "f32[0]; i32[1]=0", NULL, 0, "0" },
  { "7", "Prod", "f32[0]; i32[1]=0", NULL, 0, "1" },
  { "7", "Max", "f32[0]; i32[1]=0", NULL, 0, "-inf" },
  { "7", "Min", "f32[0]; i32[1]=0", NULL, 0, "inf" },
  { "7", "All", "bool[0]; i32[1]=0", NULL, 0, "1" },
  { "7", "Any", "bool[0]; i32[1]=0", NULL, 0, "0" },
  { "7", "Sum", "f32=7; i32[0]", NULL, 0, "7" },
  { "7", "Range", "i32=3; i32=3; i32=1", NULL, 0, NULL },
  { "7", "TopKV2", "f32[3]; i32=0", NULL, 0, NULL },
  { "7", "Exp", "f32=nan", NULL, 0, "nan" },
};

/* --- the small language --------------------------------------------------------------------------- */

static FlowDType
parse_dtype (const char *text)
{
  static const struct { const char *name; FlowDType dtype; } names[] = {
    { "f16", FLOW_DTYPE_HALF }, { "f32", FLOW_DTYPE_FLOAT }, { "f64", FLOW_DTYPE_DOUBLE },
    { "i32", FLOW_DTYPE_INT32 }, { "i64", FLOW_DTYPE_INT64 }, { "u8", FLOW_DTYPE_UINT8 },
    { "bool", FLOW_DTYPE_BOOL }, { "str", FLOW_DTYPE_STRING },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_has_prefix (text, names[i].name))
      return names[i].dtype;
  g_error ("no dtype in '%s'", text);
}

static void
set_cell (FlowTensor *t,
          gint64      i,
          const char *text)
{
  switch ((int) t->dtype)
    {
    case FLOW_DTYPE_FLOAT:
      FLOW_WRITABLE (float, t)[i] = (float) g_ascii_strtod (text, NULL);
      break;
    case FLOW_DTYPE_DOUBLE:
      FLOW_WRITABLE (double, t)[i] = g_ascii_strtod (text, NULL);
      break;
    case FLOW_DTYPE_INT32:
      FLOW_WRITABLE (gint32, t)[i] = (gint32) g_ascii_strtoll (text, NULL, 10);
      break;
    case FLOW_DTYPE_INT64:
      FLOW_WRITABLE (gint64, t)[i] = g_ascii_strtoll (text, NULL, 10);
      break;
    default:
      FLOW_WRITABLE (guint8, t)[i] = (guint8) atoi (text);
      break;
    }
}

static FlowTensor *
parse_tensor (const char *text)
{
  FlowDType dtype = parse_dtype (text);
  const char *open = strchr (text, '[');
  const char *equals = strchr (text, '=');
  gint64 dims[16];
  int rank = 0;
  g_autoptr (FlowShape) shape = NULL;
  FlowTensor *t;
  g_autoptr (GError) error = NULL;

  if (open != NULL)
    for (const char *p = open + 1; *p != ']';)
      {
        char *end;

        dims[rank++] = g_ascii_strtoll (p, &end, 10);
        p = *end == ',' ? end + 1 : end;
      }
  shape = flow_shape_new (rank, dims);
  t = flow_tensor_new_zeros (dtype, shape, NULL, &error);
  g_assert_no_error (error);
  if (equals != NULL)
    {
      g_auto (GStrv) values = g_strsplit (equals + 1, ",", -1);
      guint n = g_strv_length (values);

      for (gint64 i = 0; i < t->n_elements; i++)
        set_cell (t, i, values[MIN ((guint) i, n - 1)]);
    }
  return t;
}

static FlowAttr *
parse_attr (const FlowAttrDef *def,
            const char        *text)
{
  switch ((int) def->kind)
    {
    case FLOW_ATTR_TYPE:
      return flow_attr_new_type (flow_dtype_from_string (text));
    case FLOW_ATTR_INT:
      return flow_attr_new_int (g_ascii_strtoll (text, NULL, 10));
    case FLOW_ATTR_BOOL:
      return flow_attr_new_bool (g_str_equal (text, "true"));
    default:
      return flow_attr_new_string (text, -1);
    }
}

static void
set_attr (FlowAttrList *attrs,
          const char   *name,
          FlowAttr     *value)
{
  if (name != NULL && flow_attr_list_get (attrs, name) == NULL)
    flow_attr_list_set (attrs, name, value);
  flow_attr_unref (value);
}

/* What follows from the inputs: one argument an input, or a list that takes all. */
static FlowAttrList *
make_attrs (const Hostile    *row,
            const FlowValue  *inputs,
            guint             n_inputs)
{
  const FlowOpSignature *signature = flow_op_registry_lookup (row->op);
  FlowAttrList *attrs = flow_attr_list_new ();
  g_auto (GStrv) given = g_strsplit (row->attrs != NULL ? row->attrs : "", ";", -1);

  for (guint i = 0; given[i] != NULL && given[i][0] != 0; i++)
    {
      g_auto (GStrv) pair = g_strsplit (given[i], "=", 2);
      const FlowAttrDef *def = flow_op_signature_find_attr (signature, pair[0]);

      g_assert_nonnull (def);
      set_attr (attrs, pair[0], parse_attr (def, pair[1]));
    }
  for (guint i = 0; i < signature->n_inputs && i < n_inputs; i++)
    {
      const FlowArgDef *arg = &signature->inputs[i];

      set_attr (attrs, arg->type_attr, flow_attr_new_type (inputs[i].tensor->dtype));
      set_attr (attrs, arg->number_attr, flow_attr_new_int (n_inputs));
    }
  return attrs;
}

static char *
first_cell (const FlowTensor *t)
{
  if (t->n_elements == 0 || t->dtype == FLOW_DTYPE_STRING)
    return g_strdup ("");
  if (flow_dtype_is_floating (t->dtype))
    return g_strdup_printf ("%g", flow_tensor_get_double (t, 0));
  return g_strdup_printf ("%" G_GINT64_FORMAT, flow_tensor_get_int (t, 0));
}

static void
check_row (const Hostile *row)
{
  g_autoptr (FlowOpRunner) runner = flow_op_runner_new ();
  g_auto (GStrv) texts = g_strsplit (row->inputs, "; ", -1);
  guint n_inputs = g_strv_length (texts);
  g_autofree FlowValue *inputs = g_new0 (FlowValue, n_inputs);
  g_autoptr (FlowAttrList) attrs = NULL;
  g_autoptr (GArray) outputs = g_array_new (FALSE, TRUE, sizeof (FlowValue));
  g_autoptr (GError) error = NULL;
  gboolean ok;

  g_array_set_clear_func (outputs, flow_op_runner_clear_value);
  for (guint i = 0; i < n_inputs; i++)
    inputs[i].tensor = parse_tensor (texts[i]);
  attrs = make_attrs (row, inputs, n_inputs);
  ok = flow_op_runner_run (runner, "op", row->op, attrs, inputs, n_inputs, outputs, &error);
  for (guint i = 0; i < n_inputs; i++)
    flow_tensor_unref (inputs[i].tensor);
  g_test_message ("%s %s (%s): %s", row->row, row->op, row->inputs, ok ? "OK" : error->message);
  /* -1: TensorFlow's answers differ, or any is right; but the op must come back. */
  if (row->code == -1)
    return;
  g_assert_cmpint (ok ? 0 : error->code, ==, row->code);
  if (!ok)
    {
      g_assert_nonnull (strstr (error->message, row->words));
    }
  else if (row->words != NULL)
    {
      g_autofree char *cell = first_cell (g_array_index (outputs, FlowValue, 0).tensor);

      g_assert_cmpstr (cell, ==, row->words);
    }
}

static void
test_rows (gconstpointer data)
{
  const char *letter = data;
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].row[0] == letter[0])
      {
        check_row (&rows[i]);
        n++;
      }
  g_assert_cmpuint (n, >, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  flow_kernels_register ();
  g_test_add_data_func ("/kernels/hostile-math/matrix-and-element-wise", "B", test_rows);
  g_test_add_data_func ("/kernels/hostile-math/generators-and-reductions", "D", test_rows);
  g_test_add_data_func ("/kernels/hostile-math/others", "G", test_rows);
  g_test_add_data_func ("/kernels/hostile-math/legal", "7", test_rows);
  return g_test_run ();
}
