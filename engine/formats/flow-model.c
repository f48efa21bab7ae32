/* flow-model.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-model-private.h"

/**
 * FlowModel:
 *
 * What a model file holds: the graph, and around it signatures, savers, tag sets, asset files, and
 * the list of what is wrong without keeping the file from opening. It does not change once loaded.
 */
G_DEFINE_FINAL_TYPE (FlowModel, flow_model, G_TYPE_OBJECT)

static void
free_tensor_info (gpointer data)
{
  FlowTensorInfo *info = data;

  g_free (info->key);
  g_free (info->name);
  g_clear_pointer (&info->shape, flow_shape_unref);
  g_strfreev (info->parts);
  g_free (info);
}

static void
free_signature (gpointer data)
{
  FlowSignature *signature = data;

  g_free (signature->key);
  g_free (signature->method_name);
  g_ptr_array_unref (signature->inputs);
  g_ptr_array_unref (signature->outputs);
  g_free (signature);
}

static void
free_asset (gpointer data)
{
  FlowAssetFile *asset = data;

  g_free (asset->tensor_name);
  g_free (asset->filename);
  g_free (asset->problem);
  g_free (asset);
}

static void
free_saver (FlowSaverDef *saver)
{
  g_free (saver->filename_tensor_name);
  g_free (saver->save_tensor_name);
  g_free (saver->restore_op_name);
  g_free (saver);
}

static void
flow_model_finalize (GObject *object)
{
  FlowModel *self = FLOW_MODEL (object);

  g_clear_object (&self->graph);
  g_free (self->path);
  g_free (self->folder);
  g_free (self->tensorflow_version);
  g_free (self->init_op);
  g_ptr_array_unref (self->tags);
  g_ptr_array_unref (self->problems);
  g_ptr_array_unref (self->signatures);
  g_ptr_array_unref (self->assets);
  g_clear_pointer (&self->saver, free_saver);
  g_clear_object (&self->events);
  g_clear_pointer (&self->graph_bytes, g_bytes_unref);
  g_clear_pointer (&self->meta_bytes, g_bytes_unref);
  if (self->budget != NULL)
    {
      flow_budget_release (self->budget, self->reserved);
      flow_budget_unref (self->budget);
    }
  G_OBJECT_CLASS (flow_model_parent_class)->finalize (object);
}

static void
flow_model_class_init (FlowModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = flow_model_finalize;
}

static void
flow_model_init (FlowModel *self)
{
  self->tags = g_ptr_array_new_with_free_func (g_free);
  self->problems = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_problem_free);
  self->signatures = g_ptr_array_new_with_free_func (free_signature);
  self->assets = g_ptr_array_new_with_free_func (free_asset);
}

FlowModel *
_flow_model_new (const char    *label,
                 FlowModelKind  kind)
{
  FlowModel *self = g_object_new (FLOW_TYPE_MODEL, NULL);

  self->path = g_strdup (label);
  self->kind = kind;
  self->graph = flow_graph_new ();
  return self;
}

/* Without inputs and outputs yet; the arrays own what is put into them. */
FlowSignature *
_flow_signature_new (const char *key)
{
  FlowSignature *signature = g_new0 (FlowSignature, 1);

  signature->key = g_strdup (key);
  signature->inputs = g_ptr_array_new_with_free_func (free_tensor_info);
  signature->outputs = g_ptr_array_new_with_free_func (free_tensor_info);
  return signature;
}

/**
 * flow_model_get_graph:
 * @self: a model
 *
 * Returns: (transfer none): its graph
 */
FlowGraph *
flow_model_get_graph (FlowModel *self)
{
  g_return_val_if_fail (FLOW_IS_MODEL (self), NULL);

  return self->graph;
}

/**
 * flow_model_get_kind:
 * @self: a model
 *
 * Returns: what the file is
 */
FlowModelKind
flow_model_get_kind (FlowModel *self)
{
  g_return_val_if_fail (FLOW_IS_MODEL (self), FLOW_MODEL_GRAPH_DEF);

  return self->kind;
}

/**
 * flow_model_get_kind_name:
 * @self: a model
 *
 * Returns: (transfer none): what the file is, in TensorFlow's word
 */
const char *
flow_model_get_kind_name (FlowModel *self)
{
  static const char *const names[] = { "GraphDef", "MetaGraphDef", "SavedModel", "session bundle",
                                       "event file" };

  g_return_val_if_fail (FLOW_IS_MODEL (self), NULL);

  return names[self->kind];
}

/**
 * flow_model_is_text:
 * @self: a model
 *
 * Returns: whether it came in protobuf's text format
 */
gboolean
flow_model_is_text (FlowModel *self)
{
  g_return_val_if_fail (FLOW_IS_MODEL (self), FALSE);

  return self->is_text;
}

/**
 * flow_model_get_path:
 * @self: a model
 *
 * Returns: (transfer none): the file or folder it was opened from
 */
