/* flow-builder-nodes.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

#include "flow-tensor-proto.h"

#include <string.h>

/* Making a node: what the inputs and the definition say of attrs, then what stands around it, in the
 * order in which TensorFlow's create_op() does it. */

void
_flow_build_node_free (FlowBuildNode *self)
{
  for (guint i = 0; i < self->n_outputs; i++)
    {
      g_clear_pointer (&self->shapes[i], flow_shape_unref);
      g_clear_pointer (&self->handles[i].shape, flow_shape_unref);
    }
  g_free (self->shapes);
  g_free (self->handles);
  g_free (self->dtypes);
  g_free (self->name);
  g_free (self->device);
  g_clear_pointer (&self->inputs, g_array_unref);
  g_clear_pointer (&self->controls, g_array_unref);
  g_clear_pointer (&self->consumers, g_array_unref);
  g_clear_pointer (&self->attrs, flow_attr_list_unref);
  g_free (self);
}

static int
dtype_of (FlowBuilder  *self,
          FlowEndpoint  at)
{
  return _flow_builder_node (self, at.node)->dtypes[at.slot];
}

/* How many inputs an argument takes, as far as attrs say; -1 where the inputs must. */
static gint64
arg_length (const FlowArgDef *arg,
            FlowAttrList     *attrs)
{
  const char *name = arg->number_attr != NULL ? arg->number_attr : arg->type_list_attr;
  const FlowAttr *attr = name != NULL ? flow_attr_list_get (attrs, name) : NULL;

  if (name == NULL)
    return 1;
  if (attr == NULL)
    return -1;
  return arg->number_attr != NULL ? flow_attr_get_int (attr) : (gint64) flow_attr_get_length (attr);
}

static void
infer_arg (FlowBuilder         *self,
           const FlowArgDef    *arg,
           const FlowEndpoint  *inputs,
           guint                n,
           FlowAttrList        *attrs)
{
  if (arg->number_attr != NULL && flow_attr_list_get (attrs, arg->number_attr) == NULL)
    flow_attr_list_take (attrs, arg->number_attr, flow_attr_new_int (n));
  if (arg->type_list_attr != NULL && flow_attr_list_get (attrs, arg->type_list_attr) == NULL)
    {
      g_autofree int *dtypes = g_new (int, MAX (n, 1));

      for (guint i = 0; i < n; i++)
        dtypes[i] = (int) flow_dtype_base (dtype_of (self, inputs[i]));
      flow_attr_list_take (attrs, arg->type_list_attr, flow_attr_new_type_list (dtypes, n));
    }
  if (arg->type_attr != NULL && n > 0 && flow_attr_list_get (attrs, arg->type_attr) == NULL)
    flow_attr_list_take (attrs, arg->type_attr, flow_attr_new_type ((int) flow_dtype_base (dtype_of (self, inputs[0]))));
}

/**
 * flow_builder_is_newer_attr:
 * @type: an op type
 * @attr: one of its attrs
 *
 * Graphs made here are TensorFlow 1.15.5's, which takes no attr that it does not know.
 *
 * Returns: whether the attr came after 1.15.5: left to its default, it is not written
 */
gboolean
flow_builder_is_newer_attr (const char *type,
                            const char *attr)
{
  static const char *const newer[] = { "Tsegmentids", "allowed_devices", "debug_name", "metadata",
                                        "resize_if_index_out_of_bounds", NULL };

  return g_strv_contains (newer, attr)
         || (strcmp (attr, "validate_shape") == 0 && strcmp (type, "AssignVariableOp") == 0)
         || (strcmp (attr, "fill_mode") == 0 && strcmp (type, "ImageProjectiveTransformV2") == 0);
}

