/* flow-nn-conv.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-nn-conv-private.h"

#include "flow-blas-private.h"
#include "flow-sgemm-private.h"

#include <string.h>

/* Convolution as matrix multiplication: the patches of input under a block of output positions become
 * the rows of a matrix. A block is small enough to stay near the cache and to cost the budget little,
 * and depends on the shapes alone, so sums do not depend on the number of threads. */

#define BLOCK_BYTES (G_GINT64_CONSTANT (4) << 20)
#define BLOCK_MIN_POSITIONS 32

typedef struct {
  const FlowConv *conv;
  gsize cell;                  /* bytes of an element */
  gint64 begin;                /* first output position of the block, counted over all images */
  gint64 end;
  const char *image;
  char *image_backprop;
  char *patches;
} Block;

static gboolean
is_pointwise (const FlowConv *conv)
{
  for (int i = 0; i < 3; i++)
    {
      const FlowWindow *w = &conv->window[i];

      if (w->filter != 1 || w->stride != 1 || w->pad_before != 0 || w->pad_after != 0)
        return FALSE;
    }
  return TRUE;
}

/* One row of patches for filter depth @z and row @y: cells outside of the image are zero. */
static void
copy_filter_row (const Block *block,
                 const char  *image_row,
                 gint64       column,
                 char        *to)
{
  const FlowWindow *w = &block->conv->window[2];
  const gsize pixel = (gsize) block->conv->in_channels * block->cell;
  const gint64 first = column * w->stride - w->pad_before;

  if (w->dilation == 1 && first >= 0 && first + w->filter <= w->input)
    {
      memcpy (to, image_row + (gsize) first * pixel, (gsize) w->filter * pixel);
      return;
    }
  for (gint64 x = 0; x < w->filter; x++, to += pixel)
    {
      gint64 at = first + x * w->dilation;

      if (at >= 0 && at < w->input)
        memcpy (to, image_row + (gsize) at * pixel, pixel);
      else
        memset (to, 0, pixel);
    }
}

static void
fill_patches (gint64   begin,
              gint64   end,
              gpointer data)
{
  const Block *block = data;
  const FlowConv *conv = block->conv;
  const FlowWindow *w = conv->window;
  const gsize image_row_bytes = (gsize) (w[2].input * conv->in_channels) * block->cell;
  const gsize filter_row_bytes = (gsize) (w[2].filter * conv->in_channels) * block->cell;
  const gsize patch_bytes = (gsize) flow_conv_patch_size (conv) * block->cell;
  const gint64 per_image = flow_conv_output_positions (conv);

  for (gint64 i = begin; i < end; i++)
    {
      gint64 position = block->begin + i;
      gint64 n = position / per_image;
      gint64 column = position % w[2].output;
      gint64 row = position / w[2].output % w[1].output;
      gint64 plane = position / (w[2].output * w[1].output) % w[0].output;
      char *to = block->patches + (gsize) i * patch_bytes;

      for (gint64 z = 0; z < w[0].filter; z++)
        for (gint64 y = 0; y < w[1].filter; y++, to += filter_row_bytes)
          {
            gint64 in_plane = plane * w[0].stride - w[0].pad_before + z * w[0].dilation;
            gint64 in_row = row * w[1].stride - w[1].pad_before + y * w[1].dilation;

            if (in_plane < 0 || in_plane >= w[0].input || in_row < 0 || in_row >= w[1].input)
              memset (to, 0, filter_row_bytes);
            else
              copy_filter_row (block,
                               block->image +
                               (gsize) ((n * w[0].input + in_plane) * w[1].input + in_row) * image_row_bytes,
                               column, to);
          }
    }
}

/* Adds to one row of the image what the block's patches hold for it at filter row @filter_row
 * (z * rows + y) under the outputs [first, last) of one output row. */
