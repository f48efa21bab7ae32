/* flow-gradients-media.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-gradients-private.h"

/* Gradients of what serves pictures, sound, sequences and samples. */

#include <string.h>

static void
resize_back (FlowGradient *g,
             const char   *type)
{
  SET (0, OP_ATTRS (type, NULL, ATTRS ("align_corners half_pixel_centers"), DY (0), X (0)));
}

static void
grad_resize_bilinear (FlowGradient *g)
{
  resize_back (g, "ResizeBilinearGrad");
}

static void
grad_resize_bicubic (FlowGradient *g)
{
  if (DTYPE (X (0)) == FLOW_DTYPE_FLOAT || DTYPE (X (0)) == FLOW_DTYPE_DOUBLE)
    resize_back (g, "ResizeBicubicGrad");
}

static void
grad_resize_nearest (FlowGradient *g)
{
  FlowShape *shape = g->error == NULL ? flow_gradient_get_shape (g, X (0)) : NULL;
  FlowAttrList *attrs = ATTRS ("align_corners half_pixel_centers");
  FlowEndpoint size;

  if (shape != NULL && shape->rank == 4 && shape->dims[1] >= 0 && shape->dims[2] >= 0)
    {
      FlowEndpoint dy;

      OPEN ("ResizeNearestNeighborGrad");
      dy = flow_gradient_dense (g, DY (0), "grads");
      size = INTS ("size", shape->dims[1], shape->dims[2]);
      SET (0, flow_gradient_close (g, "ResizeNearestNeighborGrad", attrs, 2, (FlowEndpoint[2]) { dy, size }));
      return;
    }
  size = SHAPE (X (0));
  size = _flow_gradients_range_of (g, size, 1, 3);
  SET (0, OP_ATTRS ("ResizeNearestNeighborGrad", NULL, attrs, DY (0), size));
}

static void
grad_scale_and_translate (FlowGradient *g)
{
  SET (0, OP_ATTRS ("ScaleAndTranslateGrad", NULL, ATTRS ("kernel_type antialias"), DY (0), X (0), X (2), X (3)));
}

static void
grad_crop_and_resize (FlowGradient *g)
{
  FlowShape *shape = g->error == NULL ? flow_gradient_get_shape (g, X (0)) : NULL;
  gboolean known = shape != NULL && flow_shape_is_known (shape);
  FlowAttrList *attrs = NULL;
  FlowEndpoint inputs[4];

  if (shape == NULL)
    return;
  inputs[3] = known ? FLOW_NO_ENDPOINT : SHAPE (X (0));
  if (flow_dtype_is_floating (DTYPE (X (0))))
    {
      attrs = ATTRS ("method");
      _flow_gradients_set_type (attrs, "T", DTYPE (X (0)));
      OPEN ("CropAndResizeGradImage");
      inputs[0] = flow_gradient_dense (g, DY (0), "grads");
      inputs[1] = X (1);
      inputs[2] = X (2);
      if (known)
        inputs[3] = flow_gradient_ints (g, "image_size", FLOW_DTYPE_INT32, shape->dims, (guint) shape->rank);
      SET (0, flow_gradient_close (g, "CropAndResizeGradImage", attrs, 4, inputs));
    }
  SET (1, OP ("CropAndResizeGradBoxes", NULL, DY (0), X (0), X (1), X (2)));
}

/* --- Fourier transforms --- */

static FlowEndpoint
n_transformed (FlowGradient *g,
               gint64        rank)
{
  FlowEndpoint shape = SHAPE (DY (0));

  shape = _flow_gradients_range_of (g, shape, -rank, FLOW_END_OF_SLICE);
  return _flow_gradients_reduce_all (g, "Prod", shape);
}

/* FFT, FFT2D, FFT3D: back by the inverse, which divides by the size. */
static void
grad_fft (FlowGradient *g)
{
  const char *type = flow_gradient_type (g);
  g_autofree char *back = g_strconcat ("I", type, NULL);
  FlowEndpoint size = n_transformed (g, type[3] != '\0' ? type[3] - '0' : 1);

  size = CAST (size, DTYPE (DY (0)));
  SET (0, MUL (OP1 (back, NULL, DY (0)), size));
}

