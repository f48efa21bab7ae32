/* flow-feeder.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-run-file.h"

#include "flow-json.h"
#include "flow-npy.h"
#include "flow-npz.h"
#include "flow-tensor-cast.h"
#include "flow-util.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

/* Lists nested deeper than a tensor's rank can be are refused before they are walked. */
#define MAX_RANK FLOW_SHAPE_MAX_RANK

struct _FlowFeeder
{
  gatomicrefcount ref_count;
  char *folder;
  FlowBudget *budget;          /* nullable */
  GHashTable *archives;        /* path -> FlowNpz */
  GHashTable *previous;        /* tensor -> FlowTensor */
};

G_DEFINE_BOXED_TYPE (FlowFeeder, flow_feeder, flow_feeder_ref, flow_feeder_unref)

static void
unref_tensor (gpointer data)
{
  flow_tensor_unref (data);
}

static void
unref_npz (gpointer data)
{
  flow_npz_unref (data);
}

/**
 * flow_feeder_new:
 * @folder: (nullable): what paths are relative to
 * @budget: (nullable): what the tensors may take
 *
 * Returns: (transfer full): a feeder that has fed nothing yet
 */
FlowFeeder *
flow_feeder_new (const char *folder,
                 FlowBudget *budget)
{
  FlowFeeder *self = g_new0 (FlowFeeder, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->folder = g_strdup (folder);
  self->budget = budget != NULL ? flow_budget_ref (budget) : NULL;
  self->archives = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unref_npz);
  self->previous = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unref_tensor);
  return self;
}

/**
 * flow_feeder_ref:
 * @self: a feeder
 *
 * Returns: (transfer full): @self
 */
FlowFeeder *
flow_feeder_ref (FlowFeeder *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * flow_feeder_unref:
 * @self: (transfer full): a feeder
 */
void
flow_feeder_unref (FlowFeeder *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_hash_table_unref (self->archives);
  g_hash_table_unref (self->previous);
  g_clear_pointer (&self->budget, flow_budget_unref);
  g_free (self->folder);
  g_free (self);
}

/* --- literals --------------------------------------------------------------------------------- */

static gboolean
find_shape (JsonNode  *node,
            GArray    *dims,
            GError   **error)
{
  while (node != NULL && JSON_NODE_HOLDS_ARRAY (node))
    {
      JsonArray *array = json_node_get_array (node);
      gint64 n = json_array_get_length (array);

      FLOW_REQUIRE (dims->len < MAX_RANK, error, INVALID_ARGUMENT, "lists are nested too deep for a tensor");
      g_array_append_val (dims, n);
      node = n > 0 ? json_array_get_element (array, 0) : NULL;
    }
  return TRUE;
}

static gboolean
number_of (JsonNode *node,
           double   *value)
{
  GType type = json_node_get_value_type (node);

  if (type == G_TYPE_INT64)
    *value = (double) json_node_get_int (node);
  else if (type == G_TYPE_DOUBLE)
    *value = json_node_get_double (node);
  else if (type == G_TYPE_BOOLEAN)
    *value = json_node_get_boolean (node);
  else if (type == G_TYPE_STRING)
    {
      const char *text = json_node_get_string (node);

      if (strcmp (text, "NaN") == 0)
        *value = NAN;
      else if (strcmp (text, "Infinity") == 0)
        *value = INFINITY;
      else if (strcmp (text, "-Infinity") == 0)
        *value = -INFINITY;
      else
        return FALSE;
    }
  else
    return FALSE;
  return TRUE;
}

/* All leaves in row-major order; ragged lists are numpy's own error. */
typedef struct {
  FlowTensor *ints;            /* one of the three takes the leaves */
  FlowTensor *doubles;
  FlowTensor *strings;
  const gint64 *dims;
  int rank;
  gint64 at;
} Leaves;

static gboolean
collect (Leaves   *self,
         JsonNode *node,
         int       depth,
         GError  **error)
{
  double number = 0;

  if (JSON_NODE_HOLDS_ARRAY (node))
    {
      JsonArray *array = json_node_get_array (node);

      FLOW_REQUIRE (depth < self->rank && (gint64) json_array_get_length (array) == self->dims[depth], error,
                    INVALID_ARGUMENT, "setting an array element with a sequence.");
      for (guint i = 0; i < json_array_get_length (array); i++)
        if (!collect (self, json_array_get_element (array, i), depth + 1, error))
          return FALSE;
      return TRUE;
    }
  FLOW_REQUIRE (depth == self->rank && JSON_NODE_HOLDS_VALUE (node), error, INVALID_ARGUMENT,
                "setting an array element with a sequence.");
  if (self->strings != NULL)
    {
      FLOW_REQUIRE (json_node_get_value_type (node) == G_TYPE_STRING, error, INVALID_ARGUMENT,
                    "a string tensor is fed something that is no text");
      flow_tensor_take_string (self->strings, self->at++,
                               g_bytes_new (json_node_get_string (node), strlen (json_node_get_string (node))));
      return TRUE;
    }
  if (self->ints != NULL)
    {
      ((gint64 *) flow_tensor_get_writable (self->ints))[self->at++] =
        json_node_get_value_type (node) == G_TYPE_BOOLEAN ? json_node_get_boolean (node) : json_node_get_int (node);
      return TRUE;
    }
  if (!number_of (node, &number))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "could not convert string to float: '%s'",
                   json_node_get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : "");
      return FALSE;
    }
  ((double *) flow_tensor_get_writable (self->doubles))[self->at++] = number;
  return TRUE;
}

