/* flow-elementwise.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-elementwise-private.h"

#include "flow-vector-math-private.h"

#include "flow-parallel.h"

#include <string.h>

/* Fewer elements than this are not worth waking a second thread (about 10 us of work). */
#define GRAIN 16384
/* Cells of half or bfloat16 converted at a time: three float blocks stay in the first-level cache. */
#define BLOCK 1024
/* Cells of any dtype written out at a time; a multiple of FLOW_VECTOR_WIDTH. */
#define WHOLE_BLOCK 512

/* --- half and bfloat16 ------------------------------------------------------------------------ */

FLOW_CLONES static void
bfloat16_to_float (const guint16 *x,
                   float         *y,
                   gint64         n)
{
  for (gint64 i = 0; i < n; i++)
    y[i] = flow_bfloat16_to_float (x[i]);
}

FLOW_CLONES static void
bfloat16_from_float (const float *x,
                     guint16     *y,
                     gint64       n)
{
  for (gint64 i = 0; i < n; i++)
    y[i] = flow_bfloat16_from_float (x[i]);
}

#if defined (__x86_64__) && defined (__GNUC__)
/* The processor's own conversions; both round to nearest even as ours do. */
__attribute__ ((target ("avx2,f16c"))) static void
half_to_float_f16c (const guint16 *x,
                    float         *y,
                    gint64         n)
{
  typedef gint16 Half8 __attribute__ ((vector_size (16), aligned (2)));
  typedef float Float8 __attribute__ ((vector_size (32), aligned (4)));
  gint64 i = 0;

  for (; i + 8 <= n; i += 8)
    *(Float8 *) (y + i) = (Float8) __builtin_ia32_vcvtph2ps256 (*(const Half8 *) (x + i));
  for (; i < n; i++)
    y[i] = flow_half_to_float (x[i]);
}

__attribute__ ((target ("avx2,f16c"))) static void
half_from_float_f16c (const float *x,
                      guint16     *y,
                      gint64       n)
{
  typedef gint16 Half8 __attribute__ ((vector_size (16), aligned (2)));
  typedef float Float8 __attribute__ ((vector_size (32), aligned (4)));
  gint64 i = 0;

  for (; i + 8 <= n; i += 8)
    *(Half8 *) (y + i) = (Half8) __builtin_ia32_vcvtps2ph256 (*(const Float8 *) (x + i), 0);
  for (; i < n; i++)
    y[i] = flow_half_from_float (x[i]);
}
#endif

void
flow_to_float (FlowDType      dtype,
               gconstpointer  x,
               float         *y,
               gint64         n)
{
  const guint16 *bits = x;

  if (dtype == FLOW_DTYPE_BFLOAT16)
    {
      bfloat16_to_float (bits, y, n);
      return;
    }
#if defined (__x86_64__) && defined (__GNUC__)
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("f16c"))
    {
      half_to_float_f16c (bits, y, n);
      return;
    }
#endif
  for (gint64 i = 0; i < n; i++)
    y[i] = flow_half_to_float (bits[i]);
}

void
flow_from_float (FlowDType    dtype,
                 const float *x,
                 gpointer     y,
                 gint64       n)
{
  guint16 *bits = y;

  if (dtype == FLOW_DTYPE_BFLOAT16)
    {
      bfloat16_from_float (x, bits, n);
      return;
    }
#if defined (__x86_64__) && defined (__GNUC__)
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("f16c"))
    {
      half_from_float_f16c (x, bits, n);
      return;
    }
#endif
  for (gint64 i = 0; i < n; i++)
    bits[i] = flow_half_from_float (x[i]);
}

static gboolean
is_short_float (FlowDType dtype)
{
  return dtype == FLOW_DTYPE_HALF || dtype == FLOW_DTYPE_BFLOAT16;
}

FlowTensor *
flow_widen (FlowKernelContext  *c,
            const FlowTensor   *x,
            gboolean            contents,
            GError            **error)
{
  FlowTensor *wide;

  if (!is_short_float (x->dtype))
    return flow_tensor_ref (x);
  wide = flow_kernel_allocate_temp (c, FLOW_DTYPE_FLOAT, x->shape, error);
  if (wide != NULL && contents)
    flow_to_float (x->dtype, x->data, FLOW_WRITABLE (float, wide), x->n_elements);
  return wide;
}

