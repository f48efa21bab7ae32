/* flow-builder-context.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

#include <string.h>

/* Branches and loops while a graph is made. An op made inside a context reads only what is known there:
 * what comes from outside is led in through a Switch (a branch) or an Enter (a loop), once each, and
 * an op that reads nothing waits for the context's pivot, so that it runs only when and as often as
 * its branch or loop does. */

static gint64 *
key_of (FlowEndpoint at)
{
  gint64 key = (gint64) FLOW_OUTPUT (at.node, at.slot);

  return g_memdup2 (&key, sizeof key);
}

/* --- Contexts --- */

FlowContext *
_flow_context_new (FlowBuilder *self,
                   const char  *name,
                   gboolean     is_while)
{
  FlowContext *context = g_new0 (FlowContext, 1);

  context->name = g_strdup (name);
  context->is_while = is_while;
  context->outer = self->now.context;
  context->nested = g_ptr_array_new ();
  context->entered_from = g_ptr_array_new ();
  context->values = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  context->external = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  context->pivot = context->pred = FLOW_NO_ENDPOINT;
  context->pivot_for_pred = context->pivot_for_body = context->maximum_iterations = FLOW_NO_ENDPOINT;
  context->enters = g_array_new (FALSE, FALSE, sizeof (FlowEndpoint));
  context->merges = g_array_new (FALSE, FALSE, sizeof (FlowEndpoint));
  context->switches = g_array_new (FALSE, FALSE, sizeof (FlowEndpoint));
  context->exits = g_array_new (FALSE, FALSE, sizeof (FlowEndpoint));
  context->invariants = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_shape_unref);
  if (context->outer != NULL)
    g_ptr_array_add (context->outer->nested, context);
  g_ptr_array_add (self->contexts, context);
  context->id = self->contexts->len;
  return context;
}

void
_flow_context_free (FlowContext *self)
{
  g_free (self->name);
  g_ptr_array_unref (self->nested);
  g_ptr_array_unref (self->entered_from);
  g_hash_table_unref (self->values);
  g_hash_table_unref (self->external);
  g_array_unref (self->enters);
  g_array_unref (self->merges);
  g_array_unref (self->switches);
  g_array_unref (self->exits);
  g_ptr_array_unref (self->invariants);
  g_clear_pointer (&self->grad, _flow_grad_loop_free);
  g_free (self);
}

void
_flow_context_enter (FlowBuilder *self,
                     FlowContext *context)
{
  g_ptr_array_add (context->entered_from, self->now.context);
  self->now.context = context;
}

void
_flow_context_exit (FlowBuilder *self,
                    FlowContext *context)
{
  if (context->entered_from->len == 0)
    return;
  self->now.context = g_ptr_array_steal_index (context->entered_from, context->entered_from->len - 1);
}

/* The innermost loop around it, itself counted. */
FlowContext *
_flow_context_get_while (FlowContext *self)
{
  while (self != NULL && !self->is_while)
    self = self->outer;
  return self;
}

gboolean
_flow_context_contains (FlowContext *self,
                        FlowContext *other)
{
  while (other != self && other != NULL)
    other = other->outer;
  return other == self;
}

void
_flow_context_note (FlowContext  *self,
                    FlowEndpoint  output)
{
  g_hash_table_add (self->values, key_of (output));
}

gboolean
_flow_context_knows (FlowContext  *self,
                     FlowEndpoint  output)
{
  gint64 key = (gint64) FLOW_OUTPUT (output.node, output.slot);

  return g_hash_table_contains (self->values, &key);
}

void
_flow_context_set_external (FlowContext  *self,
                            FlowEndpoint  output,
                            FlowEndpoint  inside)
{
  g_hash_table_insert (self->external, key_of (output), g_memdup2 (&inside, sizeof inside));
}

/* What stands for @output inside; itself where nothing does. */
FlowEndpoint
_flow_context_get_external (FlowContext  *self,
                            FlowEndpoint  output)
{
  gint64 key = (gint64) FLOW_OUTPUT (output.node, output.slot);
  const FlowEndpoint *inside = g_hash_table_lookup (self->external, &key);

  return inside != NULL ? *inside : output;
}

FlowEndpoint
_flow_context_get_control_pivot (FlowContext *self)
{
  if (!self->is_while)
    return self->pivot;
  return self->pivot_for_body.node != FLOW_NODE_NONE ? self->pivot_for_body : self->pivot_for_pred;
}

