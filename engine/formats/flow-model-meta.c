/* flow-model-meta.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-model-private.h"

#include "flow-util.h"

#include <string.h>

#define ENTRY_COST 256
/* Keys are looked up one by one: no model has more than some dozens of collections or signatures. */
#define MAX_KEYS 10000

/* TF: Loader keys. */
#define INIT_OP_SIGNATURE "__saved_model_init_op"
#define MAIN_OP_COLLECTION "saved_model_main_op"
#define LEGACY_INIT_OP_COLLECTION "legacy_init_op"

/* A part of the file that is read for itself, so that damage in it stays in it. */
static void
init_part (FlowLoad              *load,
           const FlowProtoReader *at,
           FlowProtoReader       *part)
{
  flow_proto_reader_init_part (part, load->base, at->data, at->size, at->depth + 1);
}

static void
note_damage (FlowLoad        *load,
             FlowProtoReader *part,
             const char      *field)
{
  g_autoptr (GError) error = NULL;

  if (load->error != NULL)
    error = g_steal_pointer (&load->error);
  else
    error = g_error_new (FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "%s is damaged: %s, at byte %"
                         G_GSIZE_FORMAT, field, part->source->problem,
                         flow_proto_reader_get_offset (part));
  if (load->problems->len < FLOW_MAX_PROBLEMS)
    _flow_load_add_problem (load, 2, error, field, (gint64) flow_proto_reader_get_offset (part));
}

/* The tag set of a MetaGraphDef, sorted and joined; what cannot be read is left out. */
char *
_flow_read_tags (FlowProtoReader *reader)
{
  g_autoptr (GPtrArray) tags = g_ptr_array_new_with_free_func (g_free);
  FlowProtoReader sub;

  while (flow_proto_reader_next (reader))
    {
      if (reader->field != 1 || !flow_proto_reader_enter (reader, &sub))
        continue;
      while (flow_proto_reader_next (&sub))
        {
          char *tag = NULL;

          if (sub.field == 4 && flow_proto_reader_dup_string (&sub, &tag))
            g_ptr_array_add (tags, tag);
        }
    }
  g_ptr_array_sort (tags, flow_compare_texts);
  g_ptr_array_add (tags, NULL);
  return g_strjoinv (",", (char **) tags->pdata);
}

/* --- Meta info: the release, and definitions of the ops in use --- */

static gboolean
same_args (const FlowArgDef *a,
           guint             n_a,
           const FlowArgDef *b,
           guint             n_b)
{
  if (n_a != n_b)
    return FALSE;
  for (guint i = 0; i < n_a; i++)
    if (a[i].dtype != b[i].dtype || a[i].is_ref != b[i].is_ref ||
        g_strcmp0 (a[i].type_attr, b[i].type_attr) != 0 ||
        g_strcmp0 (a[i].number_attr, b[i].number_attr) != 0 ||
        g_strcmp0 (a[i].type_list_attr, b[i].type_list_attr) != 0)
      return FALSE;
  return TRUE;
}

/* Our own definitions know more (shapes, kernels): the file's is of use where we have none, or where a
 * newer release gave the op arguments of other types. */
static gboolean
is_of_use (FlowOpSignature *signature)
{
  const FlowOpSignature *ours = flow_op_registry_lookup (signature->name);

  if (*signature->name == '\0')
    return FALSE;
  if (ours == NULL)
    return TRUE;
  signature->family = ours->family;
  return !same_args (ours->inputs, ours->n_inputs, signature->inputs, signature->n_inputs) ||
         !same_args (ours->outputs, ours->n_outputs, signature->outputs, signature->n_outputs);
}

static void
load_op_list (FlowGraph       *graph,
              FlowLoad        *load,
              FlowProtoReader *r)
{
  FlowProtoReader sub;

  while (flow_proto_reader_next (r))
    {
      FlowOpSignature *signature;

      if (r->field != 1 || !flow_proto_reader_enter (r, &sub))
        continue;
      signature = _flow_load_op_def (load, &sub);
      if (signature == NULL)
        return;
      if (is_of_use (signature))
        flow_graph_take_signature (graph, signature);
      else
        flow_op_signature_free (signature);
    }
}

static void
load_meta_info (FlowModel       *self,
                FlowLoad        *load,
                FlowProtoReader *r)
{
  FlowProtoReader sub;

  while (flow_proto_reader_next (r))
    if (r->field == 2 && flow_proto_reader_enter (r, &sub))
      load_op_list (self->graph, load, &sub);
    else if (r->field == 5)
      flow_proto_reader_dup_string (r, &self->tensorflow_version);
}

