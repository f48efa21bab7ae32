/* flow-graph-columns.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-graph-private.h"

#include "flow-infer.h"

#include <string.h>

/* A graph as it stands in memory, for another process of the same build: names, edges and shapes as columns of numbers.
 * Whoever takes them need not parse, resolve or infer again what has been found out once; what they say of places in
 * one another is checked all the same. */

#define ERRORS_TYPE "a(uis)"
#define NO_SHAPE 0xffffffffu
#define NO_HANDLE 0xfffffffeu

/* Where a node's definition comes from. */
enum {
  ORIGIN_REGISTRY,
  ORIGIN_FILE,
  ORIGIN_FUNCTION,
  ORIGIN_GUESS,
  N_ORIGINS
};

typedef struct {
  guint32 name_length;
  guint32 type;                /* index of a string */
  guint32 device;
  guint32 origin;
  guint32 n_data;
  guint32 n_control;
  guint32 n_outputs;
  guint32 frame;
} NodeRow;

typedef struct {
  FlowEndpoint source;
  gint32 dtype;
} InputRow;

typedef struct {
  gint32 dtype;
  guint32 shape;               /* where it begins among the shapes */
  gint32 handle_dtype;
  guint32 handle_shape;        /* likewise, NO_SHAPE, or NO_HANDLE */
} OutputRow;

typedef struct {
  guint32 name;
  guint32 parent;
  guint32 enter;
} FrameRow;

/* --- Writing --- */

typedef struct {
  GHashTable *index_of;        /* string -> index */
  GString *text;
} Strings;

static guint32
add_string (Strings    *self,
            const char *text)
{
  gpointer index;

  if (g_hash_table_lookup_extended (self->index_of, text, NULL, &index))
    return GPOINTER_TO_UINT (index);
  g_string_append_len (self->text, text, (gssize) strlen (text) + 1);
  index = GUINT_TO_POINTER (g_hash_table_size (self->index_of));
  g_hash_table_insert (self->index_of, (gpointer) text, index);
  return GPOINTER_TO_UINT (index);
}

