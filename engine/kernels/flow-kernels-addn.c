/* flow-kernels-addn.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-elementwise-private.h"
#include "flow-reduce-private.h"
#include "flow-sum-private.h"
#include "flow-variant.h"

#include <math.h>
#include <string.h>

/* Sums of many tensors, and the checks and losses that look at all of one. */

/* --- AddN, AccumulateNV2 --------------------------------------------------------------------------- */

FLOW_BINARY_LOOP (FLOW_CLONES, add_float, float, float, a + b)
FLOW_BINARY_LOOP (FLOW_CLONES, add_double, double, double, a + b)
FLOW_BINARY_LOOP (, add_8, guint8, guint8, a + b)
FLOW_BINARY_LOOP (, add_16, guint16, guint16, a + b)
FLOW_BINARY_LOOP (, add_32, guint32, guint32, a + b)
FLOW_BINARY_LOOP (, add_64, guint64, guint64, a + b)
FLOW_BINARY_LOOP (, add_complex64, FlowComplex64, FlowComplex64, a + b)
FLOW_BINARY_LOOP (, add_complex128, FlowComplex128, FlowComplex128, a + b)

static const FlowBinaryLoops add_loops = {
  [FLOW_DTYPE_FLOAT] = add_float,
  [FLOW_DTYPE_HALF] = add_float,
  [FLOW_DTYPE_BFLOAT16] = add_float,
  [FLOW_DTYPE_DOUBLE] = add_double,
  [FLOW_DTYPE_INT8] = add_8,
  [FLOW_DTYPE_UINT8] = add_8,
  [FLOW_DTYPE_INT16] = add_16,
  [FLOW_DTYPE_UINT16] = add_16,
  [FLOW_DTYPE_INT32] = add_32,
  [FLOW_DTYPE_INT64] = add_64,
  [FLOW_DTYPE_COMPLEX64] = add_complex64,
  [FLOW_DTYPE_COMPLEX128] = add_complex128,
};

static gboolean
add_n_infer (FlowInferContext  *c,
             GError           **error)
{
  g_autoptr (FlowShape) sum = flow_shape_ref (flow_infer_input (c, c->n_inputs - 1));

  for (guint i = 1; c->running && i < c->n_inputs; i++)
    if (!flow_shape_equal (flow_infer_input (c, 0), flow_infer_input (c, i)))
      {
        g_autofree char *a = flow_shape_to_string (flow_infer_input (c, 0));
        g_autofree char *b = flow_shape_to_string (flow_infer_input (c, i));

        g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                     "Inputs to operation %s of type %s must have the same size and shape.  "
                     "Input 0: %s != input %u: %s", c->node_name, c->signature->name, a, i, b);
        return FALSE;
      }
  for (guint i = c->n_inputs - 1; i > 0; i--)
    {
      FlowShape *merged;

      if (!flow_infer_merge (c, flow_infer_input (c, i - 1), sum, &merged, error))
        return _flow_add_context (error, "From merging shape %u with other shapes.", i - 1);
      flow_shape_unref (sum);
      sum = merged;
    }
  flow_infer_set_output (c, 0, sum);
  return TRUE;
}

/* TF: the attr is the sum's shape. */
static gboolean
accumulate_n_infer (FlowInferContext  *c,
                    GError           **error)
{
  const FlowShape *given = flow_infer_attr_shape (c, "shape");

  /* TF makes a variable of it before it runs, to which each input is added. */
  for (guint i = 1; c->running && i < c->n_inputs; i++)
    FLOW_REQUIRE (flow_shape_equal (flow_infer_input (c, 0), flow_infer_input (c, i)), error, INVALID_ARGUMENT,
                  "Parameters and update must be the same size");
  if (c->running || given == NULL || !flow_shape_is_known (given))
    return add_n_infer (c, error);
  flow_infer_set_output (c, 0, given);
  return TRUE;
}

/* Inputs begin .. end, one after the other, into @sum. */
static void
add_in_turn (FlowKernelContext *c,
             guint              begin,
             guint              end,
             FlowTensor        *sum)
{
  const FlowTensor *first = flow_kernel_input (c, begin);

  if (end - begin == 1)
    memcpy (sum->data, first->data, first->n_bytes);
  else
    flow_binary_run (first, flow_kernel_input (c, begin + 1), sum, add_loops[sum->dtype]);
  for (guint i = begin + 2; i < end; i++)
    flow_binary_run (sum, flow_kernel_input (c, i), sum, add_loops[sum->dtype]);
}

