/* flow-iterator-state.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where an iterator is, as bytes: how many elements it has given. They are gone through again when it is taken up elsewhere.
 * Buffers and positions are not written: every kind of dataset would have to doubt what a file says of its own inside.
 */

#include "config.h"

#include "flow-iterator-private.h"
#include "flow-proto-reader.h"
#include "flow-proto-writer.h"

#include <string.h>

/* TF: the name of the type stands in front of what it keeps. */
#define TYPE_NAME "tensorflow::IteratorStateVariant"

enum { STATE_TYPE = 1, STATE_COUNT, STATE_KIND };

/* The dataset, of those that are open, that nobody could go through again; NULL: there is none. */
static const FlowDataset *
find_drawn (const FlowPosition *position)
{
  const FlowDataset *found = position->dataset->is_by_chance ? position->dataset : NULL;

  for (guint i = 0; found == NULL && position->children != NULL && i < position->children->len; i++)
    if (position->children->pdata[i] != NULL)
      found = find_drawn (position->children->pdata[i]);
  return found;
}

GBytes *
_flow_iterator_state_encode (FlowPosition  *position,
                             GError       **error)
{
  const FlowDataset *drawn = find_drawn (position);
  FlowProtoWriter writer;
  GBytes *bytes;

  FLOW_REQUIRE (drawn == NULL, error, UNIMPLEMENTED, "The place of an iterator over a %s without a seed cannot be saved",
                drawn->kind->name);
  flow_proto_writer_init (&writer);
  flow_proto_writer_set_string (&writer, STATE_TYPE, TYPE_NAME);
  flow_proto_writer_add_int (&writer, STATE_COUNT, position->n_given);
  flow_proto_writer_set_string (&writer, STATE_KIND, position->dataset->kind->name);
  bytes = flow_proto_writer_finish (&writer, error);
  flow_proto_writer_clear (&writer);
  return bytes;
}

/* The elements are made again; a run that is stopped stops here too. */
static gboolean
go_through (FlowPosition **position,
            FlowPull      *pull,
            gint64         count,
            GError       **error)
{
  FlowTuple *tuple = NULL;

  for (gint64 i = 0; i < count; i++)
    {
      if (!_flow_position_next (position, pull, &tuple, error))
        return FALSE;
      if (tuple == NULL)
        return TRUE;
      _flow_tuple_unref (tuple);
    }
  return TRUE;
}

FlowPosition *
_flow_iterator_state_decode (GBytes       *encoded,
                             FlowDataset  *dataset,
                             FlowPull     *pull,
                             GError      **error)
{
  g_autofree char *type = NULL;
  g_autofree char *kind = NULL;
  FlowProtoReader reader;
  FlowPosition *position;
  gint64 count = -1;
  gsize size;
  gconstpointer data = g_bytes_get_data (encoded, &size);

  flow_proto_reader_init (&reader, data, size);
  while (flow_proto_reader_next (&reader))
    if (reader.field == STATE_TYPE && type == NULL)
      flow_proto_reader_dup_string (&reader, &type);
    else if (reader.field == STATE_COUNT)
      flow_proto_reader_get_int64 (&reader, &count);
    else if (reader.field == STATE_KIND && kind == NULL)
      flow_proto_reader_dup_string (&reader, &kind);
  /* TF's own bytes are told by their type as well, and hold no count. */
  FLOW_REQUIRE (!flow_proto_reader_failed (&reader) && g_strcmp0 (type, TYPE_NAME) == 0 && kind != NULL && count >= 0, error,
                DATA_LOSS, "The bytes are not of an iterator's state that was saved here");
  FLOW_REQUIRE (strcmp (kind, dataset->kind->name) == 0, error, INVALID_ARGUMENT,
                "The saved state is of another dataset: %s, the iterator's is %s", kind, dataset->kind->name);
  position = _flow_position_new (dataset);
  if (!go_through (&position, pull, count, error))
    g_clear_pointer (&position, _flow_position_unref);
  return position;
}