static guint
hash_shape (gconstpointer key)
{
  const FlowShape *shape = key;
  guint64 hash = (guint64) (shape->rank + 1);

  for (int i = 0; i < shape->rank; i++)
    hash = (hash ^ (guint64) shape->dims[i]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return (guint) (hash ^ hash >> 32);
}

static gboolean
shapes_equal (gconstpointer a,
              gconstpointer b)
{
  const FlowShape *x = a;
  const FlowShape *y = b;

  return x->rank == y->rank && memcmp (x->dims, y->dims, sizeof *x->dims * (gsize) MAX (x->rank, 0)) == 0;
}

typedef struct {
  GHashTable *place_of;        /* FlowShape -> where it begins */
  GArray *numbers;             /* of gint64: rank, then dims */
} Shapes;

static guint32
add_shape (Shapes          *self,
           const FlowShape *shape)
{
  gint64 rank = shape->rank;
  gpointer place;

  if (g_hash_table_lookup_extended (self->place_of, shape, NULL, &place))
    return GPOINTER_TO_UINT (place);
  place = GUINT_TO_POINTER (self->numbers->len);
  g_array_append_val (self->numbers, rank);
  if (rank > 0)
    g_array_append_vals (self->numbers, shape->dims, (guint) rank);
  g_hash_table_insert (self->place_of, (gpointer) shape, place);
  return GPOINTER_TO_UINT (place);
}

static guint32
origin_of (FlowGraph            *self,
           const FlowNodeRecord *record)
{
  if (record->signature->is_guess)
    return ORIGIN_GUESS;
  if (record->signature->op != NULL)
    return ORIGIN_REGISTRY;
  return g_hash_table_lookup (self->file_signatures, record->type) == record->signature ? ORIGIN_FILE : ORIGIN_FUNCTION;
}

static void
write_nodes (FlowGraph *self,
             Strings   *strings,
             GPtrArray *columns)
{
  gsize n = self->nodes->len;
  gsize size = 0;
  NodeRow *rows = g_new (NodeRow, n + 1);
  char *names;
  char *end;

  for (guint32 node = 0; node < n; node++)
    size += _flow_graph_node (self, node)->name_length + (gsize) 1;
  names = end = g_malloc (size + 1);
  for (guint32 node = 0; node < n; node++)
    {
      const FlowNodeRecord *record = _flow_graph_node (self, node);

      memcpy (end, record->name, record->name_length + (gsize) 1);
      end += record->name_length + (gsize) 1;
      rows[node] = (NodeRow) {
        .name_length = record->name_length,
        .type = add_string (strings, record->type),
        .device = add_string (strings, record->device),
        .origin = origin_of (self, record),
        .n_data = record->n_data,
        .n_control = record->n_control,
        .n_outputs = record->n_outputs,
        .frame = g_array_index (self->node_frames, guint32, node),
      };
    }
  columns->pdata[FLOW_GRAPH_COLUMN_NAMES] = g_bytes_new_take (names, size);
  columns->pdata[FLOW_GRAPH_COLUMN_NODES] = g_bytes_new_take (rows, n * sizeof *rows);
}

/* Inputs and outputs by node, whatever order they were resolved in. */
static void
write_edges (FlowGraph *self,
             GPtrArray *columns)
{
  g_autoptr (GHashTable) place_of = g_hash_table_new (hash_shape, shapes_equal);
  Shapes shapes = { place_of, g_array_new (FALSE, FALSE, sizeof (gint64)) };
  InputRow *inputs = g_new (InputRow, (gsize) self->inputs->len + 1);
  OutputRow *outputs = g_new (OutputRow, (gsize) self->output_dtypes->len + 1);
  gsize n_inputs = 0;
  gsize n_outputs = 0;

  for (guint32 node = 0; node < self->nodes->len; node++)
    {
      const FlowNodeRecord *record = _flow_graph_node (self, node);

      for (guint i = 0; i < record->n_data + record->n_control; i++)
        inputs[n_inputs++] = (InputRow) {
          .source = _flow_graph_inputs (self, node)[i],
          .dtype = g_array_index (self->input_dtypes, int, record->first_input + i),
        };
      for (guint i = 0; i < record->n_outputs; i++)
        {
          guint at = record->first_output + i;
          const FlowHandleData *handle = g_hash_table_lookup (self->handles, GUINT_TO_POINTER (at));
          guint32 handle_shape = handle == NULL ? NO_HANDLE : NO_SHAPE;

          if (handle != NULL && handle->shape != NULL)
            handle_shape = add_shape (&shapes, handle->shape);
          outputs[n_outputs++] = (OutputRow) {
            .dtype = g_array_index (self->output_dtypes, int, at),
            .shape = add_shape (&shapes, self->output_shapes->pdata[at]),
            .handle_dtype = handle != NULL ? (gint32) handle->dtype : FLOW_DTYPE_INVALID,
            .handle_shape = handle_shape,
          };
        }
    }
  columns->pdata[FLOW_GRAPH_COLUMN_INPUTS] = g_bytes_new_take (inputs, n_inputs * sizeof *inputs);
  columns->pdata[FLOW_GRAPH_COLUMN_OUTPUTS] = g_bytes_new_take (outputs, n_outputs * sizeof *outputs);
  columns->pdata[FLOW_GRAPH_COLUMN_SHAPES] =
    g_bytes_new (shapes.numbers->data, (gsize) shapes.numbers->len * sizeof (gint64));
  g_array_unref (shapes.numbers);
}

static GBytes *
write_errors (FlowGraph *self)
{
  g_autoptr (GVariant) rows = NULL;
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE (ERRORS_TYPE));
  for (guint32 node = 0; g_hash_table_size (self->node_errors) > 0 && node < self->nodes->len; node++)
    {
      const GError *what = g_hash_table_lookup (self->node_errors, GUINT_TO_POINTER (node));
      g_autofree char *message = what != NULL ? g_utf8_make_valid (what->message, -1) : NULL;

      if (what != NULL)
        g_variant_builder_add (&builder, "(uis)", node, what->code, message);
    }
  rows = g_variant_ref_sink (g_variant_builder_end (&builder));
  return g_variant_get_data_as_bytes (rows);
}

/**
 * flow_graph_to_columns: (skip)
 * @self: a graph
 *
 * Writes nodes without their attrs, edges, dtypes, shapes, frames and errors as they stand in memory. Definitions,
 * functions, collections and versions travel on their own.
 *
 * Returns: (transfer full) (element-type GBytes): the columns, by #FlowGraphColumn
 */