/* Attrs that follow from the inputs, then the definition's defaults: TensorFlow writes them all. */
static gboolean
complete_attrs (FlowBuilder            *self,
                const FlowOpSignature  *signature,
                const FlowEndpoint     *inputs,
                guint                   n_inputs,
                FlowAttrList           *attrs,
                GError                **error)
{
  gint64 fixed = 0;
  guint n_open = 0;
  guint at = 0;

  for (guint i = 0; i < signature->n_inputs; i++)
    {
      gint64 n = arg_length (&signature->inputs[i], attrs);

      if (n < 0)
        n_open++;
      else
        fixed += n;
    }
  FLOW_REQUIRE (n_open <= 1 && fixed <= n_inputs && (n_open == 1 || fixed == n_inputs), error, INVALID_ARGUMENT,
                "NodeDef expected inputs of %" G_GINT64_FORMAT " do not match %u inputs specified; Op<name=%s>",
                fixed, n_inputs, signature->name);
  for (guint i = 0; i < signature->n_inputs; i++)
    {
      gint64 n = arg_length (&signature->inputs[i], attrs);

      if (n < 0)
        n = n_inputs - fixed;
      infer_arg (self, &signature->inputs[i], inputs + at, (guint) n, attrs);
      at += (guint) n;
    }
  for (guint i = 0; i < signature->n_attrs; i++)
    if (flow_attr_list_get (attrs, signature->attrs[i].name) == NULL && signature->attrs[i].default_value != NULL
        && !flow_builder_is_newer_attr (signature->name, signature->attrs[i].name))
      flow_attr_list_set (attrs, signature->attrs[i].name, signature->attrs[i].default_value);
  for (guint i = 0; i < signature->n_attrs; i++)
    {
      const FlowAttrDef *attr = &signature->attrs[i];
      FlowAttr *value = flow_builder_is_newer_attr (signature->name, attr->name) ? flow_attr_list_get (attrs, attr->name) : NULL;

      if (value != NULL && attr->default_value != NULL && flow_attr_equal (value, attr->default_value))
        flow_attr_list_remove (attrs, attr->name);
    }
  return flow_op_signature_check_attrs (signature, attrs, error);
}

static gboolean
check_inputs (FlowBuilder   *self,
              FlowBuildNode *node,
              GArray        *wanted,
              GError       **error)
{
  FLOW_REQUIRE (wanted->len == node->inputs->len, error, INVALID_ARGUMENT,
                "NodeDef expected %u inputs but %u were given; Op<name=%s>", wanted->len, node->inputs->len,
                node->signature->name);
  for (guint i = 0; i < wanted->len; i++)
    {
      FlowEndpoint *at = &g_array_index (node->inputs, FlowEndpoint, i);
      int want = g_array_index (wanted, int, i);
      int have = dtype_of (self, *at);

      FLOW_REQUIRE (have == want || (!flow_dtype_is_ref (want) && (int) flow_dtype_base (have) == want), error,
                    INVALID_ARGUMENT, "Input %u of node %s was passed %s from %s:%d incompatible with expected %s.", i,
                    node->name, flow_dtype_string (have), _flow_builder_node (self, at->node)->name, at->slot,
                    flow_dtype_string (want));
    }
  return TRUE;
}

static gboolean
take_outputs (FlowBuildNode  *node,
              GError        **error)
{
  g_autoptr (GArray) dtypes = g_array_new (FALSE, FALSE, sizeof (int));

  if (!flow_op_signature_expand (node->signature, node->signature->outputs, node->signature->n_outputs, node->attrs,
                                 dtypes, error))
    return FALSE;
  node->n_outputs = dtypes->len;
  node->shapes = g_new0 (FlowShape *, dtypes->len + 1);
  node->handles = g_new0 (FlowHandleData, dtypes->len + 1);
  node->dtypes = (int *) (gpointer) g_array_free (g_steal_pointer (&dtypes), FALSE);
  for (guint i = 0; i < node->n_outputs; i++)
    node->shapes[i] = flow_shape_new_unknown ();
  return TRUE;
}

static gboolean
is_input (const GArray *inputs,
          guint32       other)
{
  for (guint i = 0; i < inputs->len; i++)
    if (g_array_index (inputs, FlowEndpoint, i).node == other)
      return TRUE;
  return FALSE;
}