static void
grad_ifft (FlowGradient *g)
{
  const char *type = flow_gradient_type (g) + 1;
  FlowEndpoint size = n_transformed (g, type[3] != '\0' ? type[3] - '0' : 1);

  size = CAST (size, DTYPE (DY (0)) == FLOW_DTYPE_COMPLEX128 ? FLOW_DTYPE_DOUBLE : FLOW_DTYPE_FLOAT);
  size = NUMBER_BY ("RealDiv", "truediv", 1, size);
  size = CAST (size, DTYPE (DY (0)));
  SET (0, MUL (OP1 (type, NULL, DY (0)), size));
}

/* --- Sequences --- */

static void
grad_ctc (FlowGradient *g)
{
  FlowAttrList *attrs = flow_attr_list_new ();
  FlowEndpoint value;

  _flow_gradients_set_string (attrs, "message", "Currently there is no way to take the second  derivative of ctc_loss due to "
                              "the fused implementation's interaction  with tf.gradients()");
  value = OP_ATTRS ("PreventGradient", NULL, attrs, Y (1));
  SET (0, MUL (_flow_gradients_expand_last (g, DY (0)), value));
}

static void
grad_block_lstm (FlowGradient *g)
{
  FlowEndpoint inputs[18];
  FlowEndpoint made;

  for (guint i = 0; i < 9; i++)
    inputs[i] = X (i);
  for (guint i = 0; i < 7; i++)
    inputs[9 + i] = Y (i);
  inputs[16] = DY (1);
  inputs[17] = DY (6);
  made = flow_gradient_add (g, "BlockLSTMGrad", NULL, ATTRS ("use_peephole"), 18, inputs);
  for (gint32 i = 0; i < 8; i++)
    SET ((guint) i + 1, SLOT (made, i));
}

static FlowEndpoint
cut (FlowGradient *g,
     FlowEndpoint  x,
     gint64        begin,
     gint64        batch,
     gint64        n)
{
  FlowEndpoint numbers[2];

  OPEN ("Slice");
  numbers[0] = INTS ("begin", 0, begin);
  numbers[1] = INTS ("size", batch, n);
  return CLOSE ("Slice", x, numbers[0], numbers[1]);
}

static FlowEndpoint
weights_back (FlowGradient *g,
              FlowEndpoint  inputs,
              FlowEndpoint  gates)
{
  return _flow_gradients_matmul (g, inputs, gates, TRUE, FALSE);
}