void
flow_narrow (const FlowTensor *wide,
             FlowTensor       *out)
{
  if (wide->dtype != out->dtype)
    flow_from_float (out->dtype, FLOW_DATA (float, wide), out->data, out->n_elements);
}

/* --- unary ------------------------------------------------------------------------------------ */

typedef struct {
  const guint8 *x;
  guint8 *y;
  gint64 x_size;
  gint64 y_size;
  FlowDType x_dtype;
  FlowDType y_dtype;
  FlowUnaryLoop loop;
  gboolean through_float;
  gint64 n;
} UnaryJob;

static void
unary_through_float (const UnaryJob *job,
                     gint64          begin,
                     gint64          end)
{
  float a[BLOCK];
  float b[BLOCK];

  for (gint64 i = begin; i < end; i += BLOCK)
    {
      gint64 n = MIN (BLOCK, end - i);

      flow_to_float (job->x_dtype, job->x + i * job->x_size, a, n);
      if (is_short_float (job->y_dtype))
        {
          job->loop (a, b, n);
          flow_from_float (job->y_dtype, b, job->y + i * job->y_size, n);
        }
      else
        {
          job->loop (a, job->y + i * job->y_size, n);
        }
    }
}

/* Shares are whole vectors: what is left over belongs to the end of the tensor. */
static void
unary_range (gint64   begin,
             gint64   end,
             gpointer data)
{
  const UnaryJob *job = data;

  begin *= FLOW_VECTOR_WIDTH;
  end = MIN (end * FLOW_VECTOR_WIDTH, job->n);
  if (job->through_float)
    unary_through_float (job, begin, end);
  else
    job->loop (job->x + begin * job->x_size, job->y + begin * job->y_size, end - begin);
}

/*
 * flow_unary_compute:
 *
 * Output 0 = loop of input 0, same shape; in place where the input may be written over.
 */
gboolean
flow_unary_compute (FlowKernelContext    *c,
                    const FlowUnaryLoop  *loops,
                    GError              **error)
{
  const FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *y = flow_kernel_forward_or_allocate (c, 0, 0, x->shape, error);
  UnaryJob job;

  if (y == NULL)
    return FALSE;
  job.x = x->data;
  job.y = y->data;
  job.x_dtype = x->dtype;
  job.y_dtype = y->dtype;
  job.x_size = (gint64) flow_dtype_size (x->dtype);
  job.y_size = (gint64) flow_dtype_size (y->dtype);
  job.through_float = loops[x->dtype] == NULL && is_short_float (x->dtype);
  job.loop = job.through_float ? loops[FLOW_DTYPE_FLOAT] : loops[x->dtype];
  FLOW_REQUIRE (job.loop != NULL, error, UNIMPLEMENTED, "%s has no kernel for %s",
                c->signature->name, flow_dtype_string (x->dtype));
  job.n = y->n_elements;
  flow_parallel_for (FLOW_VECTORS (job.n), GRAIN / FLOW_VECTOR_WIDTH, unary_range,
                     &job);
  return TRUE;
}

/* --- binary ----------------------------------------------------------------------------------- */

/*
 * Broadcasting made simple: dims that are walked the same way by both operands are merged, so that
 * most cases end as one or two dims. Strides count cells; 0 where an operand repeats.
 */
typedef struct {
  int rank;
  gint64 dims[FLOW_SHAPE_MAX_RANK + 1];
  gint64 x_strides[FLOW_SHAPE_MAX_RANK + 1];
  gint64 y_strides[FLOW_SHAPE_MAX_RANK + 1];
} Walk;

static gint64
dim_from_right (const FlowShape *shape,
                int              i)
{
  return i < shape->rank ? shape->dims[shape->rank - 1 - i] : 1;
}

