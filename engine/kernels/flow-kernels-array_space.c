/* flow-kernels-array_space.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of space moved to the batch or to the depth, and back.
 */

#include "config.h"

#include "flow-array-private.h"

#include <string.h>

/* A batch op on the dims behind the first: one block size and one pair of paddings or crops each. */
typedef struct {
  int n;
  gint64 sizes[FLOW_SHAPE_MAX_RANK];
  gint64 before[FLOW_SHAPE_MAX_RANK];
  gint64 after[FLOW_SHAPE_MAX_RANK];
} Blocks;

static gboolean
read_pairs (Blocks           *b,
            const FlowTensor *pairs,
            const char       *name,
            GError          **error)
{
  if (FLOW_RANK (pairs) != 2 || FLOW_DIMS (pairs)[0] != b->n || FLOW_DIMS (pairs)[1] != 2)
    {
      g_autofree char *text = flow_tensor_shape_text (pairs);

      return _flow_refuse (error, "%s should have shape [%d, 2] instead of %s", name, b->n, text);
    }
  for (int i = 0; i < b->n; i++)
    {
      b->before[i] = flow_index_at (pairs, 2 * i);
      b->after[i] = flow_index_at (pairs, 2 * i + 1);
    }
  return TRUE;
}

/* The ND forms have a block size for each dim in input 1, the others one for both in an attr. */
static gboolean
read_blocks (FlowKernelContext *c,
             Blocks            *b,
             const char        *name,
             GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);

  if (c->n_inputs == 2)
    {
      if (FLOW_RANK (x) != 4)
        return _flow_refuse (error, "Input rank should be: 4instead of: %d", FLOW_RANK (x));
      b->n = 2;
      b->sizes[0] = b->sizes[1] = flow_kernel_attr_int (c, "block_size");
      if (b->sizes[0] < 2)
        return _flow_refuse (error, "Block size should be > 1: %" G_GINT64_FORMAT, b->sizes[0]);
      return read_pairs (b, flow_kernel_input (c, 1), name, error);
    }
  {
    FlowTensor *sizes = flow_kernel_input (c, 1);

    if (!flow_is_vector (sizes))
      return _flow_refuse (error, "block_shape rank should be 1 instead of %d", FLOW_RANK (sizes));
    if (sizes->n_elements + 1 > FLOW_RANK (x))
      return _flow_refuse (error, "input rank should be >= %" G_GINT64_FORMAT " instead of %d", sizes->n_elements + 1,
                           FLOW_RANK (x));
    b->n = (int) sizes->n_elements;
    for (int i = 0; i < b->n; i++)
      {
        b->sizes[i] = flow_index_at (sizes, i);
        if (b->sizes[i] < 1)
          return _flow_refuse (error, "All values in block_shape must be positive, got value, %" G_GINT64_FORMAT
                               " at index %d.", b->sizes[i], i);
      }
    return read_pairs (b, flow_kernel_input (c, 2), name, error);
  }
}

