/* flow-gradients-array.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-gradients-private.h"

#include <string.h>

/* Gradients of what moves elements without changing them: shapes, slices, joins. */

static void
grad_pass (FlowGradient *g)
{
  g->in_grads[0] = g->out_grads[0];
}

static void
grad_pass_all (FlowGradient *g)
{
  for (guint i = 0; i < MIN (g->n_inputs, g->n_outputs); i++)
    g->in_grads[i] = g->out_grads[i];
}

static void
grad_reshape (FlowGradient *g)
{
  FlowEndpoint shape = SHAPE (X (0));

  SET (0, RESHAPE (DY (0), shape));
}

static void
grad_transpose (FlowGradient *g)
{
  FlowEndpoint perm = OP1 ("InvertPermutation", NULL, X (1));

  SET (0, OP2 ("Transpose", "transpose", DY (0), perm));
}

static void
grad_conjugate_transpose (FlowGradient *g)
{
  FlowEndpoint perm = OP1 ("InvertPermutation", NULL, X (1));

  SET (0, OP2 (flow_dtype_is_complex (DTYPE (DY (0))) ? "ConjugateTranspose" : "Transpose", "transpose", DY (0), perm));
}

static void
grad_pack (FlowGradient *g)
{
  FlowAttrList *attrs = ATTRS ("axis");
  FlowEndpoint parts;

  _flow_gradients_set_int (attrs, "num", g->n_inputs);
  parts = OP_ATTRS ("Unpack", "unstack", attrs, DY (0));
  for (guint i = 0; i < g->n_inputs; i++)
    SET (i, SLOT (parts, (gint32) i));
}

static void
grad_unpack (FlowGradient *g)
{
  g_autofree FlowEndpoint *parts = g_new (FlowEndpoint, MAX (g->n_outputs, 1));

  for (guint i = 0; i < g->n_outputs; i++)
    parts[i] = DY (i);
  SET (0, flow_gradient_add (g, "Pack", "stack", ATTRS ("axis"), g->n_outputs, parts));
}

/* The gradients of all outputs beside each other, along an input of the op. */
static FlowEndpoint
join_back (FlowGradient *g,
           FlowEndpoint  axis)
{
  g_autofree FlowEndpoint *parts = g_new (FlowEndpoint, g->n_outputs + 1);

  for (guint i = 0; i < g->n_outputs; i++)
    parts[i] = DY (i);
  if (g->n_outputs == 1)
    return OP1 ("Identity", "concat", parts[0]);
  parts[g->n_outputs] = axis;
  return flow_gradient_add (g, "ConcatV2", "concat", NULL, g->n_outputs + 1, parts);
}

static void
grad_split (FlowGradient *g)
{
  SET (1, join_back (g, X (0)));
}

static void
grad_split_v (FlowGradient *g)
{
  SET (0, join_back (g, X (2)));
}

/* The shape of each part: constants where all are known. */
static void
shapes_of (FlowGradient *g,
           guint         first,
           guint         n,
           FlowEndpoint *shapes)
{
  g_autofree FlowEndpoint *inputs = g_new (FlowEndpoint, n);
  FlowEndpoint made;
  gboolean known = TRUE;

  for (guint i = 0; i < n && known && g->error == NULL; i++)
    {
      known = flow_gradient_is_known (g, X (first + i));
      shapes[i] = SHAPE (X (first + i));
    }
  if (known)
    return;
  for (guint i = 0; i < n; i++)
    inputs[i] = X (first + i);
  made = flow_gradient_add (g, "ShapeN", NULL, NULL, n, inputs);
  for (guint i = 0; i < n; i++)
    shapes[i] = SLOT (made, (gint32) i);
}