/* Fills @walk innermost dim first. */
static void
make_walk (Walk            *walk,
           const FlowShape *x,
           const FlowShape *y)
{
  int rank = MAX (x->rank, y->rank);
  gint64 x_stride = 1;
  gint64 y_stride = 1;

  walk->rank = 0;
  for (int i = 0; i < rank; i++)
    {
      gint64 dx = dim_from_right (x, i);
      gint64 dy = dim_from_right (y, i);
      gint64 d = dx == 1 ? dy : dx;
      gint64 sx = dx == 1 ? 0 : x_stride;
      gint64 sy = dy == 1 ? 0 : y_stride;
      int last = walk->rank - 1;

      x_stride *= dx;
      y_stride *= dy;
      if (d == 1)
        continue;
      if (last >= 0 && (sx != 0) == (walk->x_strides[last] != 0) &&
          (sy != 0) == (walk->y_strides[last] != 0))
        {
          walk->dims[last] *= d;
          continue;
        }
      walk->dims[walk->rank] = d;
      walk->x_strides[walk->rank] = sx;
      walk->y_strides[walk->rank] = sy;
      walk->rank++;
    }
  if (walk->rank == 0)
    {
      walk->dims[0] = 1;
      walk->x_strides[0] = 1;
      walk->y_strides[0] = 1;
      walk->rank = 1;
    }
}

/*
 * flow_broadcast_runs:
 *
 * How many runs of dims are left when neighbours that broadcast alike are merged: 1 for shapes that are
 * equal, or of which one is a scalar.
 */
int
flow_broadcast_runs (const FlowShape *x,
                     const FlowShape *y)
{
  Walk walk;

  make_walk (&walk, x, y);
  return walk.rank;
}

typedef struct {
  const guint8 *x;
  const guint8 *y;
  guint8 *z;
  gint64 x_size;
  gint64 z_size;
  FlowDType x_dtype;
  FlowDType z_dtype;
  FlowBinaryLoop loop;
  gboolean through_float;
  Walk walk;
  gint64 n;
} BinaryJob;

static void
binary_through_float (const BinaryJob *job,
                      const guint8    *x,
                      gint64           sx,
                      const guint8    *y,
                      gint64           sy,
                      guint8          *z,
                      gint64           n)
{
  float a[BLOCK];
  float b[BLOCK];
  float r[BLOCK];

  for (gint64 i = 0; i < n; i += BLOCK)
    {
      gint64 m = MIN (BLOCK, n - i);

      flow_to_float (job->x_dtype, x + sx * i * job->x_size, a, sx != 0 ? m : 1);
      flow_to_float (job->x_dtype, y + sy * i * job->x_size, b, sy != 0 ? m : 1);
      if (is_short_float (job->z_dtype))
        {
          job->loop (a, sx, b, sy, r, m);
          flow_from_float (job->z_dtype, r, z + i * job->z_size, m);
        }
      else
        {
          job->loop (a, sx, b, sy, z + i * job->z_size, m);
        }
    }
}

static inline void
binary_row (const BinaryJob *job,
            gint64           x,
            gint64           y,
            gint64           z,
            gint64           n)
{
  const guint8 *px = job->x + x * job->x_size;
  const guint8 *py = job->y + y * job->x_size;
  guint8 *pz = job->z + z * job->z_size;

  if (job->through_float)
    binary_through_float (job, px, job->walk.x_strides[0], py, job->walk.y_strides[0], pz, n);
  else
    job->loop (px, job->walk.x_strides[0], py, job->walk.y_strides[0], pz, n);
}

/* Cells of a walk of one dim; shares are whole vectors, as in unary_range. */
static void
binary_flat_range (gint64   begin,
                   gint64   end,
                   gpointer data)
{
  const BinaryJob *job = data;

  begin *= FLOW_VECTOR_WIDTH;
  end = MIN (end * FLOW_VECTOR_WIDTH, job->walk.dims[0]);
  binary_row (job, begin * job->walk.x_strides[0], begin * job->walk.y_strides[0], begin,
              end - begin);
}

/* Cells @begin to @begin + @n of the result, as one operand has them. */
static void
write_out (const Walk   *walk,
           const gint64 *strides,
           const guint8 *x,
           gint64        size,
           gint64        begin,
           gint64        n,
           guint8       *out)
{
  gint64 row = begin / walk->dims[0];
  gint64 first = begin % walk->dims[0];

  for (; n > 0; row++, first = 0)
    {
      gint64 m = MIN (n, walk->dims[0] - first);
      gint64 rest = row;
      gint64 at = 0;

      for (int i = 1; i < walk->rank; i++)
        {
          at += rest % walk->dims[i] * strides[i];
          rest /= walk->dims[i];
        }
      if (strides[0] != 0)
        memcpy (out, x + (at + first) * size, (gsize) (m * size));
      else
        for (gint64 k = 0; k < m; k++)
          memcpy (out + k * size, x + at * size, (gsize) size);
      out += m * size;
      n -= m;
    }
}

