/* flow-kernels-select.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-elementwise-private.h"
#include "flow-parallel.h"
#include "flow-util.h"

#include <string.h>

/* Choosing between tensors by conditions, and where conditions hold. */

#define GRAIN 16384

/* --- cells of any dtype ------------------------------------------------------------------------------ */

typedef struct { guint64 a, b; } Cell16;

/* out[i] = condition ? then : otherwise, with strides 0 or 1 for each. */
typedef void (*SelectLoop) (const guint8 *cond, gint64 sc, gconstpointer t, gint64 st,
                            gconstpointer e, gint64 se, gpointer out, gint64 n);

#define SELECT_LOOP(name, type)                                                        \
  FLOW_CLONES static void                                                              \
  name (const guint8 *cond, gint64 sc, gconstpointer pt, gint64 st, gconstpointer pe,  \
        gint64 se, gpointer out, gint64 n)                                             \
  {                                                                                    \
    const type *t = pt;                                                                \
    const type *e = pe;                                                                \
    type *z = out;                                                                     \
                                                                                       \
    if (sc == 1 && st == 1 && se == 1)                                                 \
      {                                                                                \
        FLOW_IVDEP                                                                     \
        for (gint64 i = 0; i < n; i++)                                                 \
          {                                                                            \
            type a = t[i];                                                             \
            type b = e[i];                                                             \
            z[i] = cond[i] ? a : b;                                                    \
          }                                                                            \
      }                                                                                \
    else                                                                               \
      {                                                                                \
        for (gint64 i = 0; i < n; i++)                                                 \
          z[i] = cond[i * sc] ? t[i * st] : e[i * se];                                 \
      }                                                                                \
  }

SELECT_LOOP (select_1, guint8)
SELECT_LOOP (select_2, guint16)
SELECT_LOOP (select_4, guint32)
SELECT_LOOP (select_8, guint64)
SELECT_LOOP (select_16, Cell16)

static SelectLoop
loop_for (FlowDType dtype)
{
  switch (flow_dtype_size (dtype))
    {
    case 1:
      return select_1;
    case 2:
      return select_2;
    case 4:
      return select_4;
    case 8:
      return select_8;
    default:
      return select_16;
    }
}

/* Strings, handles and variants: the output has references of its own. */
static void
reference_cells (FlowTensor *t)
{
  gpointer *cells = t->data;

  if (t->dtype != FLOW_DTYPE_STRING && t->dtype != FLOW_DTYPE_RESOURCE &&
      t->dtype != FLOW_DTYPE_VARIANT)
    return;
  for (gint64 i = 0; i < t->n_elements; i++)
    {
      if (cells[i] == NULL)
        continue;
      if (t->dtype == FLOW_DTYPE_STRING)
        g_bytes_ref (cells[i]);
      else if (t->dtype == FLOW_DTYPE_RESOURCE)
        flow_handle_ref (cells[i]);
      else if (t->dtype == FLOW_DTYPE_VARIANT)
        g_object_ref (cells[i]);
    }
}

/* --- Select ------------------------------------------------------------------------------------------ */

/* TF says which input differs from the condition, counted from 0. */
static gboolean
require_same (FlowInferContext  *c,
              guint              i,
              GError           **error)
{
  if (!flow_shape_equal (flow_infer_input (c, 0), flow_infer_input (c, i)))
    {
      g_autofree char *a = flow_shape_to_string (flow_infer_input (c, 0));
      g_autofree char *b = flow_shape_to_string (flow_infer_input (c, i));

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "Inputs to operation %s of type %s must have the same size and shape.  "
                   "Input 0: %s != input %u: %s", c->node_name, c->signature->name, a, i, b);
      return FALSE;
    }
  return TRUE;
}