/* --- Nodes as contexts see them --- */

gboolean
_flow_builder_is_type (FlowBuilder *self,
                       guint32      node,
                       guint        flag)
{
  return (_flow_builder_node (self, node)->signature->flags & flag) != 0;
}

gboolean
_flow_builder_is_constant_enter (FlowBuilder *self,
                                 guint32      node)
{
  const FlowAttr *attr;

  if (!_flow_builder_is_type (self, node, FLOW_OP_ENTER))
    return FALSE;
  attr = flow_attr_list_get (_flow_builder_node (self, node)->attrs, "is_constant");
  return attr != NULL && flow_attr_get_bool (attr);
}

/* A Switch that divides a loop's body from its end; one that leads into a branch is read in branches only. */
gboolean
_flow_builder_is_loop_switch (FlowBuilder *self,
                              guint32      index)
{
  const FlowBuildNode *node = _flow_builder_node (self, index);
  gboolean is_of_cond = TRUE;

  if (!_flow_builder_is_type (self, index, FLOW_OP_SWITCH) || node->context == NULL || !node->context->is_while)
    return FALSE;
  for (guint i = 0; node->consumers != NULL && i < node->consumers->len && is_of_cond; i++)
    {
      guint32 consumer = g_array_index (node->consumers, guint32, i);
      FlowContext *context = _flow_builder_node (self, consumer)->context;

      if (context != NULL && _flow_builder_is_type (self, consumer, FLOW_OP_ENTER))
        context = context->outer;
      is_of_cond = context != NULL && !context->is_while;
    }
  return !is_of_cond;
}

/* Where the outputs of a node are: those of an Exit are outside of its loop. */
FlowContext *
_flow_builder_output_context (FlowBuilder *self,
                              guint32      node)
{
  FlowContext *context = _flow_builder_node (self, node)->context;

  return context != NULL && _flow_builder_is_type (self, node, FLOW_OP_EXIT) ? context->outer : context;
}

gboolean
_flow_builder_check_context (FlowBuilder          *self,
                             const FlowBuildNode  *node,
                             guint32               input,
                             GError              **error)
{
  FlowContext *here = self->now.context;
  FlowContext *there = _flow_builder_output_context (self, input);
  FlowContext *loop = _flow_context_get_while (here);
  FlowContext *input_loop = _flow_context_get_while (there);
  const char *name = _flow_builder_node (self, input)->name;

  if (there == NULL || here == there || input_loop == NULL || _flow_context_contains (input_loop, loop))
    return TRUE;
  if (loop == NULL && (node->signature->flags & (FLOW_OP_ENTER | FLOW_OP_SWITCH)) != 0)
    return TRUE;
  /* Between a loop and its gradient, on the way back and again. */
  if (loop != NULL && loop->grad != NULL
      && (_flow_context_contains (input_loop, loop->grad->forward) || loop->grad->forward == input_loop->outer))
    return TRUE;
  if (loop != NULL && input_loop->grad != NULL
      && (input_loop->grad->forward == loop
          || (input_loop->grad->forward->grad != NULL && input_loop->grad->forward->grad->forward == loop)))
    return TRUE;
  if (loop != NULL)
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Cannot use '%s' as input to '%s' because they are in "
                 "different while loops. See info log for more details.", name, node->name);
  else
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Cannot use '%s' as input to '%s' because '%s' is in a "
                 "while loop. See info log for more details.", name, node->name, name);
  return FALSE;
}

/* --- The ops that lead in and out --- */

static gboolean
is_ref (FlowGradient *g,
        FlowEndpoint  data)
{
  return g->error == NULL && flow_dtype_is_ref (g->maker->get_dtype (g->maker->self, data));
}

/* The Switch; its outputs are slot 0 (false) and 1. */
FlowEndpoint
_flow_builder_add_switch (FlowGradient *g,
                          FlowEndpoint  data,
                          FlowEndpoint  pred,
                          const char   *name,
                          gboolean      colocate)
{
  FlowEndpoint made;

  if (g->error != NULL)
    return FLOW_NO_ENDPOINT;
  if (colocate)
    g->maker->enter_colocation (g->maker->self, data.node, TRUE);
  made = FLOW_GRADIENT_OP (g, colocate && is_ref (g, data) ? "RefSwitch" : "Switch", name != NULL ? name : "Switch",
                           data, pred);
  if (colocate)
    g->maker->leave (g->maker->self);
  return made;
}