static gboolean
accumulate_n_compute (FlowKernelContext  *c,
                      GError            **error)
{
  const FlowTensor *first = flow_kernel_input (c, 0);
  FlowTensor *sum;

  if (c->n_inputs == 1)
    {
      flow_kernel_set_output (c, 0, first);
      return TRUE;
    }
  sum = flow_kernel_forward_or_allocate (c, 0, 0, first->shape, error);
  if (sum == NULL)
    return FALSE;
  add_in_turn (c, 0, c->n_inputs, sum);
  return TRUE;
}

/* TF: inputs beyond the first 2 to 9 are added up by eights, and each sum of eight to the rest. */
#define EIGHTS 8

static gboolean
add_n_compute (FlowKernelContext  *c,
               GError            **error)
{
  guint n_first = c->n_inputs % EIGHTS < 2 ? c->n_inputs % EIGHTS + EIGHTS : c->n_inputs % EIGHTS;
  g_autoptr (FlowTensor) eight = NULL;
  FlowTensor *sum;

  if (c->n_inputs <= EIGHTS + 1)
    return accumulate_n_compute (c, error);
  sum = flow_kernel_forward_or_allocate (c, 0, 0, flow_kernel_input (c, 0)->shape, error);
  if (sum == NULL)
    return FALSE;
  eight = flow_kernel_allocate_temp (c, sum->dtype, sum->shape, error);
  if (eight == NULL)
    return FALSE;
  add_in_turn (c, 0, n_first, sum);
  for (guint i = n_first; i < c->n_inputs; i += EIGHTS)
    {
      add_in_turn (c, i, i + EIGHTS, eight);
      flow_binary_run (sum, eight, sum, add_loops[sum->dtype]);
    }
  return TRUE;
}

static gboolean
add_variants (FlowKernelContext  *c,
              GError            **error)
{
  g_autoptr (FlowVariant) sum = NULL;

  for (guint i = 0; i < c->n_inputs; i++)
    {
      FlowVariant *next = flow_tensor_get_variant (flow_kernel_input (c, i), 0);
      FlowVariant *both;

      FLOW_REQUIRE (next != NULL, error, INTERNAL,
                    "No unary variant binary_op function found for binary variant op enum: 1");
      both = sum != NULL ? flow_variant_add (sum, next, c->budget, error) : g_object_ref (next);
      g_clear_object (&sum);
      sum = both;
      if (sum == NULL)
        return FALSE;
    }
  flow_kernel_take_output (c, 0, flow_tensor_new_variant (sum));
  return TRUE;
}

/* Variants add as their type says. One alone passes through. */
static gboolean
add_variants_compute (FlowKernelContext  *c,
                      GError            **error)
{
  if (c->n_inputs == 1)
    {
      flow_kernel_set_output (c, 0, flow_kernel_input (c, 0));
      return TRUE;
    }
  for (guint i = 0; i < c->n_inputs; i++)
    {
      g_autofree char *text = flow_shape_to_string (flow_kernel_input (c, i)->shape);

      FLOW_REQUIRE (FLOW_RANK (flow_kernel_input (c, i)) == 0, error, INVALID_ARGUMENT,
                    "AddN of non-scalar Tensor with dtype=DT_VARIANT is not supported; inputs[%u] has "
                    "shape: %s", i, text);
    }
  return add_variants (c, error);
}

/* TF: control inputs are counted as well; those a shape function does not see. */
static gint64
add_n_flops (FlowInferContext *c)
{
  gint64 n = flow_flops_input (c);

  return n < 0 ? -1 : n * (c->n_inputs - 1);
}

static const FlowKernelDef add_n_kernels[] = {
  { "T: bfloat16 half float double int8 uint8 int16 uint16 int32 int64 complex64 complex128",
    add_n_compute },
  { "T: variant", add_variants_compute },
  { NULL },
};
static const FlowKernelDef accumulate_n_kernels[] = {
  { "T: bfloat16 half float double int8 uint8 int16 uint16 int32 int64 complex64 complex128",
    accumulate_n_compute },
  { NULL },
};

/* --- L2Loss ------------------------------------------------------------------------------------------ */

