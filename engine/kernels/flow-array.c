/* flow-array.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-array-private.h"

#include "flow-complex-private.h"

#include <string.h>

#include "flow-parallel.h"

/* Below this a second thread costs more than it brings. */
#define PARALLEL_BYTES (256 * 1024)
/* Cells a side of the tiles in which a transposition walks: two tiles of 16-byte cells fit in the
 * first-level cache. */
#define TILE 32

gboolean
_flow_infer_with_value (gint64    dim,
                        gint64    value,
                        GError  **error)
{
  FLOW_REQUIRE (dim == FLOW_DIM_UNKNOWN || dim == value, error, INVALID_ARGUMENT,
                "Dimension must be %" G_GINT64_FORMAT " but is %" G_GINT64_FORMAT, value, dim);
  return TRUE;
}

gboolean
_flow_infer_two_vectors (FlowInferContext *c,
                         GError          **error)
{
  g_autoptr (FlowShape) x = NULL;
  g_autoptr (FlowShape) y = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 1, &x, error) ||
      !flow_infer_with_rank (c, flow_infer_input (c, 1), 1, &y, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 1, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return TRUE;
}

gboolean
_flow_add_context (GError     **error,
                   const char  *format,
                   ...)
{
  g_autofree char *context = NULL;
  char *message;
  va_list args;

  if (error == NULL || *error == NULL)
    return FALSE;
  va_start (args, format);
  context = g_strdup_vprintf (format, args);
  va_end (args);
  message = g_strdup_printf ("%s\n\t%s", (*error)->message, context);
  g_free ((*error)->message);
  (*error)->message = message;
  return FALSE;
}

gsize
_flow_cell_size (int dtype)
{
  if (flow_dtype_has_references (dtype))
    return sizeof (gpointer);
  return flow_dtype_size (dtype);
}

void
_flow_row_major_strides (int           rank,
                         const gint64 *dims,
                         gint64       *strides)
{
  gint64 stride = 1;

  for (int i = rank - 1; i >= 0; i--)
    {
      strides[i] = stride;
      /* Of an empty shape no stride is ever used. */
      if (!flow_mul_int64 (stride, dims[i], &stride))
        stride = 0;
    }
}

typedef struct {
  gsize cell;
  int rank;
  gint64 dims[FLOW_SHAPE_MAX_RANK + 2];
  gint64 dst_strides[FLOW_SHAPE_MAX_RANK + 2];
  gint64 src_strides[FLOW_SHAPE_MAX_RANK + 2];
  char *dst;
  const char *src;
} StridedCopy;

/* Drops dims of one cell and joins neighbours that lie behind one another on both sides. */
static void
simplify_copy (StridedCopy *copy)
{
  int n = 0;

  for (int i = 0; i < copy->rank; i++)
    {
      if (copy->dims[i] == 1)
        continue;
      if (n > 0 && copy->dst_strides[n - 1] == copy->dst_strides[i] * copy->dims[i] &&
          copy->src_strides[n - 1] == copy->src_strides[i] * copy->dims[i])
        {
          copy->dims[n - 1] *= copy->dims[i];
        }
      else
        {
          copy->dims[n] = copy->dims[i];
          n++;
        }
      copy->dst_strides[n - 1] = copy->dst_strides[i];
      copy->src_strides[n - 1] = copy->src_strides[i];
    }
  copy->rank = n;
}

/* Puts the dim along which the source is contiguous next to the last one, where that is the one along
 * which the destination is: the inner two dims are then walked in tiles. */
static gboolean
make_transposition (StridedCopy *copy)
{
  int last = copy->rank - 1;
  gint64 dim;
  gint64 dst_stride;

  if (copy->rank < 2 || copy->dst_strides[last] != 1 || copy->src_strides[last] == 1 || copy->dims[last] < 4)
    return FALSE;
  for (int i = 0; i < last; i++)
    {
      if (copy->src_strides[i] != 1 || copy->dims[i] < 4)
        continue;
      dim = copy->dims[i];
      dst_stride = copy->dst_strides[i];
      for (int j = i; j < last - 1; j++)
        {
          copy->dims[j] = copy->dims[j + 1];
          copy->dst_strides[j] = copy->dst_strides[j + 1];
          copy->src_strides[j] = copy->src_strides[j + 1];
        }
      copy->dims[last - 1] = dim;
      copy->dst_strides[last - 1] = dst_stride;
      copy->src_strides[last - 1] = 1;
      return TRUE;
    }
  return FALSE;
}

