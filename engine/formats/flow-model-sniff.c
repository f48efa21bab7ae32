/* flow-model-sniff.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-model-private.h"

#include "flow-crc32c.h"

#include <string.h>

/* As much of a file as is looked at to tell text from binary. */
#define SNIFF_BYTES 256
/* Fields that are counted to tell messages apart; the first thousand say it. */
#define SNIFF_FIELDS 1000

static gboolean
is_name (const guint8 *data,
         gsize         size)
{
  for (gsize i = 0; i < size; i++)
    if (data[i] < 0x20 || data[i] >= 0x7f)
      return FALSE;
  return TRUE;
}

/* Whether bytes read as a NodeDef and not as a MetaInfoDef: field 2 is an op type there, a list of
 * messages here. */
static gboolean
looks_like_node (const guint8 *data,
                 gsize         size)
{
  FlowProtoReader r;

  flow_proto_reader_init (&r, data, size);
  while (flow_proto_reader_next (&r))
    {
      if (r.field == 1 && !is_name (r.data, r.wire == FLOW_WIRE_BYTES ? r.size : 0))
        return FALSE;
      if (r.field == 2)
        return r.wire == FLOW_WIRE_BYTES && is_name (r.data, r.size);
      /* MetaInfoDef has its tags and versions at 4 and 5, attrs are at 5 and are messages. */
      if (r.field == 3 || r.field == 4)
        return r.wire == FLOW_WIRE_BYTES;
    }
  return TRUE;
}

static gboolean
looks_like_graph (const guint8 *data,
                  gsize         size)
{
  FlowProtoReader r;

  flow_proto_reader_init (&r, data, size);
  if (!flow_proto_reader_next (&r))
    return size == 0;
  return (r.field == 1 && r.wire == FLOW_WIRE_BYTES && looks_like_node (r.data, r.size)) ||
         (r.field == 2 && r.wire == FLOW_WIRE_BYTES) || (r.field == 3 && r.wire == FLOW_WIRE_VARINT) ||
         (r.field == 4 && r.wire == FLOW_WIRE_BYTES);
}

static gboolean
looks_like_meta_graph (const guint8 *data,
                       gsize         size)
{
  FlowProtoReader r;

  flow_proto_reader_init (&r, data, size);
  while (flow_proto_reader_next (&r))
    if (r.field == 2)
      return r.wire == FLOW_WIRE_BYTES && looks_like_graph (r.data, r.size);
    else if (r.field != 1 || r.wire != FLOW_WIRE_BYTES)
      return FALSE;
  return FALSE;
}

/* Which message the bytes are, told by their first fields; damaged ones too as far as that goes. */
FlowModelKind
_flow_sniff_binary (GBytes *bytes)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  FlowProtoReader r;
  guint n_first = 0;
  gboolean first_is_node = TRUE;

  flow_proto_reader_init (&r, data, size);
  for (guint i = 0; i < SNIFF_FIELDS && flow_proto_reader_next (&r); i++)
    {
      gboolean is_bytes = r.wire == FLOW_WIRE_BYTES;

      if (i == 0 && r.field == 1 && r.wire == FLOW_WIRE_VARINT)
        return FLOW_MODEL_SAVED_MODEL;
      if (r.field == 1 && is_bytes)
        {
          if (n_first++ == 0)
            first_is_node = looks_like_node (r.data, r.size);
          else if (n_first == 2 && first_is_node)
            return FLOW_MODEL_GRAPH_DEF;
        }
      else if (r.field == 2 && is_bytes)
        {
          if (n_first == 0 && looks_like_meta_graph (r.data, r.size))
            return FLOW_MODEL_SAVED_MODEL;
          if (n_first <= 1 && !(n_first == 1 && first_is_node) && looks_like_graph (r.data, r.size))
            return FLOW_MODEL_META_GRAPH;
        }
      else if ((r.field == 3 && is_bytes) || r.field == 6 || r.field == 7)
        return FLOW_MODEL_META_GRAPH;
    }
  return first_is_node ? FLOW_MODEL_GRAPH_DEF : FLOW_MODEL_META_GRAPH;
}

static gboolean
is_space (guint8 c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The first word of a text, behind white space and comments. */
static const guint8 *
find_first_word (const guint8 *p,
                 const guint8 *end)
{
  while (p < end && (is_space (*p) || *p == '#'))
    if (*p == '#')
      while (p < end && *p != '\n')
        p++;
    else
      p++;
  return p;
}

/* Whether bytes are protobuf text, and which message they are by their first field. */
gboolean
_flow_sniff_text (GBytes        *bytes,
                  FlowModelKind *kind)
{
  static const struct {
    FlowProtoMessageId message;
    FlowModelKind kind;
  } roots[] = {
    { FLOW_MESSAGE_GRAPH_DEF, FLOW_MODEL_GRAPH_DEF },
    { FLOW_MESSAGE_META_GRAPH_DEF, FLOW_MODEL_META_GRAPH },
    { FLOW_MESSAGE_SAVED_MODEL, FLOW_MODEL_SAVED_MODEL },
  };
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  const guint8 *end = data + size;
  const guint8 *word = find_first_word (data, end);
  const guint8 *p = word;
  gsize length;

  for (gsize i = 0; i < MIN (size, SNIFF_BYTES); i++)
    if ((data[i] < 0x20 && !is_space (data[i])) || data[i] == 0x7f)
      return FALSE;
  while (p < end && (g_ascii_isalnum (*p) || *p == '_'))
    p++;
  length = (gsize) (p - word);
  while (p < end && is_space (*p))
    p++;
  if (length == 0 || g_ascii_isdigit (*word) || p == end || strchr (":{<", *p) == NULL)
    return FALSE;
  *kind = FLOW_MODEL_GRAPH_DEF;
  for (guint i = 0; i < G_N_ELEMENTS (roots); i++)
    if (_flow_proto_message_by_name (&flow_proto_messages[roots[i].message], (const char *) word,
                                     length) != NULL)
      *kind = roots[i].kind;
  return TRUE;
}

/* What people take for a graph: other files of the same folders. */
const char *
_flow_sniff_other (GBytes *bytes)
{
  static const guint8 table_magic[] = { 0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb };
  static const guint8 hdf5_magic[] = { 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n' };
  static const char state[] = "model_checkpoint_path:";
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  guint32 crc;

  /* A record begins with its length and the checksum of that. */
  if (size >= 12)
    {
      memcpy (&crc, data + 8, sizeof crc);
      if (flow_crc32c_mask (flow_crc32c (data, 8)) == GUINT32_FROM_LE (crc))
        return "a file of records (TFRecord) without events";
    }
  if (size >= 48 && memcmp (data + size - sizeof table_magic, table_magic, sizeof table_magic) == 0)
    return "a checkpoint";
  if (size >= sizeof hdf5_magic && memcmp (data, hdf5_magic, sizeof hdf5_magic) == 0)
    return "an HDF5 file";
  if (size >= sizeof state - 1 && memcmp (data, state, sizeof state - 1) == 0)
    return "a checkpoint state file";
  return NULL;
}
