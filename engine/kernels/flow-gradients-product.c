/* flow-gradients-product.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-gradients-private.h"

#include <math.h>

/* Gradients of matrix products. */

#include <string.h>

/* The operands of the two products that are the gradients, by the flags of the product: 0 and 1 are its
 * own operands, 2 is what comes back. */
static const struct {
  guint8 a;
  gboolean flip_a;
  guint8 b;
  gboolean flip_b;
} products[4][2] = {
  { { 2, FALSE, 1, TRUE }, { 0, TRUE, 2, FALSE } },
  { { 2, FALSE, 1, FALSE }, { 2, TRUE, 0, FALSE } },
  { { 1, FALSE, 2, TRUE }, { 0, FALSE, 2, FALSE } },
  { { 1, TRUE, 2, TRUE }, { 2, TRUE, 0, TRUE } },
};

static void
grad_matmul (FlowGradient *g)
{
  guint flags = (_flow_gradients_get_bool (g, "transpose_a") ? 2 : 0) + (_flow_gradients_get_bool (g, "transpose_b") ? 1 : 0);
  FlowEndpoint operands[3];

  operands[0] = CONJ (X (0));
  operands[1] = CONJ (X (1));
  operands[2] = DY (0);
  for (guint i = 0; i < 2; i++)
    {
      FlowAttrList *attrs = _flow_gradients_bool_attr ("transpose_a", products[flags][i].flip_a);

      _flow_gradients_set_bool (attrs, "transpose_b", products[flags][i].flip_b);
      SET (i, OP_ATTRS ("MatMul", NULL, attrs, operands[products[flags][i].a], operands[products[flags][i].b]));
    }
}

static void
grad_batch_matmul (FlowGradient *g)
{
  guint flags = (_flow_gradients_get_bool (g, "adj_x") ? 2 : 0) + (_flow_gradients_get_bool (g, "adj_y") ? 1 : 0);
  FlowEndpoint operands[3] = { X (0), X (1), DY (0) };

  for (guint i = 0; i < 2; i++)
    SET (i, _flow_gradients_matmul (g, operands[products[flags][i].a], operands[products[flags][i].b],
                                    products[flags][i].flip_a, products[flags][i].flip_b));
}

/* Summed over the batch dimensions that were spread. */
static void
grad_batch_matmul_v2 (FlowGradient *g)
{
  FlowEndpoint shapes[2];
  FlowEndpoint batches[2];
  FlowEndpoint args;

  grad_batch_matmul (g);
  if (g->error != NULL || (flow_gradient_is_known (g, X (0)) && flow_gradient_is_known (g, X (1))
                           && flow_shape_equal (flow_gradient_get_shape (g, X (0)), flow_gradient_get_shape (g, X (1)))))
    return;
  for (guint i = 0; i < 2; i++)
    shapes[i] = SHAPE (X (i));
  for (guint i = 0; i < 2; i++)
    batches[i] = _flow_gradients_range_of (g, shapes[i], 0, -2);
  args = OP2 ("BroadcastGradientArgs", NULL, batches[0], batches[1]);
  for (guint i = 0; i < 2; i++)
    {
      FlowEndpoint sum = SUM (g->in_grads[i].values, SLOT (args, (gint32) i));

      SET (i, RESHAPE (sum, shapes[i]));
    }
}

static void
grad_sparse_matmul (FlowGradient *g)
{
  guint flags = (_flow_gradients_get_bool (g, "transpose_a") ? 2 : 0) + (_flow_gradients_get_bool (g, "transpose_b") ? 1 : 0);
  FlowEndpoint operands[3];
  gboolean sparse[3];

  operands[0] = X (0);
  operands[1] = X (1);
  operands[2] = DY (0);
  sparse[0] = _flow_gradients_get_bool (g, "a_is_sparse");
  sparse[1] = _flow_gradients_get_bool (g, "b_is_sparse");
  sparse[2] = g->error == NULL && !flow_gradient_is_rows (g, DY (0))
              && strcmp (g->maker->get_type (g->maker->self, DY (0).node), "ReluGrad") == 0;
  for (guint i = 0; i < 2; i++)
    {
      guint a = products[flags][i].a;
      guint b = products[flags][i].b;
      FlowEndpoint right = products[flags][i].flip_b ? _flow_gradients_flip (g, operands[b]) : operands[b];
      FlowAttrList *attrs = NULL;
      FlowEndpoint made;

      if (sparse[a] || sparse[b])
        {
          attrs = _flow_gradients_bool_attr ("transpose_a", products[flags][i].flip_a);
          _flow_gradients_set_bool (attrs, "a_is_sparse", sparse[a]);
          _flow_gradients_set_bool (attrs, "b_is_sparse", sparse[b]);
          made = OP_ATTRS ("SparseMatMul", "MatMul", attrs, operands[a], right);
        }
      else
        made = _flow_gradients_matmul (g, operands[a], right, products[flags][i].flip_a, FALSE);
      SET (i, CAST (made, DTYPE (X (i))));
    }
}

static void
grad_cross (FlowGradient *g)
{
  SET (0, OP2 ("Cross", NULL, X (1), DY (0)));
  SET (1, OP2 ("Cross", NULL, DY (0), X (0)));
}

static const FlowGradientDef defs[] = {
  { "MatMul", grad_matmul },
  { "BatchMatMul", grad_batch_matmul },
  { "BatchMatMulV2", grad_batch_matmul_v2 },
  { "SparseMatMul", grad_sparse_matmul },
  { "Cross", grad_cross },
};

void
_flow_gradients_add_product (void)
{
  flow_gradient_registry_add (defs, G_N_ELEMENTS (defs));
}
