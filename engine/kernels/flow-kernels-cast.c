/* flow-kernels-cast.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-elementwise-private.h"
#include "flow-parallel.h"

#include <string.h>

/* Cast between all numeric dtypes. A cast has a loop between two base types and, for half, bfloat16
 * and complex on either side, a step before and after it on blocks. What does not fit becomes what
 * x86 makes of it, as in TensorFlow, but never by undefined behaviour. */

#define BLOCK 1024
#define GRAIN 16384

/* --- floats to integers as x86 converts --------------------------------------------------------- */

static inline gint32
float_to_int32 (float x)
{
  return x >= -2147483648.0f && x < 2147483648.0f ? (gint32) x : G_MININT32;
}

static inline gint32
double_to_int32 (double x)
{
  return x > -2147483649.0 && x < 2147483648.0 ? (gint32) x : G_MININT32;
}

static inline gint64
float_to_int64 (float x)
{
  return x >= -9223372036854775808.0f && x < 9223372036854775808.0f ? (gint64) x : G_MININT64;
}

static inline gint64
double_to_int64 (double x)
{
  return x >= -9223372036854775808.0 && x < 9223372036854775808.0 ? (gint64) x : G_MININT64;
}

/* Above 2^63 the processor converts what is over it and turns the top bit around. */
static inline guint64
float_to_uint64 (float x)
{
  return x >= 9223372036854775808.0f
         ? (guint64) float_to_int64 (x - 9223372036854775808.0f) ^ (G_GUINT64_CONSTANT (1) << 63)
         : (guint64) float_to_int64 (x);
}

static inline guint64
double_to_uint64 (double x)
{
  return x >= 9223372036854775808.0
         ? (guint64) double_to_int64 (x - 9223372036854775808.0) ^ (G_GUINT64_CONSTANT (1) << 63)
         : (guint64) double_to_int64 (x);
}

/* --- the base loops ------------------------------------------------------------------------------ */

typedef enum {
  BASE_BOOL, BASE_UINT8, BASE_UINT16, BASE_UINT32, BASE_UINT64, BASE_INT8, BASE_INT16, BASE_INT32,
  BASE_INT64, BASE_FLOAT, BASE_DOUBLE, N_BASES
} Base;