GPtrArray *
flow_graph_to_columns (FlowGraph *self)
{
  g_autoptr (GHashTable) index_of = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *columns = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  Strings strings = { index_of, g_string_new (NULL) };
  FrameRow *frames;

  g_return_val_if_fail (FLOW_IS_GRAPH (self), columns);

  g_ptr_array_set_size (columns, FLOW_GRAPH_N_COLUMNS);
  write_nodes (self, &strings, columns);
  write_edges (self, columns);
  frames = g_new (FrameRow, self->frames->len);
  for (guint i = 0; i < self->frames->len; i++)
    {
      const FlowFrameRecord *record = &g_array_index (self->frames, FlowFrameRecord, i);

      frames[i] = (FrameRow) { add_string (&strings, record->name), record->parent, record->enter };
    }
  columns->pdata[FLOW_GRAPH_COLUMN_FRAMES] = g_bytes_new_take (frames, self->frames->len * sizeof *frames);
  columns->pdata[FLOW_GRAPH_COLUMN_ORDER] = g_bytes_new (self->order->data, self->order->len * sizeof (guint32));
  columns->pdata[FLOW_GRAPH_COLUMN_ERRORS] = write_errors (self);
  columns->pdata[FLOW_GRAPH_COLUMN_STRINGS] = g_string_free_to_bytes (strings.text);
  return columns;
}

/* --- Reading --- */

typedef struct {
  FlowGraph *graph;
  GPtrArray *strings;          /* of const char *, in the graph's arena */
  const NodeRow *nodes;
  gsize n_nodes;
  const InputRow *inputs;
  gsize n_inputs;
  const OutputRow *outputs;
  gsize n_outputs;
  const gint64 *shapes;
  gsize n_shapes;
  GHashTable *shape_at;        /* place -> FlowShape */
  GHashTable *known;           /* type and origin -> FlowOpSignature */
} Reading;

/* Sets @error and returns FALSE: one sentence for all that columns can get wrong, with the place. */
#define REQUIRE_SOUND(cond, error, what) \
  FLOW_REQUIRE (cond, error, INTERNAL, "the engine's graph cannot be read: %s", what)

static gboolean
read_strings (Reading  *self,
              GBytes   *column,
              GError  **error)
{
  gsize size;
  const char *text = g_bytes_get_data (column, &size);
  gsize at = 0;

  REQUIRE_SOUND (size == 0 || text[size - 1] == '\0', error, "strings");
  while (at < size)
    {
      gsize length = strlen (text + at);

      REQUIRE_SOUND (g_utf8_validate (text + at, (gssize) length, NULL), error, "strings");
      g_ptr_array_add (self->strings, g_string_chunk_insert_const (self->graph->arena, text + at));
      at += length + 1;
    }
  return TRUE;
}

static const FlowOpSignature *
find_definition (Reading       *self,
                 const NodeRow *row,
                 const char    *type)
{
  gpointer key = GSIZE_TO_POINTER ((gsize) row->type * N_ORIGINS + row->origin);
  const FlowOpSignature *signature = g_hash_table_lookup (self->known, key);
  const FlowFunction *function;

  if (signature != NULL)
    return signature;
  if (row->origin == ORIGIN_REGISTRY)
    signature = flow_op_registry_lookup (type);
  else if (row->origin == ORIGIN_FILE)
    signature = g_hash_table_lookup (self->graph->file_signatures, type);
  else
    {
      function = flow_graph_find_function (self->graph, type);
      signature = function != NULL ? function->signature : NULL;
    }
  if (signature != NULL)
    g_hash_table_insert (self->known, key, (gpointer) signature);
  return signature;
}