void
_flow_builder_note_consumer (FlowBuilder *self,
                             guint32      source,
                             guint32      consumer)
{
  FlowBuildNode *node = _flow_builder_node (self, source);

  if (node->consumers == NULL)
    node->consumers = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (node->consumers, consumer);
}

/* Outermost first; a controller one of whose ops is read says nothing, for that op waited already. */
void
_flow_builder_take_controls (const FlowController *controller,
                             const GArray         *inputs,
                             GArray               *controls)
{
  if (controller == NULL)
    return;
  _flow_builder_take_controls (controller->outer, inputs, controls);
  for (guint i = 0; i < inputs->len; i++)
    if (g_hash_table_contains (controller->made, GUINT_TO_POINTER (g_array_index (inputs, FlowEndpoint, i).node)))
      return;
  for (guint i = 0; i < controller->nodes->len; i++)
    {
      guint32 source = g_array_index (controller->nodes, guint32, i);

      if (!is_input (inputs, source))
        g_array_append_val (controls, source);
    }
}

/* The groups a node belongs to: those it names, else its own. */
static void
add_groups (FlowBuildNode *node,
            GPtrArray     *groups)
{
  const FlowAttr *attr = flow_attr_list_get (node->attrs, "_class");
  guint n = groups->len;

  for (gsize i = 0; attr != NULL && flow_attr_is_list (attr) && i < flow_attr_get_length (attr); i++)
    {
      const char *text = flow_attr_get_string (flow_attr_get_item (attr, i), NULL);

      if (text != NULL && g_str_has_prefix (text, "loc:@"))
        g_ptr_array_add (groups, g_strdup (text));
    }
  if (groups->len == n)
    g_ptr_array_add (groups, g_strconcat ("loc:@", node->name, NULL));
}

static void
colocate (FlowBuilder   *self,
          FlowBuildNode *node,
          GPtrArray     *groups)
{
  g_autoptr (GPtrArray) items = NULL;
  const char *last = NULL;

  if (groups->len == 0)
    return;
  g_ptr_array_sort (groups, flow_compare_texts);
  items = g_ptr_array_new ();
  for (guint i = 0; i < groups->len; i++)
    {
      const char *text = g_ptr_array_index (groups, i);

      if (last == NULL || strcmp (last, text) != 0)
        g_ptr_array_add (items, flow_attr_new_string (text, -1));
      last = text;
    }
  flow_attr_list_take (node->attrs, "_class",
                       flow_attr_new_list (FLOW_ATTR_STRING, (FlowAttr **) items->pdata, items->len));
}

static void
join_colocated (FlowBuilder   *self,
                FlowBuildNode *node,
                guint32        other,
                GPtrArray     *groups)
{
  FlowBuilder *owner = _flow_builder_owner_of (self, &other);
  FlowBuildNode *with = _flow_builder_node (owner, other);

  add_groups (with, groups);
  if (*with->device != '\0')
    {
      g_free (node->device);
      node->device = g_strdup (with->device);
    }
}

static void
take_surroundings (FlowBuilder   *self,
                   FlowBuildNode *node,
                   GArray        *wanted)
{
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (g_free);
  gboolean is_bound = FALSE;
  const FlowAttr *container;
  char *device;

  for (FlowChain *link = self->now.attrs; link != NULL; link = link->outer)
    if ((link->type == NULL || strcmp (link->type, node->signature->name) == 0)
        && flow_attr_list_get (node->attrs, link->name) == NULL)
      {
        gboolean is_hidden = FALSE;

        for (FlowChain *inner = self->now.attrs; inner != link && !is_hidden; inner = inner->outer)
          is_hidden = inner->value == NULL && strcmp (inner->name, link->name) == 0;
        if (link->value != NULL && !is_hidden)
          flow_attr_list_set (node->attrs, link->name, link->value);
      }
  /* An op that changes a reference is where the reference is: then devices outside do not count. */
  for (guint i = 0; i < wanted->len; i++)
    is_bound = is_bound || flow_dtype_is_ref (g_array_index (wanted, int, i));
  if (!is_bound)
    {
      device = _flow_builder_device_here (self, node->device);
      g_free (node->device);
      node->device = device;
    }
  for (guint i = 0; i < wanted->len; i++)
    if (flow_dtype_is_ref (g_array_index (wanted, int, i)))
      join_colocated (self, node, g_array_index (node->inputs, FlowEndpoint, i).node, groups);
  for (FlowChain *link = self->now.colocations; link != NULL; link = link->outer)
    join_colocated (self, node, link->node, groups);
  colocate (self, node, groups);
  container = flow_attr_list_get (node->attrs, "container");
  if (*self->now.container != '\0' && container != NULL && (node->signature->flags & FLOW_OP_STATEFUL) != 0
      && *flow_attr_get_string (container, NULL) == '\0')
    flow_attr_list_take (node->attrs, "container", flow_attr_new_string (self->now.container, -1));
}

