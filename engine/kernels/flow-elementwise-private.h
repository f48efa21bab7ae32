/* flow-elementwise-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"

#include <complex.h>

G_BEGIN_DECLS

/* One loop serves a whole op and dtype: an op hands an array of them, by dtype, to the shared
 * drivers below, which do shapes, broadcasting, threads and in-place output. half and bfloat16 run
 * through the float loop, a block at a time, where they have none of their own; a binary loop of
 * their own gets floats too, and rounds them (flow_as_half) after each operation as TensorFlow does. */

typedef float complex FlowComplex64;
typedef double complex FlowComplex128;

/* Hot loops are compiled for three levels of x86-64; the machine picks when it loads us. */
#if defined (__x86_64__) && defined (__GNUC__) && !defined (__clang__)
#define FLOW_CLONES __attribute__ ((target_clones ("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FLOW_CLONES
#endif
/* Loops may run in place (output cell i over input cell i): no restrict, but no dependence either. */
#define FLOW_IVDEP _Pragma ("GCC ivdep")

/* glibc has these as vector functions too (libmvec, 4 ULP); saying so lets gcc use them. */
#if defined (__x86_64__) && defined (__GLIBC__) && defined (__GNUC__) && !defined (__clang__)
#define FLOW_VECTOR_MATH __attribute__ ((simd ("notinbranch")))
#else
#define FLOW_VECTOR_MATH
#endif

typedef void (*FlowUnaryLoop)  (gconstpointer x, gpointer y, gint64 n);
/* Strides are 0 (one value for all) or 1. */
typedef void (*FlowBinaryLoop) (gconstpointer x, gint64 sx, gconstpointer y, gint64 sy, gpointer z,
                                gint64 n);

typedef FlowUnaryLoop FlowUnaryLoops[FLOW_N_DTYPES];
typedef FlowBinaryLoop FlowBinaryLoops[FLOW_N_DTYPES];

gboolean flow_unary_compute   (FlowKernelContext     *c,
                               const FlowUnaryLoop   *loops,
                               GError               **error);
/* With NumPy's broadcasting. */
gboolean flow_binary_compute  (FlowKernelContext     *c,
                               const FlowBinaryLoop  *loops,
                               GError               **error);
/* The same for loops that treat whole vectors and the end of the tensor differently. */
gboolean flow_binary_compute_whole (FlowKernelContext *c,
                               const FlowBinaryLoop  *loops,
                               GError               **error);
FlowBinaryLoop flow_binary_loop_of (const FlowBinaryLoop *loops,
                               FlowDType              dtype);
/* The same on tensors: z has the broadcast shape of x and y and may be one of them. */
void     flow_binary_run      (const FlowTensor      *x,
                               const FlowTensor      *y,
                               FlowTensor            *z,
                               FlowBinaryLoop         loop);
FlowShape *flow_broadcast_shape (const FlowShape     *x,
                               const FlowShape       *y,
                               GError               **error);
int      flow_broadcast_runs  (const FlowShape       *x,
                               const FlowShape       *y);
/* half or bfloat16 to float and back, n cells. */
void     flow_to_float        (FlowDType              dtype,
                               gconstpointer          x,
                               float                 *y,
                               gint64                 n);
void     flow_from_float      (FlowDType              dtype,
                               const float           *x,
                               gpointer               y,
                               gint64                 n);

/* A new reference to @x; of half or bfloat16 a float tensor of its shape (with its values if
 * @contents). flow_narrow puts such a tensor back into @out. */
FlowTensor *flow_widen      (FlowKernelContext     *c,
                               const FlowTensor      *x,
                               gboolean               contents,
                               GError               **error);
void     flow_narrow          (const FlowTensor      *wide,
                               FlowTensor            *out);

double   flow_digamma         (double                 x);

/* The nearest half or bfloat16, as a float. */
static inline float
flow_as_half (float x)
{
  return flow_half_to_float (flow_half_from_float (x));
}

static inline float
flow_as_bfloat16 (float x)
{
  return flow_bfloat16_to_float (flow_bfloat16_from_float (x));
}

/* Flop rules of tf.profiler that many ops share. */
gint64   flow_flops_input     (FlowInferContext      *c);
gint64   flow_flops_output    (FlowInferContext      *c);
gint64   flow_flops_reduction (FlowInferContext      *c);

/* y = EXPR of a. */
#define FLOW_UNARY_LOOP(attribute, name, in_type, out_type, expr)                              \
  attribute static void                                                                        \
  name (gconstpointer px, gpointer py, gint64 n)                                               \
  {                                                                                            \
    const in_type *x = px;                                                                     \
    out_type *y = py;                                                                          \
                                                                                               \
    FLOW_IVDEP                                                                                 \
    for (gint64 i = 0; i < n; i++)                                                             \
      {                                                                                        \
        in_type a = x[i];                                                                      \
        y[i] = (out_type) (expr);                                                              \
      }                                                                                        \
  }