#define FROM_INTEGER(from, type, attribute)                                            \
  FLOW_UNARY_LOOP (, from##_to_bool, type, guint8, a != 0)                             \
  FLOW_UNARY_LOOP (, from##_to_uint8, type, guint8, a)                                 \
  FLOW_UNARY_LOOP (, from##_to_uint16, type, guint16, a)                               \
  FLOW_UNARY_LOOP (, from##_to_uint32, type, guint32, a)                               \
  FLOW_UNARY_LOOP (, from##_to_uint64, type, guint64, a)                               \
  FLOW_UNARY_LOOP (, from##_to_int8, type, gint8, a)                                   \
  FLOW_UNARY_LOOP (, from##_to_int16, type, gint16, a)                                 \
  FLOW_UNARY_LOOP (, from##_to_int32, type, gint32, a)                                 \
  FLOW_UNARY_LOOP (, from##_to_int64, type, gint64, a)                                 \
  FLOW_UNARY_LOOP (attribute, from##_to_float, type, float, a)                         \
  FLOW_UNARY_LOOP (attribute, from##_to_double, type, double, a)

#define FROM_FLOATING(from, type)                                                      \
  FLOW_UNARY_LOOP (FLOW_CLONES, from##_to_bool, type, guint8, a != 0)                  \
  FLOW_UNARY_LOOP (FLOW_CLONES, from##_to_uint8, type, guint8, from##_to_i32 (a))      \
  FLOW_UNARY_LOOP (, from##_to_uint16, type, guint16, from##_to_i32 (a))               \
  FLOW_UNARY_LOOP (, from##_to_uint32, type, guint32, from##_to_i64 (a))               \
  FLOW_UNARY_LOOP (, from##_to_uint64, type, guint64, from##_to_u64 (a))               \
  FLOW_UNARY_LOOP (, from##_to_int8, type, gint8, from##_to_i32 (a))                   \
  FLOW_UNARY_LOOP (, from##_to_int16, type, gint16, from##_to_i32 (a))                 \
  FLOW_UNARY_LOOP (FLOW_CLONES, from##_to_int32, type, gint32, from##_to_i32 (a))      \
  FLOW_UNARY_LOOP (FLOW_CLONES, from##_to_int64, type, gint64, from##_to_i64 (a))      \
  FLOW_UNARY_LOOP (FLOW_CLONES, from##_to_float, type, float, a)                       \
  FLOW_UNARY_LOOP (FLOW_CLONES, from##_to_double, type, double, a)

#define f_to_i32 float_to_int32
#define f_to_i64 float_to_int64
#define f_to_u64 float_to_uint64
#define d_to_i32 double_to_int32
#define d_to_i64 double_to_int64
#define d_to_u64 double_to_uint64

FROM_INTEGER (bool, guint8, FLOW_CLONES)
FROM_INTEGER (uint8, guint8, FLOW_CLONES)
FROM_INTEGER (uint16, guint16, )
FROM_INTEGER (uint32, guint32, )
FROM_INTEGER (uint64, guint64, )
FROM_INTEGER (int8, gint8, )
FROM_INTEGER (int16, gint16, )
FROM_INTEGER (int32, gint32, FLOW_CLONES)
FROM_INTEGER (int64, gint64, FLOW_CLONES)
FROM_FLOATING (f, float)
FROM_FLOATING (d, double)

#define LOOPS_FROM(from)                                                               \
  { from##_to_bool, from##_to_uint8, from##_to_uint16, from##_to_uint32, from##_to_uint64, \
    from##_to_int8, from##_to_int16, from##_to_int32, from##_to_int64, from##_to_float, \
    from##_to_double }

static const FlowUnaryLoop base_loops[N_BASES][N_BASES] = {
  [BASE_BOOL] = LOOPS_FROM (bool),
  [BASE_UINT8] = LOOPS_FROM (uint8),
  [BASE_UINT16] = LOOPS_FROM (uint16),
  [BASE_UINT32] = LOOPS_FROM (uint32),
  [BASE_UINT64] = LOOPS_FROM (uint64),
  [BASE_INT8] = LOOPS_FROM (int8),
  [BASE_INT16] = LOOPS_FROM (int16),
  [BASE_INT32] = LOOPS_FROM (int32),
  [BASE_INT64] = LOOPS_FROM (int64),
  [BASE_FLOAT] = LOOPS_FROM (f),
  [BASE_DOUBLE] = LOOPS_FROM (d),
};

/* The base type of a dtype, N_BASES for what cannot be cast. */
static Base
base_of (FlowDType dtype)
{
  switch ((int) dtype)
    {
    case FLOW_DTYPE_BOOL:
      return BASE_BOOL;
    case FLOW_DTYPE_UINT8:
    case FLOW_DTYPE_QUINT8:
      return BASE_UINT8;
    case FLOW_DTYPE_UINT16:
      return BASE_UINT16;
    case FLOW_DTYPE_UINT32:
      return BASE_UINT32;
    case FLOW_DTYPE_UINT64:
      return BASE_UINT64;
    case FLOW_DTYPE_INT8:
    case FLOW_DTYPE_QINT8:
      return BASE_INT8;
    case FLOW_DTYPE_INT16:
      return BASE_INT16;
    case FLOW_DTYPE_INT32:
    case FLOW_DTYPE_QINT32:
      return BASE_INT32;
    case FLOW_DTYPE_INT64:
      return BASE_INT64;
    case FLOW_DTYPE_HALF:
    case FLOW_DTYPE_BFLOAT16:
    case FLOW_DTYPE_FLOAT:
    case FLOW_DTYPE_COMPLEX64:
      return BASE_FLOAT;
    case FLOW_DTYPE_DOUBLE:
    case FLOW_DTYPE_COMPLEX128:
      return BASE_DOUBLE;
    default:
      return N_BASES;
    }
}

static gboolean
is_own_base (FlowDType dtype)
{
  return dtype != FLOW_DTYPE_HALF && dtype != FLOW_DTYPE_BFLOAT16 && !flow_dtype_is_complex (dtype);
}

/* --- before and after ----------------------------------------------------------------------------- */

typedef struct {
  const guint8 *x;
  guint8 *y;
  gint64 x_size;
  gint64 y_size;
  FlowDType from;
  FlowDType to;
  FlowUnaryLoop loop;
  int drop_bits;               /* mantissa bits that Truncate clears first */
} Job;

/* @part 0: real parts, 1: imaginary parts. */
static void
open_block (FlowDType     dtype,
            const guint8 *x,
            gpointer      block,
            gint64        n,
            int           part)
{
  if (dtype == FLOW_DTYPE_COMPLEX64)
    for (gint64 i = 0; i < n; i++)
      ((float *) block)[i] = ((const float *) x)[2 * i + part];
  else if (dtype == FLOW_DTYPE_COMPLEX128)
    for (gint64 i = 0; i < n; i++)
      ((double *) block)[i] = ((const double *) x)[2 * i + part];
  else if (is_own_base (dtype))
    memcpy (block, x, (gsize) n * flow_dtype_size (dtype));
  else
    flow_to_float (dtype, x, block, n);
}

static void
close_block (FlowDType     dtype,
             gconstpointer block,
             guint8       *y,
             gint64        n,
             int           part)
{
  if (dtype == FLOW_DTYPE_COMPLEX64)
    for (gint64 i = 0; i < n; i++)
      ((float *) y)[2 * i + part] = ((const float *) block)[i];
  else if (dtype == FLOW_DTYPE_COMPLEX128)
    for (gint64 i = 0; i < n; i++)
      ((double *) y)[2 * i + part] = ((const double *) block)[i];
  else if (is_own_base (dtype))
    memcpy (y, block, (gsize) n * flow_dtype_size (dtype));
  else
    flow_from_float (dtype, block, y, n);
}

/* A NaN stays one. */
static void
clear_low_bits (const Job *job,
                gpointer   block,
                gint64     n)
{
  guint64 keep = ~((G_GUINT64_CONSTANT (1) << job->drop_bits) - 1);
  float *floats = block;
  double *doubles = block;

  if (job->drop_bits == 0)
    return;
  for (gint64 i = 0; i < n; i++)
    if (base_of (job->from) == BASE_FLOAT)
      {
        if (floats[i] == floats[i])
          ((guint32 *) block)[i] &= (guint32) keep;
      }
    else if (doubles[i] == doubles[i])
      {
        ((guint64 *) block)[i] &= keep;
      }
}

static void
cast_blocks (const Job *job,
             gint64     begin,
             gint64     end)
{
  guint64 before[BLOCK];
  guint64 after[BLOCK];
  int n_parts = flow_dtype_is_complex (job->from) && flow_dtype_is_complex (job->to) ? 2 : 1;

  for (gint64 i = begin; i < end; i += BLOCK)
    {
      gint64 n = MIN (BLOCK, end - i);

      if (flow_dtype_is_complex (job->to))
        memset (job->y + i * job->y_size, 0, (gsize) (n * job->y_size));
      for (int part = 0; part < n_parts; part++)
        {
          open_block (job->from, job->x + i * job->x_size, before, n, part);
          clear_low_bits (job, before, n);
          job->loop (before, after, n);
          close_block (job->to, after, job->y + i * job->y_size, n, part);
        }
    }
}

static void
cast_range (gint64   begin,
            gint64   end,
            gpointer data)
{
  const Job *job = data;

  if (is_own_base (job->from) && is_own_base (job->to) && job->drop_bits == 0)
    job->loop (job->x + begin * job->x_size, job->y + begin * job->y_size, end - begin);
  else
    cast_blocks (job, begin, end);
}

/* TF: Truncate works where a float loses mantissa bits, but not from double to bfloat16; from double
 * to complex64 it clears them all and one bit of the exponent. */
static int
bits_to_drop (FlowDType from,
              FlowDType to)
{
  if (from == FLOW_DTYPE_FLOAT || from == FLOW_DTYPE_COMPLEX64)
    return to == FLOW_DTYPE_HALF ? 13 : to == FLOW_DTYPE_BFLOAT16 ? 16 : 0;
  if (from == FLOW_DTYPE_DOUBLE && to == FLOW_DTYPE_COMPLEX64)
    return 53;
  if (from == FLOW_DTYPE_DOUBLE || from == FLOW_DTYPE_COMPLEX128)
    return to == FLOW_DTYPE_HALF ? 42 : to == FLOW_DTYPE_FLOAT || to == FLOW_DTYPE_COMPLEX64 ? 29 : 0;
  return 0;
}

static gboolean
cast_compute (FlowKernelContext  *c,
              GError            **error)
{
  const FlowTensor *x = flow_kernel_input (c, 0);
  FlowDType to = (FlowDType) flow_kernel_attr_dtype (c, "DstT");
  Base from_base = base_of (x->dtype);
  Base to_base = base_of (to);
  FlowTensor *y;
  Job job = {
    .x = x->data,
    .x_size = (gint64) flow_dtype_size (x->dtype),
    .y_size = (gint64) flow_dtype_size (to),
    .from = x->dtype,
    .to = to,
  };

  if (x->dtype == to)
    {
      flow_kernel_set_output (c, 0, x);
      return TRUE;
    }
  FLOW_REQUIRE (from_base != N_BASES && to_base != N_BASES, error, UNIMPLEMENTED,
                "Cast %s to %s is not supported", flow_dtype_string (x->dtype),
                flow_dtype_string (to));
  y = flow_kernel_allocate (c, 0, x->shape, error);
  if (y == NULL)
    return FALSE;
  job.y = y->data;
  job.loop = base_loops[from_base][to_base];
  if (flow_kernel_attr_bool (c, "Truncate"))
    job.drop_bits = bits_to_drop (x->dtype, to);
  flow_parallel_for (x->n_elements, GRAIN, cast_range, &job);
  return TRUE;
}

static const FlowKernelDef cast_kernels[] = {
  { NULL, cast_compute },
  { NULL },
};

static const FlowOpDef ops[] = {
  { .name = "Cast", .inputs = "x: SrcT", .outputs = "y: DstT",
    .attrs = "SrcT: type; DstT: type; Truncate: bool = false",
    .summary = "Elements converted to another dtype", .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_infer_unchanged_shape, .kernels = cast_kernels },
  { .name = "_HostCast", .inputs = "x: SrcT", .outputs = "y: DstT",
    .attrs = "SrcT: type; DstT: type; Truncate: bool = false",
    .summary = "Elements converted to another dtype beside a device", .family = FLOW_OP_FAMILY_ARRAY,
    .infer = flow_infer_unchanged_shape, .kernels = cast_kernels },
};

FLOW_DEFINE_OP_FAMILY (cast, ops)