#define SQUARES(name, type)                                                            \
  static void                                                                          \
  name##_init (gpointer acc, gint64 n)                                                 \
  {                                                                                    \
    for (gint64 i = 0; i < n; i++)                                                     \
      ((double *) acc)[i] = 0;                                                         \
  }                                                                                    \
  FLOW_CLONES static void                                                              \
  name##_row (gconstpointer px, gint64 n, gpointer acc)                                \
  {                                                                                    \
    const type *x = px;                                                                \
    double lanes[16] = { 0 };                                                          \
    gint64 i = 0;                                                                      \
                                                                                       \
    for (; i + 16 <= n; i += 16)                                                       \
      for (int k = 0; k < 16; k++)                                                     \
        lanes[k] += (double) x[i + k] * (double) x[i + k];                             \
    for (; i < n; i++)                                                                 \
      lanes[0] += (double) x[i] * (double) x[i];                                       \
    for (int k = 0; k < 16; k++)                                                       \
      *(double *) acc += lanes[k];                                                     \
  }                                                                                    \
  static void                                                                          \
  name##_column (gconstpointer px, gint64 n, gpointer acc)                             \
  {                                                                                    \
    const type *x = px;                                                                \
    for (gint64 i = 0; i < n; i++)                                                     \
      ((double *) acc)[i] += (double) x[i] * (double) x[i];                            \
  }                                                                                    \
  static void                                                                          \
  name##_merge (gpointer acc, gconstpointer other, gint64 n)                           \
  {                                                                                    \
    for (gint64 i = 0; i < n; i++)                                                     \
      ((double *) acc)[i] += ((const double *) other)[i];                              \
  }                                                                                    \
  static void                                                                          \
  name##_finish (gconstpointer acc, gpointer out, gint64 n, gint64 count)              \
  {                                                                                    \
    for (gint64 i = 0; i < n; i++)                                                     \
      ((type *) out)[i] = (type) (((const double *) acc)[i] / 2);                      \
  }                                                                                    \
  static const FlowReduceOps name = {                                                  \
    sizeof (double), name##_init, name##_row, name##_column, name##_merge, name##_finish, \
  };

SQUARES (half_squares_float, float)
SQUARES (half_squares_double, double)

static gboolean
l2_loss_compute (FlowKernelContext  *c,
                 GError            **error)
{
  const FlowTensor *x = flow_kernel_input (c, 0);
  g_autoptr (FlowShape) scalar = flow_shape_new_scalar ();
  FlowTensor *out = flow_kernel_allocate (c, 0, scalar, error);
  gboolean all[FLOW_SHAPE_MAX_RANK];

  for (int i = 0; i < FLOW_SHAPE_MAX_RANK; i++)
    all[i] = TRUE;
  if (out == NULL)
    return FALSE;
  if (x->dtype == FLOW_DTYPE_FLOAT)
    {
      *(float *) out->data = flow_sum_squares_float (flow_kernel_release (c), x->data, x->n_elements) / 2;
      return TRUE;
    }
  return flow_reduce_run (c, x, all, x->dtype == FLOW_DTYPE_DOUBLE ? &half_squares_double
                                                            : &half_squares_float, out, error);
}

FLOW_ONE_KERNEL (l2_loss, "T: half float double")

static gint64
l2_loss_flops (FlowInferContext *c)
{
  gint64 n = flow_flops_input (c);

  return n < 0 ? -1 : 3 * n - 1;
}

/* --- CheckNumerics ------------------------------------------------------------------------------------ */

/* What was found among numbers. */
enum { SAW_NAN = 1, SAW_NEGATIVE = 2, SAW_POSITIVE = 4 };

FLOW_CLONES static int
look_at_floats (const float *x,
                gint64       n)
{
  int nans = 0;
  int low = 0;
  int high = 0;

  for (gint64 i = 0; i < n; i++)
    {
      nans |= x[i] != x[i];
      low |= x[i] == -INFINITY;
      high |= x[i] == INFINITY;
    }
  return nans * SAW_NAN | low * SAW_NEGATIVE | high * SAW_POSITIVE;
}

static int
look_at_doubles (const double *x,
                 gint64        n)
{
  int seen = 0;

  for (gint64 i = 0; i < n; i++)
    seen |= isnan (x[i]) ? SAW_NAN : isinf (x[i]) ? (x[i] < 0 ? SAW_NEGATIVE : SAW_POSITIVE) : 0;
  return seen;
}