static guint32
publish (FlowBuilder   *self,
         FlowBuildNode *node)
{
  guint32 index = self->nodes->len;

  g_ptr_array_add (self->nodes, node);
  g_hash_table_insert (self->by_name, node->name, GUINT_TO_POINTER (index + 1));
  for (guint i = 0; i < node->inputs->len; i++)
    _flow_builder_note_consumer (self, g_array_index (node->inputs, FlowEndpoint, i).node, index);
  for (FlowController *c = self->now.controllers; c != NULL; c = c->outer)
    g_hash_table_add (c->made, GUINT_TO_POINTER (index));
  return index;
}

/* What the context does for an op is done under the op's name, and where the references are that it changes. */
static gboolean
settle (FlowBuilder  *self,
        guint32       index,
        GArray       *wanted,
        gboolean      is_in_scope,
        GError      **error)
{
  FlowBuildNode *node = _flow_builder_node (self, index);
  FlowGradient g = { .maker = &self->maker };
  guint depth = flow_builder_get_depth (self);

  if (!is_in_scope && node->inputs->len > 0)
    {
      g_autofree char *scope = g_strconcat (node->name, "/", NULL);

      g_free (flow_builder_enter_name_scope (self, scope, &g.error));
    }
  for (guint i = 0; i < wanted->len; i++)
    if (flow_dtype_is_ref (g_array_index (wanted, int, i)))
      flow_builder_enter_colocation (self, g_array_index (node->inputs, FlowEndpoint, i).node, FALSE);
  _flow_context_add_op (node->context, &g, index);
  while (flow_builder_get_depth (self) > depth)
    flow_builder_leave (self);
  if (g.error != NULL)
    g_propagate_error (error, g.error);
  return g.error == NULL;
}

static gboolean
read_inputs (FlowBuilder    *self,
             FlowBuildNode  *node,
             const guint64  *inputs,
             gsize           n_inputs,
             GError        **error)
{
  for (gsize i = 0; i < n_inputs; i++)
    {
      FlowEndpoint at = { FLOW_OUTPUT_NODE (inputs[i]), FLOW_OUTPUT_SLOT (inputs[i]) };

      FLOW_REQUIRE (_flow_builder_has_output (self, at), error, INVALID_ARGUMENT,
                    "Input %" G_GSIZE_FORMAT " of node %s is no output of this graph", i, node->name);
      if (_flow_builder_node (self, at.node)->context != NULL
          && !_flow_builder_check_context (self, node, at.node, error))
        return FALSE;
      g_array_append_val (node->inputs, at);
    }
  return TRUE;
}

static char *
name_for (FlowBuilder  *self,
          const char   *type,
          const char   *name,
          GError      **error)
{
  g_autofree char *full = NULL;

  if (name == NULL)
    name = type;
  if (g_str_has_suffix (name, "/"))
    full = g_strndup (name, strlen (name) - 1);
  else
    full = flow_builder_unique_name (self, name, TRUE);
  if (!_flow_builder_is_valid_name (full, TRUE))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "'%s' is not a valid node name", full);
      return NULL;
    }
  if (g_hash_table_contains (self->by_name, full))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Duplicate node name in graph: '%s'", full);
      return NULL;
    }
  return g_steal_pointer (&full);
}