FlowEndpoint
_flow_builder_add_merge (FlowGradient *g,
                         FlowEndpoint  first,
                         FlowEndpoint  second,
                         const char   *name)
{
  return FLOW_GRADIENT_OP (g, is_ref (g, first) && is_ref (g, second) ? "RefMerge" : "Merge",
                           name != NULL ? name : "Merge", first, second);
}

FlowEndpoint
_flow_builder_add_enter (FlowGradient *g,
                         FlowContext  *context,
                         FlowEndpoint  data,
                         gboolean      is_constant,
                         gboolean      keep_shape,
                         const char   *name)
{
  FlowBuilder *builder = g->maker->self;
  FlowAttrList *attrs = flow_attr_list_new ();
  FlowEndpoint made;

  flow_attr_list_take (attrs, "frame_name", flow_attr_new_string (context->name, -1));
  flow_attr_list_take (attrs, "is_constant", flow_attr_new_bool (is_constant));
  flow_attr_list_take (attrs, "parallel_iterations", flow_attr_new_int (context->parallel_iterations));
  made = FLOW_GRADIENT_OP_ATTRS (g, is_ref (g, data) ? "RefEnter" : "Enter", name, attrs, data);
  if (g->error == NULL && keep_shape)
    flow_builder_set_shape (builder, FLOW_OUTPUT (made.node, made.slot),
                            _flow_builder_node (builder, data.node)->shapes[data.slot], &g->error);
  return made;
}

FlowEndpoint
_flow_builder_add_exit (FlowGradient *g,
                        FlowEndpoint  data,
                        const char   *name)
{
  return FLOW_GRADIENT_OP (g, is_ref (g, data) ? "RefExit" : "Exit", name, data);
}

FlowEndpoint
_flow_builder_add_next (FlowGradient *g,
                        FlowEndpoint  data)
{
  return FLOW_GRADIENT_OP (g, is_ref (g, data) ? "RefNextIteration" : "NextIteration", NULL, data);
}

/* --- Values from outside --- */

static FlowEndpoint
add_branch_value (FlowContext  *self,
                  FlowGradient *g,
                  FlowEndpoint  value)
{
  FlowBuilder *builder = g->maker->self;
  FlowEndpoint result = value;

  if (_flow_context_knows (self, value))
    return _flow_context_get_external (self, value);
  _flow_context_note (self, value);
  if (self->outer != NULL)
    {
      result = _flow_context_add_value (self->outer, g, value);
      if (g->error != NULL)
        return FLOW_NO_ENDPOINT;
      _flow_context_note (self, result);
      _flow_context_set_external (self, result, result);
    }
  flow_builder_clear_control_dependencies (builder);
  result = _flow_builder_add_switch (g, result, self->pred, NULL, TRUE);
  flow_builder_leave (builder);
  if (g->error != NULL)
    return FLOW_NO_ENDPOINT;
  result.slot = (gint32) self->branch;
  _flow_builder_node (builder, result.node)->is_unfetchable = TRUE;
  _flow_builder_node (builder, result.node)->context = self;
  for (FlowContext *c = self; c != NULL; c = c->outer)
    _flow_context_note (c, result);
  _flow_context_set_external (self, value, result);
  return result;
}

/* An Enter stands between loops: it waits for what was asked for around the inner one, as far as that
 * is in the outer one or between the two. */
void
_flow_context_fix_enter (FlowContext *self,
                         FlowBuilder *builder,
                         guint32      enter)
{
  g_autoptr (GArray) controls = g_array_new (FALSE, FALSE, sizeof (guint32));
  FlowContext *stop = _flow_context_get_while (self->outer);

  _flow_builder_take_controls (builder->now.controllers, _flow_builder_node (builder, enter)->inputs, controls);
  _flow_builder_node (builder, enter)->context = self;
  for (guint i = 0; i < controls->len; i++)
    {
      guint32 source = g_array_index (controls, guint32, i);
      FlowContext *wanted = _flow_builder_output_context (builder, source);
      FlowContext *at = self->outer;

      while (at != wanted && at != NULL && at != stop)
        at = at->outer;
      if (at == wanted)
        flow_builder_add_control_input (builder, enter, source);
    }
  for (FlowController *c = builder->now.controllers; c != NULL; c = c->outer)
    g_hash_table_add (c->made, GUINT_TO_POINTER (enter));
}