static gboolean
all_whole (JsonNode *node)
{
  if (JSON_NODE_HOLDS_ARRAY (node))
    {
      JsonArray *array = json_node_get_array (node);

      for (guint i = 0; i < json_array_get_length (array); i++)
        if (!all_whole (json_array_get_element (array, i)))
          return FALSE;
      return TRUE;
    }
  return JSON_NODE_HOLDS_VALUE (node)
         && (json_node_get_value_type (node) == G_TYPE_INT64 || json_node_get_value_type (node) == G_TYPE_BOOLEAN);
}

static FlowTensor *
make_literal (FlowFeeder *self,
              JsonNode   *node,
              int         dtype,
              GError    **error)
{
  g_autoptr(GArray) dims = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr(FlowShape) shape = NULL;
  g_autoptr(FlowTensor) tensor = NULL;
  Leaves leaves = { 0 };

  if (!find_shape (node, dims, error))
    return NULL;
  shape = flow_shape_new ((int) dims->len, (const gint64 *) (gpointer) dims->data);
  leaves.dims = (const gint64 *) (gpointer) dims->data;
  leaves.rank = (int) dims->len;
  if (dtype == FLOW_DTYPE_STRING)
    tensor = leaves.strings = flow_tensor_new (FLOW_DTYPE_STRING, shape, self->budget, error);
  else if (all_whole (node))
    tensor = leaves.ints = flow_tensor_new (FLOW_DTYPE_INT64, shape, self->budget, error);
  else
    tensor = leaves.doubles = flow_tensor_new (FLOW_DTYPE_DOUBLE, shape, self->budget, error);
  if (tensor == NULL || !collect (&leaves, node, 0, error))
    return NULL;
  return g_steal_pointer (&tensor);
}

/* --- generators ------------------------------------------------------------------------------- */

static guint64
next_random (guint64 *state)
{
  guint64 z = (*state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15));

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static double
next_uniform (guint64 *state)
{
  return (double) (next_random (state) >> 11) * 0x1p-53;
}

static double
next_normal (guint64 *state)
{
  double u = 1 - next_uniform (state);
  double v = next_uniform (state);

  return sqrt (-2 * log (u)) * cos (2 * G_PI * v);
}