static gboolean
make_node (FlowBuilder    *self,
           FlowBuildNode  *node,
           const guint64  *inputs,
           gsize           n_inputs,
           GArray         *wanted,
           GError        **error)
{
  return read_inputs (self, node, inputs, n_inputs, error)
         && complete_attrs (self, node->signature, (FlowEndpoint *) (gpointer) node->inputs->data, node->inputs->len,
                            node->attrs, error)
         && flow_op_signature_expand (node->signature, node->signature->inputs, node->signature->n_inputs, node->attrs,
                                      wanted, error)
         && check_inputs (self, node, wanted, error)
         && take_outputs (node, error)
         && _flow_builder_infer (self, node, error);
}

static FlowAttrList *
copy_attrs (FlowAttrList *attrs)
{
  FlowAttrList *copy = flow_attr_list_new ();

  for (guint i = 0; attrs != NULL && i < flow_attr_list_get_length (attrs); i++)
    flow_attr_list_set (copy, flow_attr_list_get_name (attrs, i), flow_attr_list_get_value (attrs, i));
  return copy;
}

/* An op's, or that of a function of the graph's library. */
static const FlowOpSignature *
find_signature (FlowBuilder *self,
                const char  *type)
{
  const FlowOpSignature *signature = flow_op_registry_lookup (type);
  FlowFunction *function;

  if (signature != NULL || self->library == NULL)
    return signature;
  function = flow_graph_find_function (self->library, type);
  return function != NULL ? function->signature : NULL;
}

/**
 * flow_builder_add_node:
 * @self: a builder
 * @type: an op type
 * @name: (nullable): its name, made unique in the current name scope; with a slash at its end exactly
 *   that name; %NULL: the op type
 * @inputs: (array length=n_inputs) (nullable): outputs, `node << 32 | slot`
 * @n_inputs: how many
 * @attrs: (nullable): attrs beyond those that follow from @inputs and defaults
 * @node: (out): the new node
 * @error: where to put an error
 *
 * Returns: %FALSE with %FLOW_ERROR_FAILED_PRECONDITION in a finalized graph, %FLOW_ERROR_NOT_FOUND for
 *   an op type that is not known, %FLOW_ERROR_INVALID_ARGUMENT with TensorFlow's words for anything
 *   else; then no node was added
 */
gboolean
flow_builder_add_node (FlowBuilder   *self,
                       const char    *type,
                       const char    *name,
                       const guint64 *inputs,
                       gsize          n_inputs,
                       FlowAttrList  *attrs,
                       guint32       *node,
                       GError       **error)
{
  g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE, sizeof (int));
  const FlowOpSignature *signature;
  FlowBuildNode *made;
  char *full;

  g_return_val_if_fail (FLOW_IS_BUILDER (self) && type != NULL && node != NULL, FALSE);

  FLOW_REQUIRE (!self->finalized, error, FAILED_PRECONDITION, "Graph is finalized and cannot be modified.");
  signature = find_signature (self, type);
  FLOW_REQUIRE (signature != NULL, error, NOT_FOUND, "Op type not registered '%s' in binary running on %s. Make sure the "
                "Op and Kernel are registered in the binary running in this process. Note that if you are loading a saved "
                "graph which used ops from tf.contrib, accessing (e.g.) `tf.contrib.resampler` should be done before "
                "importing the graph, as contrib ops are lazily registered when the module is first accessed.", type, g_get_host_name ());
  full = name_for (self, type, name, error);
  if (full == NULL)
    return FALSE;
  made = g_new0 (FlowBuildNode, 1);
  made->name = full;
  made->signature = signature;
  made->device = g_strdup ("");
  made->inputs = g_array_new (FALSE, FALSE, sizeof (FlowEndpoint));
  made->controls = g_array_new (FALSE, FALSE, sizeof (guint32));
  made->attrs = copy_attrs (attrs);
  if (!make_node (self, made, inputs, n_inputs, wanted, error))
    {
      _flow_build_node_free (made);
      return FALSE;
    }
  _flow_builder_take_controls (self->now.controllers, made->inputs, made->controls);
  take_surroundings (self, made, wanted);
  *node = publish (self, made);
  made->context = self->now.context;
  return self->now.context == NULL || self->settles_later
         || settle (self, *node, wanted, name != NULL && g_str_has_suffix (name, "/"), error);
}