/* Cells of a walk of several dims, a block at a time, be rows as long as they like. */
static void
binary_whole_range (gint64   begin,
                    gint64   end,
                    gpointer data)
{
  const BinaryJob *job = data;
  const Walk *walk = &job->walk;
  double complex a[WHOLE_BLOCK];
  double complex b[WHOLE_BLOCK];

  begin *= FLOW_VECTOR_WIDTH;
  end = MIN (end * FLOW_VECTOR_WIDTH, job->n);
  for (gint64 i = begin; i < end; i += WHOLE_BLOCK)
    {
      gint64 n = MIN (WHOLE_BLOCK, end - i);

      write_out (walk, walk->x_strides, job->x, job->x_size, i, n, (guint8 *) a);
      write_out (walk, walk->y_strides, job->y, job->x_size, i, n, (guint8 *) b);
      job->loop (a, 1, b, 1, job->z + i * job->z_size, n);
    }
}

/* Rows begin .. end: each is the whole innermost dim. */
static void
binary_rows_range (gint64   begin,
                   gint64   end,
                   gpointer data)
{
  const BinaryJob *job = data;
  const Walk *walk = &job->walk;
  gint64 at[FLOW_SHAPE_MAX_RANK + 1];
  gint64 x = 0;
  gint64 y = 0;
  gint64 rest = begin;

  for (int i = 1; i < walk->rank; i++)
    {
      at[i] = rest % walk->dims[i];
      rest /= walk->dims[i];
      x += at[i] * walk->x_strides[i];
      y += at[i] * walk->y_strides[i];
    }
  for (gint64 row = begin; row < end; row++)
    {
      binary_row (job, x, y, row * walk->dims[0], walk->dims[0]);
      for (int i = 1; i < walk->rank; i++)
        {
          x += walk->x_strides[i];
          y += walk->y_strides[i];
          if (++at[i] < walk->dims[i])
            break;
          x -= at[i] * walk->x_strides[i];
          y -= at[i] * walk->y_strides[i];
          at[i] = 0;
        }
    }
}

static void
make_job (BinaryJob        *job,
          const FlowTensor *x,
          const FlowTensor *y,
          FlowTensor       *z,
          FlowBinaryLoop    loop)
{
  job->x = x->data;
  job->y = y->data;
  job->z = z->data;
  job->n = z->n_elements;
  job->x_dtype = x->dtype;
  job->z_dtype = z->dtype;
  job->x_size = (gint64) flow_dtype_size (x->dtype);
  job->z_size = (gint64) flow_dtype_size (z->dtype);
  job->loop = loop;
  job->through_float = is_short_float (x->dtype);
  make_walk (&job->walk, x->shape, y->shape);
}

/*
 * TF's vectors go on from row to row where an operand is repeated: what is left over is the end of the tensor, not of
 * each row. Loops that have one way for whole vectors and another for the rest are given operands written out.
 */
static void
run_whole (const FlowTensor *x,
           const FlowTensor *y,
           FlowTensor       *z,
           FlowBinaryLoop    loop)
{
  BinaryJob job;

  make_job (&job, x, y, z, loop);
  if (job.walk.rank == 1 || job.through_float)
    flow_binary_run (x, y, z, loop);
  else
    flow_parallel_for (FLOW_VECTORS (job.n), GRAIN / FLOW_VECTOR_WIDTH, binary_whole_range, &job);
}

/*
 * flow_binary_run:
 *
 * z = loop (x, y) with broadcasting. z has the broadcast shape and may be x or y where that has the
 * same number of elements.
 */
void
flow_binary_run (const FlowTensor *x,
                 const FlowTensor *y,
                 FlowTensor       *z,
                 FlowBinaryLoop    loop)
{
  BinaryJob job;

  if (z->n_elements == 0)
    return;
  make_job (&job, x, y, z, loop);
  if (job.walk.rank == 1)
    flow_parallel_for (FLOW_VECTORS (job.n), GRAIN / FLOW_VECTOR_WIDTH, binary_flat_range, &job);
  else
    flow_parallel_for (z->n_elements / job.walk.dims[0], MAX (1, GRAIN / job.walk.dims[0]),
                       binary_rows_range, &job);
}

/*
 * flow_broadcast_shape:
 *
 * NumPy's rule on two known shapes. Returns: (transfer full): the shape, or %NULL with
 * INVALID_ARGUMENT "Incompatible shapes: [2,3] vs. [2,4]".
 */
