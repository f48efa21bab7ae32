/* flow-array-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the array and state kernels share: moving cells of any dtype about by strides.
 */

#pragma once

#include "flow-kernel.h"
#include "flow-util.h"

G_BEGIN_DECLS

/* Whether cells are pointers that need a reference each. */
static inline gboolean
flow_dtype_has_references (int dtype)
{
  return dtype == FLOW_DTYPE_STRING || dtype == FLOW_DTYPE_RESOURCE || dtype == FLOW_DTYPE_VARIANT;
}

/* For ops whose compute repeats all checks in the words of TensorFlow's kernel: the executor's run
 * of the shape function then has nothing to add. */
#define FLOW_INFER_LEAVES_TO_KERNEL(c, error)                                                 \
  G_STMT_START {                                                                              \
    if ((c)->running)                                                                         \
      return flow_infer_unknown_shape ((c), (error));                                         \
  } G_STMT_END

/* "Dimension must be 2 but is 3" where a dimension is known and another. */
gboolean _flow_infer_with_value  (gint64          dim,
                                  gint64          value,
                                  GError        **error);
/* The shape function of ops that make two vectors of two. */
gboolean _flow_infer_two_vectors (FlowInferContext *c,
                                  GError        **error);
/* What TensorFlow says on a line of its own after an error; gives FALSE. */
gboolean _flow_add_context       (GError        **error,
                                  const char     *format,
                                  ...) G_GNUC_PRINTF (2, 3);

/* Size in bytes of one cell: for strings, handles and variants that of a pointer. */
gsize    _flow_cell_size          (int             dtype);
/* Copies a block of @dims cells; strides count cells and may be 0 or negative. */
void     _flow_copy_strided       (gsize           cell,
                                   int             rank,
                                   const gint64   *dims,
                                   gpointer        dst,
                                   const gint64   *dst_strides,
                                   gconstpointer   src,
                                   const gint64   *src_strides);
/* Row-major strides of a shape, in cells. */
void     _flow_row_major_strides  (int             rank,
                                   const gint64   *dims,
                                   gint64         *strides);
/* Fills @n cells with the one at @value. */
void     _flow_fill_cells         (gsize           cell,
                                   gpointer        dst,
                                   gint64          n,
                                   gconstpointer   value);
/* Raw copies of strings, handles and variants become owners: a reference for each cell. */
void     _flow_adopt_cells        (int             dtype,
                                   gpointer        data,
                                   gint64          n);
/* Drops what @n cells own and sets them to nothing. */
void     _flow_release_cells      (int             dtype,
                                   gpointer        data,
                                   gint64          n);
/* Cells from @src in place of those at @dst; both own afterwards. */
void     _flow_replace_cells      (int             dtype,
                                   gpointer        dst,
                                   gconstpointer   src,
                                   gint64          n);
/* The cell of the number @value in @dtype; FALSE where that has no sense. */
gboolean _flow_cell_from_int      (int             dtype,
                                   int             value,
                                   gpointer        cell);

typedef enum {
  FLOW_COMBINE_ADD,
  FLOW_COMBINE_SUB,
  FLOW_COMBINE_MUL,
  FLOW_COMBINE_DIV,
  FLOW_COMBINE_MIN,
  FLOW_COMBINE_MAX,
} FlowCombine;

/* dst[i] = dst[i] OP src[i * src_step]. */
typedef void (*FlowCombineFunc) (gpointer      dst,
                                 gconstpointer src,
                                 gint64        n,
                                 gint64        src_step);

/* NULL for dtypes that are no numbers, and for an order of complex numbers. */
FlowCombineFunc _flow_combine_func (FlowCombine combine,
                                    int         dtype);
/* The first index of a zero among integers: a divisor to refuse. -1 if there is none. */
gint64   _flow_find_integer_zero  (const FlowTensor *tensor);

/* Value @i of an int32 or int64 tensor. */
static inline gint64
flow_index_at (const FlowTensor *tensor,
               gint64            i)
{
  return tensor->dtype == FLOW_DTYPE_INT32 ? FLOW_DATA (gint32, tensor)[i] : FLOW_DATA (gint64, tensor)[i];
}

/* "[2,3]" of a tensor's shape; the caller frees. */
static inline char *
flow_tensor_shape_text (const FlowTensor *tensor)
{
  return flow_shape_to_string (tensor->shape);
}

static inline gboolean
flow_is_scalar (const FlowTensor *tensor)
{
  return FLOW_RANK (tensor) == 0;
}

static inline gboolean
flow_is_vector (const FlowTensor *tensor)
{
  return FLOW_RANK (tensor) == 1;
}

/* Fails with INVALID_ARGUMENT: @format has a %s for the shape of each tensor that is given (or none). */
gboolean _flow_refuse_shapes      (GError          **error,
                                   const FlowTensor *a,
                                   const FlowTensor *b,
                                   const char       *format);
/* Fails with INVALID_ARGUMENT and these words. */
gboolean _flow_refuse             (GError          **error,
                                   const char       *format,
                                   ...) G_GNUC_PRINTF (2, 3);

/* A tensor seen as [outer, dim, inner] around one of its dims. */
typedef struct {
  gint64 outer;
  gint64 inner;
} FlowAroundAxis;

FlowAroundAxis _flow_around_axis  (int             rank,
                                   const gint64   *dims,
                                   int             axis);
/* The cells of @x in another shape become output @i. */
gboolean _flow_take_reshaped      (FlowKernelContext *c,
                                   guint              i,
                                   FlowTensor        *x,
                                   const FlowShape   *shape,
                                   GError           **error);
/* Input 0 with the sizes of input 1. */
gboolean _flow_reshape_compute    (FlowKernelContext *c,
                                   GError          **error);

/* What is known of a shape by @a and by @b; fails where they contradict each other. */
FlowShape *_flow_merge_shapes     (const FlowShape  *a,
                                   const FlowShape  *b,
                                   GError          **error);
/* Fails with TensorFlow's words if the variable holds nothing yet. */
gboolean _flow_variable_require   (FlowVariable     *variable,
                                   GError          **error);

/* A shape of @rank dims as a new output @i. */
static inline FlowTensor *
flow_kernel_allocate_dims (FlowKernelContext *c,
                           guint              i,
                           int                rank,
                           const gint64      *dims,
                           GError           **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new (rank, dims);

  return flow_kernel_allocate (c, i, shape, error);
}

G_END_DECLS