static FlowShape *
read_shape (JsonNode *node,
            GError  **error)
{
  g_autoptr(GArray) dims = g_array_new (FALSE, FALSE, sizeof (gint64));
  JsonArray *array = NULL;

  if (node == NULL)
    return flow_shape_new_scalar ();
  if (!JSON_NODE_HOLDS_ARRAY (node) || json_array_get_length (json_node_get_array (node)) > MAX_RANK)
    goto bad;
  array = json_node_get_array (node);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *item = json_array_get_element (array, i);
      gint64 dim = -1;

      if (JSON_NODE_HOLDS_VALUE (item) && json_node_get_value_type (item) == G_TYPE_INT64)
        dim = json_node_get_int (item);
      if (dim < 0)
        goto bad;
      g_array_append_val (dims, dim);
    }
  return flow_shape_new ((int) dims->len, (const gint64 *) (gpointer) dims->data);
bad:
  g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "a shape is a list of sizes");
  return NULL;
}

static gboolean
read_numbers (JsonNode  *node,
              guint      n,
              double    *values,
              GError   **error)
{
  gboolean ok = node != NULL && JSON_NODE_HOLDS_ARRAY (node) && json_array_get_length (json_node_get_array (node)) == n;

  for (guint i = 0; ok && i < n; i++)
    {
      JsonNode *item = json_array_get_element (json_node_get_array (node), i);

      ok = JSON_NODE_HOLDS_VALUE (item) && number_of (item, &values[i]);
    }
  FLOW_REQUIRE (ok, error, INVALID_ARGUMENT, "a generator wants %u numbers", n);
  return TRUE;
}

static FlowTensor *
make_filled (FlowFeeder *self,
             JsonNode   *shape_node,
             double      value,
             GError    **error)
{
  g_autoptr(FlowShape) shape = read_shape (shape_node, error);
  FlowTensor *tensor = shape != NULL ? flow_tensor_new (FLOW_DTYPE_DOUBLE, shape, self->budget, error) : NULL;

  for (gint64 i = 0; tensor != NULL && i < tensor->n_elements; i++)
    ((double *) flow_tensor_get_writable (tensor))[i] = value;
  return tensor;
}

static FlowTensor *
make_random (FlowFeeder *self,
             JsonObject *feed,
             const char *kind,
             guint64     i,
             GError    **error)
{
  FlowTensor *tensor = NULL;
  double of[2] = { 0, 0 };
  gboolean normal = strcmp (kind, "normal") == 0;
  guint64 state = (guint64) json_object_get_int_member_with_default (feed, "seed", 0) ^ (i * G_GUINT64_CONSTANT (0xd1342543de82ef95));

  if (!read_numbers (json_object_get_member (feed, kind), 2, of, error))
    return NULL;
  tensor = make_filled (self, json_object_get_member (feed, "shape"), 0, error);
  for (gint64 k = 0; tensor != NULL && k < tensor->n_elements; k++)
    ((double *) flow_tensor_get_writable (tensor))[k] =
      normal ? of[0] + of[1] * next_normal (&state) : of[0] + (of[1] - of[0]) * next_uniform (&state);
  return tensor;
}

static FlowTensor *
make_range (FlowFeeder *self,
            JsonNode   *node,
            GError    **error)
{
  double of[3] = { 0, 0, 1 };
  double n = 0;
  g_autoptr(FlowShape) shape = NULL;
  FlowTensor *tensor = NULL;

  if (!read_numbers (node, 3, of, error))
    return NULL;
  n = of[2] != 0 ? ceil ((of[1] - of[0]) / of[2]) : NAN;
  if (!(n < 0x1p40))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Requires delta != 0: %g", of[2]);
      return NULL;
    }
  shape = flow_shape_new_vector (n > 0 ? (gint64) n : 0);
  tensor = flow_tensor_new (FLOW_DTYPE_DOUBLE, shape, self->budget, error);
  for (gint64 i = 0; tensor != NULL && i < tensor->n_elements; i++)
    ((double *) flow_tensor_get_writable (tensor))[i] = of[0] + (double) i * of[2];
  return tensor;
}