typedef struct {
  guint64 words[2];
} Cell16;

#define DEFINE_ROW_AND_TILE(type, suffix)                                                       \
  static void                                                                                   \
  copy_row_##suffix (type *dst, gint64 dst_stride, const type *src, gint64 src_stride, gint64 n) \
  {                                                                                             \
    if (src_stride == 0 && dst_stride == 1)                                                     \
      {                                                                                         \
        type value = *src;                                                                      \
        for (gint64 i = 0; i < n; i++)                                                          \
          dst[i] = value;                                                                       \
      }                                                                                         \
    else                                                                                        \
      {                                                                                         \
        for (gint64 i = 0; i < n; i++)                                                          \
          dst[i * dst_stride] = src[i * src_stride];                                            \
      }                                                                                         \
  }                                                                                             \
                                                                                                \
  static void                                                                                   \
  copy_tiles_##suffix (type *dst, gint64 dst_stride, const type *src, gint64 src_stride,        \
                       gint64 n_rows, gint64 n_columns)                                         \
  {                                                                                             \
    for (gint64 r0 = 0; r0 < n_rows; r0 += TILE)                                                \
      for (gint64 c0 = 0; c0 < n_columns; c0 += TILE)                                           \
        {                                                                                       \
          gint64 r1 = MIN (r0 + TILE, n_rows);                                                  \
          gint64 c1 = MIN (c0 + TILE, n_columns);                                               \
          for (gint64 r = r0; r < r1; r++)                                                      \
            for (gint64 c = c0; c < c1; c++)                                                    \
              dst[r * dst_stride + c] = src[r + c * src_stride];                                \
        }                                                                                       \
  }

DEFINE_ROW_AND_TILE (guint8, 1)
DEFINE_ROW_AND_TILE (guint16, 2)
DEFINE_ROW_AND_TILE (guint32, 4)
DEFINE_ROW_AND_TILE (guint64, 8)
DEFINE_ROW_AND_TILE (Cell16, 16)

static void
copy_row (const StridedCopy *copy,
          char              *dst,
          const char        *src)
{
  int last = copy->rank - 1;
  gint64 n = copy->dims[last];
  gint64 dst_stride = copy->dst_strides[last];
  gint64 src_stride = copy->src_strides[last];

  if (dst_stride == 1 && src_stride == 1)
    {
      memcpy (dst, src, (gsize) n * copy->cell);
      return;
    }
  switch (copy->cell)
    {
    case 1:
      copy_row_1 ((guint8 *) dst, dst_stride, (const guint8 *) src, src_stride, n);
      break;
    case 2:
      copy_row_2 ((guint16 *) dst, dst_stride, (const guint16 *) src, src_stride, n);
      break;
    case 4:
      copy_row_4 ((guint32 *) dst, dst_stride, (const guint32 *) src, src_stride, n);
      break;
    case 8:
      copy_row_8 ((guint64 *) dst, dst_stride, (const guint64 *) src, src_stride, n);
      break;
    default:
      copy_row_16 ((Cell16 *) dst, dst_stride, (const Cell16 *) src, src_stride, n);
      break;
    }
}