/**
 * flow_builder_settle_later:
 * @self: a builder
 *
 * Nodes that are added from now on read what they are given, until flow_builder_settle(): those of an import know of
 * each other before a branch or a loop around them leads anything in.
 */
void
flow_builder_settle_later (FlowBuilder *self)
{
  g_return_if_fail (FLOW_IS_BUILDER (self));

  self->settles_later = TRUE;
}

/**
 * flow_builder_settle:
 * @self: a builder
 * @first: the first node that was added since flow_builder_settle_later()
 * @error: where to put an error
 *
 * Leads what those nodes read from outside into the branch or loop that they were added in.
 *
 * Returns: %FALSE with %FLOW_ERROR_INVALID_ARGUMENT where what a node reads cannot be led in
 */
gboolean
flow_builder_settle (FlowBuilder  *self,
                     guint32       first,
                     GError      **error)
{
  FlowGradient g = { .maker = &self->maker };
  guint n_nodes;

  g_return_val_if_fail (FLOW_IS_BUILDER (self), FALSE);

  self->settles_later = FALSE;
  n_nodes = self->nodes->len;
  for (guint32 i = first; i < n_nodes && g.error == NULL; i++)
    if (_flow_builder_node (self, i)->context != NULL)
      _flow_context_add_op (_flow_builder_node (self, i)->context, &g, i);
  if (g.error != NULL)
    g_propagate_error (error, g.error);
  return g.error == NULL;
}

/**
 * flow_builder_add_constant:
 * @self: a builder
 * @value: the value, or one element for all
 * @shape: (nullable): the constant's shape where @value is one element for all
 * @name: (nullable): its name, as in flow_builder_add_node()
 * @node: (out): the new node
 * @error: where to put an error
 *
 * Adds a `Const`, encoded as TensorFlow's Python encodes it.
 *
 * Returns: %FALSE as flow_builder_add_node()
 */
gboolean
flow_builder_add_constant (FlowBuilder       *self,
                           const FlowTensor  *value,
                           const FlowShape   *shape,
                           const char        *name,
                           guint32           *node,
                           GError           **error)
{
  g_autoptr (FlowAttrList) attrs = flow_attr_list_new ();
  g_autoptr (GBytes) encoded = NULL;

  g_return_val_if_fail (FLOW_IS_BUILDER (self) && value != NULL, FALSE);

  encoded = flow_constant_to_proto (value, shape, error);
  if (encoded == NULL)
    return FALSE;
  flow_attr_list_take (attrs, "value",
                       flow_attr_new_tensor_encoded (encoded, flow_tensor_get_dtype (value),
                                                     shape != NULL ? shape : flow_tensor_get_shape (value),
                                                     flow_tensor_decode_constant));
  flow_attr_list_take (attrs, "dtype", flow_attr_new_type (flow_tensor_get_dtype (value)));
  return flow_builder_add_node (self, "Const", name, NULL, 0, attrs, node, error);
}

/* --- What changes later --- */

void
_flow_builder_touch (FlowBuilder *self,
                     guint32      node)
{
  self->n_changes++;
  if (self->graph != NULL && node < flow_graph_get_n_nodes (self->graph))
    self->graph_is_old = TRUE;
}

/**
 * flow_builder_add_control_input:
 * @self: a builder
 * @node: a node
 * @source: the node that is to run before it
 */
