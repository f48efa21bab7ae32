/* flow-stored.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-checkpoint-private.h"

#include <stdarg.h>

#include "flow-proto-writer.h"
#include "flow-util.h"

/* What V1 and V2 checkpoints have in common: shapes, versions, parts. */

/* The version of both formats that TensorFlow 1 and 2 write. */
#define CONSUMER_VERSION 1

FlowStored *
_flow_stored_new (const char *name)
{
  FlowStored *self = g_new0 (FlowStored, 1);

  self->info = g_new0 (FlowCheckpointTensor, 1);
  g_atomic_ref_count_init (&self->info->ref_count);
  self->info->name = g_strdup (name);
  self->info->shard = -1;
  self->info->offset = -1;
  return self;
}

void
_flow_stored_free (FlowStored *self)
{
  if (self == NULL)
    return;
  flow_checkpoint_tensor_unref (self->info);
  g_clear_pointer (&self->slices, g_ptr_array_unref);
  g_clear_pointer (&self->files, g_array_unref);
  g_free (self);
}

/* Takes @slice. */
void
_flow_stored_add_slice (FlowStored *self,
                        FlowSlice  *slice)
{
  if (self->slices == NULL)
    self->slices = g_ptr_array_new_with_free_func ((GDestroyNotify) _flow_slice_free);
  g_ptr_array_add (self->slices, slice);
}

/* The first problem is the one that is told. */
void
_flow_stored_set_problem (FlowStored *self,
                          const char *format,
                          ...)
{
  va_list args;

  if (self->info->problem != NULL)
    return;
  va_start (args, format);
  self->info->problem = g_strdup_vprintf (format, args);
  self->problem_code = FLOW_ERROR_DATA_LOSS;
  va_end (args);
}

/*
 * _flow_stored_check_slices:
 *
 * Sets a problem unless every part is one of the tensor's shape and no two overlap, and makes the
 * texts of the parts.
 */
void
_flow_stored_check_slices (FlowStored *self)
{
  FlowCheckpointTensor *info = self->info;
  guint n = self->slices != NULL ? self->slices->len : 0;

  if (n == 0 || info->shape == NULL)
    return;
  if (n > FLOW_CHECKPOINT_MAX_SLICES)
    {
      _flow_stored_set_problem (self, "key %s has %u slices, the limit is %d", info->name, n,
                                FLOW_CHECKPOINT_MAX_SLICES);
      return;
    }
  info->n_slices = n;
  info->slices = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    {
      FlowSlice *slice = g_ptr_array_index (self->slices, i);
      g_autoptr (GError) error = NULL;
      g_autoptr (FlowShape) shape = _flow_slice_shape (slice, info->shape, &error);

      info->slices[i] = _flow_slice_to_string (slice);
      if (shape == NULL)
        _flow_stored_set_problem (self, "key %s: %s", info->name, error->message);
    }
  for (guint i = 0; i < n && info->problem == NULL; i++)
    for (guint k = 0; k < i; k++)
      if (_flow_slice_overlap (info->shape, g_ptr_array_index (self->slices, i), g_ptr_array_index (self->slices, k)))
        {
          _flow_stored_set_problem (self, "Overlapping slices: existing slice = %s, new slice = %s, of key %s",
                                    info->slices[k], info->slices[i], info->name);
          self->problem_code = FLOW_ERROR_INTERNAL;
          return;
        }
}

/*
 * _flow_read_shape:
 * @reader: stands in a TensorShapeProto
 *
 * Returns: (transfer full): the shape; NULL if it is none that a stored tensor can have: unknown, of too
 *   many or negative dimensions, of more elements than an int64 can count
 */
FlowShape *
_flow_read_shape (FlowProtoReader *reader)
{
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  int rank = 0;
  gboolean unknown_rank = FALSE;
  gboolean ok = TRUE;
  g_autoptr (FlowShape) shape = NULL;
  gint64 n;

  while (flow_proto_reader_next (reader))
    {
      FlowProtoReader sub;
      gint64 size = 0;

      if (reader->field == 3)
        flow_proto_reader_get_bool (reader, &unknown_rank);
      if (reader->field != 2 || !flow_proto_reader_enter (reader, &sub))
        continue;
      while (flow_proto_reader_next (&sub))
        if (sub.field == 1)
          flow_proto_reader_get_int64 (&sub, &size);
      ok = ok && size >= 0 && rank < FLOW_SHAPE_MAX_RANK;
      if (ok)
        dims[rank++] = size;
    }
  if (!ok || unknown_rank || flow_proto_reader_failed (reader))
    return NULL;
  shape = flow_shape_new (rank, dims);
  return flow_shape_n_elements (shape, &n) ? g_steal_pointer (&shape) : NULL;
}

/*
 * _flow_check_versions:
 * @reader: stands in a VersionDef
 *
 * Returns: FALSE with TensorFlow's words if the file is for other programs than us
 */
gboolean
_flow_check_versions (FlowProtoReader  *reader,
                      GError          **error)
{
  gint64 min_consumer = 0;
  gboolean is_bad = FALSE;

  while (flow_proto_reader_next (reader))
    {
      guint64 bad;

      if (reader->field == 2)
        flow_proto_reader_get_int64 (reader, &min_consumer);
      else if (reader->field == 3)
        while (flow_proto_reader_each_varint (reader, &bad))
          is_bad |= bad == CONSUMER_VERSION;
    }
  FLOW_REQUIRE (min_consumer <= CONSUMER_VERSION, error, INVALID_ARGUMENT,
                "Checkpoint min consumer version %" G_GINT64_FORMAT
                " above current version %d: a newer program wrote it", min_consumer, CONSUMER_VERSION);
  FLOW_REQUIRE (!is_bad, error, INVALID_ARGUMENT, "Checkpoint disallows consumer version %d.", CONSUMER_VERSION);
  return TRUE;
}

/* Field 2 of a BundleEntryProto (V2) and of a SavedSliceMeta (V1): a TensorShapeProto. */
void
_flow_stored_write_shape (FlowProtoWriter *writer,
                          const FlowShape *shape)
{
  flow_proto_writer_begin (writer, 2);
  for (int d = 0; d < shape->rank; d++)
    {
      flow_proto_writer_begin (writer, 2);
      flow_proto_writer_set_int (writer, 1, shape->dims[d]);
      flow_proto_writer_end (writer);
    }
  flow_proto_writer_end (writer);
}
