/* flow-builder-gradients-compiled.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

#include <string.h>

/* Gradients of ops that are marked for compilation are marked, too: in the scope of their op, or in one of this call's own
 * where the op says so. */

static char *
scope_of_gradients (const char *of_op,
                    const char *of_call)
{
  g_autofree char *flat = g_strdup (of_call);
  gsize length = strlen (flat);

  if (length > 0 && flat[length - 1] == '/')
    flat[length - 1] = '\0';
  g_strdelimit (flat, "/", '_');
  return g_strdup_printf ("%s_grad_%s", of_op, flat);
}

/* Enters what the gradients of a node are marked with, where they are; how often has to be left again. */
guint
_flow_builder_enter_compiled (FlowBuilder         *self,
                              const FlowBuildNode *node,
                              const char          *scope)
{
  const FlowAttr *compile = flow_attr_list_get (node->attrs, "_XlaCompile");
  const FlowAttr *separate = flow_attr_list_get (node->attrs, "_XlaSeparateCompiledGradients");
  const FlowAttr *of_op = flow_attr_list_get (node->attrs, "_XlaScope");
  g_autoptr (FlowAttr) marked = NULL;

  /* TF: an op that lacks one of the three is not looked at. */
  if (compile == NULL || separate == NULL || of_op == NULL || !flow_attr_get_bool (compile))
    return 0;
  if (flow_attr_get_bool (separate))
    {
      g_autofree char *own = scope_of_gradients (flow_attr_get_string (of_op, NULL), scope);

      marked = flow_attr_new_string (own, -1);
    }
  flow_builder_enter_attr (self, "_XlaCompile", compile);
  flow_builder_enter_attr (self, "_XlaScope", marked != NULL ? marked : of_op);
  return 2;
}