/* Many parts: by one Split of their sizes along the axis. */
static void
split_back (FlowGradient       *g,
            guint               first,
            guint               n,
            const FlowEndpoint *shapes,
            FlowEndpoint        axis)
{
  FlowAttrList *attrs = flow_attr_list_new ();
  FlowEndpoint sizes;
  FlowEndpoint begin[2];
  FlowEndpoint length;
  FlowEndpoint parts;

  _flow_gradients_set_int (attrs, "axis", 1);
  sizes = flow_gradient_add (g, "Pack", "stack", attrs, n, shapes);
  OPEN ("Slice");
  OPEN ("begin");
  begin[0] = axis;
  begin[1] = NUMBER ("1", FLOW_DTYPE_INT32, 0);
  begin[0] = flow_gradient_close (g, "Pack", NULL, 2, begin);
  length = INTS ("size", 1, -1);
  sizes = CLOSE ("Slice", sizes, begin[0], length);
  attrs = flow_attr_list_new ();
  sizes = OP_ATTRS ("Squeeze", NULL, attrs, sizes);
  attrs = flow_attr_list_new ();
  _flow_gradients_set_int (attrs, "num_split", n);
  parts = OP_ATTRS ("SplitV", "split", attrs, DY (0), sizes, axis);
  for (guint i = 0; i < n; i++)
    SET (first + i, SLOT (parts, (gint32) i));
}

static FlowEndpoint
fill_zero (FlowGradient *g,
           FlowEndpoint  dims)
{
  FlowEndpoint zero;

  OPEN ("Fill");
  zero = NUMBER ("value", FLOW_DTYPE_INT32, 0);
  return CLOSE ("Fill", dims, zero);
}

/* Rows of a join along another axis than 0: all indices, of the values what belongs to each part. */
static void
join_rows_across (FlowGradient       *g,
                  guint               first,
                  guint               n,
                  const FlowEndpoint *shapes,
                  FlowEndpoint        axis)
{
  FlowGrad rows = g->out_grads[0];
  FlowEndpoint n_dims = SHAPE (shapes[0]);
  FlowEndpoint mask[3];
  FlowEndpoint begin;
  FlowEndpoint number;

  mask[0] = _flow_gradients_expand (g, axis, 0);
  mask[0] = fill_zero (g, mask[0]);
  mask[1] = SUB (n_dims, axis);
  mask[1] = BY_NUMBER ("Sub", "sub", mask[1], 1);
  mask[1] = fill_zero (g, mask[1]);
  OPEN ("concat");
  mask[2] = mask[1];
  mask[1] = INTS ("values_1", 1);
  number = NUMBER ("axis", FLOW_DTYPE_INT32, 0);
  mask[0] = CLOSE ("ConcatV2", mask[0], mask[1], mask[2], number);
  begin = fill_zero (g, n_dims);
  for (guint i = 0; i < n; i++)
    {
      FlowEndpoint parts[3];
      FlowEndpoint value;

      OPEN ("Slice");
      parts[0] = INTS ("begin", 1);
      parts[1] = INTS ("size", -1);
      value = CLOSE ("Slice", shapes[i], parts[0], parts[1]);
      OPEN ("concat");
      parts[0] = INTS ("values_0", -1);
      parts[1] = NUMBER ("axis", FLOW_DTYPE_INT32, 0);
      value = CLOSE ("ConcatV2", parts[0], value, parts[1]);
      value = OP3 ("Slice", NULL, rows.values, begin, value);
      flow_gradient_set_rows (g, first + i, value, rows.indices, shapes[i]);
      value = MUL (shapes[i], mask[0]);
      begin = OP2 ("Add", NULL, begin, value);
    }
}

/* Rows of a join along axis 0: those whose index lies in each part. */
static void
join_rows_along (FlowGradient       *g,
                 guint               first,
                 guint               n,
                 const FlowEndpoint *shapes,
                 FlowEndpoint        axis)
{
  FlowGrad rows = g->out_grads[0];
  int dtype = DTYPE (rows.indices);
  FlowEndpoint start = NUMBER (NULL, dtype, 0);

  for (guint i = 0; i < n; i++)
    {
      FlowAttrList *attrs = flow_attr_list_new ();
      gint64 one = 1;
      FlowAttr *dims = flow_attr_new_int_list (&one, 1);
      FlowEndpoint end = CAST (GATHER (shapes[i], axis), dtype);
      FlowEndpoint chosen;
      FlowEndpoint indices;

      end = ADD (start, end);
      chosen = OP2 ("GreaterEqual", NULL, rows.indices, start);
      chosen = OP2 ("LogicalAnd", NULL, chosen, OP2 ("Less", NULL, rows.indices, end));
      chosen = OP1 ("Where", NULL, chosen);
      flow_attr_list_set (attrs, "squeeze_dims", dims);
      flow_attr_unref (dims);
      chosen = OP_ATTRS ("Squeeze", NULL, attrs, chosen);
      indices = GATHER (rows.indices, chosen);
      indices = SUB (indices, start);
      flow_gradient_set_rows (g, first + i, GATHER (rows.values, chosen), indices, shapes[i]);
      start = end;
    }
}

