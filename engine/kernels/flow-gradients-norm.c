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
  const char *type = flow_gradient_type (g);
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

/* What FusedBatchNormGrad computes, of smaller ops: @axes and @keep, @epsilon. */
static const char in_training[] =
  "mean_gy = Mean (gy, @axes, keep_dims=@keep);"
  "mean_x = Mean (x, @axes, keep_dims=@keep);"
  "var_x = Mean (SquaredDifference (x, StopGradient (mean_x)), @axes, keep_dims=@keep);"
  "gy_offset = gy - mean_gy;"
  "x_offset = x - mean_x;"
  "mean = Mean (gy * x_offset, @axes, keep_dims=@keep);"
  "grad_x = scale * Rsqrt (var_x + @epsilon) * (gy_offset - Reciprocal (var_x + @epsilon) * mean * x_offset);"
  "grad_scale = Rsqrt (var_x + @epsilon) * Sum (gy * x_offset, @axes, keep_dims=@keep);";

static const char frozen[] =
  "offset = Sum (gy, @axes, keep_dims=False);"
  "root = Rsqrt (variance + @epsilon);"
  "grad_scale = Sum (gy * (x - mean) * root, @axes, keep_dims=False);"
  "grad_x = gy * scale * root;";

static char *
text_of_back (gboolean is_half,
              gboolean training,
              gboolean is_last,
              double   epsilon)
{
  GString *text = g_string_new (is_half ? "wide = cast (x, float); gy = cast (gy, float); x = wide;" : "");
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (!is_last)
    g_string_append (text, training ? "scale = Reshape (scale, [1, size (scale), 1, 1]);"
                                    : "n = size (mean); mean = Reshape (mean, [1, n, 1, 1]);"
                                      "variance = Reshape (variance, [1, n, 1, 1]); scale = Reshape (scale, [1, n, 1, 1]);");
  g_string_append (text, training ? in_training : frozen);
  if (training && !is_last)
    g_string_append (text, "grad_scale = Squeeze (grad_scale);");
  if (training)
    g_string_append (text, "offset = Sum (gy, @axes, keep_dims=False);");
  g_string_append (text, is_half ? "0: cast (grad_x, T); 1: grad_scale; 2: offset;" : "0: grad_x; 1: grad_scale; 2: offset;");
  g_string_replace (text, "@axes", is_last ? "[0, 1, 2]" : "[0, 2, 3]", 0);
  g_string_replace (text, "@keep", is_last ? "False" : "True", 0);
  g_string_replace (text, "@epsilon", g_ascii_dtostr (number, sizeof number, epsilon), 0);
  return g_string_free (text, FALSE);
}

/* TF: made of smaller ops under a tape, and that differentiated. */
static void
grad_fused_batch_norm_grad (FlowGradient *g)
{
  static const char *const names[] = { "gy", "x", "scale", "mean", "variance" };
  static const guint orders[2][3] = { { 0, 2, 1 }, { 0, 1, 2 } };
  FlowAttr *format = flow_gradient_attr (g, "data_format");
  FlowAttr *epsilon = flow_gradient_attr (g, "epsilon");
  gboolean is_last = format == NULL || g_strcmp0 (flow_attr_get_string (format, NULL), "NHWC") == 0;
  gboolean training = _flow_gradients_get_bool (g, "is_training");
  guint32 first = g->maker->get_n_nodes (g->maker->self);
  FlowTextNumber known[G_N_ELEMENTS (names) + 1] = { 0 };
  FlowEndpoint inputs[G_N_ELEMENTS (names)];
  FlowEndpoint made[3];
  FlowEndpoint given[3];
  FlowEndpoint grads[3];
  g_autofree char *text = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      inputs[i] = X (i);
      known[i] = (FlowTextNumber) { .name = names[i], .at = &inputs[i] };
    }
  known[G_N_ELEMENTS (names)] = (FlowTextNumber) { "T", DTYPE (X (1)), TRUE, NULL };
  text = text_of_back (DTYPE (X (1)) == FLOW_DTYPE_HALF, training, is_last,
                       epsilon != NULL ? flow_attr_get_float (epsilon) : 0);
  _flow_gradients_follow (g, text, known, G_N_ELEMENTS (known));
  for (guint i = 0; i < 3; i++)
    {
      made[i] = g->in_grads[i].values;
      given[i] = DY (i);
      g->in_grads[i] = FLOW_NO_GRAD;
    }
  flow_gradient_follow_tape (g, first, inputs, 3, made, given, 3, orders[training && is_last], inputs, 3, grads);
  for (guint i = 0; i < 3 && g->error == NULL; i++)
    SET (i, grads[i]);
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
  { "FusedBatchNormGrad FusedBatchNormGradV2 FusedBatchNormGradV3", grad_fused_batch_norm_grad },
  { "BatchNormWithGlobalNormalization", grad_global_normalization },
};

void
_flow_gradients_add_norm (void)
{
  flow_gradient_registry_add (defs, G_N_ELEMENTS (defs));
}
