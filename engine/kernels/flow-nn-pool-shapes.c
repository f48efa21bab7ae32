/* flow-nn-pool-shapes.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-nn-pool-private.h"

/* The shapes of pooling and of its gradients. */

static gboolean
infer_pool (FlowInferContext  *c,
            int                n_spatial,
            gboolean           v2,
            GError           **error)
{
  g_autoptr (FlowShape) input = NULL;
  FlowWindowAttrs attrs;
  int rank = n_spatial + 2;
  gint64 dims[5];
  FlowPoolSource source = {
    .n_spatial = n_spatial,
    .format = flow_pool_has_attr (c->signature, "data_format") ? flow_infer_attr (c, "data_format") : NULL,
    .padding = flow_infer_attr (c, "padding"),
  };

  if (c->running && n_spatial == 3)
    FLOW_REQUIRE (flow_infer_input (c, 0)->rank == rank, error, INVALID_ARGUMENT, "tensor_in must be 5-dimensional");
  else if (c->running)
    FLOW_REQUIRE (flow_infer_input (c, 0)->rank == rank, error, INVALID_ARGUMENT,
                  "tensor_in_shape must have %d spatial dimensions. %d 0", n_spatial, flow_infer_input (c, 0)->rank);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), rank, &input, error))
    return FALSE;
  if (v2)
    {
      source.ksize_value = flow_infer_input_value (c, 1);
      source.strides_value = flow_infer_input_value (c, 2);
      if (source.ksize_value == NULL || source.strides_value == NULL)
        {
          flow_infer_take_output (c, 0, flow_shape_new_of_rank (rank));
          return TRUE;
        }
    }
  else
    {
      source.ksize = flow_infer_attr (c, "ksize");
      source.strides = flow_infer_attr (c, "strides");
    }
  if (!flow_pool_read_window (&source, &attrs, error) ||
      (v2 && c->running && !flow_pool_check_window (&attrs, FLOW_POOL_MAX_V2, error)) ||
      (c->running && !flow_pool_check_depth (&attrs, input->dims[flow_nn_dim (&attrs, rank - 1)], error)) ||
      !flow_pool_check_sizes (&attrs, rank - 1, error) ||
      !flow_pool_check_strides (&attrs, 0, c->running ? rank - 2 : rank - 1, error))
    return FALSE;
  for (int i = 0; i < rank; i++)
    {
      gint64 dim = flow_shape_get_dim (input, flow_nn_dim (&attrs, i));

      /* A depthwise pooling leaves the image's size alone, and any other the depth, whatever the strides. */
      if (i > 0 && (!c->running || (i == rank - 1) == (attrs.ksize[rank - 1] != 1)))
        dim = flow_window_infer (dim, attrs.ksize[i], 1, attrs.strides[i], attrs.padding, 0, c->running, error);
      if (dim == -2)
        return FALSE;
      dims[flow_nn_dim (&attrs, i)] = dim;
    }
  flow_infer_take_output (c, 0, flow_shape_new (rank, dims));
  return TRUE;
}

gboolean
flow_pool_infer_2d (FlowInferContext  *c,
                    GError           **error)
{
  return infer_pool (c, 2, FALSE, error);
}

gboolean
flow_pool_infer_v2 (FlowInferContext  *c,
                    GError           **error)
{
  return infer_pool (c, 2, TRUE, error);
}

gboolean
flow_pool_infer_3d (FlowInferContext  *c,
                    GError           **error)
{
  return infer_pool (c, 3, FALSE, error);
}

gboolean
flow_pool_infer_argmax (FlowInferContext  *c,
                        GError           **error)
{
  if (!infer_pool (c, 2, FALSE, error))
    return FALSE;
  flow_infer_set_output (c, 1, c->output_shapes[0]);
  return TRUE;
}

/* The gradient of an image has the image's shape. */
static gboolean
infer_like (FlowInferContext  *c,
            guint              input,
            int                rank,
            GError           **error)
{
  g_autoptr (FlowShape) shape = NULL;

  if (c->running)
    FLOW_REQUIRE (flow_infer_input (c, 0)->rank == rank, error, INVALID_ARGUMENT, "tensor_in must be %d-dimensional",
                  rank);
  if (c->running && input == 1)
    FLOW_REQUIRE (flow_infer_input (c, 1)->rank == rank, error, INVALID_ARGUMENT, "tensor_out must be %d-dimensional",
                  rank);
  if (!flow_infer_with_rank (c, flow_infer_input (c, input), rank, &shape, error))
    return FALSE;
  flow_infer_take_output (c, 0, g_steal_pointer (&shape));
  return TRUE;
}

gboolean
flow_pool_infer_like_image (FlowInferContext  *c,
                            GError           **error)
{
  return infer_like (c, 0, 4, error);
}

gboolean
flow_pool_infer_like_volume (FlowInferContext  *c,
                             GError           **error)
{
  return infer_like (c, 0, 5, error);
}

gboolean
flow_pool_infer_like_output (FlowInferContext  *c,
                             GError           **error)
{
  return infer_like (c, 1, 4, error);
}

gboolean
flow_pool_infer_like_output_3d (FlowInferContext  *c,
                                GError           **error)
{
  return infer_like (c, 1, 5, error);
}

static gboolean
infer_spelled (FlowInferContext  *c,
               int                rank,
               GError           **error)
{
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowShape) ranked = NULL;

  if (c->running && flow_infer_input_value (c, 0) != NULL)
    {
      FlowTensor *value = flow_infer_input_value (c, 0);

      FLOW_REQUIRE (value->n_elements == rank, error, INVALID_ARGUMENT,
                    "out_backprop must be 1-dimensional and %d elements", rank);
      FLOW_REQUIRE (flow_infer_input (c, 1)->rank == rank, error, INVALID_ARGUMENT, "out_backprop must be %d-dimensional",
                    rank);
      if ((shape = flow_kernel_shape_from_tensor (value, error)) == NULL)
        return FALSE;
    }
  else if (!flow_infer_shape_from_value (c, 0, &shape, error))
    return FALSE;
  if (!flow_infer_with_rank (c, shape, rank, &ranked, error))
    return FALSE;
  flow_infer_take_output (c, 0, g_steal_pointer (&ranked));
  return TRUE;
}

gboolean
flow_pool_infer_average_grad (FlowInferContext  *c,
                              GError           **error)
{
  return infer_spelled (c, 4, error);
}

gboolean
flow_pool_infer_average_grad_3d (FlowInferContext  *c,
                                 GError           **error)
{
  return infer_spelled (c, 5, error);
}