static void
join_rows (FlowGradient       *g,
           guint               first,
           guint               n,
           FlowEndpoint        axis,
           FlowEndpoint        mod)
{
  FlowTensor *value = _flow_gradients_value (g, axis);
  g_autofree FlowEndpoint *shapes = g_new (FlowEndpoint, n);
  gint64 at = value != NULL ? flow_tensor_get_int (value, 0) : 0;

  if (g->error != NULL)
    return;
  if (value == NULL)
    {
      g_set_error_literal (&g->error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                           "Can only compute IndexedSlices gradient with statically-known concat_dim");
      return;
    }
  if (at < 0)
    {
      FlowEndpoint rank = RANK (X (first));

      if (_flow_gradients_value (g, rank) == NULL)
        {
          g_clear_error (&g->error);
          g_set_error_literal (&g->error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                               "Can only compute IndexedSlices gradient with negative concat_dim when first value rank is "
                               "statically-known.");
          return;
        }
      at += _flow_gradients_n_dims (g, X (first));
    }
  for (guint i = 0; i < n; i++)
    shapes[i] = SHAPE (X (first + i));
  if (at > 0)
    join_rows_across (g, first, n, shapes, mod);
  else
    join_rows_along (g, first, n, shapes, mod);
}

/* A constant of another control-flow context is made again in this one, so that no loop need carry it. */
static FlowEndpoint
own_constant (FlowGradient *g,
              FlowEndpoint  x)
{
  FlowTensor *value = NULL;

  if (g->error != NULL || flow_gradient_is_rows (g, DY (0))
      || strcmp (g->maker->get_type (g->maker->self, x.node), "Const") != 0
      || g->maker->is_beside (g->maker->self, x.node, DY (0).node))
    return x;
  value = _flow_gradients_value (g, x);
  return value != NULL ? NUMBER (NULL, DTYPE (x), (double) flow_tensor_get_int (value, 0)) : x;
}

static void
concat_back (FlowGradient *g,
             guint         first,
             guint         axis)
{
  guint n = g->n_inputs - 1;
  g_autofree FlowEndpoint *parts = g_new (FlowEndpoint, n + 1);
  FlowEndpoint offsets;
  FlowEndpoint mod;

  if (n == 1)
    {
      SET (first, DY (0));
      return;
    }
  mod = own_constant (g, X (axis));
  mod = MOD (mod, RANK (X (first)));
  if (flow_gradient_is_rows (g, DY (0)))
    {
      join_rows (g, first, n, X (axis), mod);
      return;
    }
  parts[0] = mod;
  shapes_of (g, first, n, parts + 1);
  if (n > 16)
    {
      split_back (g, first, n, parts + 1, mod);
      return;
    }
  offsets = flow_gradient_add (g, "ConcatOffset", NULL, NULL, n + 1, parts);
  for (guint i = 0; i < n; i++)
    SET (first + i, OP3 ("Slice", NULL, DY (0), SLOT (offsets, (gint32) i), parts[i + 1]));
}

static void
grad_concat (FlowGradient *g)
{
  concat_back (g, 1, 0);
}

static void
grad_concat_v2 (FlowGradient *g)
{
  concat_back (g, 0, g->n_inputs - 1);
}

static FlowEndpoint
pack_rank_and_one (FlowGradient *g,
                   FlowEndpoint  x)
{
  FlowEndpoint parts[2];

  parts[0] = RANK (x);
  OPEN ("stack");
  parts[1] = NUMBER ("1", FLOW_DTYPE_INT32, 1);
  return flow_gradient_close (g, "Pack", NULL, 2, parts);
}