static void
copy_tiles (const StridedCopy *copy,
            char              *dst,
            const char        *src)
{
  int last = copy->rank - 1;
  gint64 n_rows = copy->dims[last - 1];
  gint64 n_columns = copy->dims[last];
  gint64 dst_stride = copy->dst_strides[last - 1];
  gint64 src_stride = copy->src_strides[last];

  switch (copy->cell)
    {
    case 1:
      copy_tiles_1 ((guint8 *) dst, dst_stride, (const guint8 *) src, src_stride, n_rows, n_columns);
      break;
    case 2:
      copy_tiles_2 ((guint16 *) dst, dst_stride, (const guint16 *) src, src_stride, n_rows, n_columns);
      break;
    case 4:
      copy_tiles_4 ((guint32 *) dst, dst_stride, (const guint32 *) src, src_stride, n_rows, n_columns);
      break;
    case 8:
      copy_tiles_8 ((guint64 *) dst, dst_stride, (const guint64 *) src, src_stride, n_rows, n_columns);
      break;
    default:
      copy_tiles_16 ((Cell16 *) dst, dst_stride, (const Cell16 *) src, src_stride, n_rows, n_columns);
      break;
    }
}

typedef struct {
  const StridedCopy *copy;
  int n_outer;                  /* dims in front of the row or tile */
  gboolean tiles;
} CopyJob;

static void
copy_range (gint64   begin,
            gint64   end,
            gpointer data)
{
  const CopyJob *job = data;
  const StridedCopy *copy = job->copy;
  gint64 index[FLOW_SHAPE_MAX_RANK + 2];
  gint64 dst = 0;
  gint64 src = 0;
  gint64 rest = begin;

  for (int i = job->n_outer - 1; i >= 0; i--)
    {
      index[i] = rest % copy->dims[i];
      rest /= copy->dims[i];
      dst += index[i] * copy->dst_strides[i];
      src += index[i] * copy->src_strides[i];
    }
  for (gint64 n = begin; n < end; n++)
    {
      if (job->tiles)
        copy_tiles (copy, copy->dst + dst * (gint64) copy->cell, copy->src + src * (gint64) copy->cell);
      else
        copy_row (copy, copy->dst + dst * (gint64) copy->cell, copy->src + src * (gint64) copy->cell);
      for (int i = job->n_outer - 1; i >= 0; i--)
        {
          dst += copy->dst_strides[i];
          src += copy->src_strides[i];
          if (++index[i] < copy->dims[i])
            break;
          dst -= copy->dst_strides[i] * copy->dims[i];
          src -= copy->src_strides[i] * copy->dims[i];
          index[i] = 0;
        }
    }
}

FlowAroundAxis
_flow_around_axis (int           rank,
                   const gint64 *dims,
                   int           axis)
{
  FlowAroundAxis around = { 1, 1 };

  for (int i = 0; i < axis; i++)
    around.outer *= dims[i];
  for (int i = axis + 1; i < rank; i++)
    around.inner *= dims[i];
  return around;
}

gboolean
_flow_take_reshaped (FlowKernelContext *c,
                     guint              i,
                     FlowTensor        *x,
                     const FlowShape   *shape,
                     GError           **error)
{
  FlowTensor *out = flow_tensor_reshape (x, shape, error);

  if (out == NULL)
    return FALSE;
  flow_kernel_take_output (c, i, out);
  return TRUE;
}

void
_flow_copy_strided (gsize         cell,
                    int           rank,
                    const gint64 *dims,
                    gpointer      dst,
                    const gint64 *dst_strides,
                    gconstpointer src,
                    const gint64 *src_strides)
{
  StridedCopy copy;
  CopyJob job;
  gint64 n_outer = 1;
  gint64 inner;

  g_assert (rank <= FLOW_SHAPE_MAX_RANK + 2);

  copy.cell = cell;
  copy.rank = rank;
  copy.dst = dst;
  copy.src = src;
  for (int i = 0; i < rank; i++)
    {
      if (dims[i] == 0)
        return;
      copy.dims[i] = dims[i];
      copy.dst_strides[i] = dst_strides[i];
      copy.src_strides[i] = src_strides[i];
    }
  simplify_copy (&copy);
  if (copy.rank == 0)
    {
      memcpy (dst, src, cell);
      return;
    }
  job.copy = &copy;
  job.tiles = make_transposition (&copy);
  job.n_outer = copy.rank - (job.tiles ? 2 : 1);
  for (int i = 0; i < job.n_outer; i++)
    n_outer *= copy.dims[i];
  inner = copy.dims[copy.rank - 1] * (job.tiles ? copy.dims[copy.rank - 2] : 1) * (gint64) cell;
  if (n_outer < 2)
    copy_range (0, n_outer, &job);
  else
    flow_parallel_for (n_outer, MAX (1, PARALLEL_BYTES / inner), copy_range, &job);
}

