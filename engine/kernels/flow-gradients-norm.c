/* flow-gradients-norm.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-gradients-private.h"

/* Gradients of batch normalisation. */

#include <string.h>

/* What V1, V2 and V3 keep for it while training are outputs 3 and on; else mean and variance came in, and
 * it is computed with channels last. */
static void
grad_fused_batch_norm (FlowGradient *g)
{
  const char *type = g->maker->get_type (g->maker->self, g->node);
  g_autofree char *back = strcmp (type, "FusedBatchNorm") == 0 ? g_strdup ("FusedBatchNormGrad")
                          : g_strdup_printf ("FusedBatchNormGrad%s", type + strlen ("FusedBatchNorm"));
  gboolean has_third = strcmp (type, "FusedBatchNormV3") == 0;
  gboolean training = _flow_gradients_get_bool (g, "is_training");
  FlowAttrList *attrs = ATTRS ("epsilon data_format is_training");
  FlowAttr *format = flow_gradient_attr (g, "data_format");
  gboolean turned = !training && format != NULL && g_strcmp0 (flow_attr_get_string (format, NULL), "NCHW") == 0;
  FlowEndpoint inputs[6];
  FlowEndpoint made;

  inputs[0] = DY (0);
  inputs[1] = X (0);
  if (turned)
    {
      inputs[1] = TRANSPOSE (inputs[1], 0, 2, 3, 1);
      inputs[0] = TRANSPOSE (inputs[0], 0, 2, 3, 1);
    }
  if (!training)
    _flow_gradients_set_string (attrs, "data_format", "NHWC");
  inputs[2] = X (1);
  inputs[3] = training ? Y (3) : X (3);
  inputs[4] = training ? Y (4) : X (4);
  inputs[5] = has_third ? Y (5) : FLOW_NO_ENDPOINT;
  made = flow_gradient_add (g, back, NULL, attrs, has_third ? 6 : 5, inputs);
  SET (0, made);
  for (gint32 i = 1; i < (training ? 5 : 3); i++)
    SET ((guint) i, SLOT (made, i));
  if (turned)
    SET (0, TRANSPOSE (made, 0, 3, 1, 2));
}

static void
grad_global_normalization (FlowGradient *g)
{
  FlowEndpoint made = OP_ATTRS ("BatchNormWithGlobalNormalizationGrad", NULL,
                                ATTRS ("variance_epsilon scale_after_normalization"), X (0), X (1), X (2), X (4), DY (0));

  for (gint32 i = 0; i < 5; i++)
    SET ((guint) i, SLOT (made, i));
}

static const FlowGradientDef defs[] = {
  { "FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3", grad_fused_batch_norm },
  { "BatchNormWithGlobalNormalization", grad_global_normalization },
};

void
_flow_gradients_add_norm (void)
{
  flow_gradient_registry_add (defs, G_N_ELEMENTS (defs));
}