void
flow_builder_add_control_input (FlowBuilder *self,
                                guint32      node,
                                guint32      source)
{
  FlowBuildNode *made;

  g_return_if_fail (FLOW_IS_BUILDER (self) && node < self->nodes->len && source < self->nodes->len);

  made = _flow_builder_node (self, node);
  for (guint i = 0; i < made->controls->len; i++)
    if (g_array_index (made->controls, guint32, i) == source)
      return;
  g_array_append_val (made->controls, source);
  _flow_builder_touch (self, node);
}

/**
 * flow_builder_clear_control_inputs:
 * @self: a builder
 * @node: a node; it waits for nothing but its inputs from now on
 */
void
flow_builder_clear_control_inputs (FlowBuilder *self,
                                   guint32      node)
{
  g_return_if_fail (FLOW_IS_BUILDER (self) && node < self->nodes->len);

  g_array_set_size (_flow_builder_node (self, node)->controls, 0);
  _flow_builder_touch (self, node);
}

/**
 * flow_builder_set_input:
 * @self: a builder
 * @node: a node
 * @i: which of its data inputs
 * @source: the output it reads from now on
 * @error: where to put an error
 *
 * For the back edges of loops and for inputs that a loop or a branch leads through an op of its own.
 *
 * Returns: %FALSE with %FLOW_ERROR_OUT_OF_RANGE when there is no such input
 */
gboolean
flow_builder_set_input (FlowBuilder  *self,
                        guint32       node,
                        guint         i,
                        guint64       source,
                        GError      **error)
{
  FlowEndpoint at = { FLOW_OUTPUT_NODE (source), FLOW_OUTPUT_SLOT (source) };
  FlowBuildNode *made;
  FlowEndpoint *input;
  GArray *consumers;

  g_return_val_if_fail (FLOW_IS_BUILDER (self) && node < self->nodes->len && at.node < self->nodes->len, FALSE);

  made = _flow_builder_node (self, node);
  FLOW_REQUIRE (i < made->inputs->len, error, OUT_OF_RANGE, "Cannot update edge. Input index [%u] is greater than the "
                "number of total inputs [%u].", i, made->inputs->len);
  input = &g_array_index (made->inputs, FlowEndpoint, i);
  consumers = _flow_builder_node (self, input->node)->consumers;
  for (guint k = 0; k < consumers->len; k++)
    if (g_array_index (consumers, guint32, k) == node)
      {
        g_array_remove_index (consumers, k);
        break;
      }
  *input = at;
  _flow_builder_note_consumer (self, at.node, node);
  _flow_builder_touch (self, node);
  return TRUE;
}

/**
 * flow_builder_set_attr:
 * @self: a builder
 * @node: a node
 * @name: an attr
 * @value: its value from now on
 */
void
flow_builder_set_attr (FlowBuilder    *self,
                       guint32         node,
                       const char     *name,
                       const FlowAttr *value)
{
  g_return_if_fail (FLOW_IS_BUILDER (self) && node < self->nodes->len && name != NULL && value != NULL);

  flow_attr_list_set (_flow_builder_node (self, node)->attrs, name, value);
  _flow_builder_touch (self, node);
}

/**
 * flow_builder_set_device:
 * @self: a builder
 * @node: a node
 * @device: the device it asks for from now on
 * @error: where to put an error
 *
 * It is kept as it is written here.
 *
 * Returns: %FALSE with %FLOW_ERROR_INVALID_ARGUMENT when that is no device
 */
gboolean
flow_builder_set_device (FlowBuilder  *self,
                         guint32       node,
                         const char   *device,
                         GError      **error)
{
  g_autofree char *canonical = NULL;

  g_return_val_if_fail (FLOW_IS_BUILDER (self) && node < self->nodes->len && device != NULL, FALSE);

  canonical = _flow_builder_canonical_device (device, error);
  if (canonical == NULL)
    return FALSE;
  g_free (_flow_builder_node (self, node)->device);
  _flow_builder_node (self, node)->device = g_strdup (device);
  _flow_builder_touch (self, node);
  return TRUE;
}