static gboolean
read_nodes (Reading  *self,
            GBytes   *names,
            GError  **error)
{
  FlowGraph *graph = self->graph;
  gsize size;
  const char *text = g_bytes_get_data (names, &size);
  gsize at = 0;
  gsize first_input = 0;
  gsize first_output = 0;

  REQUIRE_SOUND (self->n_nodes < FLOW_NODE_BODY, error, "nodes");
  g_array_set_size (graph->nodes, (guint) self->n_nodes);
  memset (graph->nodes->data, 0, self->n_nodes * sizeof (FlowNodeRecord));
  for (guint32 node = 0; node < self->n_nodes; node++)
    {
      const NodeRow *row = &self->nodes[node];
      FlowNodeRecord *record = _flow_graph_node (graph, node);

      REQUIRE_SOUND (row->name_length > 0 && row->name_length < size - at && text[at + row->name_length] == '\0'
                     && memchr (text + at, 0, row->name_length) == NULL, error, "names");
      REQUIRE_SOUND (row->type < self->strings->len && row->device < self->strings->len && row->origin < N_ORIGINS
                     && row->n_data <= self->n_inputs - first_input
                     && row->n_control <= self->n_inputs - first_input - row->n_data
                     && row->n_outputs <= self->n_outputs - first_output, error, "nodes");
      record->name = text + at;
      record->name_length = row->name_length;
      record->type = self->strings->pdata[row->type];
      record->device = self->strings->pdata[row->device];
      record->first_input = (guint32) first_input;
      record->n_data = row->n_data;
      record->n_control = row->n_control;
      record->first_output = (guint32) first_output;
      record->n_outputs = row->n_outputs;
      record->signature = row->origin != ORIGIN_GUESS ? find_definition (self, row, record->type) : NULL;
      /* A process that has no kernels knows no ops, and can look at a graph all the same. */
      if (record->signature == NULL)
        record->signature = _flow_graph_add_guess (graph, record->type, row->n_outputs);
      _flow_scope_tree_add_node (graph->scopes, node, record->name, record->name_length, &record->scope, &record->leaf);
      at += row->name_length + (gsize) 1;
      first_input += (gsize) row->n_data + row->n_control;
      first_output += row->n_outputs;
    }
  REQUIRE_SOUND (at == size && first_input == self->n_inputs && first_output == self->n_outputs, error, "nodes");
  return TRUE;
}

static gboolean
read_inputs (Reading  *self,
             GError  **error)
{
  FlowGraph *graph = self->graph;

  g_array_set_size (graph->inputs, (guint) self->n_inputs);
  g_array_set_size (graph->input_dtypes, (guint) self->n_inputs);
  for (gsize i = 0; i < self->n_inputs; i++)
    {
      const InputRow *row = &self->inputs[i];

      REQUIRE_SOUND (row->source.node < self->n_nodes
                     && (row->source.slot == FLOW_SLOT_CONTROL
                         || (row->source.slot >= 0
                             && (guint32) row->source.slot < self->nodes[row->source.node].n_outputs)), error, "edges");
      g_array_index (graph->inputs, FlowEndpoint, i) = row->source;
      g_array_index (graph->input_dtypes, int, i) = row->dtype;
    }
  return TRUE;
}

static FlowShape *
find_shape (Reading *self,
            guint32  place)
{
  FlowShape *shape = g_hash_table_lookup (self->shape_at, GUINT_TO_POINTER (place));
  gint64 rank;

  if (shape != NULL)
    return shape;
  if (place >= self->n_shapes)
    return NULL;
  rank = self->shapes[place];
  if (rank < FLOW_RANK_UNKNOWN || rank > FLOW_SHAPE_MAX_RANK || rank > (gint64) (self->n_shapes - place - 1))
    return NULL;
  for (gint64 i = 0; i < rank; i++)
    if (self->shapes[place + 1 + i] < FLOW_DIM_UNKNOWN)
      return NULL;
  shape = rank == FLOW_RANK_UNKNOWN ? flow_shape_new_unknown () : flow_shape_new ((int) rank, self->shapes + place + 1);
  g_hash_table_insert (self->shape_at, GUINT_TO_POINTER (place), shape);
  return shape;
}