/* Whether the gradient of a loop is made now, and @value is of that loop's own iterations. */
static gboolean
is_from_forward (FlowBuilder  *builder,
                 FlowEndpoint  value)
{
  FlowContext *grad = _flow_context_get_while (builder->now.context);
  FlowContext *from = _flow_context_get_while (_flow_builder_node (builder, value.node)->context);

  if (grad == NULL || grad->grad == NULL)
    return FALSE;
  if (from != NULL && _flow_builder_is_type (builder, value.node, FLOW_OP_EXIT))
    from = _flow_context_get_while (from->outer);
  return from == grad->grad->forward;
}

static FlowEndpoint
add_loop_value (FlowContext  *self,
                FlowGradient *g,
                FlowEndpoint  value)
{
  FlowBuilder *builder = g->maker->self;
  FlowEndpoint result = value;

  if (_flow_context_knows (self, value) || _flow_builder_node (builder, value.node)->context == self)
    return _flow_context_get_external (self, value);
  _flow_context_note (self, value);
  if (is_from_forward (builder, value))
    {
      result = _flow_grad_loop_get_real (_flow_context_get_while (builder->now.context)->grad, g, value);
      if (g->error == NULL)
        _flow_context_set_external (self, value, result);
      return result;
    }
  if (self->outer != NULL)
    result = _flow_context_add_value (self->outer, g, value);
  flow_builder_clear_control_dependencies (builder);
  result = _flow_builder_add_enter (g, self, result, TRUE, TRUE, NULL);
  flow_builder_leave (builder);
  if (g->error != NULL)
    return FLOW_NO_ENDPOINT;
  _flow_builder_node (builder, result.node)->is_unfeedable = TRUE;
  _flow_context_fix_enter (self, builder, result.node);
  _flow_context_note (self, result);
  _flow_context_set_external (self, value, result);
  return result;
}

/* What an op inside reads for @value. */
FlowEndpoint
_flow_context_add_value (FlowContext  *self,
                         FlowGradient *g,
                         FlowEndpoint  value)
{
  if (g->error != NULL)
    return FLOW_NO_ENDPOINT;
  return self->is_while ? add_loop_value (self, g, value) : add_branch_value (self, g, value);
}

/* --- Ops --- */

/* Inside a loop an op waits for no op outside of it: those are taken away, and returned. */
static GArray *
take_outside_controls (FlowContext *self,
                       FlowBuilder *builder,
                       guint32      index)
{
  FlowBuildNode *node = _flow_builder_node (builder, index);
  FlowContext *loop = _flow_context_get_while (self);
  GArray *outside = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; loop != NULL && i < node->controls->len; )
    {
      guint32 source = g_array_index (node->controls, guint32, i);

      if (_flow_context_get_while (_flow_builder_output_context (builder, source)) == loop)
        {
          i++;
          continue;
        }
      g_array_append_val (outside, source);
      g_array_remove_index (node->controls, i);
    }
  return outside;
}

/* TF: what a function reads of the graphs around it does not show in the inputs of its call. */
static gboolean
is_call (FlowBuilder         *builder,
         const FlowBuildNode *node)
{
  const char *type = node->signature->name;

  return strcmp (type, "SymbolicGradient") == 0
         || (builder->library != NULL && flow_graph_find_function (builder->library, type) != NULL);
}

static void
lead_inputs (FlowContext  *self,
             FlowGradient *g,
             guint32       index)
{
  FlowBuilder *builder = g->maker->self;

  for (guint i = 0; i < _flow_builder_node (builder, index)->inputs->len && g->error == NULL; i++)
    {
      FlowEndpoint input = g_array_index (_flow_builder_node (builder, index)->inputs, FlowEndpoint, i);
      FlowEndpoint inside;

      /* The back edge of a loop that is imported is not known yet. */
      if (!self->is_while && _flow_builder_is_type (builder, index, FLOW_OP_MERGE)
          && _flow_builder_is_type (builder, input.node, FLOW_OP_NEXT_ITERATION))
        continue;
      inside = _flow_context_add_value (self, g, input);
      if (g->error == NULL && (inside.node != input.node || inside.slot != input.slot))
        flow_builder_set_input (builder, index, i, FLOW_OUTPUT (inside.node, inside.slot), &g->error);
    }
}