#define ADD_PATCHES(name, real, R)                                                            \
  static FLOW_HOT void                                                                        \
  add_patches_##name (const FlowConv *conv, const real *patches, gint64 first, gint64 last,   \
                      real *image_row)                                                        \
  {                                                                                           \
    const FlowWindow *w = &conv->window[2];                                                   \
    const gint64 channels = conv->in_channels;                                                \
    const gint64 patch = flow_conv_patch_size (conv);                                         \
                                                                                              \
    for (gint64 column = first; column < last; column++, patches += patch)                    \
      for (gint64 x = 0; x < w->filter; x++)                                                  \
        {                                                                                     \
          gint64 at = column * w->stride - w->pad_before + x * w->dilation;                   \
                                                                                              \
          if (at >= 0 && at < w->input)                                                       \
            for (gint64 i = 0; i < channels; i++)                                             \
              image_row[at * channels + i] =                                                  \
                R (image_row[at * channels + i] + patches[x * channels + i]);                 \
        }                                                                                     \
  }

ADD_PATCHES (float, float, FLOW_AS_IS)
ADD_PATCHES (double, double, FLOW_AS_IS)
ADD_PATCHES (half, float, flow_round_half)

/* The output index whose window has this input index under filter index @f, or -1. */
static inline gint64
output_over (const FlowWindow *w,
             gint64            input,
             gint64            f)
{
  gint64 at = input + w->pad_before - f * w->dilation;

  return at >= 0 && at % w->stride == 0 && at / w->stride < w->output ? at / w->stride : -1;
}

/* Rows of the images, each by one thread: what the patches hold for it. */
static void
gather_patches (gint64   begin,
                gint64   end,
                gpointer data)
{
  const Block *block = data;
  const FlowConv *conv = block->conv;
  const FlowWindow *w = conv->window;
  const gsize row_bytes = (gsize) (w[2].input * conv->in_channels) * block->cell;
  const gint64 patch = flow_conv_patch_size (conv);

  for (gint64 i = begin; i < end; i++)
    {
      gint64 n = i / (w[0].input * w[1].input);
      gint64 in_plane = i / w[1].input % w[0].input;
      gint64 in_row = i % w[1].input;

      /* TF: adds the outputs' patches in their order, which is that of the filter turned round. */
      for (gint64 z = w[0].filter; z-- > 0;)
        for (gint64 y = w[1].filter; y-- > 0;)
          {
            gint64 plane = output_over (&w[0], in_plane, z);
            gint64 row = output_over (&w[1], in_row, y);
            gint64 row_start = ((n * w[0].output + plane) * w[1].output + row) * w[2].output;
            gint64 first = MAX (block->begin - row_start, 0);
            gint64 last = MIN (block->end - row_start, w[2].output);
            gint64 offset;

            if (plane < 0 || row < 0 || first >= last)
              continue;
            offset = (row_start + first - block->begin) * patch +
                     (z * w[1].filter + y) * w[2].filter * conv->in_channels;
            if (conv->dtype == FLOW_DTYPE_DOUBLE)
              add_patches_double (conv, (const double *) block->patches + offset, first, last,
                                  (double *) (block->image_backprop + (gsize) i * row_bytes));
            else if (conv->half)
              add_patches_half (conv, (const float *) block->patches + offset, first, last,
                                (float *) (block->image_backprop + (gsize) i * row_bytes));
            else
              add_patches_float (conv, (const float *) block->patches + offset, first, last,
                                 (float *) (block->image_backprop + (gsize) i * row_bytes));
          }
    }
}

/* @m x @n = a * b; what is transposed lies as it is stored, without gaps. */
static gboolean
gemm (const FlowConv  *conv,
      gboolean         transpose_a,
      gboolean         transpose_b,
      gint64           m,
      gint64           n,
      gint64           k,
      gconstpointer    a,
      gconstpointer    b,
      gboolean         accumulate,
      gpointer         c,
      GError         **error)
{
  FlowGemm job = {
    .dtype = conv->half ? FLOW_DTYPE_HALF : conv->dtype,
    .read_a = transpose_a ? FLOW_BLAS_TRANSPOSED : FLOW_BLAS_PLAIN,
    .read_b = transpose_b ? FLOW_BLAS_TRANSPOSED : FLOW_BLAS_PLAIN,
    .m = m, .n = n, .k = k,
    .a = a, .lda = transpose_a ? m : k,
    .b = b, .ldb = transpose_b ? k : n,
    .c = c, .ldc = n,
    .accumulate = accumulate,
    .release = conv->release,
  };

  return conv->half ? flow_blas_gemm_half (&job, error) : flow_blas_gemm (&job, error);
}