static gboolean
check_rank (const FlowTensor *x,
            const Blocks     *b,
            GError          **error)
{
  if (FLOW_RANK (x) + b->n > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  return TRUE;
}

/* --- SpaceToBatch ------------------------------------------------------------------------------------------- */

/* @x with zeros around its block dims; @x itself where there are none. */
static FlowTensor *
pad_blocks (FlowKernelContext *c,
            FlowTensor        *x,
            const Blocks      *b,
            GError           **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new (FLOW_RANK (x), FLOW_DIMS (x));
  gint64 src_strides[FLOW_SHAPE_MAX_RANK];
  gint64 dst_strides[FLOW_SHAPE_MAX_RANK];
  gsize cell = _flow_cell_size (x->dtype);
  gint64 at = 0;
  gboolean none = TRUE;
  FlowTensor *padded;

  for (int i = 0; i < b->n; i++)
    {
      gint64 *dim = &shape->dims[i + 1];

      none = none && b->before[i] == 0 && b->after[i] == 0;
      if (b->before[i] < 0 || b->after[i] < 0)
        return _flow_refuse (error, "Paddings must be non-negative"), NULL;
      if (!flow_add_int64 (*dim, b->before[i], dim) || !flow_add_int64 (*dim, b->after[i], dim))
        return _flow_refuse (error, "padded_shape[%d] is too large", i), NULL;
      if (*dim % b->sizes[i] != 0)
        return _flow_refuse (error, "padded_shape[%d]=%" G_GINT64_FORMAT " is not divisible by block_shape[%d]=%"
                             G_GINT64_FORMAT, i, *dim, i, b->sizes[i]), NULL;
    }
  if (none)
    return flow_tensor_ref (x);
  padded = flow_tensor_new_zeros (x->dtype, shape, c->budget, error);
  if (padded == NULL || x->n_elements == 0)
    return padded;
  _flow_row_major_strides (FLOW_RANK (x), FLOW_DIMS (x), src_strides);
  _flow_row_major_strides (FLOW_RANK (x), shape->dims, dst_strides);
  for (int i = 0; i < b->n; i++)
    at += b->before[i] * dst_strides[i + 1];
  _flow_copy_strided (cell, FLOW_RANK (x), FLOW_DIMS (x), (char *) padded->data + (gsize) at * cell, dst_strides,
                      x->data, src_strides);
  return padded;
}

/* Moves cells between a tensor [batch, space * size, rest] and one [size, batch, space, rest], in the
 * direction asked for. @large: dims of the first. */
static void
move_blocks (const Blocks     *b,
             int               rank,
             const gint64     *large,
             FlowTensor       *dst,
             const FlowTensor *src,
             gboolean          to_batch)
{
  gint64 dims[FLOW_SHAPE_MAX_RANK + 2];
  gint64 whole[FLOW_SHAPE_MAX_RANK];
  gint64 small[FLOW_SHAPE_MAX_RANK];
  gint64 small_strides[FLOW_SHAPE_MAX_RANK];
  gint64 large_walk[FLOW_SHAPE_MAX_RANK + 2];
  gint64 small_walk[FLOW_SHAPE_MAX_RANK + 2];
  gint64 batch_stride;
  int n = 0;

  _flow_row_major_strides (rank, large, whole);
  memcpy (small, large, sizeof (gint64) * (gsize) rank);
  for (int i = 0; i < b->n; i++)
    small[i + 1] = large[i + 1] / b->sizes[i];
  _flow_row_major_strides (rank, small, small_strides);
  /* The block offsets come in front of the batch, the last fastest. */
  batch_stride = small_strides[0] * large[0];
  for (int i = b->n - 1; i >= 0; i--)
    {
      small_walk[i] = batch_stride;
      batch_stride *= b->sizes[i];
    }
  for (int i = 0; i < b->n; i++, n++)
    {
      dims[n] = b->sizes[i];
      large_walk[n] = whole[i + 1];
    }
  for (int i = 0; i < rank; i++, n++)
    {
      dims[n] = small[i];
      large_walk[n] = i >= 1 && i <= b->n ? whole[i] * b->sizes[i - 1] : whole[i];
      small_walk[n] = small_strides[i];
    }
  _flow_copy_strided (_flow_cell_size (dst->dtype), n, dims, dst->data, to_batch ? small_walk : large_walk, src->data,
                      to_batch ? large_walk : small_walk);
}

static gboolean
space_to_batch_compute (FlowKernelContext *c,
                        GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  g_autoptr (FlowTensor) padded = NULL;
  Blocks b;
  FlowTensor *out;

  if (!read_blocks (c, &b, "paddings", error) || !check_rank (x, &b, error))
    return FALSE;
  padded = pad_blocks (c, x, &b, error);
  if (padded == NULL)
    return FALSE;
  memcpy (dims, FLOW_DIMS (padded), sizeof (gint64) * (gsize) FLOW_RANK (padded));
  for (int i = 0; i < b.n; i++)
    {
      dims[i + 1] /= b.sizes[i];
      if (!flow_mul_int64 (dims[0], b.sizes[i], &dims[0]))
        return _flow_refuse (error, "The product of the block sizes is too large");
    }
  out = flow_kernel_allocate_dims (c, 0, FLOW_RANK (x), dims, error);
  if (out == NULL)
    return FALSE;
  if (out->n_elements > 0)
    move_blocks (&b, FLOW_RANK (x), FLOW_DIMS (padded), out, padded, TRUE);
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

/* --- BatchToSpace ------------------------------------------------------------------------------------------- */

static gboolean
measure_space (const FlowTensor *x,
               const Blocks     *b,
               gint64           *whole,
               gint64           *cropped,
               GError          **error)
{
  gint64 product = 1;

  memcpy (whole, FLOW_DIMS (x), sizeof (gint64) * (gsize) FLOW_RANK (x));
  memcpy (cropped, FLOW_DIMS (x), sizeof (gint64) * (gsize) FLOW_RANK (x));
  for (int i = 0; i < b->n; i++)
    if (!flow_mul_int64 (product, b->sizes[i], &product))
      return _flow_refuse (error, "The product of the block sizes is too large");
  if (whole[0] % product != 0)
    return _flow_refuse (error, "Input batch dimension (%" G_GINT64_FORMAT ") is not divisible by product of block "
                         "sizes (%" G_GINT64_FORMAT ")", whole[0], product);
  whole[0] /= product;
  cropped[0] = whole[0];
  for (int i = 0; i < b->n; i++)
    {
      gint64 crops;

      if (b->before[i] < 0 || b->after[i] < 0)
        return _flow_refuse (error, "Crops must be non-negative");
      if (!flow_mul_int64 (whole[i + 1], b->sizes[i], &whole[i + 1]) ||
          !flow_add_int64 (b->before[i], b->after[i], &crops))
        return _flow_refuse (error, "cropped_shape[%d] is too large", i);
      cropped[i + 1] = whole[i + 1] - crops;
      if (cropped[i + 1] < 0)
        return _flow_refuse (error, "cropped_shape[%d]=%" G_GINT64_FORMAT " must be non-negative", i, cropped[i + 1]);
    }
  return TRUE;
}

static gboolean
batch_to_space_compute (FlowKernelContext *c,
                        GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  int rank = FLOW_RANK (x);
  gint64 whole[FLOW_SHAPE_MAX_RANK];
  gint64 cropped[FLOW_SHAPE_MAX_RANK];
  gint64 src_strides[FLOW_SHAPE_MAX_RANK];
  gint64 dst_strides[FLOW_SHAPE_MAX_RANK];
  gsize cell = _flow_cell_size (x->dtype);
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowTensor) space = NULL;
  gint64 at = 0;
  Blocks b;
  FlowTensor *out;

  if (!read_blocks (c, &b, "crops", error) || !check_rank (x, &b, error) ||
      !measure_space (x, &b, whole, cropped, error))
    return FALSE;
  out = flow_kernel_allocate_dims (c, 0, rank, cropped, error);
  if (out == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  if (memcmp (whole, cropped, sizeof (gint64) * (gsize) rank) == 0)
    {
      move_blocks (&b, rank, whole, out, x, FALSE);
      _flow_adopt_cells (out->dtype, out->data, out->n_elements);
      return TRUE;
    }
  shape = flow_shape_new (rank, whole);
  space = flow_tensor_new (x->dtype, shape, c->budget, error);
  if (space == NULL)
    return FALSE;
  move_blocks (&b, rank, whole, space, x, FALSE);
  _flow_adopt_cells (space->dtype, space->data, space->n_elements);
  _flow_row_major_strides (rank, whole, src_strides);
  _flow_row_major_strides (rank, cropped, dst_strides);
  for (int i = 0; i < b.n; i++)
    at += b.before[i] * src_strides[i + 1];
  _flow_copy_strided (cell, rank, cropped, out->data, dst_strides, (const char *) space->data + (gsize) at * cell,
                      src_strides);
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

/* Rank and the dims that no block touches; the others are known only where all values are. */
static gboolean
batch_infer (FlowInferContext *c,
             GError          **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  gboolean nd = c->n_inputs == 3;
  FlowShape *sizes = nd ? flow_infer_input (c, 1) : NULL;
  g_autoptr (FlowShape) ranked = NULL;
  g_autoptr (FlowShape) out = NULL;
  gint64 n = 2;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (nd && sizes->rank != 1)
    return _flow_refuse (error, "block_shape must have rank 1.");
  if (nd)
    n = sizes->dims[0];
  if (n > FLOW_SHAPE_MAX_RANK - 1)
    return _flow_refuse (error, "too many dimensions");
  if (nd ? !flow_infer_with_rank_at_least (c, in, (int) MAX (n, 0) + 1, &ranked, error)
         : !flow_infer_with_rank (c, in, 4, &ranked, error))
    return FALSE;
  if (nd)
    {
      g_autoptr (FlowShape) pairs = flow_shape_new_matrix (n, 2);
      g_autoptr (FlowShape) merged = NULL;

      if (!flow_infer_merge (c, flow_infer_input (c, 2), pairs, &merged, error))
        return FALSE;
    }
  if (ranked->rank == FLOW_RANK_UNKNOWN || n < 0)
    return flow_infer_unknown_shape (c, error);
  out = flow_shape_new (ranked->rank, ranked->dims);
  for (int i = 0; i <= n; i++)
    out->dims[i] = FLOW_DIM_UNKNOWN;
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

/* Sizes and pairs where they are constant. */
static gboolean
known_blocks (FlowInferContext *c,
              Blocks           *b)
{
  gboolean nd = c->n_inputs == 3;
  FlowTensor *sizes = nd ? flow_infer_input_value (c, 1) : NULL;
  FlowTensor *pairs = flow_infer_input_value (c, nd ? 2 : 1);

  b->n = 2;
  if (pairs == NULL || (nd && (sizes == NULL || sizes->n_elements >= FLOW_SHAPE_MAX_RANK)))
    return FALSE;
  if (nd)
    b->n = (int) sizes->n_elements;
  for (int i = 0; i < b->n; i++)
    b->sizes[i] = nd ? flow_index_at (sizes, i) : flow_infer_attr_int (c, "block_size");
  for (int i = 0; i < b->n; i++)
    if (b->sizes[i] < 1)
      return FALSE;
  if (!read_pairs (b, pairs, "", NULL))
    return FALSE;
  for (int i = 0; i < b->n; i++)
    if (b->before[i] < 0 || b->after[i] < 0)
      return FALSE;
  return TRUE;
}

static gboolean
space_to_batch_infer (FlowInferContext *c,
                      GError          **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  g_autoptr (FlowShape) out = NULL;
  Blocks b;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!batch_infer (c, error))
    return FALSE;
  if (in->rank == FLOW_RANK_UNKNOWN || !known_blocks (c, &b) || in->rank < b.n + 1)
    return TRUE;
  out = flow_shape_new (in->rank, in->dims);
  for (int i = 0; i < b.n; i++)
    {
      gint64 *dim = &out->dims[i + 1];

      if (out->dims[0] != FLOW_DIM_UNKNOWN && !flow_mul_int64 (out->dims[0], b.sizes[i], &out->dims[0]))
        return _flow_refuse (error, "The product of the block sizes is too large");
      if (*dim == FLOW_DIM_UNKNOWN)
        continue;
      if (!flow_add_int64 (*dim, b.before[i], dim) || !flow_add_int64 (*dim, b.after[i], dim))
        return _flow_refuse (error, "padded_shape[%d] is too large", i);
      if (*dim % b.sizes[i] != 0)
        return _flow_refuse (error, "Dimension size must be evenly divisible by %" G_GINT64_FORMAT " but is %"
                             G_GINT64_FORMAT, b.sizes[i], *dim);
      *dim /= b.sizes[i];
    }
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

static gboolean
batch_to_space_infer (FlowInferContext *c,
                      GError          **error)
{
  FlowShape *in = flow_infer_input (c, 0);
  g_autoptr (FlowShape) out = NULL;
  Blocks b;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!batch_infer (c, error))
    return FALSE;
  if (in->rank == FLOW_RANK_UNKNOWN || !known_blocks (c, &b) || in->rank < b.n + 1)
    return TRUE;
  out = flow_shape_new (in->rank, in->dims);
  for (int i = 0; i < b.n; i++)
    {
      gint64 *dim = &out->dims[i + 1];
      gint64 crops;

      if (out->dims[0] != FLOW_DIM_UNKNOWN && out->dims[0] % b.sizes[i] != 0)
        return _flow_refuse (error, "Dimension size must be evenly divisible by %" G_GINT64_FORMAT " but is %"
                             G_GINT64_FORMAT, b.sizes[i], out->dims[0]);
      if (out->dims[0] != FLOW_DIM_UNKNOWN)
        out->dims[0] /= b.sizes[i];
      if (*dim == FLOW_DIM_UNKNOWN)
        continue;
      if (!flow_mul_int64 (*dim, b.sizes[i], dim) || !flow_add_int64 (b.before[i], b.after[i], &crops) || crops > *dim)
        return _flow_refuse (error, "Negative dimension size caused by cropping dimension %d", i + 1);
      *dim -= crops;
    }
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

/* --- SpaceToDepth, DepthToSpace --------------------------------------------------------------------------------- */

/* TF's CPU kernels know NHWC alone. */
static gboolean
check_format (FlowKernelContext *c,
              GError           **error)
{
  const char *format = flow_kernel_attr_string (c, "data_format");

  if (strcmp (format, "NHWC") != 0)
    return _flow_refuse (error, "Only NHWC data_format supported on CPU. Got %s", format);
  return TRUE;
}

/* [batch, height, block, width, block, depth] with the second block before or behind the width. */
static gboolean
move_depth (FlowKernelContext *c,
            const gint64      *out_dims,
            gint64             height,
            gint64             width,
            gint64             depth,
            gboolean           to_depth,
            GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  gint64 block = flow_kernel_attr_int (c, "block_size");
  gint64 dims[] = { FLOW_DIMS (x)[0], height, block, width, block, depth };
  gint64 space[6];
  gint64 packed[6];
  gint64 order[] = { FLOW_DIMS (x)[0], height, width, block, block, depth };
  gint64 strides[6];
  FlowTensor *out = flow_kernel_allocate_dims (c, 0, 4, out_dims, error);

  if (out == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  _flow_row_major_strides (6, dims, space);
  _flow_row_major_strides (6, order, strides);
  packed[0] = strides[0];
  packed[1] = strides[1];
  packed[2] = strides[3];
  packed[3] = strides[2];
  packed[4] = strides[4];
  packed[5] = strides[5];
  _flow_copy_strided (_flow_cell_size (x->dtype), 6, dims, out->data, to_depth ? packed : space, x->data,
                      to_depth ? space : packed);
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

static gboolean
space_to_depth_compute (FlowKernelContext *c,
                        GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  gint64 block = flow_kernel_attr_int (c, "block_size");
  const gint64 *d = FLOW_DIMS (x);
  gint64 dims[4];

  if (!check_format (c, error))
    return FALSE;
  if (FLOW_RANK (x) != 4)
    return _flow_refuse (error, "Input rank should be 4 instead of %d", FLOW_RANK (x));
  if (block < 2)
    return _flow_refuse (error, "Block size should be > 1, but was: %" G_GINT64_FORMAT, block);
  if (d[1] % block != 0 || d[2] % block != 0)
    return _flow_refuse (error, "Image width %" G_GINT64_FORMAT " and height %" G_GINT64_FORMAT
                         " should be divisible by block_size: %" G_GINT64_FORMAT, d[2], d[1], block);
  dims[0] = d[0];
  dims[1] = d[1] / block;
  dims[2] = d[2] / block;
  if (!flow_mul_int64 (block, block, &dims[3]) || !flow_mul_int64 (dims[3], d[3], &dims[3]))
    return _flow_refuse (error, "The depth is too large");
  return move_depth (c, dims, dims[1], dims[2], d[3], TRUE, error);
}

static gboolean
depth_to_space_compute (FlowKernelContext *c,
                        GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  gint64 block = flow_kernel_attr_int (c, "block_size");
  const gint64 *d = FLOW_DIMS (x);
  gint64 square = 0;
  gint64 dims[4];

  if (!check_format (c, error))
    return FALSE;
  if (FLOW_RANK (x) != 4)
    return _flow_refuse (error, "Input rank should be: 4 instead of: %d", FLOW_RANK (x));
  if (block < 2 || !flow_mul_int64 (block, block, &square))
    return _flow_refuse (error, "Block size should be > 1, but was: %" G_GINT64_FORMAT, block);
  if (d[3] % square != 0)
    return _flow_refuse (error, "Input depth dimension %" G_GINT64_FORMAT " should be divisible by: %" G_GINT64_FORMAT,
                         d[3], square);
  dims[0] = d[0];
  if (!flow_mul_int64 (d[1], block, &dims[1]) || !flow_mul_int64 (d[2], block, &dims[2]))
    return _flow_refuse (error, "The picture is too large");
  dims[3] = d[3] / square;
  return move_depth (c, dims, d[1], d[2], dims[3], FALSE, error);
}

static gboolean
depth_infer (FlowInferContext *c,
             gboolean          to_depth,
             GError          **error)
{
  gint64 block = flow_infer_attr_int (c, "block_size");
  g_autoptr (FlowShape) in = NULL;
  g_autoptr (FlowShape) out = NULL;
  gint64 square = 0;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 4, &in, error))
    return FALSE;
  if (block < 1 || !flow_mul_int64 (block, block, &square))
    return _flow_refuse (error, "Block size should be > 1, but was: %" G_GINT64_FORMAT, block);
  if (strcmp (flow_infer_attr_string (c, "data_format"), "NHWC") != 0)
    {
      flow_infer_take_output (c, 0, flow_shape_new_of_rank (4));
      return TRUE;
    }
  out = flow_shape_new (4, in->dims);
  for (int i = 1; i < 4; i++)
    {
      gint64 factor = i == 3 ? square : block;

      if (in->dims[i] == FLOW_DIM_UNKNOWN)
        continue;
      if ((i == 3) != to_depth)
        {
          if (in->dims[i] % factor != 0)
            return _flow_refuse (error, "Dimension size must be evenly divisible by %" G_GINT64_FORMAT " but is %"
                                 G_GINT64_FORMAT, factor, in->dims[i]);
          out->dims[i] = in->dims[i] / factor;
        }
      else if (!flow_mul_int64 (in->dims[i], factor, &out->dims[i]))
        {
          return _flow_refuse (error, "Dimension %d of the result is too large", i);
        }
    }
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

static gboolean
space_to_depth_infer (FlowInferContext *c,
                      GError          **error)
{
  return depth_infer (c, TRUE, error);
}

static gboolean
depth_to_space_infer (FlowInferContext *c,
                      GError          **error)
{
  return depth_infer (c, FALSE, error);
}

static const FlowOpDef ops[] = {
  {
    .name = "BatchToSpace",
    .inputs = "input: T; crops: Tidx",
    .outputs = "output: T",
    .attrs = "T: type; block_size: int >= 2; Tidx: {int32, int64} = DT_INT32",
    .summary = "The batch put back into blocks of space",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = batch_to_space_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16",
        batch_to_space_compute },
      { NULL },
    },
  },
  {
    .name = "BatchToSpaceND",
    .inputs = "input: T; block_shape: Tblock_shape; crops: Tcrops",
    .outputs = "output: T",
    .attrs = "T: type; Tblock_shape: {int32, int64} = DT_INT32; Tcrops: {int32, int64} = DT_INT32",
    .summary = "The batch put back into blocks of space",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = batch_to_space_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16",
        batch_to_space_compute },
      { NULL },
    },
  },
  {
    .name = "DepthToSpace",
    .inputs = "input: T",
    .outputs = "output: T",
    .attrs = "T: type; block_size: int >= 2; data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = "
             "\"NHWC\"",
    .summary = "The depth put into blocks of space",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = depth_to_space_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant",
        depth_to_space_compute },
      { NULL },
    },
  },
  {
    .name = "SpaceToBatch",
    .inputs = "input: T; paddings: Tpaddings",
    .outputs = "output: T",
    .attrs = "T: type; Tpaddings: {int32, int64} = DT_INT32; block_size: int >= 2",
    .summary = "Blocks of space dealt out to the batch",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = space_to_batch_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16",
        space_to_batch_compute },
      { NULL },
    },
  },
  {
    .name = "SpaceToBatchND",
    .inputs = "input: T; block_shape: Tblock_shape; paddings: Tpaddings",
    .outputs = "output: T",
    .attrs = "T: type; Tblock_shape: {int32, int64} = DT_INT32; Tpaddings: {int32, int64} = "
             "DT_INT32",
    .summary = "Blocks of space dealt out to the batch",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = space_to_batch_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16",
        space_to_batch_compute },
      { NULL },
    },
  },
  {
    .name = "SpaceToDepth",
    .inputs = "input: T",
    .outputs = "output: T",
    .attrs = "T: type; block_size: int >= 2; data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = "
             "\"NHWC\"",
    .summary = "Blocks of space put into the depth",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = space_to_depth_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string qint8 resource variant",
        space_to_depth_compute },
      { NULL },
    },
  },
};

FLOW_DEFINE_OP_FAMILY (array_space, ops)