void
_flow_fill_cells (gsize         cell,
                  gpointer      dst,
                  gint64        n,
                  gconstpointer value)
{
  const guint8 *bytes = value;
  gboolean same = TRUE;
  gint64 one = 1;
  gint64 none = 0;

  if (n <= 0)
    return;
  for (gsize i = 1; i < cell; i++)
    same = same && bytes[i] == bytes[0];
  if (same)
    memset (dst, bytes[0], (gsize) n * cell);
  else
    _flow_copy_strided (cell, 1, &n, dst, &one, value, &none);
}

void
_flow_adopt_cells (int      dtype,
                   gpointer data,
                   gint64   n)
{
  gpointer *cells = data;

  if (!flow_dtype_has_references (dtype))
    return;
  for (gint64 i = 0; i < n; i++)
    {
      if (cells[i] == NULL)
        continue;
      if (dtype == FLOW_DTYPE_STRING)
        g_bytes_ref (cells[i]);
      else if (dtype == FLOW_DTYPE_RESOURCE)
        flow_handle_ref (cells[i]);
      else
        g_object_ref (cells[i]);
    }
}

void
_flow_release_cells (int      dtype,
                     gpointer data,
                     gint64   n)
{
  gpointer *cells = data;

  if (!flow_dtype_has_references (dtype))
    return;
  for (gint64 i = 0; i < n; i++)
    {
      if (cells[i] == NULL)
        continue;
      if (dtype == FLOW_DTYPE_STRING)
        g_bytes_unref (cells[i]);
      else if (dtype == FLOW_DTYPE_RESOURCE)
        flow_handle_unref (cells[i]);
      else
        g_object_unref (cells[i]);
      cells[i] = NULL;
    }
}

void
_flow_replace_cells (int           dtype,
                     gpointer      dst,
                     gconstpointer src,
                     gint64        n)
{
  gsize size = (gsize) n * _flow_cell_size (dtype);

  if (flow_dtype_has_references (dtype))
    {
      /* New references first: both may be the same strings. */
      _flow_adopt_cells (dtype, (gpointer) src, n);
      _flow_release_cells (dtype, dst, n);
    }
  if (n > 0)
    memcpy (dst, src, size);
}

gboolean
_flow_cell_from_int (int      dtype,
                     int      value,
                     gpointer cell)
{
  switch (flow_dtype_base (dtype))
    {
    case FLOW_DTYPE_FLOAT:
      *(float *) cell = (float) value;
      return TRUE;
    case FLOW_DTYPE_DOUBLE:
      *(double *) cell = value;
      return TRUE;
    case FLOW_DTYPE_HALF:
      *(guint16 *) cell = flow_half_from_float ((float) value);
      return TRUE;
    case FLOW_DTYPE_BFLOAT16:
      *(guint16 *) cell = flow_bfloat16_from_float ((float) value);
      return TRUE;
    case FLOW_DTYPE_COMPLEX64:
      ((float *) cell)[0] = (float) value;
      ((float *) cell)[1] = 0;
      return TRUE;
    case FLOW_DTYPE_COMPLEX128:
      ((double *) cell)[0] = value;
      ((double *) cell)[1] = 0;
      return TRUE;
    case FLOW_DTYPE_INT8: case FLOW_DTYPE_UINT8: case FLOW_DTYPE_BOOL:
    case FLOW_DTYPE_QINT8: case FLOW_DTYPE_QUINT8:
      *(guint8 *) cell = (guint8) value;
      return TRUE;
    case FLOW_DTYPE_INT16: case FLOW_DTYPE_UINT16: case FLOW_DTYPE_QINT16: case FLOW_DTYPE_QUINT16:
      *(guint16 *) cell = (guint16) value;
      return TRUE;
    case FLOW_DTYPE_INT32: case FLOW_DTYPE_UINT32: case FLOW_DTYPE_QINT32:
      *(gint32 *) cell = value;
      return TRUE;
    case FLOW_DTYPE_INT64: case FLOW_DTYPE_UINT64:
      *(gint64 *) cell = value;
      return TRUE;
    default:
      return FALSE;
    }
}