static gboolean
read_outputs (Reading  *self,
              GError  **error)
{
  FlowGraph *graph = self->graph;

  g_array_set_size (graph->output_dtypes, (guint) self->n_outputs);
  for (gsize i = 0; i < self->n_outputs; i++)
    {
      const OutputRow *row = &self->outputs[i];
      FlowShape *shape = find_shape (self, row->shape);
      FlowHandleData *handle;

      REQUIRE_SOUND (shape != NULL, error, "shapes");
      g_array_index (graph->output_dtypes, int, i) = row->dtype;
      g_ptr_array_add (graph->output_shapes, flow_shape_ref (shape));
      if (row->handle_shape == NO_HANDLE)
        continue;
      shape = row->handle_shape != NO_SHAPE ? find_shape (self, row->handle_shape) : NULL;
      REQUIRE_SOUND (shape != NULL || row->handle_shape == NO_SHAPE, error, "shapes");
      handle = g_new0 (FlowHandleData, 1);
      handle->dtype = (FlowDType) row->handle_dtype;
      handle->shape = shape != NULL ? flow_shape_ref (shape) : NULL;
      g_hash_table_insert (graph->handles, GUINT_TO_POINTER ((guint) i), handle);
    }
  /* What nobody defines has the dtypes that its readers have found. */
  for (guint32 node = 0; node < self->n_nodes; node++)
    {
      const FlowNodeRecord *record = _flow_graph_node (graph, node);

      for (guint k = 0; record->signature->is_guess && k < record->n_outputs; k++)
        record->signature->outputs[k].dtype = g_array_index (graph->output_dtypes, int, record->first_output + k);
    }
  return TRUE;
}

static gboolean
read_order (Reading  *self,
            GBytes   *column,
            GError  **error)
{
  gsize size;
  const guint32 *order = g_bytes_get_data (column, &size);
  g_autofree guint8 *seen = g_malloc0 (self->n_nodes + 1);

  REQUIRE_SOUND (size == self->n_nodes * sizeof *order, error, "order");
  for (gsize i = 0; i < self->n_nodes; i++)
    {
      REQUIRE_SOUND (order[i] < self->n_nodes && !seen[order[i]], error, "order");
      seen[order[i]] = TRUE;
    }
  g_array_append_vals (self->graph->order, order, (guint) self->n_nodes);
  return TRUE;
}

/* The first frame is the outside, which every graph has. */
static gboolean
read_frames (Reading  *self,
             GBytes   *column,
             GError  **error)
{
  FlowGraph *graph = self->graph;
  gsize size;
  const FrameRow *rows = g_bytes_get_data (column, &size);
  gsize n = size / sizeof *rows;

  REQUIRE_SOUND (size % sizeof *rows == 0 && n >= 1, error, "frames");
  for (gsize i = 1; i < n; i++)
    {
      FlowFrameRecord frame = { .parent = rows[i].parent, .enter = rows[i].enter };

      REQUIRE_SOUND (rows[i].name < self->strings->len && rows[i].parent < i && rows[i].enter < self->n_nodes, error,
                     "frames");
      frame.name = self->strings->pdata[rows[i].name];
      g_array_append_val (graph->frames, frame);
    }
  g_array_set_size (graph->node_frames, (guint) self->n_nodes);
  for (guint32 node = 0; node < self->n_nodes; node++)
    {
      REQUIRE_SOUND (self->nodes[node].frame < n, error, "frames");
      g_array_index (graph->node_frames, guint32, node) = self->nodes[node].frame;
    }
  return TRUE;
}

static gboolean
read_errors (Reading  *self,
             GBytes   *column,
             GError  **error)
{
  g_autoptr (GVariant) rows =
    g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE (ERRORS_TYPE), column, FALSE));
  GVariantIter iter;
  const char *message;
  guint32 node;
  gint32 code;

  g_variant_iter_init (&iter, rows);
  while (g_variant_iter_next (&iter, "(ui&s)", &node, &code, &message))
    {
      GError *what;

      REQUIRE_SOUND (node < self->n_nodes, error, "errors");
      what = g_error_new_literal (FLOW_ERROR, code, message);
      flow_error_set_node (what, _flow_graph_node (self->graph, node)->name, _flow_graph_node (self->graph, node)->type);
      _flow_graph_set_node_error (self->graph, node, what);
    }
  return TRUE;
}

