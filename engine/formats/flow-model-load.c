/* flow-model-load.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-model-private.h"

#include "flow-text-proto.h"
#include "flow-util.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

static const FlowProtoMessageId root_messages[] = {
  [FLOW_MODEL_GRAPH_DEF] = FLOW_MESSAGE_GRAPH_DEF,
  [FLOW_MODEL_META_GRAPH] = FLOW_MESSAGE_META_GRAPH_DEF,
  [FLOW_MODEL_SAVED_MODEL] = FLOW_MESSAGE_SAVED_MODEL,
  [FLOW_MODEL_SESSION_BUNDLE] = FLOW_MESSAGE_META_GRAPH_DEF,
};

static void
report_progress (const FlowLoadOptions *options,
                 double                 fraction,
                 const char            *message)
{
  if (options != NULL && options->progress != NULL)
    options->progress (fraction, message, options->progress_data);
}

/* Tags are a set: "gpu,serve" is "serve,gpu". */
static char *
normalize_tags (const char *text)
{
  g_auto (GStrv) tags = g_strsplit (text, ",", -1);
  guint n = g_strv_length (tags);

  for (guint i = 0; i < n; i++)
    g_strstrip (tags[i]);
  if (n > 1)
    qsort (tags, n, sizeof (char *), flow_compare_texts);
  return g_strjoinv (",", tags);
}

/* Notes the tag sets of a SavedModel and goes to the meta graph that is wanted. */
static gboolean
choose_meta_graph (FlowModel             *self,
                   FlowLoad              *load,
                   const FlowLoadOptions *options,
                   FlowProtoReader       *chosen,
                   GError               **error)
{
  g_autofree char *wanted = NULL;
  g_autofree char *there = NULL;
  FlowProtoReader r;
  FlowProtoReader part;
  gboolean found = FALSE;

  if (options != NULL && options->tags != NULL)
    wanted = normalize_tags (options->tags);
  _flow_load_init_reader (load, &r);
  while (flow_proto_reader_next (&r))
    {
      char *tags;

      if (r.field != 2 || r.wire != FLOW_WIRE_BYTES || !_flow_load_charge (load, &r, 64))
        continue;
      flow_proto_reader_init_part (&part, load->base, r.data, r.size, 1);
      tags = _flow_read_tags (&part);
      g_ptr_array_add (self->tags, tags);
      if (found || (wanted != NULL && strcmp (wanted, tags) != 0))
        continue;
      found = TRUE;
      self->meta_graph = self->tags->len - 1;
      flow_proto_reader_init_part (chosen, load->base, r.data, r.size, 1);
    }
  if (!_flow_load_finish (load, &r, error))
    return FALSE;
  if (found)
    return TRUE;
  for (guint i = 0; i < MIN (self->tags->len, 20); i++)
    {
      char *more = g_strdup_printf ("%s%s{%s}", there != NULL ? there : "", i > 0 ? ", " : "",
                                    (const char *) self->tags->pdata[i]);

      g_free (there);
      there = more;
    }
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND,
               "Could not find meta graph def matching supplied tags: { %s }; %s has %u: %s",
               wanted != NULL ? wanted : "", load->label, self->tags->len,
               there != NULL ? there : "none");
  return FALSE;
}

static gboolean
load_graph_def (FlowModel  *self,
                FlowLoad   *load,
                GError    **error)
{
  FlowProtoReader r;

  _flow_load_init_reader (load, &r);
  _flow_load_graph_def (load, &r, self->graph);
  self->graph_bytes = g_bytes_ref (load->file);
  return _flow_load_finish (load, &r, error);
}

/* What the kind of @self says the bytes of @load are. */
gboolean
_flow_model_load_message (FlowModel              *self,
                          FlowLoad               *load,
                          const FlowLoadOptions  *options,
                          GError                **error)
{
  FlowProtoReader r;
  FlowProtoReader tags;

  switch (self->kind)
    {
    case FLOW_MODEL_META_GRAPH:
      _flow_load_init_reader (load, &tags);
      g_ptr_array_add (self->tags, _flow_read_tags (&tags));
      _flow_load_init_reader (load, &r);
      return _flow_model_load_meta (self, load, &r, error);

    case FLOW_MODEL_SAVED_MODEL:
      return choose_meta_graph (self, load, options, &r, error) &&
             _flow_model_load_meta (self, load, &r, error);

    case FLOW_MODEL_GRAPH_DEF:
    case FLOW_MODEL_SESSION_BUNDLE:
    case FLOW_MODEL_EVENT_FILE:
    default:
      return load_graph_def (self, load, error);
    }
}

/* Bytes of a text file's encoded form are no place anybody can look at. */
static void
forget_offsets (GPtrArray *problems)
{
  for (guint i = 0; i < problems->len; i++)
    ((FlowProblem *) problems->pdata[i])->offset = -1;
}

static void
note_empty (FlowModel  *self,
            const char *label)
{
  if (flow_graph_get_n_nodes (self->graph) == 0 && self->problems->len == 0)
    g_ptr_array_add (self->problems, flow_problem_new (0, 0, NULL, NULL, -1, "%s holds an empty graph",
                                                       label));
}

