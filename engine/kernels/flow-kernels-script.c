/* flow-kernels-script.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Functions of the script that made the graph: whoever has its interpreter runs them.
 */

#include "config.h"

#include "flow-array-private.h"

static gboolean
check_returned (FlowKernelContext  *c,
                const char         *token,
                GPtrArray          *returned,
                GError            **error)
{
  if (returned->len != c->n_outputs)
    return _flow_refuse (error, "%s returns %u values, but expects to see %u values.", token, returned->len, c->n_outputs);
  for (guint i = 0; i < c->n_outputs; i++)
    {
      int given = ((FlowTensor *) returned->pdata[i])->dtype;
      int declared = flow_dtype_base (c->output_dtypes[i]);

      if (given != declared)
        return _flow_refuse (error, "%u-th value returned by %s is %s, but expects %s", i, token, flow_dtype_string (given),
                             flow_dtype_string (declared));
    }
  return TRUE;
}

static gboolean
script_compute (FlowKernelContext  *c,
                GError            **error)
{
  const char *token = flow_kernel_attr_string (c, "token");
  g_autoptr (GPtrArray) returned = NULL;

  FLOW_REQUIRE (c->host->has_script != NULL && c->host->has_script (c->host_data), error, INVALID_ARGUMENT,
                "ValueError: callback %s is not found\n%s node %s calls that Python function of the script that made this "
                "graph, and the script is not running here. Override the outputs of %s and go on.",
                token, c->signature->name, c->node_name, c->node_name);
  returned = c->host->call_script (c->host_data, c, token, error);
  if (returned == NULL || !check_returned (c, token, returned, error))
    return FALSE;
  for (guint i = 0; i < c->n_outputs; i++)
    flow_kernel_set_output (c, i, returned->pdata[i]);
  return TRUE;
}

/* Every call may do what nobody sees, the stateless one too: none is done twice. */
#define SCRIPT_OP(op, more_flags, more_attrs, text)                                                   \
  { .name = op, .inputs = "input: Tin", .outputs = "output: Tout",                                    \
    .attrs = "token: string; " more_attrs "Tin: list(type) >= 0; Tout: list(type) >= 0",              \
    .summary = text, .flags = FLOW_OP_OUTSIDE_EFFECT | FLOW_OP_NOT_CONSTANT | (more_flags),           \
    .family = FLOW_OP_FAMILY_IO, .infer = flow_infer_unknown_shape,                                   \
    .kernels = (const FlowKernelDef[]) { { NULL, script_compute }, { NULL } } }

static const FlowOpDef ops[] = {
  SCRIPT_OP ("EagerPyFunc", FLOW_OP_STATEFUL, "is_async: bool = false; ", "Calls a Python function that takes tensors"),
  SCRIPT_OP ("PyFunc", FLOW_OP_STATEFUL, "", "Calls a Python function"),
  SCRIPT_OP ("PyFuncStateless", 0, "", "Calls a Python function that keeps no state"),
};

FLOW_DEFINE_OP_FAMILY (script, ops)
