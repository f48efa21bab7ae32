/* flow-graph-import.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-graph-private.h"

#include "flow-util.h"

#include <string.h>

/* From nodes as written to records: names, definitions, attrs, then edges, then what follows from
 * them. Everything that a file can get wrong is caught here and reported with TensorFlow's words. */

/* A guessed op has as many outputs as somebody reads; more than this nobody does. */
#define MAX_GUESSED_OUTPUTS 65536

typedef struct {
  FlowGraph *graph;
  const FlowNodeDef *defs;
  gsize n_defs;
  guint32 first;
  guint32 *index_of;           /* def -> node, FLOW_NODE_NONE where it was dropped */
  gsize *def_of;               /* node - first -> def */
  GHashTable *max_slot;        /* node -> highest slot that is read, + 1 */
  GPtrArray *problems;
} Import;

gboolean
_flow_graph_report (FlowGraph   *self,
                    guint32      node,
                    const char  *field,
                    gint64       offset,
                    GError      *what,
                    GPtrArray   *problems,
                    GError     **error)
{
  const char *name = node != FLOW_NODE_NONE ? _flow_graph_node (self, node)->name : NULL;
  const char *type = node != FLOW_NODE_NONE ? _flow_graph_node (self, node)->type : NULL;

  flow_error_set_node (what, name, type);
  if (problems == NULL)
    {
      g_propagate_error (error, what);
      return FALSE;
    }
  /* A file that is wrong throughout need not say so at each node; the nodes themselves know. */
  if (problems->len < FLOW_MAX_PROBLEMS)
    g_ptr_array_add (problems, flow_problem_new (what->code, 2, name, field, offset, "%s", what->message));
  else if (problems->len == FLOW_MAX_PROBLEMS)
    g_ptr_array_add (problems, flow_problem_new (what->code, 2, NULL, NULL, -1, "there are more problems than these %d",
                                                 FLOW_MAX_PROBLEMS));
  if (node != FLOW_NODE_NONE)
    _flow_graph_set_node_error (self, node, what);
  else
    g_error_free (what);
  return TRUE;
}

/* [A-Za-z0-9.][A-Za-z0-9_.\-/]* pieces joined by '>'; internal nodes begin with '_'. */
static gboolean
is_valid_name (const char *name,
               gsize       length)
{
  gboolean at_start = TRUE;

  if (length == 0)
    return FALSE;
  for (gsize i = 0; i < length; i++)
    {
      char c = name[i];

      if (c == '>' && !at_start)
        {
          at_start = TRUE;
          continue;
        }
      if (!g_ascii_isalnum (c) && c != '.' && !(at_start ? (c == '_' && i == 0) : strchr ("_-/\\", c) != NULL && c != '\0'))
        return FALSE;
      at_start = FALSE;
    }
  return !at_start;
}