static void
grad_slice (FlowGradient *g)
{
  FlowEndpoint rank = RANK (X (0));
  FlowEndpoint size = SHAPE (Y (0));
  FlowEndpoint shape;
  FlowEndpoint before;
  FlowEndpoint after;

  OPEN ("stack");
  shape = NUMBER ("1", FLOW_DTYPE_INT32, 1);
  shape = CLOSE ("Pack", rank, shape);
  before = RESHAPE (X (1), shape);
  after = SHAPE (X (0));
  after = SUB (after, size);
  after = SUB (after, X (1));
  after = RESHAPE (after, shape);
  SET (0, OP2 ("Pad", NULL, DY (0), JOIN (1, before, after)));
}

#define MASKS "begin_mask end_mask ellipsis_mask new_axis_mask shrink_axis_mask"

static void
grad_strided_slice (FlowGradient *g)
{
  FlowEndpoint shape = flow_gradient_shape (g, X (0), NULL, DTYPE (X (1)), TRUE);

  SET (0, OP_ATTRS ("StridedSliceGrad", NULL, ATTRS (MASKS), shape, X (1), X (2), X (3), DY (0)));
}

static void
grad_strided_slice_grad (FlowGradient *g)
{
  SET (4, OP_ATTRS ("StridedSlice", NULL, ATTRS (MASKS), DY (0), X (1), X (2), X (3)));
}

static void
grad_pad (FlowGradient *g)
{
  FlowEndpoint begin;
  FlowEndpoint size;

  size = pack_rank_and_one (g, X (0));
  OPEN ("Slice");
  begin = INTS ("begin", 0, 0);
  begin = CLOSE ("Slice", X (1), begin, size);
  begin = RESHAPE_TO (begin, -1);
  size = SHAPE (X (0));
  SET (0, OP3 ("Slice", NULL, DY (0), begin, size));
}

static FlowEndpoint
every_second (FlowGradient *g,
              FlowEndpoint  split)
{
  FlowEndpoint size = SIZE (split);
  FlowEndpoint start;
  FlowEndpoint delta;

  OPEN ("range");
  start = NUMBER ("start", FLOW_DTYPE_INT32, 0);
  delta = NUMBER ("delta", FLOW_DTYPE_INT32, 2);
  return CLOSE ("Range", start, size, delta);
}

/* Interleaves multiples and shape, and sums over what was repeated. */
static void
grad_tile (FlowGradient *g)
{
  FlowEndpoint input = flow_gradient_shape (g, X (0), NULL, DTYPE (X (1)), TRUE);
  FlowEndpoint split = OP2 ("Pack", "stack", X (1), input);
  FlowEndpoint value;
  FlowEndpoint axes;

  split = TRANSPOSE (split, 1, 0);
  split = RESHAPE_TO (split, -1);
  axes = every_second (g, split);
  value = DY (0);
  if (flow_gradient_is_rows (g, value))
    {
      FlowGrad rows = g->out_grads[0];
      FlowEndpoint one;
      FlowEndpoint axis;

      input = _flow_gradients_item (g, input, 0);
      input = CAST (input, DTYPE (rows.indices));
      value = OP2 ("FloorMod", NULL, rows.indices, input);
      value = OP3 ("UnsortedSegmentSum", NULL, rows.values, value, input);
      split = _flow_gradients_range_of (g, split, 1, FLOW_END_OF_SLICE);
      OPEN ("concat");
      one = flow_gradient_ints (g, "values_0", DTYPE (split), (gint64[]) { 1 }, 1);
      axis = NUMBER ("axis", FLOW_DTYPE_INT32, 0);
      split = CLOSE ("ConcatV2", one, split, axis);
    }
  value = RESHAPE (value, split);
  SET (0, SUM (value, axes));
}

static void
grad_diag (FlowGradient *g)
{
  SET (0, OP1 ("DiagPart", NULL, DY (0)));
}

static void
grad_diag_part (FlowGradient *g)
{
  SET (0, OP1 ("Diag", NULL, DY (0)));
}

static void
grad_matrix_diag (FlowGradient *g)
{
  SET (0, OP1 ("MatrixDiagPart", "diag_part", DY (0)));
}