/* z = EXPR of a and b. */
#define FLOW_BINARY_LOOP(attribute, name, in_type, out_type, expr)                             \
  attribute static void                                                                        \
  name (gconstpointer px, gint64 sx, gconstpointer py, gint64 sy, gpointer pz, gint64 n)       \
  {                                                                                            \
    const in_type *x = px;                                                                     \
    const in_type *y = py;                                                                     \
    out_type *z = pz;                                                                          \
                                                                                               \
    if (sx != 0 && sy != 0)                                                                    \
      {                                                                                        \
        FLOW_IVDEP                                                                             \
        for (gint64 i = 0; i < n; i++)                                                         \
          {                                                                                    \
            in_type a = x[i];                                                                  \
            in_type b = y[i];                                                                  \
            z[i] = (out_type) (expr);                                                          \
          }                                                                                    \
      }                                                                                        \
    else if (sx != 0)                                                                          \
      {                                                                                        \
        in_type b = y[0];                                                                      \
        FLOW_IVDEP                                                                             \
        for (gint64 i = 0; i < n; i++)                                                         \
          {                                                                                    \
            in_type a = x[i];                                                                  \
            z[i] = (out_type) (expr);                                                          \
          }                                                                                    \
      }                                                                                        \
    else                                                                                       \
      {                                                                                        \
        in_type a = x[0];                                                                      \
        FLOW_IVDEP                                                                             \
        for (gint64 i = 0; i < n; i++)                                                         \
          {                                                                                    \
            in_type b = y[i * sy];                                                             \
            z[i] = (out_type) (expr);                                                          \
          }                                                                                    \
      }                                                                                        \
  }

#define FLOW_UNARY_COMPUTE(ident)                                                              \
  static gboolean                                                                              \
  ident##_compute (FlowKernelContext *c, GError **error)                                       \
  {                                                                                            \
    return flow_unary_compute (c, ident##_loops, error);                                       \
  }

#define FLOW_BINARY_COMPUTE(ident)                                                             \
  static gboolean                                                                              \
  ident##_compute (FlowKernelContext *c, GError **error)                                       \
  {                                                                                            \
    return flow_binary_compute (c, ident##_loops, error);                                      \
  }

#define FLOW_ONE_KERNEL(ident, constraint)                                                     \
  static const FlowKernelDef ident##_kernels[] = { { constraint, ident##_compute }, { NULL } };

/* A function whose loop over floats depends on the release (by_1, by_2: two of flow-vector-math). */
#define FLOW_BY_RELEASE_ENTRIES(ident, by)                                                     \
  {                                                                                            \
    [FLOW_DTYPE_FLOAT] = by,                                                                   \
    [FLOW_DTYPE_DOUBLE] = ident##_double,                                                      \
    [FLOW_DTYPE_COMPLEX64] = ident##_complex64,                                                \
    [FLOW_DTYPE_COMPLEX128] = ident##_complex128,                                              \
  }
#define FLOW_BY_RELEASE(ident, by_1, by_2, double_expr, complex64_expr, complex128_expr)       \
  FLOW_UNARY_LOOP (FLOW_CLONES, ident##_double, double, double, double_expr)                   \
  FLOW_UNARY_LOOP (, ident##_complex64, FlowComplex64, FlowComplex64, complex64_expr)          \
  FLOW_UNARY_LOOP (, ident##_complex128, FlowComplex128, FlowComplex128, complex128_expr)      \
  static const FlowUnaryLoops ident##_loops[] = {                                              \
    [FLOW_RELEASE_1] = FLOW_BY_RELEASE_ENTRIES (ident, by_1),                                  \
    [FLOW_RELEASE_2] = FLOW_BY_RELEASE_ENTRIES (ident, by_2),                                  \
  };                                                                                           \
                                                                                               \
  static gboolean                                                                              \
  ident##_compute (FlowKernelContext *c, GError **error)                                       \
  {                                                                                            \
    return flow_unary_compute (c, ident##_loops[flow_kernel_release (c)], error);              \
  }

/* A function of one double, for float and double; half and bfloat16 run through float. */
#define FLOW_DOUBLE_FUNCTION(ident, types)                                                     \
  FLOW_UNARY_LOOP (, ident##_float, float, float, ident ((double) a))                          \
  FLOW_UNARY_LOOP (, ident##_double, double, double, ident (a))                                \
  static const FlowUnaryLoops ident##_loops = {                                                \
    [FLOW_DTYPE_FLOAT] = ident##_float,                                                        \
    [FLOW_DTYPE_DOUBLE] = ident##_double,                                                      \
  };                                                                                           \
  FLOW_UNARY_COMPUTE (ident)                                                                   \
  FLOW_ONE_KERNEL (ident, types)
#define FLOW_DOUBLE_FUNCTION_OP(op, ident, text)                                               \
  { .name = op, .inputs = "x: T", .outputs = "y: T",                                           \
    .attrs = "T: {bfloat16, half, float, double}", .summary = text,                            \
    .family = FLOW_OP_FAMILY_MATH, .infer = flow_infer_unchanged_shape,                        \
    .kernels = ident##_kernels }

/* TensorFlow's TensorTypes<numbertype>, as attrs spell it. */
#define FLOW_NUMBER_TYPES                                                                      \
  "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, "        \
  "bfloat16, uint16, complex128, half, uint32, uint64}"
#define FLOW_REAL_NUMBER_TYPES                                                                 \
  "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}"

G_END_DECLS