static gint64
second_dim (FlowGradient *g,
            FlowEndpoint  x,
            const char   *what,
            const char   *of)
{
  FlowShape *shape = g->error == NULL ? flow_gradient_get_shape (g, x) : NULL;

  if (shape != NULL && (shape->rank != 2 || shape->dims[1] < 0))
    g_set_error (&g->error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%s from `%s` should not be None.", what, of);
  return g->error == NULL ? shape->dims[1] : -1;
}

static void
grad_lstm_block_cell (FlowGradient *g)
{
  gint64 n_inputs = second_dim (g, X (0), "input_size", "x");
  gint64 n_cells = second_dim (g, X (1), "cell_size", "cs_prev");
  gint64 batch = g->error == NULL ? flow_gradient_get_shape (g, X (0))->dims[0] : -1;
  FlowEndpoint inputs[16];
  FlowEndpoint made;
  FlowEndpoint gates;
  FlowEndpoint value;

  for (guint i = 0; i < 8; i++)
    inputs[i] = X (i);
  for (guint i = 0; i < 6; i++)
    inputs[8 + i] = Y (i);
  inputs[14] = DY (1);
  inputs[15] = DY (6);
  made = flow_gradient_add (g, "LSTMBlockCellGrad", NULL, ATTRS ("use_peephole"), 16, inputs);
  gates = SLOT (made, 1);
  SET (1, made);
  for (gint32 i = 2; i < 5; i++)
    SET ((guint) i + 2, SLOT (made, i));
  value = _flow_gradients_matmul (g, gates, X (3), FALSE, TRUE);
  SET (0, cut (g, value, 0, batch, n_inputs));
  SET (2, cut (g, value, n_inputs, batch, n_cells));
  value = JOIN (1, X (0), X (2));
  SET (3, weights_back (g, value, gates));
  SET (7, OP1 ("BiasAddGrad", NULL, gates));
}

static void
grad_gru_block_cell (FlowGradient *g)
{
  FlowEndpoint made = OP ("GRUBlockCellGrad", NULL, X (0), X (1), X (2), X (3), X (4), X (5), Y (0), Y (1), Y (2), DY (3));
  FlowEndpoint value;

  SET (0, made);
  SET (1, SLOT (made, 1));
  value = JOIN (1, X (0), X (1));
  SET (2, weights_back (g, value, SLOT (made, 3)));
  SET (4, OP1 ("BiasAddGrad", NULL, SLOT (made, 3)));
  value = MUL (X (1), Y (0));
  value = JOIN (1, X (0), value);
  SET (3, weights_back (g, value, SLOT (made, 2)));
  SET (5, OP1 ("BiasAddGrad", NULL, SLOT (made, 2)));
}

/* --- Samples --- */

static void
grad_random_gamma (FlowGradient *g)
{
  FlowEndpoint n;
  FlowEndpoint shape;
  FlowEndpoint value;

  AFTER (DY (0));
  n = _flow_gradients_item (g, SHAPE (X (0)), 0);
  OPEN ("ones");
  /* What is left of asking whether it is small. */
  BY_NUMBER ("Less", "Less", n, 1000);
  shape = OP1 ("Pack", "packed", n);
  value = NUMBER ("Const", FLOW_DTYPE_INT32, 1);
  value = CLOSE ("Fill", shape, value);
  shape = SHAPE (X (1));
  shape = JOIN (0, value, shape);
  value = RESHAPE (X (1), shape);
  value = OP2 ("RandomGammaGrad", NULL, value, Y (0));
  value = MUL (DY (0), value);
  SET (1, SUM (value, flow_gradient_range (g, n)));
  LEAVE ();
}

static void
grad_periodic_resample (FlowGradient *g)
{
  FlowShape *shape = g->error == NULL ? flow_gradient_get_shape (g, X (0)) : NULL;
  g_autoptr (FlowShape) unknown = flow_shape_new_unknown ();
  g_autoptr (FlowAttr) original = flow_attr_new_shape (shape != NULL ? shape : unknown);
  FlowAttrList *attrs = flow_attr_list_new ();

  flow_attr_list_set (attrs, "original_shape", original);
  flow_attr_list_set (attrs, "desired_shape", flow_gradient_attr (g, "shape"));
  SET (0, OP_ATTRS ("PeriodicResampleOpGrad", NULL, attrs, DY (0)));
}

static void
grad_quantize_and_dequantize_v4 (FlowGradient *g)
{
  FlowEndpoint made = OP_ATTRS ("QuantizeAndDequantizeV4Grad", NULL, ATTRS ("axis"), DY (0), X (0), X (1), X (2));

  for (int i = 0; i < 3; i++)
    SET (i, SLOT (made, i));
}

static const FlowGradientDef defs[] = {
  { "ResizeBilinear", grad_resize_bilinear },
  { "ResizeBicubic", grad_resize_bicubic },
  { "ResizeNearestNeighbor", grad_resize_nearest },
  { "ScaleAndTranslate", grad_scale_and_translate },
  { "CropAndResize", grad_crop_and_resize },
  { "FFT FFT2D FFT3D", grad_fft },
  { "IFFT IFFT2D IFFT3D", grad_ifft },
  { "CTCLoss", grad_ctc },
  { "BlockLSTM BlockLSTMV2", grad_block_lstm },
  { "LSTMBlockCell", grad_lstm_block_cell },
  { "GRUBlockCell", grad_gru_block_cell },
  { "RandomGamma", grad_random_gamma },
  { "PeriodicResample", grad_periodic_resample },
  { "QuantizeAndDequantizeV4", grad_quantize_and_dequantize_v4 },
};

void
_flow_gradients_add_media (void)
{
  flow_gradient_registry_add (defs, G_N_ELEMENTS (defs));
}