static gboolean
last_two (FlowGradient *g,
          FlowEndpoint  x,
          gint64       *dims)
{
  FlowShape *shape = g->error == NULL ? flow_gradient_get_shape (g, x) : NULL;

  if (shape == NULL || shape->rank < 2)
    return FALSE;
  dims[0] = shape->dims[shape->rank - 2];
  dims[1] = shape->dims[shape->rank - 1];
  return dims[0] >= 0 && dims[1] >= 0;
}

static void
grad_matrix_diag_part (FlowGradient *g)
{
  gint64 dims[2];

  if (last_two (g, X (0), dims) && dims[0] == dims[1])
    SET (0, OP1 ("MatrixDiag", "diag", DY (0)));
  else
    SET (0, OP2 ("MatrixSetDiag", "set_diag", ZEROS_LIKE (X (0)), DY (0)));
}

static void
grad_matrix_diag_part_v2 (FlowGradient *g)
{
  gint64 dims[2];

  if (last_two (g, X (0), dims))
    SET (0, OP1 ("MatrixDiag", "diag", DY (0)));
  else
    SET (0, OP2 ("MatrixSetDiag", "set_diag", ZEROS_LIKE (X (0)), DY (0)));
}

/* The diagonal's shape, out of the matrices' where nothing is known. */
static FlowEndpoint
dynamic_diagonal (FlowGradient *g)
{
  FlowEndpoint shape;
  FlowEndpoint rank;
  FlowEndpoint batch;
  FlowEndpoint matrix;
  FlowEndpoint numbers[3];

  flow_gradient_with (g, DY (0));
  shape = SHAPE (DY (0));
  rank = RANK (DY (0));
  numbers[1] = BY_NUMBER ("Sub", "sub", rank, 2);
  OPEN ("Slice");
  numbers[0] = INTS ("begin", 0);
  numbers[1] = OP1 ("Pack", "size", numbers[1]);
  batch = CLOSE ("Slice", shape, numbers[0], numbers[1]);
  numbers[0] = BY_NUMBER ("Sub", "sub", rank, 2);
  OPEN ("Slice");
  numbers[0] = OP1 ("Pack", "begin", numbers[0]);
  numbers[1] = INTS ("size", 2);
  matrix = CLOSE ("Slice", shape, numbers[0], numbers[1]);
  matrix = _flow_gradients_reduce_all (g, "Min", matrix);
  OPEN ("concat");
  numbers[1] = OP1 ("Pack", "values_1", matrix);
  numbers[2] = NUMBER ("axis", FLOW_DTYPE_INT32, 0);
  shape = CLOSE ("ConcatV2", batch, numbers[1], numbers[2]);
  LEAVE ();
  return shape;
}

static void
grad_matrix_set_diag (FlowGradient *g)
{
  FlowEndpoint zeros;

  FlowShape *shape;

  if (g->error != NULL)
    return;
  shape = flow_gradient_get_shape (g, flow_gradient_is_known (g, X (0)) ? X (0) : DY (0));
  if (flow_shape_is_known (shape) && shape->rank >= 2)
    {
      gint64 dims[FLOW_SHAPE_MAX_RANK];
      int rank = shape->rank - 1;

      for (int i = 0; i < rank; i++)
        dims[i] = shape->dims[i];
      dims[rank - 1] = MIN (shape->dims[rank], shape->dims[rank - 1]);
      zeros = flow_gradient_filled (g, "zeros", dims, (guint) rank, DTYPE (DY (0)), 0);
    }
  else
    zeros = ZEROS (dynamic_diagonal (g), DTYPE (DY (0)));
  SET (0, OP2 ("MatrixSetDiag", "set_diag", DY (0), zeros));
  SET (1, OP1 ("MatrixDiagPart", "diag_part", DY (0)));
}