const char *
flow_model_get_path (FlowModel *self)
{
  g_return_val_if_fail (FLOW_IS_MODEL (self), NULL);

  return self->path;
}

/**
 * flow_model_get_tensorflow_version:
 * @self: a model
 *
 * Returns: (transfer none) (nullable): the release that wrote it, such as `1.15.5`, if it says so
 */
const char *
flow_model_get_tensorflow_version (FlowModel *self)
{
  g_return_val_if_fail (FLOW_IS_MODEL (self), NULL);

  return self->tensorflow_version;
}

/**
 * flow_model_get_n_meta_graphs:
 * @self: a model
 *
 * Returns: how many meta graphs the file holds; 0 for a GraphDef
 */
guint
flow_model_get_n_meta_graphs (FlowModel *self)
{
  g_return_val_if_fail (FLOW_IS_MODEL (self), 0);

  return self->tags->len;
}

/**
 * flow_model_get_meta_graph:
 * @self: a model
 *
 * Returns: which of its meta graphs this is
 */
guint
flow_model_get_meta_graph (FlowModel *self)
{
  g_return_val_if_fail (FLOW_IS_MODEL (self), 0);

  return self->meta_graph;
}

/**
 * flow_model_get_tags:
 * @self: a model
 * @meta_graph: which meta graph, 0 to n - 1
 *
 * Returns: (transfer none): its tag set, sorted and joined by commas
 */
const char *
flow_model_get_tags (FlowModel *self,
                     guint      meta_graph)
{
  g_return_val_if_fail (FLOW_IS_MODEL (self), NULL);
  g_return_val_if_fail (meta_graph < self->tags->len, NULL);

  return self->tags->pdata[meta_graph];
}

/**
 * flow_model_get_problems: (skip)
 * @self: a model
 *
 * Returns: (transfer none) (element-type FlowProblem): what is wrong with it without having kept it
 *   from opening
 */
GPtrArray *
flow_model_get_problems (FlowModel *self)
{
  g_return_val_if_fail (FLOW_IS_MODEL (self), NULL);

  return self->problems;
}

/**
 * flow_model_get_variables_prefix:
 * @self: a model
 *
 * Returns: (transfer full) (nullable): the prefix of the checkpoint inside a SavedModel's folder,
 *   whether or not it is there; %NULL for other kinds
 */
char *
flow_model_get_variables_prefix (FlowModel *self)
{
  g_return_val_if_fail (FLOW_IS_MODEL (self), NULL);

  if (self->folder == NULL || self->kind != FLOW_MODEL_SAVED_MODEL)
    return NULL;
  return g_build_filename (self->folder, "variables", "variables", NULL);
}

/**
 * flow_model_get_init_op:
 * @self: a model
 *
 * Returns: (transfer none) (nullable): the op that a loader would run after restoring; opening a
 *   file runs nothing
 */
const char *
flow_model_get_init_op (FlowModel *self)
{
  g_return_val_if_fail (FLOW_IS_MODEL (self), NULL);

  return self->init_op;
}

/**
 * flow_model_get_graph_bytes:
 * @self: a model
 *
 * Returns: (transfer none): the GraphDef it was opened from, byte for byte; of a text file what that
 *   says, encoded
 */
GBytes *
flow_model_get_graph_bytes (FlowModel *self)
{
  g_return_val_if_fail (FLOW_IS_MODEL (self), NULL);

  return self->graph_bytes;
}

/**
 * flow_model_get_events:
 * @self: a model
 *
 * Returns: (transfer none) (nullable): what an event file holds beside its graph; %NULL for other kinds
 */
FlowEventFile *
flow_model_get_events (FlowModel *self)
{
  g_return_val_if_fail (FLOW_IS_MODEL (self), NULL);

  return self->events;
}

/**
 * flow_model_get_signatures: (skip)
 * @self: a model
 *
 * Returns: (transfer none) (element-type FlowSignature): its signatures, sorted by key
 */
GPtrArray *
flow_model_get_signatures (FlowModel *self)
{
  g_return_val_if_fail (FLOW_IS_MODEL (self), NULL);

  return self->signatures;
}

/**
 * flow_model_get_saver: (skip)
 * @self: a model
 *
 * Returns: (transfer none) (nullable): the ops of its graph that save and restore
 */
const FlowSaverDef *
flow_model_get_saver (FlowModel *self)
{
  g_return_val_if_fail (FLOW_IS_MODEL (self), NULL);

  return self->saver;
}

/**
 * flow_model_get_asset_files: (skip)
 * @self: a model
 *
 * Returns: (transfer none) (element-type FlowAssetFile): the files it names; none was looked at
 */
GPtrArray *
flow_model_get_asset_files (FlowModel *self)
{
  g_return_val_if_fail (FLOW_IS_MODEL (self), NULL);

  return self->assets;
}
