/* flow-gradients-list.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-gradients-private.h"

/* Gradients of lists of tensors and of options: the gradient of a list is a list. */

static FlowAttrList *
type_attr (const char *name,
           int         dtype)
{
  FlowAttrList *attrs = flow_attr_list_new ();

  _flow_gradients_set_type (attrs, name, dtype);
  return attrs;
}

static FlowAttrList *
element_dtype (int dtype)
{
  return type_attr ("element_dtype", dtype);
}

static FlowEndpoint
element_shape (FlowGradient *g,
               FlowEndpoint  list)
{
  return OP_ATTRS ("TensorListElementShape", NULL, type_attr ("shape_type", FLOW_DTYPE_INT32), list);
}

static FlowEndpoint
list_length (FlowGradient *g,
             FlowEndpoint  list)
{
  return OP ("TensorListLength", NULL, list);
}

/* slice (shape (x), [1], [-1]) */
static FlowEndpoint
shape_of_rows (FlowGradient *g,
               FlowEndpoint  x)
{
  FlowEndpoint shape = SHAPE (x);
  FlowEndpoint begin;
  FlowEndpoint size;

  OPEN ("Slice");
  begin = INTS ("begin", 1);
  size = INTS ("size", -1);
  return CLOSE ("Slice", shape, begin, size);
}

static void
grad_push (FlowGradient *g)
{
  FlowEndpoint shape = SHAPE (X (1));
  FlowAttr *dtype = flow_gradient_attr (g, "element_dtype");
  FlowEndpoint popped = OP_ATTRS ("TensorListPopBack", NULL, element_dtype (flow_attr_get_dtype (dtype)), DY (0), shape);

  SET (0, popped);
  SET (1, SLOT (popped, 1));
}

/* What came back to the list that an op leaves; where nothing did, a list without elements. */
static FlowEndpoint
list_or_empty (FlowGradient *g,
               int           dtype)
{
  FlowEndpoint parts[2];

  if (g->out_grads[0].values.node != FLOW_NODE_NONE)
    return DY (0);
  parts[0] = element_shape (g, Y (0));
  OPEN ("EmptyTensorList");
  parts[1] = NUMBER ("max_num_elements", FLOW_DTYPE_INT32, -1);
  return flow_gradient_close (g, "EmptyTensorList", element_dtype (dtype), 2, parts);
}

static void
grad_pop (FlowGradient *g)
{
  FlowEndpoint list = list_or_empty (g, DTYPE (DY (1)));

  SET (0, OP_ATTRS ("TensorListPushBack", NULL, element_dtype (DTYPE (DY (1))), list, DY (1)));
}

/* TF: _build_element_shape () of a known shape; a scalar's is made outside of the op. */
static void
grad_stack (FlowGradient *g)
{
  FlowShape *known = g->error == NULL ? flow_gradient_get_shape (g, DY (0)) : NULL;
  FlowEndpoint shape = FLOW_NO_ENDPOINT;
  FlowEndpoint rows;

  if (known == NULL)
    return;
  if (known->rank == 1)
    shape = flow_gradient_ints (g, "Const", FLOW_DTYPE_INT32, NULL, 0);
  OPEN ("TensorListFromTensor");
  rows = flow_gradient_dense (g, DY (0), "tensor");
  if (known->rank < 1)
    shape = NUMBER ("element_shape", FLOW_DTYPE_INT32, -1);
  else if (known->rank > 1)
    shape = flow_gradient_ints (g, "element_shape", FLOW_DTYPE_INT32, known->dims + 1, (guint) known->rank - 1);
  SET (0, CLOSE ("TensorListFromTensor", rows, shape));
}

static void
grad_concat (FlowGradient *g)
{
  FlowEndpoint shape = element_shape (g, X (0));

  SET (0, OP ("TensorListSplit", NULL, DY (0), shape, Y (1)));
}

static void
grad_split (FlowGradient *g)
{
  FlowEndpoint parts[3] = { FLOW_NO_ENDPOINT, shape_of_rows (g, X (0)), FLOW_NO_ENDPOINT };
  FlowEndpoint shape;

  OPEN ("concat");
  parts[0] = INTS ("values_0", -1);
  parts[2] = NUMBER ("axis", FLOW_DTYPE_INT32, 0);
  shape = flow_gradient_close (g, "ConcatV2", NULL, 3, parts);
  SET (0, OP_ATTRS ("TensorListConcatV2", NULL, element_dtype (DTYPE (X (0))), DY (0), shape, X (2)));
}

static void
grad_from_tensor (FlowGradient *g)
{
  FlowShape *known = g->error == NULL ? flow_gradient_get_shape (g, X (0)) : NULL;
  FlowAttrList *attrs;
  FlowEndpoint shape;

  if (known == NULL)
    return;
  shape = shape_of_rows (g, X (0));
  attrs = element_dtype (DTYPE (X (0)));
  if (known->rank > 0 && known->dims[0] >= 0)
    _flow_gradients_set_int (attrs, "num_elements", known->dims[0]);
  SET (0, OP_ATTRS ("TensorListStack", NULL, attrs, DY (0), shape));
}