/* TF: the ops of the first version, whatever the diagonals. */
static void
grad_matrix_set_diag_v2 (FlowGradient *g)
{
  FlowShape *shape = g->error == NULL ? flow_gradient_get_shape (g, X (1)) : NULL;
  FlowEndpoint zeros;

  if (shape == NULL)
    return;
  if (!flow_shape_is_known (shape))
    {
      g_set_error_literal (&g->error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED,
                           "The gradient of MatrixSetDiagV2 is not made for diagonals of unknown shape");
      return;
    }
  zeros = flow_gradient_filled (g, "zeros", shape->dims, (guint) shape->rank, DTYPE (DY (0)), 0);
  SET (0, OP2 ("MatrixSetDiag", "set_diag", DY (0), zeros));
  SET (1, OP1 ("MatrixDiagPart", "diag_part", DY (0)));
}

static void
grad_matrix_band_part (FlowGradient *g)
{
  SET (0, OP3 ("MatrixBandPart", NULL, DY (0), X (1), X (2)));
}

static void
grad_fill (FlowGradient *g)
{
  SET (1, _flow_gradients_reduce_all (g, "Sum", DY (0)));
}

/* Bytes as Python shows them. */
static char *
shown (const char *text)
{
  gboolean by_double = text != NULL && strchr (text, '\'') != NULL && strchr (text, '"') == NULL;

  return g_strdup_printf (by_double ? "b\"%s\"" : "b'%s'", text != NULL ? text : "");
}

static void
grad_prevent (FlowGradient *g)
{
  g_autofree char *message = shown (flow_attr_get_string (flow_gradient_attr (g, "message"), NULL));

  if (g->error == NULL)
    g_set_error (&g->error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED, "Gradient explicitly disabled. Reason: %s", message);
}

static void
grad_check_numerics (FlowGradient *g)
{
  FlowAttrList *attrs = flow_attr_list_new ();
  g_autofree char *given = shown (flow_attr_get_string (flow_gradient_attr (g, "message"), NULL));
  g_autofree char *message = g_strconcat ("Not a number (NaN) or infinity (Inf) values detected in gradient. ", given, NULL);

  _flow_gradients_set_string (attrs, "message", message);
  SET (0, OP_ATTRS (flow_gradient_type (g), NULL, attrs, DY (0)));
}

static void
grad_reverse (FlowGradient *g)
{
  const char *type = flow_gradient_type (g);

  SET (0, OP2 (type, NULL, DY (0), X (1)));
}

static void
grad_reverse_sequence (FlowGradient *g)
{
  SET (0, OP_ATTRS ("ReverseSequence", NULL, ATTRS ("seq_dim batch_dim"), DY (0), X (1)));
}

/* The op with one block size is made as the one with many. */
static void
blocks (FlowGradient *g,
        const char   *type)
{
  gint64 sizes[2] = { _flow_gradients_get_int (g, "block_size"), _flow_gradients_get_int (g, "block_size") };
  FlowEndpoint dy;
  FlowEndpoint shape;

  OPEN (type);
  dy = flow_gradient_dense (g, DY (0), "input");
  shape = flow_gradient_ints (g, "block_shape", FLOW_DTYPE_INT32, sizes, 2);
  SET (0, CLOSE (type, dy, shape, X (1)));
}

static void
grad_space_to_batch (FlowGradient *g)
{
  blocks (g, "BatchToSpaceND");
}

static void
grad_batch_to_space (FlowGradient *g)
{
  blocks (g, "SpaceToBatchND");
}

static void
grad_space_to_batch_nd (FlowGradient *g)
{
  SET (0, OP3 ("BatchToSpaceND", NULL, DY (0), X (1), X (2)));
}

static void
grad_batch_to_space_nd (FlowGradient *g)
{
  SET (0, OP3 ("SpaceToBatchND", NULL, DY (0), X (1), X (2)));
}

static void
grad_space_to_depth (FlowGradient *g)
{
  SET (0, OP_ATTRS ("DepthToSpace", NULL, ATTRS ("block_size data_format"), DY (0)));
}

static void
grad_depth_to_space (FlowGradient *g)
{
  SET (0, OP_ATTRS ("SpaceToDepth", NULL, ATTRS ("block_size data_format"), DY (0)));
}

static void
grad_mirror_pad (FlowGradient *g)
{
  SET (0, OP_ATTRS ("MirrorPadGrad", NULL, ATTRS ("mode"), DY (0), X (1)));
}