/**
 * flow_graph_take_op_list: (skip)
 * @self: a graph, before its nodes come
 * @op_list: what flow_graph_write_op_list() gave
 * @error: return location
 *
 * Notes definitions of op types that we do not know.
 *
 * Returns: %FALSE with `FLOW_ERROR_DATA_LOSS` for bytes that are no OpList
 */
gboolean
flow_graph_take_op_list (FlowGraph  *self,
                         GBytes     *op_list,
                         GError    **error)
{
  g_autoptr (FlowBudget) budget = flow_budget_new (0);
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (FlowLoad) load = NULL;
  FlowProtoReader r;

  g_return_val_if_fail (FLOW_IS_GRAPH (self) && op_list != NULL, FALSE);

  problems = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_problem_free);
  load = _flow_load_new (op_list, FLOW_MESSAGE_OP_LIST, "OpList", NULL, budget, problems);
  _flow_load_init_reader (load, &r);
  load_op_list (self, load, &r);
  return _flow_load_finish (load, &r, error);
}

/* --- Saver --- */

static void
load_saver (FlowModel       *self,
            FlowProtoReader *r)
{
  FlowSaverDef *saver;
  float hours = 0;

  if (self->saver == NULL)
    self->saver = g_new0 (FlowSaverDef, 1);
  saver = self->saver;
  while (flow_proto_reader_next (r))
    switch (r->field)
      {
      case 1: flow_proto_reader_dup_string (r, &saver->filename_tensor_name); break;
      case 2: flow_proto_reader_dup_string (r, &saver->save_tensor_name); break;
      case 3: flow_proto_reader_dup_string (r, &saver->restore_op_name); break;
      case 4: flow_proto_reader_get_int32 (r, &saver->max_to_keep); break;
      case 5: flow_proto_reader_get_bool (r, &saver->sharded); break;
      case 6:
        if (flow_proto_reader_get_float (r, &hours))
          saver->keep_checkpoint_every_n_hours = hours;
        break;
      case 7: flow_proto_reader_get_int32 (r, &saver->version); break;
      default: break;
      }
}

/* --- Signatures --- */

static void
load_coo_sparse (FlowProtoReader *r,
                 FlowTensorInfo  *info)
{
  g_autofree char *values = NULL;
  g_autofree char *indices = NULL;
  g_autofree char *shape = NULL;

  while (flow_proto_reader_next (r))
    switch (r->field)
      {
      case 1: flow_proto_reader_dup_string (r, &values); break;
      case 2: flow_proto_reader_dup_string (r, &indices); break;
      case 3: flow_proto_reader_dup_string (r, &shape); break;
      default: break;
      }
  g_strfreev (info->parts);
  info->parts = g_new0 (char *, 4);
  info->parts[0] = values != NULL ? g_strdup (values) : g_strdup ("");
  info->parts[1] = indices != NULL ? g_steal_pointer (&indices) : g_strdup ("");
  info->parts[2] = shape != NULL ? g_steal_pointer (&shape) : g_strdup ("");
  g_free (info->name);
  info->name = values != NULL ? g_steal_pointer (&values) : g_strdup ("");
}

static void
load_composite (FlowProtoReader *r,
                FlowTensorInfo  *info)
{
  g_autoptr (GStrvBuilder) parts = g_strv_builder_new ();
  FlowProtoReader sub;

  while (flow_proto_reader_next (r))
    if (r->field == 2 && flow_proto_reader_enter (r, &sub))
      while (flow_proto_reader_next (&sub))
        {
          g_autofree char *name = NULL;

          if (sub.field == 1 && flow_proto_reader_dup_string (&sub, &name))
            g_strv_builder_add (parts, name);
        }
  g_strfreev (info->parts);
  info->parts = g_strv_builder_end (parts);
}

static void
load_tensor_info (FlowProtoReader *r,
                  FlowTensorInfo  *info)
{
  FlowProtoReader sub;

  while (flow_proto_reader_next (r))
    switch (r->field)
      {
      case 1: flow_proto_reader_dup_string (r, &info->name); break;
      case 2: flow_proto_reader_get_int32 (r, &info->dtype); break;
      case 3:
        if (!flow_proto_reader_enter (r, &sub))
          break;
        g_clear_pointer (&info->shape, flow_shape_unref);
        info->shape = flow_shape_read_proto (&sub, TRUE, NULL);
        break;
      case 4:
        if (flow_proto_reader_enter (r, &sub))
          load_coo_sparse (&sub, info);
        break;
      case 5:
        if (flow_proto_reader_enter (r, &sub))
          load_composite (&sub, info);
        break;
      default: break;
      }
  if (info->name == NULL)
    info->name = g_strdup ("");
}