static void
add_branch_op (FlowContext  *self,
               FlowGradient *g,
               guint32       index)
{
  FlowBuilder *builder = g->maker->self;
  FlowBuildNode *node = _flow_builder_node (builder, index);
  gboolean waits = node->inputs->len > 0 && !is_call (builder, node);

  lead_inputs (self, g, index);
  g_array_unref (take_outside_controls (self, builder, index));
  for (guint i = 0; i < node->controls->len && !waits && !is_call (builder, node); i++)
    waits = _flow_context_contains (self, _flow_builder_node (builder, g_array_index (node->controls, guint32, i))->context);
  if (!waits)
    flow_builder_add_control_input (builder, index, self->pivot.node);
  for (FlowContext *c = self; c != NULL; c = c->outer)
    for (guint i = 0; i < node->n_outputs; i++)
      _flow_context_note (c, (FlowEndpoint) { index, (gint32) i });
  if (self->outer != NULL || !_flow_builder_is_type (builder, index, FLOW_OP_EXIT))
    node->is_unfetchable = TRUE;
}

/* An op that reads only what is the same in every iteration would run once, and out of step. */
static gboolean
is_free (FlowBuilder         *builder,
         const FlowBuildNode *node)
{
  if (node->controls->len > 0)
    return FALSE;
  for (guint i = 0; i < node->inputs->len && !is_call (builder, node); i++)
    if (!_flow_builder_is_constant_enter (builder, g_array_index (node->inputs, FlowEndpoint, i).node))
      return FALSE;
  return TRUE;
}

/* What was to run before an op, but outside of its loop, is read by an Identity in it. */
static void
read_outside (FlowContext  *self,
              FlowGradient *g,
              guint32       index,
              const GArray *outside)
{
  FlowBuilder *builder = g->maker->self;

  for (guint i = 0; i < outside->len && g->error == NULL; i++)
    {
      guint32 source = g_array_index (outside, guint32, i);
      FlowEndpoint read;

      if (_flow_builder_node (builder, source)->n_outputs == 0)
        continue;
      flow_builder_clear_control_dependencies (builder);
      _flow_context_enter (builder, self);
      read = FLOW_GRADIENT_OP (g, "Identity", NULL, ((FlowEndpoint) { source, 0 }));
      _flow_context_exit (builder, self);
      flow_builder_leave (builder);
      if (g->error == NULL)
        flow_builder_add_control_input (builder, index, read.node);
    }
}

static void
add_loop_op (FlowContext  *self,
             FlowGradient *g,
             guint32       index)
{
  FlowBuilder *builder = g->maker->self;
  FlowBuildNode *node = _flow_builder_node (builder, index);
  g_autoptr (GArray) outside = NULL;

  lead_inputs (self, g, index);
  outside = take_outside_controls (self, builder, index);
  if (is_free (builder, node))
    flow_builder_add_control_input (builder, index, _flow_context_get_control_pivot (self).node);
  for (guint i = 0; i < node->n_outputs; i++)
    _flow_context_note (self, (FlowEndpoint) { index, (gint32) i });
  read_outside (self, g, index, outside);
  if (self->outer != NULL || !_flow_builder_is_type (builder, index, FLOW_OP_EXIT))
    node->is_unfetchable = node->is_unfeedable = TRUE;
}

/* What only measures a value of the forward loop is done there: the measure is kept, not the value. */
static FlowContext *
forward_of_measure (FlowBuilder *builder,
                    guint32      index)
{
  static const char *const measures[] = { "Shape", "Size", "Rank", NULL };
  const FlowBuildNode *node = _flow_builder_node (builder, index);
  FlowContext *grad = _flow_context_get_while (builder->now.context);
  FlowContext *there;

  if (grad == NULL || grad->grad == NULL || !g_strv_contains (measures, node->signature->name))
    return NULL;
  there = _flow_builder_node (builder, g_array_index (node->inputs, FlowEndpoint, 0).node)->context;
  return _flow_context_get_while (there) == grad->grad->forward ? there : NULL;
}

/* An op that was just made in this context. */
void
_flow_context_add_op (FlowContext  *self,
                      FlowGradient *g,
                      guint32       node)
{
  FlowContext *there = self->is_while ? forward_of_measure (g->maker->self, node) : NULL;

  if (there != NULL)
    {
      _flow_builder_node (g->maker->self, node)->context = there;
      self = there;
    }
  if (self->is_while)
    add_loop_op (self, g, node);
  else
    add_branch_op (self, g, node);
}