static gint64
block_positions (const FlowConv *conv)
{
  gint64 patch_bytes = flow_conv_patch_size (conv) * (gint64) flow_dtype_size (conv->dtype);
  gint64 all = conv->batch * flow_conv_output_positions (conv);

  return CLAMP (BLOCK_BYTES / MAX (patch_bytes, 1), MIN (BLOCK_MIN_POSITIONS, all), all);
}

static FlowTensor *
allocate_patches (FlowKernelContext  *c,
                  const FlowConv     *conv,
                  GError            **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new_matrix (block_positions (conv), flow_conv_patch_size (conv));

  return flow_kernel_allocate_temp (c, conv->dtype, shape, error);
}

static gsize
image_bytes (const FlowConv *conv)
{
  return (gsize) (conv->batch * flow_conv_input_positions (conv) * conv->in_channels) * flow_dtype_size (conv->dtype);
}

gboolean
flow_conv_gemm_forward (FlowKernelContext  *c,
                        const FlowConv     *conv,
                        gconstpointer       input,
                        gconstpointer       filter,
                        gpointer            output,
                        GError            **error)
{
  gint64 all = conv->batch * flow_conv_output_positions (conv);
  gint64 patch = flow_conv_patch_size (conv);
  gint64 step = block_positions (conv);
  g_autoptr (FlowTensor) patches = NULL;
  Block block = { .conv = conv, .cell = flow_dtype_size (conv->dtype), .image = input };

  if (is_pointwise (conv))
    return gemm (conv, FALSE, FALSE, all, conv->out_channels, patch, input, filter, FALSE, output, error);
  if ((patches = allocate_patches (c, conv, error)) == NULL)
    return FALSE;
  block.patches = patches->data;
  for (block.begin = 0; block.begin < all; block.begin = block.end)
    {
      if (flow_kernel_is_cancelled (c))
        return !g_cancellable_set_error_if_cancelled (c->cancellable, error);
      block.end = MIN (block.begin + step, all);
      flow_parallel_for (block.end - block.begin, 1 + FLOW_NN_GRAIN / MAX (patch, 1), fill_patches, &block);
      if (!gemm (conv, FALSE, FALSE, block.end - block.begin, conv->out_channels, patch, patches->data, filter, FALSE,
                 (char *) output + (gsize) (block.begin * conv->out_channels) * block.cell, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
flow_conv_gemm_backward_filter (FlowKernelContext  *c,
                                const FlowConv     *conv,
                                gconstpointer       input,
                                gconstpointer       out_backprop,
                                gpointer            filter_backprop,
                                GError            **error)
{
  gint64 all = conv->batch * flow_conv_output_positions (conv);
  gint64 patch = flow_conv_patch_size (conv);
  gint64 step = block_positions (conv);
  g_autoptr (FlowTensor) patches = NULL;
  Block block = { .conv = conv, .cell = flow_dtype_size (conv->dtype), .image = input };

  if (is_pointwise (conv))
    return gemm (conv, TRUE, FALSE, patch, conv->out_channels, all, input, out_backprop, FALSE, filter_backprop, error);
  if (all == 0)
    {
      memset (filter_backprop, 0, (gsize) (patch * conv->out_channels) * block.cell);
      return TRUE;
    }
  if ((patches = allocate_patches (c, conv, error)) == NULL)
    return FALSE;
  block.patches = patches->data;
  for (block.begin = 0; block.begin < all; block.begin = block.end)
    {
      if (flow_kernel_is_cancelled (c))
        return !g_cancellable_set_error_if_cancelled (c->cancellable, error);
      block.end = MIN (block.begin + step, all);
      flow_parallel_for (block.end - block.begin, 1 + FLOW_NN_GRAIN / MAX (patch, 1), fill_patches, &block);
      if (!gemm (conv, TRUE, FALSE, patch, conv->out_channels, block.end - block.begin, patches->data,
                 (const char *) out_backprop + (gsize) (block.begin * conv->out_channels) * block.cell,
                 block.begin != 0, filter_backprop, error))
        return FALSE;
    }
  return TRUE;
}

/* TF 2.x: where the images of a batch have fewer positions than this, but more than one, and all that a product touches
 * is less than that, the product is made image by image, of dot products. */
#define FEW_POSITIONS 16
#define MOST_TOUCHED 65536

static gboolean
goes_image_by_image (const FlowConv *conv)
{
  gint64 per_image = flow_conv_output_positions (conv);
  gint64 patch = flow_conv_patch_size (conv);
  gint64 filter;

  return conv->release == FLOW_RELEASE_2 && conv->dtype == FLOW_DTYPE_FLOAT && !conv->half && conv->window[0].input == 1 && conv->batch > 1
         && per_image > 1 && per_image < FEW_POSITIONS && flow_mul_int64 (patch, conv->out_channels, &filter)
         && filter < MOST_TOUCHED && per_image * (patch + conv->out_channels) + filter < MOST_TOUCHED;
}

static gint64
rounded_down (gint64 n,
              gint64 multiple)
{
  return MAX (n / multiple, 1) * multiple;
}

/* Patches of the positions that @out_backprop holds @n of. */
static gboolean
multiply_by_filter (const FlowConv *conv,
                    const char     *out_backprop,
                    gconstpointer   filter,
                    gint64          n,
                    char           *patches,
                    GError        **error)
{
  gint64 patch = flow_conv_patch_size (conv);
  gint64 per_image = flow_conv_output_positions (conv);
  FlowGemm job = {
    .dtype = FLOW_DTYPE_FLOAT,
    .read_b = FLOW_BLAS_TRANSPOSED,
    .m = per_image, .n = patch, .k = conv->out_channels,
    .a = out_backprop, .lda = conv->out_channels,
    .b = filter, .ldb = conv->out_channels,
    .c = patches, .ldc = patch,
    .release = conv->release,
  };

  if (!goes_image_by_image (conv))
    return gemm (conv, FALSE, TRUE, n, patch, conv->out_channels, out_backprop, filter, FALSE, patches, error);
  for (gint64 at = 0; at < n; at += per_image)
    {
      job.a = out_backprop + (gsize) (at * conv->out_channels) * sizeof (float);
      job.c = patches + (gsize) (at * patch) * sizeof (float);
      flow_sgemm_by_lanes (&job);
    }
  return TRUE;
}

gboolean
flow_conv_gemm_backward_input (FlowKernelContext  *c,
                               const FlowConv     *conv,
                               gconstpointer       filter,
                               gconstpointer       out_backprop,
                               gpointer            in_backprop,
                               GError            **error)
{
  const FlowWindow *w = conv->window;
  gint64 per_image = flow_conv_output_positions (conv);
  gint64 all = conv->batch * per_image;
  gint64 step = goes_image_by_image (conv) ? rounded_down (block_positions (conv), per_image) : block_positions (conv);
  gint64 image_rows = w[0].input * w[1].input;
  g_autoptr (FlowTensor) patches = NULL;
  Block block = { .conv = conv, .cell = flow_dtype_size (conv->dtype), .image_backprop = in_backprop };

  if (is_pointwise (conv))
    return multiply_by_filter (conv, out_backprop, filter, all, in_backprop, error);
  memset (in_backprop, 0, image_bytes (conv));
  if (all == 0)
    return TRUE;
  if ((patches = allocate_patches (c, conv, error)) == NULL)
    return FALSE;
  block.patches = patches->data;
  for (block.begin = 0; block.begin < all; block.begin = block.end)
    {
      gint64 first_image = block.begin / per_image;

      if (flow_kernel_is_cancelled (c))
        return !g_cancellable_set_error_if_cancelled (c->cancellable, error);
      block.end = MIN (block.begin + step, all);
      if (!multiply_by_filter (conv, (const char *) out_backprop + (gsize) (block.begin * conv->out_channels) * block.cell,
                               filter, block.end - block.begin, patches->data, error))
        return FALSE;

      /* The rows of the images that the block touches; a block that begins inside an image counts
       * from that image's first position. */
      {
        Block local = block;

        local.begin -= first_image * per_image;
        local.end -= first_image * per_image;
        local.image_backprop += (gsize) (first_image * flow_conv_input_positions (conv) * conv->in_channels) * block.cell;
        flow_parallel_for (((block.end - 1) / per_image - first_image + 1) * image_rows,
                           1 + FLOW_NN_GRAIN / MAX (w[2].input * conv->in_channels, 1), gather_patches, &local);
      }
    }
  return TRUE;
}

/* --- Channels first and last -------------------------------------------------------------------- */

typedef struct {
  gconstpointer from;
  gpointer to;
  gint64 rows;                 /* of the matrix that is transposed, per image */
  gint64 columns;
  gsize cell;
} Transposition;

/* Tiles keep both sides in the cache. */
#define TILE 32
#define TRANSPOSE(type)                                                                       \
  static void                                                                                 \
  transpose_##type (const type *from, type *to, gint64 rows, gint64 columns)                  \
  {                                                                                           \
    for (gint64 i = 0; i < rows; i += TILE)                                                   \
      for (gint64 j = 0; j < columns; j += TILE)                                              \
        for (gint64 x = i; x < MIN (i + TILE, rows); x++)                                     \
          for (gint64 y = j; y < MIN (j + TILE, columns); y++)                                \
            to[y * rows + x] = from[x * columns + y];                                         \
  }

TRANSPOSE (guint16)
TRANSPOSE (guint32)
TRANSPOSE (guint64)

static void
transpose_images (gint64   begin,
                  gint64   end,
                  gpointer data)
{
  const Transposition *job = data;
  const gint64 size = job->rows * job->columns;

  for (gint64 n = begin; n < end; n++)
    if (job->cell == 2)
      transpose_guint16 ((const guint16 *) job->from + n * size, (guint16 *) job->to + n * size, job->rows,
                         job->columns);
    else if (job->cell == 4)
      transpose_guint32 ((const guint32 *) job->from + n * size, (guint32 *) job->to + n * size, job->rows,
                         job->columns);
    else
      transpose_guint64 ((const guint64 *) job->from + n * size, (guint64 *) job->to + n * size, job->rows,
                         job->columns);
}

gboolean
flow_nn_channels_last (FlowKernelContext  *c,
                       const FlowTensor   *from,
                       FlowTensor        **to,
                       GError            **error)
{
  int rank = FLOW_RANK (from);
  gint64 dims[5];
  g_autoptr (FlowShape) shape = NULL;
  Transposition job = { 0 };

  dims[0] = FLOW_DIMS (from)[0];
  for (int i = 2; i < rank; i++)
    dims[i - 1] = FLOW_DIMS (from)[i];
  dims[rank - 1] = FLOW_DIMS (from)[1];
  shape = flow_shape_new (rank, dims);
  if ((*to = flow_kernel_allocate_temp (c, from->dtype, shape, error)) == NULL)
    return FALSE;
  if (from->n_elements == 0)
    return TRUE;
  job.from = from->data;
  job.to = (*to)->data;
  job.rows = dims[rank - 1];
  job.columns = from->n_elements / (dims[0] * job.rows);
  job.cell = flow_dtype_size (from->dtype);
  flow_parallel_for (dims[0], 1, transpose_images, &job);
  return TRUE;
}

void
flow_nn_channels_first (const FlowTensor *from,
                        FlowTensor       *to)
{
  Transposition job = { 0 };

  if (from->n_elements == 0)
    return;
  job.from = from->data;
  job.to = to->data;
  job.columns = FLOW_DIMS (to)[1];
  job.rows = from->n_elements / (FLOW_DIMS (to)[0] * job.columns);
  job.cell = flow_dtype_size (from->dtype);
  flow_parallel_for (FLOW_DIMS (to)[0], 1, transpose_images, &job);
}