/* TF has three forms: one condition for all, one for each row, one for each element. */
static gboolean
select_check (FlowInferContext  *c,
              GError           **error)
{
  FlowShape *cond = flow_infer_input (c, 0);
  FlowShape *t = flow_infer_input (c, 1);
  FlowShape *e = flow_infer_input (c, 2);
  g_autofree char *text_t = flow_shape_to_string (t);
  g_autofree char *text_e = flow_shape_to_string (e);

  if (cond->rank == 1 && t->rank != 1)
    {
      FLOW_REQUIRE (t->rank >= 1, error, INVALID_ARGUMENT,
                    "'then' must be at least a vector, but saw shape: %s", text_t);
      FLOW_REQUIRE (t->dims[0] == cond->dims[0], error, INVALID_ARGUMENT,
                    "Number of batches of 'then' must match size of 'cond', but saw: %"
                    G_GINT64_FORMAT " vs. %" G_GINT64_FORMAT, t->dims[0], cond->dims[0]);
    }
  else if (cond->rank != 0)
    {
      return require_same (c, 1, error) && require_same (c, 2, error);
    }
  FLOW_REQUIRE (flow_shape_equal (t, e), error, INVALID_ARGUMENT,
                "'then' and 'else' must have the same size.  but received: %s vs. %s", text_t,
                text_e);
  return TRUE;
}

static gboolean
select_infer (FlowInferContext  *c,
              GError           **error)
{
  FlowShape *cond = flow_infer_input (c, 0);
  FlowShape *data;
  g_autoptr (FlowShape) rows = NULL;
  g_autoptr (FlowShape) both = NULL;

  if (c->running && !select_check (c, error))
    return FALSE;
  if (!flow_infer_merge (c, flow_infer_input (c, 1), flow_infer_input (c, 2), &data, error))
    return FALSE;
  flow_infer_take_output (c, 0, data);
  if (cond->rank <= 0 || data->rank == FLOW_RANK_UNKNOWN)
    return TRUE;
  if (cond->rank == 1 && data->rank > 0)
    {
      rows = flow_shape_new_vector (data->dims[0]);
      return flow_infer_merge (c, cond, rows, &both, error);
    }
  if (!flow_infer_merge (c, data, cond, &both, error))
    return FALSE;
  flow_infer_set_output (c, 0, both);
  return TRUE;
}

typedef struct {
  const guint8 *cond;
  const guint8 *t;
  const guint8 *e;
  guint8 *out;
  gint64 size;
  gint64 batch;                /* cells that one condition decides; 1: one each */
  SelectLoop loop;
} SelectJob;

static void
select_cells (gint64   begin,
              gint64   end,
              gpointer data)
{
  const SelectJob *job = data;

  job->loop (job->cond + begin, 1, job->t + begin * job->size, 1, job->e + begin * job->size, 1,
             job->out + begin * job->size, end - begin);
}

static void
select_batches (gint64   begin,
                gint64   end,
                gpointer data)
{
  const SelectJob *job = data;
  gsize bytes = (gsize) (job->batch * job->size);

  for (gint64 i = begin; i < end; i++)
    memcpy (job->out + (gsize) i * bytes, (job->cond[i] ? job->t : job->e) + (gsize) i * bytes, bytes);
}

static gboolean
select_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowTensor *cond = flow_kernel_input (c, 0);
  const FlowTensor *t = flow_kernel_input (c, 1);
  const FlowTensor *e = flow_kernel_input (c, 2);
  FlowTensor *out;
  SelectJob job;

  if (FLOW_RANK (cond) == 0)
    {
      flow_kernel_set_output (c, 0, FLOW_DATA (guint8, cond)[0] ? t : e);
      return TRUE;
    }
  out = flow_kernel_allocate (c, 0, t->shape, error);
  if (out == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  job.cond = cond->data;
  job.t = t->data;
  job.e = e->data;
  job.out = out->data;
  job.size = (gint64) flow_dtype_size (t->dtype);
  job.batch = out->n_elements / cond->n_elements;
  job.loop = loop_for (t->dtype);
  if (job.batch == 1)
    flow_parallel_for (out->n_elements, GRAIN, select_cells, &job);
  else
    flow_parallel_for (cond->n_elements, MAX (1, GRAIN / job.batch), select_batches, &job);
  reference_cells (out);
  return TRUE;
}

/* --- SelectV2: all three broadcast -------------------------------------------------------------------- */

static gboolean
select_v2_infer (FlowInferContext  *c,
                 GError           **error)
{
  g_autoptr (FlowShape) both = NULL;
  g_autoptr (GError) clash = NULL;
  FlowShape *all;

  if (!flow_infer_broadcast (c, flow_infer_input (c, 1), flow_infer_input (c, 2), &both, &clash) ||
      !flow_infer_broadcast (c, flow_infer_input (c, 0), both, &all, &clash))
    {
      g_autofree char *text_cond = flow_shape_to_string (flow_infer_input (c, 0));
      g_autofree char *text_t = flow_shape_to_string (flow_infer_input (c, 1));
      g_autofree char *text_e = flow_shape_to_string (flow_infer_input (c, 2));

      if (!c->running)
        {
          g_propagate_error (error, g_steal_pointer (&clash));
          return FALSE;
        }
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "condition %s, then %s, and else %s must be broadcastable", text_cond, text_t,
                   text_e);
      return FALSE;
    }
  flow_infer_take_output (c, 0, all);
  return TRUE;
}