/* --- files ------------------------------------------------------------------------------------ */

static char *
with_turn (const char *text,
           guint64     i)
{
  g_auto(GStrv) parts = g_strsplit (text, "{i}", -1);
  g_autofree char *number = g_strdup_printf ("%" G_GUINT64_FORMAT, i);

  return g_strjoinv (number, parts);
}

/* Rows i*n to i*n+n, around the end to the beginning. */
static FlowTensor *
take_batch (FlowFeeder *self,
            FlowTensor *whole,
            gint64      n,
            guint64     i,
            GError    **error)
{
  gint64 rows = whole->shape->rank > 0 ? whole->shape->dims[0] : 0;
  gint64 first = rows > 0 ? (gint64) ((i % (guint64) rows) * ((guint64) n % (guint64) rows) % (guint64) rows) : 0;
  g_autofree gint64 *dims = NULL;
  g_autoptr(FlowShape) shape = NULL;
  FlowTensor *batch = NULL;
  gsize cells = 0;

  if (rows < 1 || n < 1)
    {
      g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "a batch wants rows to take");
      return NULL;
    }
  if (first + n <= rows)
    return flow_tensor_slice_rows (whole, first, first + n);
  dims = g_memdup2 (whole->shape->dims, sizeof (gint64) * (gsize) whole->shape->rank);
  dims[0] = n;
  shape = flow_shape_new (whole->shape->rank, dims);
  batch = flow_tensor_new (whole->dtype, shape, self->budget, error);
  cells = (gsize) (whole->n_elements / rows);
  for (gint64 r = 0; batch != NULL && r < n; r++)
    {
      gint64 from = (first + r) % rows;
      gsize row_bytes = whole->n_bytes / (gsize) rows;

      if (whole->dtype == FLOW_DTYPE_STRING)
        for (gsize c = 0; c < cells; c++)
          {
            gsize length = 0;
            const char *text = flow_tensor_get_string (whole, from * (gint64) cells + (gint64) c, &length);

            flow_tensor_take_string (batch, r * (gint64) cells + (gint64) c, g_bytes_new (text, length));
          }
      else
        memcpy ((char *) flow_tensor_get_writable (batch) + (gsize) r * row_bytes,
                (const char *) whole->data + (gsize) from * row_bytes, row_bytes);
    }
  return batch;
}

static FlowTensor *
load_array (FlowFeeder *self,
            JsonObject *feed,
            guint64     i,
            GError    **error)
{
  gboolean is_npz = json_object_has_member (feed, "npz");
  JsonNode *path_node = json_object_get_member (feed, is_npz ? "npz" : "npy");
  JsonNode *key_node = json_object_get_member (feed, "key");
  g_autofree char *written = NULL;
  g_autofree char *path = NULL;
  g_autofree char *key = NULL;
  FlowNpz *npz = NULL;

  if (!JSON_NODE_HOLDS_VALUE (path_node) || json_node_get_string (path_node) == NULL
      || (is_npz && (key_node == NULL || !JSON_NODE_HOLDS_VALUE (key_node) || json_node_get_string (key_node) == NULL)))
    {
      g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                           is_npz ? "a feed from an .npz wants a path and a key" : "a feed from an .npy wants a path");
      return NULL;
    }
  written = with_turn (json_node_get_string (path_node), i);
  path = g_canonicalize_filename (written, self->folder);
  if (!is_npz)
    return flow_npy_load (path, self->budget, error);
  npz = g_hash_table_lookup (self->archives, path);
  if (npz == NULL)
    {
      npz = flow_npz_open (path, error);
      if (npz == NULL)
        return NULL;
      g_hash_table_insert (self->archives, g_strdup (path), npz);
    }
  key = with_turn (json_node_get_string (key_node), i);
  return flow_npz_read (npz, key, self->budget, error);
}