static int
compare_infos (gconstpointer a,
               gconstpointer b)
{
  const FlowTensorInfo *const *x = a;
  const FlowTensorInfo *const *y = b;

  return strcmp ((*x)->key, (*y)->key);
}

static void
load_info_entry (FlowLoad        *load,
                 FlowProtoReader *r,
                 GPtrArray       *infos)
{
  FlowTensorInfo *info;
  FlowProtoReader sub;

  if (!_flow_load_charge (load, r, ENTRY_COST))
    return;
  info = g_new0 (FlowTensorInfo, 1);
  while (flow_proto_reader_next (r))
    if (r->field == 1)
      flow_proto_reader_dup_string (r, &info->key);
    else if (r->field == 2 && flow_proto_reader_enter (r, &sub))
      load_tensor_info (&sub, info);
  if (info->key == NULL)
    info->key = g_strdup ("");
  if (info->name == NULL)
    info->name = g_strdup ("");
  g_ptr_array_add (infos, info);
}

static FlowSignature *
load_signature_entry (FlowLoad        *load,
                      FlowProtoReader *r)
{
  FlowSignature *signature = _flow_signature_new (NULL);
  FlowProtoReader sub;
  FlowProtoReader entry;

  while (flow_proto_reader_next (r))
    if (r->field == 1)
      flow_proto_reader_dup_string (r, &signature->key);
    else if (r->field == 2 && flow_proto_reader_enter (r, &sub))
      {
        while (flow_proto_reader_next (&sub))
          if (sub.field == 3)
            flow_proto_reader_dup_string (&sub, &signature->method_name);
          else if (sub.field <= 2 && flow_proto_reader_enter (&sub, &entry))
            load_info_entry (load, &entry, sub.field == 1 ? signature->inputs : signature->outputs);
      }
  if (signature->key == NULL)
    signature->key = g_strdup ("");
  if (signature->method_name == NULL)
    signature->method_name = g_strdup ("");
  g_ptr_array_sort (signature->inputs, compare_infos);
  g_ptr_array_sort (signature->outputs, compare_infos);
  return signature;
}

static void
check_infos (FlowModel     *self,
             FlowLoad      *load,
             FlowSignature *signature,
             GPtrArray     *infos,
             gint64         offset)
{
  g_autofree char *field = g_strdup_printf ("signature_def[%s]", signature->key);

  for (guint i = 0; i < infos->len && load->problems->len < FLOW_MAX_PROBLEMS; i++)
    {
      const FlowTensorInfo *info = infos->pdata[i];
      g_autoptr (GError) error = NULL;
      FlowEndpoint endpoint;

      if (*info->name == '\0' || flow_graph_find_node (self->graph, info->name) != FLOW_NODE_NONE ||
          flow_graph_parse_endpoint (self->graph, info->name, &endpoint, NULL))
        continue;
      error = g_error_new (FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                           "Signature '%s' names the tensor '%s', which is not in the graph",
                           signature->key, info->name);
      _flow_load_add_problem (load, 1, error, field, offset);
    }
}

static void
add_signature (FlowModel             *self,
               FlowLoad              *load,
               const FlowProtoReader *at)
{
  FlowProtoReader part;
  FlowSignature *signature;

  init_part (load, at, &part);
  signature = load_signature_entry (load, &part);
  /* A map: the last of one key counts. */
  for (guint i = 0; i < self->signatures->len; i++)
    if (strcmp (((FlowSignature *) self->signatures->pdata[i])->key, signature->key) == 0)
      {
        g_ptr_array_remove_index (self->signatures, i);
        break;
      }
  g_ptr_array_add (self->signatures, signature);
  if (flow_proto_reader_failed (&part))
    {
      note_damage (load, &part, "signature_def");
      g_ptr_array_remove_index (self->signatures, self->signatures->len - 1);
      return;
    }
  check_infos (self, load, signature, signature->inputs, at->data - load->base);
  check_infos (self, load, signature, signature->outputs, at->data - load->base);
  if (strcmp (signature->key, INIT_OP_SIGNATURE) == 0 && signature->outputs->len > 0)
    flow_set_str (&self->init_op, ((FlowTensorInfo *) signature->outputs->pdata[0])->name);
}