/**
 * flow_model_load_bytes: (skip)
 * @bytes: a GraphDef, MetaGraphDef or SavedModel, binary or text, or an event file, perhaps packed by
 *   gzip or xz
 * @label: what to call it in messages: a file name
 * @options: (nullable): see #FlowLoadOptions
 * @error: return location
 *
 * Opens a model from memory; what the bytes are is told by themselves. Constants stay where they lie
 * in @bytes, which are kept. Opening runs no op, folds no constant and opens no other file.
 *
 * Returns: (transfer full) (nullable): the model; %NULL with `FLOW_ERROR_DATA_LOSS` for damaged bytes
 *   (saying field and byte, or line and column), `FLOW_ERROR_INVALID_ARGUMENT` for a graph that may
 *   not be, `FLOW_ERROR_NOT_FOUND` for tags that are not there, `FLOW_ERROR_RESOURCE_EXHAUSTED` for
 *   what does not fit the budget, %G_IO_ERROR_CANCELLED
 */
FlowModel *
flow_model_load_bytes (GBytes                 *bytes,
                       const char             *label,
                       const FlowLoadOptions  *options,
                       GError                **error)
{
  g_autoptr (FlowBudget) budget = NULL;
  g_autoptr (FlowModel) self = NULL;
  g_autoptr (FlowLoad) load = NULL;
  g_autoptr (GBytes) message = NULL;
  FlowModelKind kind = FLOW_MODEL_GRAPH_DEF;
  const char *other;
  gboolean is_text;

  g_return_val_if_fail (bytes != NULL && label != NULL, NULL);

  if (options != NULL && options->budget != NULL)
    budget = flow_budget_ref (options->budget);
  else
    budget = flow_budget_new (flow_budget_default_limit ());

  message = g_bytes_ref (bytes);
  report_progress (options, 0, "Reading the file");
  if (!_flow_unpack (&message, label, budget, error))
    return NULL;
  if (_flow_model_is_event_file (message, label))
    return _flow_model_load_event_bytes (message, label, options, budget, error);
  other = _flow_sniff_other (message);
  if (other != NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%s is %s, not a graph", label, other);
      return NULL;
    }
  is_text = _flow_sniff_text (message, &kind);
  if (is_text)
    {
      GBytes *encoded = flow_text_to_proto (flow_proto_messages[root_messages[kind]].name, message, label,
                                            error);

      if (encoded == NULL)
        return NULL;
      g_bytes_unref (message);
      message = encoded;
    }
  else
    kind = _flow_sniff_binary (message);

  self = _flow_model_new (label, kind);
  self->is_text = is_text;
  load = _flow_load_new (message, root_messages[kind], label, options, budget, self->problems);
  if (!_flow_model_load_message (self, load, options, error))
    return NULL;
  self->budget = flow_budget_ref (budget);
  self->reserved = load->reserved;
  load->reserved = 0;
  if (is_text)
    forget_offsets (self->problems);
  note_empty (self, label);
  report_progress (options, 1, "Done");
  return g_steal_pointer (&self);
}

/* The file to read for a folder: TensorFlow's order. */
static char *
find_in_folder (const char  *folder,
                GError     **error)
{
  static const char *const names[] = { "saved_model.pb", "saved_model.pbtxt", "export.meta" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND,
               "Could not find SavedModel .pb or .pbtxt at supplied export directory path: %s", folder);
  return NULL;
}

/* The event files of a folder that holds some and no model; NULL for anything else. */
static char **
list_events (const char *path)
{
  g_autofree char *file = NULL;
  g_auto (GStrv) paths = NULL;

  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    return NULL;
  file = find_in_folder (path, NULL);
  if (file != NULL)
    return NULL;
  paths = flow_event_file_list (path);
  return paths[0] != NULL ? g_steal_pointer (&paths) : NULL;
}

/* The content of a model file or of the one in a folder. */
static GBytes *
read_model_file (const char  *path,
                 char       **folder,
                 char       **file,
                 GError     **error)
{
  GStatBuf info;

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      *folder = g_strdup (path);
      *file = find_in_folder (path, error);
      if (*file == NULL)
        return NULL;
    }
  else
    {
      *folder = g_path_get_dirname (path);
      *file = g_strdup (path);
    }
  /* The format itself ends here; saying so beats "out of memory". */
  if (g_stat (*file, &info) == 0 && S_ISREG (info.st_mode) && (guint64) info.st_size > FLOW_PROTO_MAX_SIZE)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS,
                   "Can't parse %s as binary proto: GraphDef cannot be larger than 2GB, it has %"
                   G_GUINT64_FORMAT " bytes", *file, (guint64) info.st_size);
      return NULL;
    }
  return flow_read_file (*file, FLOW_PROTO_MAX_SIZE, error);
}

/**
 * flow_model_read_bytes:
 * @path: a model file, or the folder of a SavedModel
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the file as it stands; %NULL with the code of what the system
 *   says, or `FLOW_ERROR_NOT_FOUND` for a folder without a model
 */