gboolean
_flow_refuse (GError    **error,
              const char *format,
              ...)
{
  va_list args;

  va_start (args, format);
  if (error != NULL)
    *error = g_error_new_valist (FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, format, args);
  va_end (args);
  return FALSE;
}

gboolean
_flow_refuse_shapes (GError          **error,
                     const FlowTensor *a,
                     const FlowTensor *b,
                     const char       *format)
{
  g_autofree char *a_text = flow_shape_to_string (a->shape);
  g_autofree char *b_text = b != NULL ? flow_shape_to_string (b->shape) : NULL;

  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, format, a_text, b_text);
  return FALSE;
}

gboolean
_flow_variable_require (FlowVariable *variable,
                        GError      **error)
{
  FLOW_REQUIRE (variable->value != NULL, error, FAILED_PRECONDITION,
                "Attempting to use uninitialized value %s", variable->parent.name);
  return TRUE;
}

/* Eigen's integers wrap; in C only unsigned ones may. */
#define WRAP_ADD(type, a, b) ((type) ((guint64) (a) + (guint64) (b)))
#define WRAP_SUB(type, a, b) ((type) ((guint64) (a) - (guint64) (b)))
#define WRAP_MUL(type, a, b) ((type) ((guint64) (a) * (guint64) (b)))
#define PLAIN_ADD(type, a, b) ((a) + (b))
#define PLAIN_SUB(type, a, b) ((a) - (b))
#define PLAIN_MUL(type, a, b) ((a) * (b))
#define PLAIN_DIV(type, a, b) ((a) / (b))
/* A zero divisor has been refused before; the lowest number by -1 wraps. */
#define SIGNED_DIV(type, a, b) ((b) == (type) -1 ? WRAP_SUB (type, 0, a) : (type) ((a) / (b)))
/* As std::min and std::max: the first operand where nothing orders them. */
#define PLAIN_MIN(type, a, b) ((b) < (a) ? (b) : (a))
#define PLAIN_MAX(type, a, b) ((a) < (b) ? (b) : (a))

#define DEFINE_COMBINE(name, type, op)                                                  \
  static void                                                                           \
  name (gpointer dst, gconstpointer src, gint64 n, gint64 src_step)                     \
  {                                                                                     \
    type *d = dst;                                                                      \
    const type *s = src;                                                                \
    for (gint64 i = 0; i < n; i++)                                                      \
      d[i] = op (type, d[i], s[i * src_step]);                                          \
  }

#define DEFINE_COMBINE_16(name, load, store, op)                                        \
  static void                                                                           \
  name (gpointer dst, gconstpointer src, gint64 n, gint64 src_step)                     \
  {                                                                                     \
    guint16 *d = dst;                                                                   \
    const guint16 *s = src;                                                             \
    for (gint64 i = 0; i < n; i++)                                                      \
      {                                                                                 \
        float a = load (d[i]);                                                          \
        float b = load (s[i * src_step]);                                               \
        d[i] = store (op (float, a, b));                                                \
      }                                                                                 \
  }