static gboolean
read_all (Reading    *self,
          GPtrArray  *columns,
          GError    **error)
{
  gsize size;

  for (guint i = 0; i < FLOW_GRAPH_N_COLUMNS; i++)
    REQUIRE_SOUND (g_bytes_get_size (columns->pdata[i]) < G_MAXUINT32, error, "sizes");
  self->nodes = g_bytes_get_data (columns->pdata[FLOW_GRAPH_COLUMN_NODES], &size);
  self->n_nodes = size / sizeof *self->nodes;
  self->inputs = g_bytes_get_data (columns->pdata[FLOW_GRAPH_COLUMN_INPUTS], &size);
  self->n_inputs = size / sizeof *self->inputs;
  self->outputs = g_bytes_get_data (columns->pdata[FLOW_GRAPH_COLUMN_OUTPUTS], &size);
  self->n_outputs = size / sizeof *self->outputs;
  self->shapes = g_bytes_get_data (columns->pdata[FLOW_GRAPH_COLUMN_SHAPES], &size);
  self->n_shapes = size / sizeof *self->shapes;
  if (!read_strings (self, columns->pdata[FLOW_GRAPH_COLUMN_STRINGS], error)
      || !read_nodes (self, columns->pdata[FLOW_GRAPH_COLUMN_NAMES], error)
      || !read_inputs (self, error)
      || !read_outputs (self, error)
      || !read_order (self, columns->pdata[FLOW_GRAPH_COLUMN_ORDER], error)
      || !read_frames (self, columns->pdata[FLOW_GRAPH_COLUMN_FRAMES], error)
      || !read_errors (self, columns->pdata[FLOW_GRAPH_COLUMN_ERRORS], error))
    return FALSE;
  _flow_graph_build_edges (self->graph);
  return TRUE;
}

/**
 * flow_graph_columns_get_n_nodes: (skip)
 * @columns: (element-type GBytes): what flow_graph_to_columns() gave
 *
 * Returns: how many nodes they are of
 */
gsize
flow_graph_columns_get_n_nodes (GPtrArray *columns)
{
  g_return_val_if_fail (columns->len >= FLOW_GRAPH_N_COLUMNS, 0);

  return g_bytes_get_size (columns->pdata[FLOW_GRAPH_COLUMN_NODES]) / sizeof (NodeRow);
}

/**
 * flow_graph_take_columns: (skip)
 * @self: a graph without nodes that has the definitions and functions of the one the columns are of
 * @columns: (element-type GBytes): what flow_graph_to_columns() gave; names are kept as they stand there
 * @read_attrs: reads a node's attrs when somebody asks for them; on any thread, and perhaps on two at once
 * @data: data for @read_attrs
 * @destroy: frees @data with the graph, or at once where this fails
 * @error: return location
 *
 * Appends the nodes of another graph. #FlowGraph::nodes-added is not emitted: nobody has the graph yet.
 *
 * Returns: %FALSE with %FLOW_ERROR_INTERNAL where the columns contradict one another; the graph is then of no use
 */
gboolean
flow_graph_take_columns (FlowGraph            *self,
                         GPtrArray            *columns,
                         FlowGraphAttrReader   read_attrs,
                         gpointer              data,
                         GDestroyNotify        destroy,
                         GError              **error)
{
  g_autoptr (GPtrArray) strings = g_ptr_array_new ();
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) shape_at = g_hash_table_new_full (NULL, NULL, NULL,
                                                          (GDestroyNotify) (void (*) (void)) flow_shape_unref);
  Reading reading = { .graph = self, .strings = strings, .known = known, .shape_at = shape_at };

  g_return_val_if_fail (FLOW_IS_GRAPH (self) && self->nodes->len == 0 && columns->len >= FLOW_GRAPH_N_COLUMNS, FALSE);

  self->names = g_bytes_ref (columns->pdata[FLOW_GRAPH_COLUMN_NAMES]);
  self->read_attrs = read_attrs;
  self->read_attrs_data = data;
  self->read_attrs_destroy = destroy;
  return read_all (&reading, columns, error);
}

FlowAttrList *
_flow_graph_read_attrs (FlowGraph *self,
                        guint32    node)
{
  FlowNodeRecord *record = _flow_graph_node (self, node);
  FlowAttrList *attrs = self->read_attrs (node, self->read_attrs_data);

  /* Another thread may have asked as well: whoever comes first has made the list that all see. */
  if (!g_atomic_pointer_compare_and_exchange (&record->attrs, NULL, attrs))
    flow_attr_list_unref (attrs);
  return g_atomic_pointer_get (&record->attrs);
}