static FlowTensor *
make_from_file (FlowFeeder *self,
                JsonObject *feed,
                guint64     i,
                GError    **error)
{
  g_autoptr(FlowTensor) whole = load_array (self, feed, i, error);
  JsonNode *batch = json_object_get_member (feed, "batch");

  if (whole == NULL || batch == NULL)
    return g_steal_pointer (&whole);
  if (!JSON_NODE_HOLDS_VALUE (batch) || json_node_get_value_type (batch) != G_TYPE_INT64)
    {
      g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "\"batch\" is a number of rows");
      return NULL;
    }
  return take_batch (self, whole, json_node_get_int (batch), i, error);
}

/* --- all of them ------------------------------------------------------------------------------ */

static const struct {
  const char *kind;
  const char *others[4];
} kinds[] = {
  { "value", { NULL } },
  { "npy", { "batch", NULL } },
  { "npz", { "key", "batch", NULL } },
  { "uniform", { "shape", "seed", NULL } },
  { "normal", { "shape", "seed", NULL } },
  { "zeros", { NULL } },
  { "ones", { NULL } },
  { "range", { NULL } },
  { "previous", { NULL } },
};

static const char *
find_kind (JsonObject *feed,
           GError    **error)
{
  g_autoptr(GList) members = json_object_get_members (feed);

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      if (!json_object_has_member (feed, kinds[k].kind))
        continue;
      for (GList *l = members; l != NULL; l = l->next)
        if (strcmp (l->data, kinds[k].kind) != 0 && !g_strv_contains (kinds[k].others, l->data))
          {
            g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "the feed has an unknown key \"%s\"",
                         (const char *) l->data);
            return NULL;
          }
      return kinds[k].kind;
    }
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "the feed has an unknown key \"%s\"",
               members != NULL ? (const char *) members->data : "");
  return NULL;
}

static FlowTensor *
make_of_kind (FlowFeeder *self,
              const char *tensor,
              int         dtype,
              JsonObject *feed,
              const char *kind,
              guint64     i,
              GError    **error)
{
  JsonNode *node = json_object_get_member (feed, kind);
  FlowTensor *before = NULL;

  if (strcmp (kind, "value") == 0)
    return make_literal (self, node, dtype, error);
  if (strcmp (kind, "npy") == 0 || strcmp (kind, "npz") == 0)
    return make_from_file (self, feed, i, error);
  if (strcmp (kind, "zeros") == 0 || strcmp (kind, "ones") == 0)
    return make_filled (self, node, *kind == 'o', error);
  if (strcmp (kind, "range") == 0)
    return make_range (self, node, error);
  if (strcmp (kind, "previous") != 0)
    return make_random (self, feed, kind, i, error);
  before = g_hash_table_lookup (self->previous, tensor);
  if (before != NULL)
    return flow_tensor_ref (before);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION, "%s was not fed before", tensor);
  return NULL;
}

/**
 * flow_feeder_make:
 * @self: a feeder
 * @tensor: name of the tensor fed, for messages and for "previous"
 * @dtype: its base dtype
 * @json: the feed as it stands in a run file
 * @i: which repetition it is for
 * @error: return location
 *
 * Makes the value, converted to @dtype as Session.run does.
 *
 * Returns: (transfer full): the value, %NULL on error
 */
FlowTensor *
flow_feeder_make (FlowFeeder *self,
                  const char *tensor,
                  int         dtype,
                  const char *json,
                  guint64     i,
                  GError    **error)
{
  g_autoptr(JsonParser) parser = json_parser_new ();
  g_autoptr(GError) local = NULL;
  g_autoptr(FlowTensor) made = NULL;
  FlowTensor *converted = NULL;
  JsonNode *root = NULL;
  const char *kind = NULL;

  if (!flow_json_check (json, -1, FLOW_JSON_MAX_DEPTH, &local)
      || !json_parser_load_from_data (parser, json, -1, &local))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "feed of %s: %s", tensor, local->message);
      return NULL;
    }
  root = json_parser_get_root (parser);
  if (root != NULL && JSON_NODE_HOLDS_OBJECT (root))
    {
      kind = find_kind (json_node_get_object (root), &local);
      if (kind != NULL)
        made = make_of_kind (self, tensor, dtype, json_node_get_object (root), kind, i, &local);
    }
  else if (root != NULL)
    made = make_literal (self, root, dtype, &local);
  else
    g_set_error_literal (&local, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "nothing is fed");
  if (made != NULL)
    converted = (int) made->dtype == dtype ? flow_tensor_ref (made)
                                           : flow_tensor_cast (made, (FlowDType) dtype, self->budget, &local);
  if (converted == NULL)
    {
      g_prefix_error (&local, "feed of %s: ", tensor);
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  g_hash_table_insert (self->previous, g_strdup (tensor), flow_tensor_ref (converted));
  return converted;
}