/* --- Assets --- */

/* A name that stays inside the assets folder. Nothing is opened or looked at here. */
static const char *
asset_problem (const char *filename,
               gboolean    is_cut)
{
  g_auto (GStrv) parts = NULL;

  if (is_cut)
    return "has a 00 byte";
  if (*filename == '\0')
    return "is empty";
  if (g_path_is_absolute (filename))
    return "is an absolute path";
  parts = g_strsplit (filename, "/", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    if (strcmp (parts[i], "..") == 0)
      return "leaves the assets folder";
  return NULL;
}

static void
add_asset (FlowModel             *self,
           FlowLoad              *load,
           const FlowProtoReader *at)
{
  FlowAssetFile *asset = g_new0 (FlowAssetFile, 1);
  g_autoptr (GError) error = NULL;
  FlowTensorInfo info = { NULL };
  FlowProtoReader part;
  FlowProtoReader sub;
  const char *text = "";
  gsize length = 0;
  const char *problem;

  init_part (load, at, &part);
  while (flow_proto_reader_next (&part))
    if (part.field == 1 && flow_proto_reader_enter (&part, &sub))
      load_tensor_info (&sub, &info);
    else if (part.field == 2)
      flow_proto_reader_get_string (&part, &text, &length);
  asset->filename = g_strndup (text, length);
  asset->tensor_name = info.name != NULL ? info.name : g_strdup ("");
  g_clear_pointer (&info.shape, flow_shape_unref);
  g_strfreev (info.parts);
  g_ptr_array_add (self->assets, asset);
  if (flow_proto_reader_failed (&part))
    {
      note_damage (load, &part, "asset_file_def");
      asset->problem = g_strdup ("it is damaged");
      return;
    }
  problem = asset_problem (asset->filename, memchr (text, 0, length) != NULL);
  if (problem == NULL)
    return;
  asset->problem = g_strdup_printf ("the asset file name '%s' %s", asset->filename, problem);
  error = g_error_new_literal (FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, asset->problem);
  if (load->problems->len < FLOW_MAX_PROBLEMS)
    _flow_load_add_problem (load, 1, error, "asset_file_def", at->data - load->base);
}

/* --- Collections --- */

static void
free_item (gpointer item)
{
  flow_collection_item_free (item);
}

static void
add_collection (FlowGraph             *graph,
                FlowLoad              *load,
                const FlowProtoReader *at)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (free_item);
  g_autofree char *key = NULL;
  FlowProtoReader part;
  FlowProtoReader value;
  const guint8 *data = NULL;
  gsize size = 0;

  init_part (load, at, &part);
  while (flow_proto_reader_next (&part))
    if (part.field == 1)
      flow_proto_reader_dup_string (&part, &key);
    else if (part.field == 2)
      flow_proto_reader_get_bytes (&part, &data, &size);
  if (key == NULL)
    key = g_strdup ("");
  flow_proto_reader_init_part (&value, load->base, data, size, part.depth + 1);
  if (!flow_proto_reader_failed (&part) && data != NULL)
    _flow_load_collection (load, &value, key, graph, items);
  if (flow_proto_reader_failed (&part) || flow_proto_reader_failed (&value))
    {
      g_autofree char *field = g_strdup_printf ("collection_def[%s]", key);

      note_damage (load, flow_proto_reader_failed (&part) ? &part : &value, field);
    }
  flow_graph_set_collection (graph, key, g_steal_pointer (&items));
}

/**
 * flow_graph_load_collections:
 * @graph: a graph whose nodes are there
 * @meta_graph: a serialized MetaGraphDef; only what it says of collections is read
 * @error: return location
 *
 * Gives @graph the collections of a MetaGraphDef: those it names take the place of what was there by that key.
 * Items that cannot be decoded stand among the others as they are.
 *
 * Returns: %FALSE with an error if the message is damaged
 */
gboolean
flow_graph_load_collections (FlowGraph  *graph,
                             GBytes     *meta_graph,
                             GError    **error)
{
  g_autoptr (FlowBudget) budget = flow_budget_new (flow_budget_default_limit ());
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_problem_free);
  g_autoptr (FlowLoad) load = NULL;
  FlowProtoReader reader;

  g_return_val_if_fail (FLOW_IS_GRAPH (graph), FALSE);
  g_return_val_if_fail (meta_graph != NULL, FALSE);

  load = _flow_load_new (meta_graph, FLOW_MESSAGE_META_GRAPH_DEF, "MetaGraphDef", NULL, budget, problems);
  _flow_load_init_reader (load, &reader);
  while (flow_proto_reader_next (&reader))
    if (reader.field == 4 && reader.wire == FLOW_WIRE_BYTES)
      add_collection (graph, load, &reader);
  return _flow_load_finish (load, &reader, error);
}