static gboolean
check_name (Import             *import,
            const FlowNodeDef  *def,
            GError            **error)
{
  g_autofree char *shown = NULL;
  GError *what = NULL;

  if (!is_valid_name (def->name, def->name_length))
    {
      shown = flow_escape_display (def->name, (gssize) MIN (def->name_length, 200), 0);
      what = g_error_new (FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                          "Node '%s': Node name contains invalid characters", shown);
    }
  else if (_flow_scope_tree_find_node (import->graph->scopes, import->graph->nodes->len - 1, def->name, def->name_length) != FLOW_NODE_NONE)
    {
      shown = flow_escape_display (def->name, (gssize) def->name_length, 200);
      what = g_error_new (FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Node '%s' is not unique", shown);
    }
  if (what != NULL)
    {
      _flow_graph_report (import->graph, FLOW_NODE_NONE, "name", def->offset, what, import->problems, error);
      return FALSE;
    }
  /* TF keeps these for nodes of its own making. It can be drawn and run like any other. */
  if (def->name[0] == '_')
    {
      what = g_error_new (FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                          "Node '%s': Node name contains invalid characters: '_' first is for internal nodes", def->name);
      return _flow_graph_report (import->graph, FLOW_NODE_NONE, "name", def->offset, what, import->problems, error);
    }
  return TRUE;
}

/* First pass: all names, so that inputs may point forward. */
static gboolean
add_names (Import  *import,
           GError **error)
{
  FlowGraph *self = import->graph;

  for (gsize i = 0; i < import->n_defs; i++)
    {
      const FlowNodeDef *def = &import->defs[i];
      FlowNodeRecord record = { 0 };
      guint32 index = self->nodes->len;

      import->index_of[i] = FLOW_NODE_NONE;
      if (!check_name (import, def, error))
        {
          if (import->problems == NULL)
            return FALSE;
          continue;
        }
      record.name = g_string_chunk_insert_len (self->arena, def->name, (gssize) def->name_length);
      record.name_length = (guint32) def->name_length;
      record.type = g_string_chunk_insert_const (self->arena, def->op != NULL ? def->op : "");
      record.device = g_string_chunk_insert_const (self->arena, def->device != NULL ? def->device : "");
      record.attrs = def->attrs != NULL ? flow_attr_list_ref (def->attrs) : flow_attr_list_new ();
      _flow_scope_tree_add_node (self->scopes, index, record.name, record.name_length, &record.scope, &record.leaf);
      g_array_append_val (self->nodes, record);
      import->def_of[index - import->first] = i;
      import->index_of[i] = index;
    }
  return TRUE;
}

/* "a", "a:1", "^a" without looking it up. A ':' that no number follows belongs to the name. */
static void
split_input (const char *text,
             gboolean   *is_control,
             gsize      *length,
             gint64     *slot)
{
  const char *colon;

  *is_control = *text == '^';
  *length = strlen (text);
  *slot = 0;
  if (*is_control)
    return;
  colon = strrchr (text, ':');
  if (colon == NULL || colon[1] == '\0' || strspn (colon + 1, "0123456789") != strlen (colon + 1))
    return;
  *length = (gsize) (colon - text);
  *slot = strlen (colon + 1) > 10 ? G_MAXINT64 : g_ascii_strtoll (colon + 1, NULL, 10);
}

static void
note_slots (Import *import)
{
  for (gsize i = 0; i < import->n_defs; i++)
    for (guint k = 0; k < import->defs[i].n_inputs; k++)
      {
        gboolean is_control;
        gsize length;
        gint64 slot;
        guint32 node;

        split_input (import->defs[i].inputs[k], &is_control, &length, &slot);
        if (is_control || slot == 0 || slot >= MAX_GUESSED_OUTPUTS)
          continue;
        node = _flow_scope_tree_find_node (import->graph->scopes, FLOW_NODE_NONE, import->defs[i].inputs[k], length);
        if (node != FLOW_NODE_NONE
            && slot + 1 > GPOINTER_TO_INT (g_hash_table_lookup (import->max_slot, GUINT_TO_POINTER (node))))
          g_hash_table_insert (import->max_slot, GUINT_TO_POINTER (node), GINT_TO_POINTER ((int) slot + 1));
      }
}

FlowOpSignature *
_flow_graph_add_guess (FlowGraph  *self,
                       const char *type,
                       guint       n_outputs)
{
  FlowOpSignature *signature = flow_op_signature_new (type, 0, n_outputs, 0);

  signature->is_guess = TRUE;
  for (guint i = 0; i < signature->n_outputs; i++)
    signature->outputs[i].name = g_strdup_printf ("output_%u", i);
  g_ptr_array_add (self->signatures, signature);
  return signature;
}

/* For a type nobody defines: as many outputs as are read or have shapes, of the dtype that attrs
 * named T or dtype say. */
static const FlowOpSignature *
guess_signature (Import  *import,
                 guint32  node)
{
  FlowNodeRecord *record = _flow_graph_node (import->graph, node);
  FlowAttr *shapes = flow_attr_list_get (record->attrs, "_output_shapes");
  FlowAttr *type = flow_attr_list_get (record->attrs, "dtype");
  guint n_outputs = (guint) GPOINTER_TO_INT (g_hash_table_lookup (import->max_slot, GUINT_TO_POINTER (node)));
  FlowOpSignature *signature;

  if (type == NULL)
    type = flow_attr_list_get (record->attrs, "T");
  if (shapes != NULL && flow_attr_is_list (shapes) && flow_attr_get_length (shapes) < MAX_GUESSED_OUTPUTS)
    n_outputs = MAX (n_outputs, (guint) flow_attr_get_length (shapes));
  signature = _flow_graph_add_guess (import->graph, record->type, MAX (n_outputs, 1));
  if (type != NULL && flow_attr_get_kind (type) == FLOW_ATTR_TYPE && !flow_attr_is_list (type))
    for (guint i = 0; i < signature->n_outputs; i++)
      signature->outputs[i].dtype = flow_attr_get_dtype (type);
  return signature;
}

/* Whether a node says something that our definition of its op cannot mean: the file's definition has an
 * attr that ours has not, and the node's value of it is not the default. Newer releases give ops new attrs
 * like that; a default leaves the op what it was. */
static gboolean
needs_newer_definition (const FlowOpSignature *ours,
                        const FlowOpSignature *newer,
                        FlowAttrList          *attrs)
{
  for (guint i = 0; i < newer->n_attrs; i++)
    {
      const FlowAttrDef *def = &newer->attrs[i];
      const FlowAttr *value = flow_attr_list_get (attrs, def->name);

      if (value != NULL && flow_op_signature_find_attr (ours, def->name) == NULL
          && (def->default_value == NULL || !flow_attr_equal (value, def->default_value)))
        return TRUE;
    }
  return FALSE;
}

const FlowOpSignature *
_flow_graph_find_definition (FlowGraph    *self,
                             const char   *type,
                             FlowAttrList *attrs)
{
  FlowGraph *library = self->library != NULL ? self->library : self;
  const FlowOpSignature *signature = flow_op_registry_lookup (type);
  const FlowOpSignature *of_file = g_hash_table_lookup (library->file_signatures, type);
  const FlowFunction *function = NULL;

  if (signature == NULL || (of_file != NULL && needs_newer_definition (signature, of_file, attrs)))
    signature = of_file;
  if (signature == NULL)
    {
      function = flow_graph_find_function (self, type);
      signature = function != NULL ? function->signature : NULL;
    }
  return signature;
}

static const FlowOpSignature *
find_signature (Import   *import,
                guint32   node,
                gboolean *guessed)
{
  const FlowNodeRecord *record = _flow_graph_node (import->graph, node);
  const FlowOpSignature *signature = _flow_graph_find_definition (import->graph, record->type, record->attrs);

  *guessed = signature == NULL;
  return signature != NULL ? signature : guess_signature (import, node);
}

/* TF refuses an attr that the op does not have. It may be a newer writer's, so here it is only told; and
 * not even that where the file defines the attr: then it has its default (see needs_newer_definition()). */
static void
note_foreign_attrs (Import  *import,
                    guint32  node,
                    gint64   offset)
{
  const FlowNodeRecord *record = _flow_graph_node (import->graph, node);
  const FlowOpSignature *of_file = g_hash_table_lookup (import->graph->file_signatures, record->type);

  if (import->problems == NULL || record->signature->op == NULL)
    return;
  for (guint i = 0; i < flow_attr_list_get_length (record->attrs); i++)
    {
      const char *name = flow_attr_list_get_name (record->attrs, i);

      if (*name != '_' && flow_op_signature_find_attr (record->signature, name) == NULL
          && (of_file == NULL || flow_op_signature_find_attr (of_file, name) == NULL)
          && import->problems->len < FLOW_MAX_PROBLEMS)
        g_ptr_array_add (import->problems,
                         flow_problem_new (FLOW_ERROR_INVALID_ARGUMENT, 1, record->name, "attr", offset,
                                           "NodeDef mentions attr '%s' not in Op<name=%s>; NodeDef: {{node %s}}", name,
                                           record->type, record->name));
    }
}

/* Second pass: definition, attrs, outputs. A node whose attrs are wrong gets a guessed definition, so
 * that it can be drawn with the edges it has. */
static gboolean
add_outputs (Import   *import,
             guint32   node,
             gboolean *guessed,
             GError  **error)
{
  FlowGraph *self = import->graph;
  FlowNodeRecord *record = _flow_graph_node (self, node);
  const FlowNodeDef *def = &import->defs[import->def_of[node - import->first]];
  GError *what = NULL;
  guint first_output = self->output_dtypes->len;

  record->signature = find_signature (import, node, guessed);
  if (*record->type == '\0')
    what = g_error_new (FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                        "Node '%s' does not specify an operation", record->name);
  else if (!*guessed && flow_op_signature_check_attrs (record->signature, record->attrs, &what))
    flow_op_signature_expand (record->signature, record->signature->outputs, record->signature->n_outputs,
                            record->attrs, self->output_dtypes, &what);
  if (what != NULL)
    {
      if (!_flow_graph_report (self, node, "attr", def->offset, what, import->problems, error))
        return FALSE;
      record->signature = guess_signature (import, node);
      *guessed = TRUE;
    }
  if (!*guessed)
    note_foreign_attrs (import, node, def->offset);
  if (*guessed)
    {
      g_array_set_size (self->output_dtypes, first_output);
      for (guint i = 0; i < record->signature->n_outputs; i++)
        g_array_append_val (self->output_dtypes, record->signature->outputs[i].dtype);
    }
  record->first_output = first_output;
  record->n_outputs = self->output_dtypes->len - first_output;
  for (guint i = 0; i < record->n_outputs; i++)
    g_ptr_array_add (self->output_shapes, flow_shape_new_unknown ());
  return TRUE;
}

/* TensorFlow tells of what an If or a While may give besides, when something asks for more than it gives. */
static const char *
advice_on (const FlowNodeRecord *source)
{
  static const char *const types[] = { "If", "StatelessIf", "While", "StatelessWhile", NULL };

  return g_strv_contains (types, source->type) ? " Try using tf.compat.v1.experimental.output_all_intermediates(True)." : "";
}

static GError *
resolve_input (Import       *import,
               guint32       node,
               const char   *text,
               gboolean      after_control,
               FlowEndpoint *source)
{
  FlowGraph *self = import->graph;
  const char *name = _flow_graph_node (self, node)->name;
  gboolean is_control;
  gsize length;
  gint64 slot;

  split_input (text, &is_control, &length, &slot);
  if (!is_control && after_control)
    return g_error_new (FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                        "Node '%s': Control dependencies must come after regular dependencies", name);
  source->node = _flow_scope_tree_find_node (self->scopes, node, is_control ? text + 1 : text, is_control ? length - 1 : length);
  source->slot = is_control ? FLOW_SLOT_CONTROL : (gint32) MIN (slot, G_MAXINT32);
  if (source->node == FLOW_NODE_NONE)
    {
      g_autofree char *shown = flow_escape_display (is_control ? text + 1 : text, is_control ? (gssize) length - 1 : (gssize) length, 200);

      return g_error_new (FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Node '%s': Unknown input node '%s'", name, shown);
    }
  if (!is_control && slot >= _flow_graph_node (self, source->node)->n_outputs)
    return g_error_new (FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Node '%s': Connecting to invalid output %" G_GINT64_FORMAT
                        " of source node %s which has %u outputs.%s", name, slot, _flow_graph_node (self, source->node)->name,
                        _flow_graph_node (self, source->node)->n_outputs, advice_on (_flow_graph_node (self, source->node)));
  return NULL;
}

static GError *
check_edge (FlowGraph          *self,
            guint32             node,
            guint               i,
            const FlowEndpoint *source,
            int                 wanted)
{
  const FlowNodeRecord *record = _flow_graph_node (self, source->node);
  int *output = &g_array_index (self->output_dtypes, int, record->first_output + (guint) source->slot);
  int dtype = *output;

  /* A guessed op promises nothing: who reads it knows better. */
  if (record->signature->is_guess)
    {
      if (wanted != FLOW_DTYPE_INVALID)
        *output = wanted;
      return NULL;
    }
  /* A reference may be read as its base; nothing else converts. */
  if (dtype == wanted || (!flow_dtype_is_ref (wanted) && (int) flow_dtype_base (dtype) == wanted)
      || dtype == FLOW_DTYPE_INVALID || wanted == FLOW_DTYPE_INVALID)
    return NULL;
  return g_error_new (FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                      "Input %u of node %s was passed %s from %s:%d incompatible with expected %s.", i,
                      _flow_graph_node (self, node)->name, flow_dtype_string (dtype),
                      _flow_graph_node (self, source->node)->name, source->slot, flow_dtype_string (wanted));
}

/* A node of a newer release is told as such, in TensorFlow's words, not as a wrong edge. */
static void
explain_mismatch (FlowGraph *self,
                  guint32    node,
                  GError    *mismatch)
{
  const FlowNodeRecord *record = _flow_graph_node (self, node);

  for (guint i = 0; i < flow_attr_list_get_length (record->attrs); i++)
    {
      const char *name = flow_attr_list_get_name (record->attrs, i);

      if (*name == '_' || flow_op_signature_find_attr (record->signature, name) != NULL)
        continue;
      g_prefix_error (&mismatch, "NodeDef mentions attr '%s' not in Op<name=%s>; NodeDef: {{node %s}}. (Check whether "
                      "your GraphDef-interpreting binary is up to date with your GraphDef-generating binary.): ",
                      name, record->type, record->name);
      return;
    }
}

static GError *
check_input_count (FlowGraph *self,
                   guint32    node,
                   GArray    *wanted,
                   guint      have)
{
  g_autoptr (GString) expected = NULL;

  if (wanted->len == have)
    return NULL;
  expected = g_string_new (NULL);
  for (guint i = 0; i < MIN (wanted->len, 20); i++)
    g_string_append_printf (expected, "%s%s", i > 0 ? ", " : "", flow_dtype_string (g_array_index (wanted, int, i)));
  return g_error_new (FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                      "NodeDef expected inputs '%s' do not match %u inputs specified; Op<name=%s>; NodeDef: {{node %s}}",
                      expected->str, have, _flow_graph_node (self, node)->type, _flow_graph_node (self, node)->name);
}

/* Third pass: the inputs of one node. What cannot be resolved is left out and reported. */
static gboolean
add_inputs (Import   *import,
            guint32   node,
            gboolean  guessed,
            GError  **error)
{
  FlowGraph *self = import->graph;
  const FlowNodeDef *def = &import->defs[import->def_of[node - import->first]];
  FlowNodeRecord *record = _flow_graph_node (self, node);
  g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE, sizeof (int));
  GError *what = NULL;
  gboolean seen_control = FALSE;
  guint n_data = 0;

  record->first_input = self->inputs->len;
  if (!guessed)
    flow_op_signature_expand (record->signature, record->signature->inputs, record->signature->n_inputs,
                            record->attrs, wanted, &what);
  for (guint i = 0; i < def->n_inputs; i++)
    n_data += *def->inputs[i] != '^';
  if (what == NULL && !guessed)
    what = check_input_count (self, node, wanted, n_data);
  if (what != NULL && !_flow_graph_report (self, node, "input", def->offset, what, import->problems, error))
    return FALSE;

  for (guint i = 0; i < def->n_inputs; i++)
    {
      FlowEndpoint source;
      int dtype = !guessed && record->n_data < wanted->len ? g_array_index (wanted, int, record->n_data) : FLOW_DTYPE_INVALID;

      what = resolve_input (import, node, def->inputs[i], seen_control, &source);
      seen_control = seen_control || *def->inputs[i] == '^';
      if (what == NULL && source.slot != FLOW_SLOT_CONTROL)
        {
          GError *mismatch = check_edge (self, node, record->n_data, &source, dtype);

          if (mismatch != NULL)
            explain_mismatch (self, node, mismatch);
          if (mismatch != NULL && !_flow_graph_report (self, node, "input", def->offset, mismatch, import->problems, error))
            return FALSE;
        }
      if (what != NULL)
        {
          if (!_flow_graph_report (self, node, "input", def->offset, what, import->problems, error))
            return FALSE;
          continue;
        }
      if (source.slot != FLOW_SLOT_CONTROL)
        record->n_data++;
      else
        record->n_control++;
      g_array_append_val (self->inputs, source);
      g_array_append_val (self->input_dtypes, dtype);
    }
  return TRUE;
}

static void
check_colocation (Import  *import,
                  guint32  node)
{
  FlowGraph *self = import->graph;
  FlowAttr *value = flow_attr_list_get (_flow_graph_node (self, node)->attrs, "_class");

  if (import->problems == NULL || value == NULL || !flow_attr_is_list (value))
    return;
  for (gsize i = 0; i < flow_attr_get_length (value); i++)
    {
      const char *text = flow_attr_get_string (flow_attr_get_item (value, i), NULL);

      if (g_str_has_prefix (text, "loc:@")
          && _flow_scope_tree_find_node (self->scopes, FLOW_NODE_NONE, text + 5, strlen (text + 5)) == FLOW_NODE_NONE)
        g_ptr_array_add (import->problems,
                         flow_problem_new (FLOW_ERROR_INVALID_ARGUMENT, 1, _flow_graph_node (self, node)->name,
                                           "attr[_class]", -1, "Node '%s' expects to be colocated with unknown node '%s'",
                                           _flow_graph_node (self, node)->name, text + 5));
    }
}

static gboolean
add_all (Import  *import,
         GError **error)
{
  FlowGraph *self = import->graph;
  g_autofree gboolean *guessed = NULL;

  if (!add_names (import, error))
    return FALSE;
  note_slots (import);
  guessed = g_new0 (gboolean, self->nodes->len - import->first + 1);
  for (guint32 node = import->first; node < self->nodes->len; node++)
    if (!add_outputs (import, node, &guessed[node - import->first], error))
      return FALSE;
  for (guint32 node = import->first; node < self->nodes->len; node++)
    {
      if (!add_inputs (import, node, guessed[node - import->first], error))
        return FALSE;
      check_colocation (import, node);
    }
  return _flow_graph_build_order (self, import->first, import->problems, error);
}

static void
roll_back (FlowGraph *self,
           guint      n_nodes,
           guint      n_scopes,
           guint      n_inputs,
           guint      n_outputs)
{
  for (guint i = n_nodes; i < self->nodes->len; i++)
    {
      g_clear_pointer (&_flow_graph_node (self, i)->attrs, flow_attr_list_unref);
      g_hash_table_remove (self->node_errors, GUINT_TO_POINTER (i));
    }
  g_array_set_size (self->nodes, n_nodes);
  g_array_set_size (self->inputs, n_inputs);
  g_array_set_size (self->input_dtypes, n_inputs);
  g_array_set_size (self->output_dtypes, n_outputs);
  g_ptr_array_set_size (self->output_shapes, (int) n_outputs);
  g_array_set_size (self->order, n_nodes);
  g_array_set_size (self->node_frames, n_nodes);
  _flow_scope_tree_truncate (self->scopes, n_nodes, n_scopes);
}

gboolean
_flow_graph_import_nodes (FlowGraph          *self,
                          const FlowNodeDef  *nodes,
                          gsize               n_nodes,
                          GPtrArray          *problems,
                          GError            **error)
{
  guint n_scopes = _flow_scope_tree_get_n_scopes (self->scopes);
  guint n_inputs = self->inputs->len;
  guint n_outputs = self->output_dtypes->len;
  g_autofree guint32 *index_of = g_new (guint32, n_nodes + 1);
  g_autofree gsize *def_of = g_new (gsize, n_nodes + 1);
  g_autoptr (GHashTable) max_slot = g_hash_table_new (NULL, NULL);
  Import import = {
    .graph = self, .defs = nodes, .n_defs = n_nodes, .first = self->nodes->len,
    .index_of = index_of, .def_of = def_of, .max_slot = max_slot, .problems = problems,
  };

  if (!add_all (&import, error))
    {
      roll_back (self, import.first, n_scopes, n_inputs, n_outputs);
      return FALSE;
    }
  _flow_graph_build_edges (self);
  _flow_graph_infer_shapes (self, import.first, problems);
  return TRUE;
}