static int
look_at_tensor (const FlowTensor *x)
{
  int seen = 0;

  for (gint64 i = 0; i < x->n_elements; i += 1024)
    {
      gint64 n = MIN (1024, x->n_elements - i);
      float block[1024];

      if (x->dtype == FLOW_DTYPE_FLOAT)
        seen |= look_at_floats (FLOW_DATA (float, x) + i, n);
      else if (x->dtype == FLOW_DTYPE_DOUBLE)
        seen |= look_at_doubles (FLOW_DATA (double, x) + i, n);
      else
        {
          flow_to_float (x->dtype, FLOW_DATA (guint16, x) + i, block, n);
          seen |= look_at_floats (block, n);
        }
    }
  return seen;
}

static gboolean
check_numerics_compute (FlowKernelContext  *c,
                        GError            **error)
{
  const int seen = look_at_tensor (flow_kernel_input (c, 0));
  const gboolean any_nan = (seen & SAW_NAN) != 0;

  FLOW_REQUIRE (seen == 0, error, INVALID_ARGUMENT, "%s : Tensor had %s values", flow_kernel_attr_string (c, "message"),
                any_nan && seen != SAW_NAN ? "Inf and NaN" : any_nan ? "NaN" : "Inf");
  flow_kernel_set_output (c, 0, flow_kernel_input (c, 0));
  return TRUE;
}

/* TF 2: says which infinity. */
static gboolean
check_numerics_v2_compute (FlowKernelContext  *c,
                           GError            **error)
{
  static const char *const words[] = {
    "", "NaN", "-Inf", "-Inf and NaN", "+Inf", "+Inf and NaN", "-Inf and +Inf", "-Inf, +Inf, and NaN",
  };
  const int seen = look_at_tensor (flow_kernel_input (c, 0));

  FLOW_REQUIRE (seen == 0, error, INVALID_ARGUMENT, "%s : Tensor had %s values", flow_kernel_attr_string (c, "message"),
                words[seen]);
  flow_kernel_set_output (c, 0, flow_kernel_input (c, 0));
  return TRUE;
}

FLOW_ONE_KERNEL (check_numerics, "T: bfloat16 half float double")
FLOW_ONE_KERNEL (check_numerics_v2, "T: bfloat16 half float double")

/* --- the table ------------------------------------------------------------------------------------------ */

static const FlowOpDef ops[] = {
  { .name = "AccumulateNV2", .inputs = "inputs: N * T", .outputs = "sum: T",
    .attrs = "N: int >= 1; T: " FLOW_NUMBER_TYPES "; shape: shape",
    .summary = "Sum of many tensors", .flags = FLOW_OP_COMMUTATIVE | FLOW_OP_AGGREGATE,
    .family = FLOW_OP_FAMILY_MATH, .infer = accumulate_n_infer, .kernels = accumulate_n_kernels },
  { .name = "AddN", .inputs = "inputs: N * T", .outputs = "sum: T",
    .attrs = "N: int >= 1; T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, "
             "quint8, qint32, bfloat16, uint16, complex128, half, uint32, uint64, variant}",
    .summary = "Sum of many tensors", .flags = FLOW_OP_COMMUTATIVE | FLOW_OP_AGGREGATE,
    .family = FLOW_OP_FAMILY_MATH, .infer = add_n_infer, .kernels = add_n_kernels,
    .flops = add_n_flops },
  { .name = "CheckNumerics", .inputs = "tensor: T", .outputs = "output: T",
    .attrs = "T: {bfloat16, half, float, double}; message: string",
    .summary = "The input, or an error where it has NaN or Inf", .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_MATH, .infer = flow_infer_unchanged_shape,
    .kernels = check_numerics_kernels },
  { .name = "CheckNumericsV2", .inputs = "tensor: T", .outputs = "output: T",
    .attrs = "T: {bfloat16, half, float, double}; message: string",
    .summary = "The input, or an error where it has NaN, -Inf or +Inf", .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_MATH, .infer = flow_infer_unchanged_shape,
    .kernels = check_numerics_v2_kernels },
  { .name = "L2Loss", .inputs = "t: T", .outputs = "output: T",
    .attrs = "T: {half, bfloat16, float, double}", .summary = "Half the sum of squares",
    .family = FLOW_OP_FAMILY_MATH, .infer = flow_infer_scalar_shape, .kernels = l2_loss_kernels,
    .flops = l2_loss_flops },
};

FLOW_DEFINE_OP_FAMILY (addn, ops)