/* The op that loaders run: one, or the file is wrong. */
static void
find_init_op (FlowModel *self,
              FlowLoad  *load)
{
  static const char *const keys[] = { MAIN_OP_COLLECTION, LEGACY_INIT_OP_COLLECTION };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      GPtrArray *items = flow_graph_get_collection (self->graph, keys[i]);

      if (items == NULL || items->len == 0)
        continue;
      if (items->len > 1)
        {
          g_autoptr (GError) error = g_error_new (FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION,
                                                  "Expected exactly one main op in : %s", self->path);

          _flow_load_add_problem (load, 1, error, keys[i], -1);
        }
      else if (self->init_op == NULL)
        self->init_op = g_strdup (((FlowCollectionItem *) items->pdata[0])->name);
    }
}

static int
compare_signatures (gconstpointer a,
                    gconstpointer b)
{
  const FlowSignature *const *x = a;
  const FlowSignature *const *y = b;

  return strcmp ((*x)->key, (*y)->key);
}

/* What needs the graph: read once that is there. */
static void
load_around_graph (FlowModel       *self,
                   FlowLoad        *load,
                   FlowProtoReader *r)
{
  FlowProtoReader part;
  guint n_keys = 0;

  while (flow_proto_reader_next (r))
    {
      if (r->wire != FLOW_WIRE_BYTES)
        continue;
      if ((r->field == 4 || r->field == 5) && n_keys++ == MAX_KEYS)
        {
          _flow_load_take_error (load, r,
                                 g_error_new (FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED,
                                              "%s; it has more than %d collections and signatures",
                                              load->label, MAX_KEYS));
          return;
        }
      switch (r->field)
        {
        case 3:
          init_part (load, r, &part);
          load_saver (self, &part);
          if (flow_proto_reader_failed (&part))
            note_damage (load, &part, "saver_def");
          break;
        case 4: add_collection (self->graph, load, r); break;
        case 5: add_signature (self, load, r); break;
        case 6: add_asset (self, load, r); break;
        default: break;
        }
    }
  g_ptr_array_sort (self->signatures, compare_signatures);
  find_init_op (self, load);
  if (self->kind == FLOW_MODEL_META_GRAPH &&
      flow_graph_get_collection (self->graph, "serving_signatures") != NULL)
    self->kind = FLOW_MODEL_SESSION_BUNDLE;
}

/* Reads a MetaGraphDef into @self: the graph or nothing; what stands around it as far as it is
 * sound. */
gboolean
_flow_model_load_meta (FlowModel        *self,
                       FlowLoad         *load,
                       FlowProtoReader  *reader,
                       GError          **error)
{
  const guint8 *data = reader->pos;
  gsize size = (gsize) (reader->end - reader->pos);
  FlowProtoReader again;
  FlowProtoReader sub;
  FlowProtoReader part;

  self->meta_bytes = g_bytes_new_from_bytes (load->file, (gsize) (data - load->base), size);
  flow_proto_reader_init_part (&again, load->base, data, size, reader->depth);
  while (flow_proto_reader_next (reader))
    if (reader->field == 1 && reader->wire == FLOW_WIRE_BYTES)
      {
        init_part (load, reader, &part);
        load_meta_info (self, load, &part);
        if (flow_proto_reader_failed (&part))
          note_damage (load, &part, "meta_info_def");
      }
  if (!_flow_load_finish (load, reader, error))
    return FALSE;

  while (flow_proto_reader_next (&again))
    if (again.field == 2 && flow_proto_reader_enter (&again, &sub))
      {
        g_clear_pointer (&self->graph_bytes, g_bytes_unref);
        self->graph_bytes = g_bytes_new_from_bytes (load->file, (gsize) (again.data - load->base),
                                                    again.size);
        _flow_load_graph_def (load, &sub, self->graph);
      }
  if (!_flow_load_finish (load, &again, error))
    return FALSE;
  if (self->graph_bytes == NULL)
    self->graph_bytes = g_bytes_new_static ("", 0);

  flow_proto_reader_init_part (&again, load->base, data, size, reader->depth);
  load_around_graph (self, load, &again);
  return _flow_load_finish (load, &again, error);
}