static void
broadcast_strides (const FlowShape *in,
                   const FlowShape *out,
                   gint64          *strides)
{
  gint64 stride = 1;

  for (int i = out->rank - 1; i >= 0; i--)
    {
      int at = i - (out->rank - in->rank);
      gint64 d = at >= 0 ? in->dims[at] : 1;

      strides[i] = d == 1 ? 0 : stride;
      stride *= d;
    }
}

typedef struct {
  const guint8 *in[3];
  gint64 strides[3][FLOW_SHAPE_MAX_RANK + 1];
  guint8 *out;
  gint64 size;
  int rank;
  const gint64 *dims;
  gint64 row;                  /* cells of the innermost dim */
  SelectLoop loop;
} SelectV2Job;

static void
select_rows (gint64   begin,
             gint64   end,
             gpointer data)
{
  const SelectV2Job *job = data;
  int inner = job->rank - 1;

  for (gint64 r = begin; r < end; r++)
    {
      gint64 at[3] = { 0, 0, 0 };
      gint64 rest = r;

      for (int i = inner - 1; i >= 0; i--)
        {
          for (int k = 0; k < 3; k++)
            at[k] += rest % job->dims[i] * job->strides[k][i];
          rest /= job->dims[i];
        }
      job->loop (job->in[0] + at[0], job->strides[0][inner],
                 job->in[1] + at[1] * job->size, job->strides[1][inner],
                 job->in[2] + at[2] * job->size, job->strides[2][inner],
                 job->out + r * job->row * job->size, job->row);
    }
}