/**
 * flow_feed_spec_to_json:
 * @spec: `PATH.npy`, `PATH.npz#KEY`, or a feed as JSON
 * @error: return location
 *
 * Returns: (transfer full): the feed as it stands in a run file, %NULL on error
 */
char *
flow_feed_spec_to_json (const char *spec,
                        GError    **error)
{
  const char *hash = strstr (spec, ".npz#");
  g_autoptr(JsonNode) node = NULL;
  g_autoptr(JsonObject) object = NULL;

  if (hash == NULL && !g_str_has_suffix (spec, ".npy"))
    {
      if (flow_json_check (spec, -1, FLOW_JSON_MAX_DEPTH, NULL))
        node = json_from_string (spec, NULL);
      if (node == NULL)
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                       "\"%s\" is neither PATH.npy, PATH.npz#KEY nor JSON", spec);
          return NULL;
        }
      return g_strdup (spec);
    }
  object = json_object_new ();
  if (hash != NULL)
    {
      g_autofree char *path = g_strndup (spec, (gsize) (hash - spec) + 4);

      json_object_set_string_member (object, "npz", path);
      json_object_set_string_member (object, "key", hash + 5);
    }
  else
    json_object_set_string_member (object, "npy", spec);
  node = json_node_init_object (json_node_alloc (), object);
  return flow_json_mend_numbers (json_to_string (node, FALSE));
}

static char *
shape_as_tuple (const FlowShape *shape)
{
  GString *text = g_string_new ("(");

  for (int i = 0; i < shape->rank; i++)
    {
      if (shape->dims[i] < 0)
        g_string_append (text, "?");
      else
        g_string_append_printf (text, "%" G_GINT64_FORMAT, shape->dims[i]);
      if (i + 1 < shape->rank)
        g_string_append (text, ", ");
      else if (shape->rank == 1)
        g_string_append (text, ",");
    }
  g_string_append (text, ")");
  return g_string_free (text, FALSE);
}

/**
 * flow_feed_shape_warning:
 * @graph: a graph
 * @tensor: name of the tensor fed
 * @value: its value
 *
 * TensorFlow's engine does not compare the two; Session.run refuses.
 *
 * Returns: (transfer full) (nullable): Session.run's words when the value does not fit the tensor's
 *   shape, else %NULL
 */
char *
flow_feed_shape_warning (FlowGraph        *graph,
                         const char       *tensor,
                         const FlowTensor *value)
{
  FlowEndpoint endpoint = { 0 };
  FlowShape *shape = NULL;
  g_autofree char *given = NULL;
  g_autofree char *wanted = NULL;

  if (!flow_graph_parse_endpoint (graph, tensor, &endpoint, NULL) || endpoint.slot < 0
      || (guint) endpoint.slot >= flow_graph_get_n_outputs (graph, endpoint.node))
    return NULL;
  shape = flow_graph_get_output_shape (graph, endpoint.node, (guint) endpoint.slot);
  if (shape->rank < 0 || flow_shape_is_compatible (shape, value->shape))
    return NULL;
  given = shape_as_tuple (value->shape);
  wanted = shape_as_tuple (shape);
  return g_strdup_printf ("Cannot feed value of shape %s for Tensor '%s', which has shape '%s'", given, tensor, wanted);
}