static void
grad_mirror_pad_grad (FlowGradient *g)
{
  SET (0, OP_ATTRS ("MirrorPad", NULL, ATTRS ("mode"), DY (0), X (1)));
}

static void
grad_broadcast_to (FlowGradient *g)
{
  FlowEndpoint shape = SHAPE (X (0));
  FlowEndpoint axes = OP2 ("BroadcastGradientArgs", NULL, X (1), shape);
  FlowEndpoint sum = OP_ATTRS ("Sum", NULL, _flow_gradients_bool_attr ("keep_dims", TRUE), DY (0), SLOT (axes, 1));

  SET (0, RESHAPE (sum, shape));
}

static void
grad_roll (FlowGradient *g)
{
  SET (0, OP3 ("Roll", NULL, DY (0), NEG (X (1)), X (2)));
}

static void
fake_quant (FlowGradient *g,
            const char   *type,
            const char   *attrs)
{
  FlowEndpoint made;

  if (g->n_inputs == 1)
    {
      SET (0, OP_ATTRS (type, NULL, ATTRS (attrs), DY (0), X (0)));
      return;
    }
  made = OP_ATTRS (type, NULL, ATTRS (attrs), DY (0), X (0), X (1), X (2));
  for (gint32 i = 0; i < 3; i++)
    SET ((guint) i, SLOT (made, i));
}

static void
grad_fake_quant (FlowGradient *g)
{
  g_autofree char *type = g_strconcat (flow_gradient_type (g), "Gradient", NULL);

  fake_quant (g, type, g->n_inputs == 1 ? "min max num_bits narrow_range" : "num_bits narrow_range");
}

static const FlowGradientDef defs[] = {
  { "Identity RefIdentity ReadVariableOp PlaceholderWithDefault QuantizeAndDequantize QuantizeAndDequantizeV2 "
    "QuantizeAndDequantizeV3 EnsureShape Print", grad_pass },
  { "IdentityN", grad_pass_all },
  { "Reshape Squeeze ExpandDims", grad_reshape },
  { "Transpose", grad_transpose },
  { "ConjugateTranspose", grad_conjugate_transpose },
  { "Pack", grad_pack },
  { "Unpack", grad_unpack },
  { "Split", grad_split },
  { "SplitV", grad_split_v },
  { "Concat", grad_concat },
  { "ConcatV2", grad_concat_v2 },
  { "Slice", grad_slice },
  { "StridedSlice", grad_strided_slice },
  { "StridedSliceGrad", grad_strided_slice_grad },
  { "Pad PadV2", grad_pad },
  { "Tile", grad_tile },
  { "Diag", grad_diag },
  { "DiagPart", grad_diag_part },
  { "MatrixDiag MatrixDiagV2", grad_matrix_diag },
  { "MatrixDiagPart", grad_matrix_diag_part },
  { "MatrixDiagPartV2", grad_matrix_diag_part_v2 },
  { "MatrixSetDiag", grad_matrix_set_diag },
  { "MatrixSetDiagV2", grad_matrix_set_diag_v2 },
  { "MatrixBandPart", grad_matrix_band_part },
  { "Fill", grad_fill },
  { "PreventGradient", grad_prevent },
  { "CheckNumerics CheckNumericsV2", grad_check_numerics },
  { "Reverse ReverseV2", grad_reverse },
  { "ReverseSequence", grad_reverse_sequence },
  { "SpaceToBatch", grad_space_to_batch },
  { "BatchToSpace", grad_batch_to_space },
  { "SpaceToBatchND", grad_space_to_batch_nd },
  { "BatchToSpaceND", grad_batch_to_space_nd },
  { "SpaceToDepth", grad_space_to_depth },
  { "DepthToSpace", grad_depth_to_space },
  { "MirrorPad", grad_mirror_pad },
  { "MirrorPadGrad", grad_mirror_pad_grad },
  { "BroadcastTo", grad_broadcast_to },
  { "Roll", grad_roll },
  { "FakeQuantWithMinMaxArgs FakeQuantWithMinMaxVars FakeQuantWithMinMaxVarsPerChannel", grad_fake_quant },
};

void
_flow_gradients_add_array (void)
{
  flow_gradient_registry_add (defs, G_N_ELEMENTS (defs));
}