/* A list like the op's, with nothing in it yet. */
static FlowEndpoint
reserve (FlowGradient *g,
         FlowEndpoint  shape,
         FlowEndpoint  n)
{
  return OP_ATTRS ("TensorListReserve", NULL, element_dtype (DTYPE (DY (0))), shape, n);
}

static void
grad_get (FlowGradient *g)
{
  FlowEndpoint n = list_length (g, X (0));
  FlowEndpoint list = reserve (g, element_shape (g, X (0)), n);

  SET (0, OP ("TensorListSetItem", NULL, list, X (1), DY (0)));
}

static void
grad_set (FlowGradient *g)
{
  FlowEndpoint zeros = ZEROS_LIKE (X (2));
  FlowEndpoint shape;

  SET (0, OP ("TensorListSetItem", NULL, DY (0), X (1), zeros));
  shape = SHAPE (X (2));
  SET (2, OP_ATTRS ("TensorListGetItem", NULL, element_dtype (DTYPE (X (2))), DY (0), X (1), shape));
}

static void
grad_resize (FlowGradient *g)
{
  FlowEndpoint n = list_length (g, X (0));

  SET (0, OP ("TensorListResize", NULL, DY (0), n));
}

static void
grad_gather (FlowGradient *g)
{
  FlowEndpoint shape = element_shape (g, X (0));
  FlowEndpoint n = list_length (g, X (0));
  FlowEndpoint list = reserve (g, shape, n);

  SET (0, OP ("TensorListScatterIntoExistingList", NULL, list, DY (0), X (1)));
}

static FlowEndpoint
gather (FlowGradient *g,
        FlowEndpoint  tensor,
        FlowEndpoint  indices)
{
  FlowEndpoint shape = shape_of_rows (g, tensor);

  return OP_ATTRS ("TensorListGather", NULL, element_dtype (DTYPE (tensor)), DY (0), indices, shape);
}

static void
grad_scatter (FlowGradient *g)
{
  SET (0, gather (g, X (0), X (1)));
}

static void
grad_scatter_into (FlowGradient *g)
{
  FlowEndpoint zeros;

  SET (1, gather (g, X (1), X (2)));
  zeros = ZEROS_LIKE (X (1));
  SET (0, OP ("TensorListScatterIntoExistingList", NULL, DY (0), zeros, X (2)));
}

/* What an option is made of: the dtypes and shapes of some tensors. */
static FlowAttrList *
components_of (FlowGradient *g)
{
  g_autoptr (GPtrArray) types = g_ptr_array_new ();
  g_autoptr (GPtrArray) shapes = g_ptr_array_new ();
  FlowAttrList *attrs = flow_attr_list_new ();
  FlowAttr *list;

  for (guint i = 0; i < g->n_inputs && g->error == NULL; i++)
    {
      g_ptr_array_add (types, flow_attr_new_type (DTYPE (X (i))));
      g_ptr_array_add (shapes, flow_attr_new_shape (flow_gradient_get_shape (g, X (i))));
    }
  list = flow_attr_new_list (FLOW_ATTR_TYPE, (FlowAttr **) types->pdata, types->len);
  flow_attr_list_set (attrs, "output_types", list);
  flow_attr_unref (list);
  list = flow_attr_new_list (FLOW_ATTR_SHAPE, (FlowAttr **) shapes->pdata, shapes->len);
  flow_attr_list_set (attrs, "output_shapes", list);
  flow_attr_unref (list);
  return attrs;
}

static void
grad_option_from (FlowGradient *g)
{
  FlowEndpoint values = OP_ATTRS ("OptionalGetValue", NULL, components_of (g), DY (0));

  for (guint i = 0; i < g->n_inputs; i++)
    SET (i, SLOT (values, (gint32) i));
}

static void
grad_option_value (FlowGradient *g)
{
  g_autofree FlowEndpoint *values = g_new (FlowEndpoint, MAX (g->n_outputs, 1));

  for (guint i = 0; i < g->n_outputs; i++)
    values[i] = DY (i);
  SET (0, flow_gradient_add (g, "OptionalFromValue", NULL, NULL, g->n_outputs, values));
}

static const FlowGradientDef defs[] = {
  { "TensorListPushBack", grad_push },
  { "TensorListPopBack", grad_pop },
  { "TensorListStack", grad_stack },
  { "TensorListConcat TensorListConcatV2", grad_concat },
  { "TensorListSplit", grad_split },
  { "TensorListFromTensor", grad_from_tensor },
  { "TensorListGetItem", grad_get },
  { "TensorListSetItem", grad_set },
  { "TensorListResize", grad_resize },
  { "TensorListGather", grad_gather },
  { "TensorListScatter TensorListScatterV2", grad_scatter },
  { "TensorListScatterIntoExistingList", grad_scatter_into },
  { "OptionalFromValue", grad_option_from },
  { "OptionalGetValue", grad_option_value },
};

void
_flow_gradients_add_list (void)
{
  flow_gradient_registry_add (defs, G_N_ELEMENTS (defs));
}