static gboolean
select_v2_compute (FlowKernelContext  *c,
                   GError            **error)
{
  const FlowTensor *cond = flow_kernel_input (c, 0);
  const FlowTensor *t = flow_kernel_input (c, 1);
  const FlowTensor *e = flow_kernel_input (c, 2);
  FlowTensor *out = flow_kernel_allocate_inferred (c, 0, error);
  g_autoptr (FlowShape) flat = NULL;
  SelectV2Job job;

  if (out == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  job.in[0] = cond->data;
  job.in[1] = t->data;
  job.in[2] = e->data;
  job.out = out->data;
  job.size = (gint64) flow_dtype_size (t->dtype);
  job.loop = loop_for (t->dtype);
  if (FLOW_RANK (out) == 0 ||
      (cond->n_elements == t->n_elements && t->n_elements == e->n_elements &&
       t->n_elements == out->n_elements))
    {
      SelectJob plain = { cond->data, t->data, e->data, out->data, job.size, 1, job.loop };

      flow_parallel_for (out->n_elements, GRAIN, select_cells, &plain);
    }
  else
    {
      job.rank = FLOW_RANK (out);
      job.dims = FLOW_DIMS (out);
      job.row = job.dims[job.rank - 1];
      broadcast_strides (cond->shape, out->shape, job.strides[0]);
      broadcast_strides (t->shape, out->shape, job.strides[1]);
      broadcast_strides (e->shape, out->shape, job.strides[2]);
      flow_parallel_for (out->n_elements / job.row, MAX (1, GRAIN / job.row), select_rows, &job);
    }
  reference_cells (out);
  return TRUE;
}

/* --- Where --------------------------------------------------------------------------------------------- */

static gboolean
where_infer (FlowInferContext  *c,
             GError           **error)
{
  int rank = flow_infer_input (c, 0)->rank;

  flow_infer_take_output (c, 0, flow_shape_new_matrix (FLOW_DIM_UNKNOWN,
                                                       rank == FLOW_RANK_UNKNOWN ? FLOW_DIM_UNKNOWN
                                                                                 : rank));
  return TRUE;
}

/* Of complex numbers, both parts; numbers too small for full precision are zeros, as ever in kernels. */
#define MARK_LOOP(type)                                                                \
  for (gint64 i = 0; i < n; i++)                                                       \
    {                                                                                  \
      gboolean is_true = FALSE;                                                        \
                                                                                       \
      for (gsize k = 0; k < n_parts; k++)                                              \
        is_true |= ((const type *) x->data)[(gsize) i * n_parts + k] != 0;             \
      marks[i] = is_true;                                                              \
    }

/* A cell is true that is not zero. */
static void
mark_true (const FlowTensor *x,
           guint8           *marks)
{
  gint64 n = x->n_elements;
  gsize n_parts = flow_dtype_is_complex (x->dtype) ? 2 : 1;

  if (x->dtype == FLOW_DTYPE_FLOAT || x->dtype == FLOW_DTYPE_COMPLEX64)
    MARK_LOOP (float)
  else if (x->dtype == FLOW_DTYPE_DOUBLE || x->dtype == FLOW_DTYPE_COMPLEX128)
    MARK_LOOP (double)
  else if (x->dtype == FLOW_DTYPE_BFLOAT16)
    for (gint64 i = 0; i < n; i++)
      marks[i] = (((const guint16 *) x->data)[i] & 0x7f80) != 0;
  else if (flow_dtype_size (x->dtype) == 8)
    MARK_LOOP (guint64)
  else if (flow_dtype_size (x->dtype) == 4)
    MARK_LOOP (guint32)
  else if (flow_dtype_size (x->dtype) == 2)
    MARK_LOOP (guint16)
  else
    MARK_LOOP (guint8)
}

static gboolean
where_compute (FlowKernelContext  *c,
               GError            **error)
{
  const FlowTensor *x = flow_kernel_input (c, 0);
  int rank = FLOW_RANK (x);
  g_autoptr (FlowTensor) marks = flow_kernel_allocate_temp (c, FLOW_DTYPE_BOOL, x->shape, error);
  g_autoptr (FlowShape) shape = NULL;
  const guint8 *mark;
  gint64 n_true = 0;
  FlowTensor *out;
  gint64 *index;

  /* TF registers it and refuses. */
  FLOW_REQUIRE (x->dtype != FLOW_DTYPE_HALF, error, UNIMPLEMENTED,
                "No WhereOp available for float16/half type on CPU; dying in CPU WhereOp to avoid "
                "silently creating costly copies from device.");
  /* TF: its kernel is made for so many dims. */
  FLOW_REQUIRE (FLOW_RANK (x) >= 1 && FLOW_RANK (x) <= 8, error, INVALID_ARGUMENT,
                "WhereOp : Unhandled input dimensions: %d", FLOW_RANK (x));
  if (marks == NULL)
    return FALSE;
  mark_true (x, marks->data);
  mark = marks->data;
  for (gint64 i = 0; i < x->n_elements; i++)
    n_true += mark[i];
  shape = flow_shape_new_matrix (n_true, rank);
  out = flow_kernel_allocate (c, 0, shape, error);
  if (out == NULL)
    return FALSE;
  index = FLOW_WRITABLE (gint64, out);
  for (gint64 i = 0; i < x->n_elements; i++)
    {
      gint64 rest = i;

      if (!mark[i])
        continue;
      for (int k = rank - 1; k >= 0; k--)
        {
          index[k] = rest % FLOW_DIMS (x)[k];
          rest /= FLOW_DIMS (x)[k];
        }
      index += rank;
    }
  return TRUE;
}

/* --- ClipByValue ---------------------------------------------------------------------------------------- */

static gboolean
clip_infer (FlowInferContext  *c,
            GError           **error)
{
  FlowShape *x = flow_infer_input (c, 0);
  FlowShape *low = flow_infer_input (c, 1);
  FlowShape *high = flow_infer_input (c, 2);

  if (c->running)
    {
      g_autofree char *text_x = flow_shape_to_string (x);
      g_autofree char *text_low = flow_shape_to_string (low);
      g_autofree char *text_high = flow_shape_to_string (high);

      FLOW_REQUIRE ((flow_shape_equal (x, low) || low->rank == 0) &&
                    (flow_shape_equal (x, high) || high->rank == 0), error, INVALID_ARGUMENT,
                    "clip_value_min and clip_value_max must be either of the same shape as input, "
                    "or a scalar. input shape: %sclip_value_min shape: %sclip_value_max shape: %s",
                    text_x, text_low, text_high);
    }
  flow_infer_set_output (c, 0, x);
  return TRUE;
}

#define CLIP_LOOPS(name, type)                                                         \
  FLOW_BINARY_LOOP (FLOW_CLONES, at_least_##name, type, type, a < b ? b : a)           \
  FLOW_BINARY_LOOP (FLOW_CLONES, at_most_##name, type, type, b < a ? b : a)

CLIP_LOOPS (float, float)
CLIP_LOOPS (double, double)
CLIP_LOOPS (int8, gint8)
CLIP_LOOPS (uint8, guint8)
CLIP_LOOPS (int16, gint16)
CLIP_LOOPS (uint16, guint16)
CLIP_LOOPS (int32, gint32)
CLIP_LOOPS (int64, gint64)

#define CLIP_ENTRIES(side)                                                             \
  [FLOW_DTYPE_FLOAT] = side##_float,                                                   \
  [FLOW_DTYPE_HALF] = side##_float,                                                    \
  [FLOW_DTYPE_DOUBLE] = side##_double,                                                 \
  [FLOW_DTYPE_INT8] = side##_int8,                                                     \
  [FLOW_DTYPE_UINT8] = side##_uint8,                                                   \
  [FLOW_DTYPE_INT16] = side##_int16,                                                   \
  [FLOW_DTYPE_UINT16] = side##_uint16,                                                 \
  [FLOW_DTYPE_INT32] = side##_int32,                                                   \
  [FLOW_DTYPE_INT64] = side##_int64

static const FlowBinaryLoops at_least_loops = { CLIP_ENTRIES (at_least) };
static const FlowBinaryLoops at_most_loops = { CLIP_ENTRIES (at_most) };

static gboolean
clip_compute (FlowKernelContext  *c,
              GError            **error)
{
  const FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *out = flow_kernel_forward_or_allocate (c, 0, 0, x->shape, error);

  if (out == NULL)
    return FALSE;
  flow_binary_run (x, flow_kernel_input (c, 2), out, at_most_loops[x->dtype]);
  flow_binary_run (out, flow_kernel_input (c, 1), out, at_least_loops[x->dtype]);
  return TRUE;
}

FLOW_ONE_KERNEL (clip, "T: half float double int8 uint8 int16 uint16 int32 int64")

/* --- the table ------------------------------------------------------------------------------------------- */

#define SELECTABLE "T: bfloat16 half float double int8 uint8 int16 uint16 int32 int64 " \
                   "complex64 complex128 bool string resource variant"

static const FlowKernelDef select_kernels[] = { { SELECTABLE, select_compute }, { NULL } };
static const FlowKernelDef select_v2_kernels[] = { { SELECTABLE, select_v2_compute }, { NULL } };
static const FlowKernelDef where_kernels[] = {
  { "T: bfloat16 half float double int8 uint8 int16 uint16 int32 int64 complex64 complex128 bool",
    where_compute },
  { NULL },
};

static const FlowOpDef ops[] = {
  { .name = "ClipByValue", .inputs = "t: T; clip_value_min: T; clip_value_max: T",
    .outputs = "output: T", .attrs = "T: " FLOW_NUMBER_TYPES,
    .summary = "Values held between a least and a greatest", .family = FLOW_OP_FAMILY_MATH,
    .infer = clip_infer, .kernels = clip_kernels },
  { .name = "Select", .inputs = "condition: bool; t: T; e: T", .outputs = "output: T",
    .attrs = "T: type", .summary = "Elements or rows of t where the condition holds, else of e",
    .family = FLOW_OP_FAMILY_ARRAY, .infer = select_infer, .kernels = select_kernels },
  { .name = "SelectV2", .inputs = "condition: bool; t: T; e: T", .outputs = "output: T",
    .attrs = "T: type", .summary = "Elements of t where the condition holds, else of e, broadcast",
    .family = FLOW_OP_FAMILY_ARRAY, .infer = select_v2_infer, .kernels = select_v2_kernels },
  { .name = "Where", .inputs = "input: T", .outputs = "index: int64",
    .attrs = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
             "qint32, bfloat16, uint16, complex128, half, uint32, uint64, bool} = DT_BOOL",
    .summary = "Indices of the elements that are not zero", .family = FLOW_OP_FAMILY_ARRAY,
    .infer = where_infer, .kernels = where_kernels },
};

FLOW_DEFINE_OP_FAMILY (select, ops)