#define DEFINE_COMBINES(suffix, type, add, sub, mul, div)                               \
  DEFINE_COMBINE (add_##suffix, type, add)                                              \
  DEFINE_COMBINE (sub_##suffix, type, sub)                                              \
  DEFINE_COMBINE (mul_##suffix, type, mul)                                              \
  DEFINE_COMBINE (div_##suffix, type, div)

FLOW_COMPLEX_LOOPS_OF (times, of_1, FLOW_COMPLEX_PRODUCT, FLOW_COMPLEX_PRODUCT, FLOW_COMPLEX_AS_IT_IS,
                       FLOW_COMPLEX_AS_IT_IS)
FLOW_COMPLEX_LOOPS_OF (over, of_1, FLOW_COMPLEX_QUOTIENT, FLOW_COMPLEX_QUOTIENT, FLOW_COMPLEX_AS_IT_IS,
                       FLOW_COMPLEX_AS_IT_IS)

#define DEFINE_COMPLEX_COMBINE(name, loop)                                              \
  static void                                                                           \
  name (gpointer dst, gconstpointer src, gint64 n, gint64 src_step)                     \
  {                                                                                     \
    loop (dst, 1, src, src_step, dst, n);                                               \
  }

#define DEFINE_COMPLEX_COMBINES(suffix, type)                                           \
  DEFINE_COMBINE (add_##suffix, type, PLAIN_ADD)                                        \
  DEFINE_COMBINE (sub_##suffix, type, PLAIN_SUB)                                        \
  DEFINE_COMPLEX_COMBINE (mul_##suffix, times_##suffix##_of_1)                          \
  DEFINE_COMPLEX_COMBINE (div_##suffix, over_##suffix##_of_1)

#define DEFINE_ORDER_COMBINES(suffix, type)                                             \
  DEFINE_COMBINE (min_##suffix, type, PLAIN_MIN)                                        \
  DEFINE_COMBINE (max_##suffix, type, PLAIN_MAX)

#define DEFINE_COMBINES_16(suffix, load, store)                                         \
  DEFINE_COMBINE_16 (add_##suffix, load, store, PLAIN_ADD)                              \
  DEFINE_COMBINE_16 (sub_##suffix, load, store, PLAIN_SUB)                              \
  DEFINE_COMBINE_16 (mul_##suffix, load, store, PLAIN_MUL)                              \
  DEFINE_COMBINE_16 (div_##suffix, load, store, PLAIN_DIV)                              \
  DEFINE_COMBINE_16 (min_##suffix, load, store, PLAIN_MIN)                              \
  DEFINE_COMBINE_16 (max_##suffix, load, store, PLAIN_MAX)

DEFINE_COMBINES (float, float, PLAIN_ADD, PLAIN_SUB, PLAIN_MUL, PLAIN_DIV)
DEFINE_COMBINES (double, double, PLAIN_ADD, PLAIN_SUB, PLAIN_MUL, PLAIN_DIV)
DEFINE_COMPLEX_COMBINES (complex64, FlowComplex64)
DEFINE_COMPLEX_COMBINES (complex128, FlowComplex128)
DEFINE_COMBINES (int8, gint8, WRAP_ADD, WRAP_SUB, WRAP_MUL, SIGNED_DIV)
DEFINE_COMBINES (int16, gint16, WRAP_ADD, WRAP_SUB, WRAP_MUL, SIGNED_DIV)
DEFINE_COMBINES (int32, gint32, WRAP_ADD, WRAP_SUB, WRAP_MUL, SIGNED_DIV)
DEFINE_COMBINES (int64, gint64, WRAP_ADD, WRAP_SUB, WRAP_MUL, SIGNED_DIV)
DEFINE_COMBINES (uint8, guint8, WRAP_ADD, WRAP_SUB, WRAP_MUL, PLAIN_DIV)
DEFINE_COMBINES (uint16, guint16, WRAP_ADD, WRAP_SUB, WRAP_MUL, PLAIN_DIV)
DEFINE_COMBINES (uint32, guint32, WRAP_ADD, WRAP_SUB, WRAP_MUL, PLAIN_DIV)
DEFINE_COMBINES (uint64, guint64, WRAP_ADD, WRAP_SUB, WRAP_MUL, PLAIN_DIV)
DEFINE_ORDER_COMBINES (float, float)
DEFINE_ORDER_COMBINES (double, double)
DEFINE_ORDER_COMBINES (int8, gint8)
DEFINE_ORDER_COMBINES (int16, gint16)
DEFINE_ORDER_COMBINES (int32, gint32)
DEFINE_ORDER_COMBINES (int64, gint64)
DEFINE_ORDER_COMBINES (uint8, guint8)
DEFINE_ORDER_COMBINES (uint16, guint16)
DEFINE_ORDER_COMBINES (uint32, guint32)
DEFINE_ORDER_COMBINES (uint64, guint64)
DEFINE_COMBINES_16 (half, flow_half_to_float, flow_half_from_float)
DEFINE_COMBINES_16 (bfloat16, flow_bfloat16_to_float, flow_bfloat16_from_float)

#define COMBINE_ROW(suffix) \
  { add_##suffix, sub_##suffix, mul_##suffix, div_##suffix, min_##suffix, max_##suffix }

static const FlowCombineFunc combine_funcs[FLOW_N_DTYPES][6] = {
  [FLOW_DTYPE_FLOAT] = COMBINE_ROW (float),
  [FLOW_DTYPE_DOUBLE] = COMBINE_ROW (double),
  [FLOW_DTYPE_INT8] = COMBINE_ROW (int8),
  [FLOW_DTYPE_INT16] = COMBINE_ROW (int16),
  [FLOW_DTYPE_INT32] = COMBINE_ROW (int32),
  [FLOW_DTYPE_INT64] = COMBINE_ROW (int64),
  [FLOW_DTYPE_UINT8] = COMBINE_ROW (uint8),
  [FLOW_DTYPE_UINT16] = COMBINE_ROW (uint16),
  [FLOW_DTYPE_UINT32] = COMBINE_ROW (uint32),
  [FLOW_DTYPE_UINT64] = COMBINE_ROW (uint64),
  [FLOW_DTYPE_HALF] = COMBINE_ROW (half),
  [FLOW_DTYPE_BFLOAT16] = COMBINE_ROW (bfloat16),
  [FLOW_DTYPE_COMPLEX64] = { add_complex64, sub_complex64, mul_complex64, div_complex64, NULL, NULL },
  [FLOW_DTYPE_COMPLEX128] = { add_complex128, sub_complex128, mul_complex128, div_complex128, NULL, NULL },
};

FlowCombineFunc
_flow_combine_func (FlowCombine combine,
                    int         dtype)
{
  int base = flow_dtype_base (dtype);

  return base > 0 && base < FLOW_N_DTYPES ? combine_funcs[base][combine] : NULL;
}

gint64
_flow_find_integer_zero (const FlowTensor *tensor)
{
  gsize size = flow_dtype_size (tensor->dtype);
  const guint8 *bytes = tensor->data;

  if (!flow_dtype_is_integer (tensor->dtype))
    return -1;
  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      gboolean zero = TRUE;

      for (gsize b = 0; b < size; b++)
        zero = zero && bytes[(gsize) i * size + b] == 0;
      if (zero)
        return i;
    }
  return -1;
}

FlowShape *
_flow_merge_shapes (const FlowShape  *a,
                    const FlowShape  *b,
                    GError          **error)
{
  FlowShape *merged;

  if (a->rank == FLOW_RANK_UNKNOWN || b->rank == FLOW_RANK_UNKNOWN)
    return flow_shape_ref (a->rank == FLOW_RANK_UNKNOWN ? b : a);
  if (a->rank != b->rank)
    {
      _flow_refuse (error, "PartialTensorShape: Incompatible ranks during merge: %d vs. %d", a->rank, b->rank);
      return NULL;
    }
  if (!flow_shape_is_compatible (a, b))
    {
      g_autofree char *a_text = flow_shape_to_string (a);
      g_autofree char *b_text = flow_shape_to_string (b);

      _flow_refuse (error, "PartialTensorShape: Incompatible shapes during merge: %s vs. %s", a_text, b_text);
      return NULL;
    }
  merged = flow_shape_new (a->rank, a->dims);
  for (int i = 0; i < merged->rank; i++)
    if (merged->dims[i] == FLOW_DIM_UNKNOWN)
      merged->dims[i] = b->dims[i];
  return merged;
}