FlowShape *
flow_broadcast_shape (const FlowShape  *x,
                      const FlowShape  *y,
                      GError          **error)
{
  int rank = MAX (x->rank, y->rank);
  gint64 dims[FLOW_SHAPE_MAX_RANK + 1];

  for (int i = 0; i < rank; i++)
    {
      gint64 dx = dim_from_right (x, i);
      gint64 dy = dim_from_right (y, i);

      if (dx != dy && dx != 1 && dy != 1)
        {
          g_autofree char *a = flow_shape_to_string (x);
          g_autofree char *b = flow_shape_to_string (y);

          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                       "Incompatible shapes: %s vs. %s", a, b);
          return NULL;
        }
      dims[rank - 1 - i] = dx == 1 ? dy : dx;
    }
  return flow_shape_new (rank, dims);
}

/* The output: over an input that is given away and has all the cells, else new. */
static FlowTensor *
forward_either (FlowKernelContext  *c,
                const FlowShape    *shape,
                GError            **error)
{
  for (guint i = 0; i < 2; i++)
    if (c->input_forwardable != NULL && c->input_forwardable[i] &&
        flow_shape_equal (flow_kernel_input (c, i)->shape, shape))
      return flow_kernel_forward_or_allocate (c, i, 0, shape, error);
  return flow_kernel_allocate (c, 0, shape, error);
}

/*
 * flow_binary_loop_of:
 *
 * The loop that flow_binary_run takes for cells of @dtype: half and bfloat16 reach it as floats.
 */
FlowBinaryLoop
flow_binary_loop_of (const FlowBinaryLoop *loops,
                     FlowDType             dtype)
{
  return loops[dtype] == NULL && is_short_float (dtype) ? loops[FLOW_DTYPE_FLOAT] : loops[dtype];
}

static gboolean
compute_with (FlowKernelContext     *c,
              const FlowBinaryLoop  *loops,
              gboolean               whole,
              GError               **error)
{
  const FlowTensor *x = flow_kernel_input (c, 0);
  const FlowTensor *y = flow_kernel_input (c, 1);
  FlowBinaryLoop loop = flow_binary_loop_of (loops, x->dtype);
  g_autoptr (FlowShape) shape = flow_broadcast_shape (x->shape, y->shape, error);
  FlowTensor *z;

  if (shape == NULL)
    return FALSE;
  FLOW_REQUIRE (loop != NULL, error, UNIMPLEMENTED, "%s has no kernel for %s", c->signature->name,
                flow_dtype_string (x->dtype));
  z = forward_either (c, shape, error);
  if (z == NULL)
    return FALSE;
  if (whole && z->n_elements > 0)
    run_whole (x, y, z, loop);
  else
    flow_binary_run (x, y, z, loop);
  return TRUE;
}

/*
 * flow_binary_compute:
 *
 * Output 0 = loop of inputs 0 and 1 with broadcasting.
 */
gboolean
flow_binary_compute (FlowKernelContext     *c,
                     const FlowBinaryLoop  *loops,
                     GError               **error)
{
  return compute_with (c, loops, flow_dtype_is_complex (flow_kernel_input (c, 0)->dtype), error);
}

/*
 * flow_binary_compute_whole:
 *
 * The same by loops that have another way for what does not fill a vector; those of complex numbers always may.
 */
gboolean
flow_binary_compute_whole (FlowKernelContext     *c,
                           const FlowBinaryLoop  *loops,
                           GError               **error)
{
  return compute_with (c, loops, TRUE, error);
}

/* --- flops ------------------------------------------------------------------------------------ */

static gint64
elements (const FlowShape *shape)
{
  gint64 n;

  if (shape == NULL || !flow_shape_is_known (shape) || !flow_shape_n_elements (shape, &n))
    return -1;
  return n;
}

gint64
flow_flops_input (FlowInferContext *c)
{
  return elements (c->input_shapes[0]);
}

gint64
flow_flops_output (FlowInferContext *c)
{
  return elements (c->output_shapes[0]);
}

/* What is folded together: input minus output elements. */
gint64
flow_flops_reduction (FlowInferContext *c)
{
  gint64 in = elements (c->input_shapes[0]);
  gint64 out = elements (c->output_shapes[0]);

  return in < 0 || out < 0 ? -1 : in - out;
}