GBytes *
flow_model_read_bytes (const char  *path,
                       GError     **error)
{
  g_autofree char *folder = NULL;
  g_autofree char *file = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  return read_model_file (path, &folder, &file, error);
}

/**
 * flow_model_load_file: (skip)
 * @path: a model file, or the folder of a SavedModel
 * @options: (nullable): see #FlowLoadOptions
 * @error: return location
 *
 * Opens a model. The kind is told by content, not by name; `.gz` and `.xz` are unpacked. Of a folder
 * without a model all event files are opened as one. May be called on any thread.
 *
 * Returns: (transfer full) (nullable): the model; %NULL as in flow_model_load_bytes(), or with the
 *   code of what the system says about @path
 */
FlowModel *
flow_model_load_file (const char             *path,
                      const FlowLoadOptions  *options,
                      GError                **error)
{
  g_autofree char *file = NULL;
  g_autofree char *folder = NULL;
  g_auto (GStrv) events = NULL;
  g_autoptr (GBytes) bytes = NULL;
  FlowModel *model;

  g_return_val_if_fail (path != NULL, NULL);

  events = list_events (path);
  if (events != NULL)
    return _flow_model_load_event_folder (path, events, options, error);
  bytes = read_model_file (path, &folder, &file, error);
  if (bytes == NULL)
    return NULL;
  model = flow_model_load_bytes (bytes, file, options, error);
  if (model != NULL)
    {
      flow_set_str (&model->path, path);
      flow_set_str (&model->folder, folder);
    }
  return model;
}

/**
 * flow_model_load:
 * @path: a model file, or the folder of a SavedModel
 * @tags: (nullable): the tag set of the meta graph to open, joined by commas; %NULL: the first
 * @error: return location
 *
 * Opens a model; see flow_model_load_file().
 *
 * Returns: (transfer full) (nullable): the model
 */
FlowModel *
flow_model_load (const char  *path,
                 const char  *tags,
                 GError     **error)
{
  FlowLoadOptions options = { .tags = tags };

  return flow_model_load_file (path, &options, error);
}

/**
 * flow_graph_load_file:
 * @path: a model file, or the folder of a SavedModel
 * @error: return location
 *
 * Returns: (transfer full) (nullable): its graph alone; %NULL as in flow_model_load_file()
 */
FlowGraph *
flow_graph_load_file (const char  *path,
                      GError     **error)
{
  g_autoptr (FlowModel) model = flow_model_load_file (path, NULL, error);

  return model != NULL ? g_object_ref (model->graph) : NULL;
}

/**
 * flow_model_is_model: (skip)
 * @bytes: the content of a file
 * @kind: (out) (optional): what it is
 * @is_text: (out) (optional): whether it is text
 *
 * Tells whether bytes look like a model, cheaply: by the first fields. Damaged files do too.
 *
 * Returns: whether flow_model_load_bytes() has a chance
 */
gboolean
flow_model_is_model (GBytes        *bytes,
                     FlowModelKind *kind,
                     gboolean      *is_text)
{
  FlowModelKind found = FLOW_MODEL_GRAPH_DEF;
  gboolean text;
  FlowProtoReader r;
  gsize size;
  gconstpointer data;

  g_return_val_if_fail (bytes != NULL, FALSE);

  text = _flow_sniff_text (bytes, &found);
  if (!text)
    {
      data = g_bytes_get_data (bytes, &size);
      flow_proto_reader_init (&r, data, size);
      if (size > 0 && (!flow_proto_reader_next (&r) || r.field > 7))
        return FALSE;
      found = _flow_sniff_binary (bytes);
    }
  if (kind != NULL)
    *kind = found;
  if (is_text != NULL)
    *is_text = text;
  return TRUE;
}

/**
 * flow_graph_extend_from_bytes: (skip)
 * @self: a graph
 * @graph_def: a GraphDef
 * @problems: (nullable) (element-type FlowProblem): collects what is wrong with single nodes; without
 *   it the first illegal node fails the call
 * @error: return location
 *
 * Appends the nodes and functions of a GraphDef to a graph.
 *
 * Returns: %FALSE with an error as in flow_model_load_bytes(); the graph is then unchanged
 */
gboolean
flow_graph_extend_from_bytes (FlowGraph  *self,
                              GBytes     *graph_def,
                              GPtrArray  *problems,
                              GError    **error)
{
  g_autoptr (GPtrArray) none = NULL;
  g_autoptr (FlowBudget) budget = flow_budget_new (flow_budget_default_limit ());
  g_autoptr (FlowLoad) load = NULL;
  FlowProtoReader r;

  g_return_val_if_fail (FLOW_IS_GRAPH (self) && graph_def != NULL, FALSE);

  none = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_problem_free);
  load = _flow_load_new (graph_def, FLOW_MESSAGE_GRAPH_DEF, "GraphDef", NULL, budget,
                         problems != NULL ? problems : none);
  load->is_strict = problems == NULL;
  _flow_load_init_reader (load, &r);
  _flow_load_graph_def (load, &r, self);
  return _flow_load_finish (load, &r, error);
}
