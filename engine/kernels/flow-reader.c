/* flow-reader.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-reader-private.h"

#include "flow-lmdb-private.h"
#include "flow-proto-reader.h"
#include "flow-proto-writer.h"
#include "flow-stream-private.h"
#include "flow-util.h"

#include <string.h>

/* A reader is where it stands: file, byte and counts. The open file is only kept beside that and is
 * moved to the byte wherever an undo has put it. */

typedef struct {
  GBytes *work;                /* nullable: nothing begun */
  gint64 offset;
  gint64 record;               /* number of the next record of the file, or of the last line read */
  gint64 work_started;
  gint64 work_finished;
  gint64 n_records;
} Position;

struct _FlowReader
{
  FlowResource parent;
  FlowReaderKind kind;
  FlowReaderOptions options;
  char *compression;
  char *node_name;             /* of the node that made it: what its errors name, whatever name it shares */
  Position now;
  FlowStream *stream;          /* cached (nullable) */
  FlowLmdb *lmdb;              /* likewise, of that kind */
  GBytes *stream_work;         /* cached: whose it is */
};

static Position
position_copy (const Position *position)
{
  Position copy = *position;

  if (copy.work != NULL)
    g_bytes_ref (copy.work);
  return copy;
}

static void
position_clear (Position *position)
{
  g_clear_pointer (&position->work, g_bytes_unref);
}

static void
put_position (FlowReader *self,
              Position    position)
{
  position_clear (&self->now);
  self->now = position;
}

/* What is read need be no file's name: it may have any bytes. As a name it ends where the system takes it to. */
static char *
dup_file_name (const Position *position)
{
  gsize length;
  const char *bytes = g_bytes_get_data (position->work, &length);

  return g_strndup (bytes != NULL ? bytes : "", length);
}

static void
drop_stream (FlowReader *self)
{
  g_clear_pointer (&self->stream, _flow_stream_free);
  g_clear_pointer (&self->lmdb, _flow_lmdb_free);
  g_clear_pointer (&self->stream_work, g_bytes_unref);
}

static void
reader_finalize (FlowResource *resource)
{
  FlowReader *self = (FlowReader *) resource;

  drop_stream (self);
  position_clear (&self->now);
  g_free (self->compression);
  g_free (self->node_name);
}

static gpointer
reader_save (FlowResource *resource)
{
  Position *saved = g_new (Position, 1);

  *saved = position_copy (&((FlowReader *) resource)->now);
  return saved;
}

static void
reader_restore (FlowResource  *resource,
                gconstpointer  data)
{
  put_position ((FlowReader *) resource, position_copy (data));
}

static void
saved_free (gpointer data)
{
  position_clear (data);
  g_free (data);
}

static gsize
saved_bytes (gconstpointer data)
{
  return sizeof (Position);
}

static void
reader_visit (FlowResource        *resource,
              FlowResourceVisitor  visitor,
              gpointer             data)
{
  FlowReader *self = (FlowReader *) resource;
  const Position *now = &self->now;
  g_autoptr (FlowShape) shape = flow_shape_new_vector (5);
  g_autoptr (FlowTensor) numbers = flow_tensor_new (FLOW_DTYPE_INT64, shape, NULL, NULL);
  g_autoptr (FlowTensor) work = now->work != NULL ? flow_tensor_new_string (g_bytes_get_data (now->work, NULL),
                                                                            (gssize) g_bytes_get_size (now->work))
                                                  : flow_tensor_new_string ("", 0);
  const gint64 all[5] = { now->offset, now->record, now->work_started, now->work_finished, now->n_records };

  memcpy (numbers->data, all, sizeof all);
  visitor ("file", work, data);
  visitor ("position", numbers, data);
}

static char *
reader_describe (FlowResource *resource)
{
  const Position *now = &((FlowReader *) resource)->now;
  g_autofree char *name = NULL;

  if (now->work_started == now->work_finished)
    return g_strdup_printf ("%" G_GINT64_FORMAT " records of %" G_GINT64_FORMAT " files read", now->n_records,
                            now->work_finished);
  name = dup_file_name (now);
  return g_strdup_printf ("%" G_GINT64_FORMAT " records read, in %s at byte %" G_GINT64_FORMAT, now->n_records,
                          name, now->offset);
}

const FlowResourceClass _flow_reader_class = {
  .type_name = "N10tensorflow15ReaderInterfaceE",
  .finalize = reader_finalize,
  .save = reader_save,
  .restore = reader_restore,
  .saved_free = saved_free,
  .saved_bytes = saved_bytes,
  .visit = reader_visit,
  .describe = reader_describe,
};

FlowReader *
_flow_reader_new (const char              *container,
                  const char              *name,
                  const char              *node_name,
                  FlowReaderKind           kind,
                  const FlowReaderOptions *options)
{
  FlowReader *self = flow_resource_alloc (&_flow_reader_class, sizeof (FlowReader), container, name);

  self->kind = kind;
  self->options = *options;
  self->compression = g_strdup (options->compression);
  self->options.compression = self->compression;
  self->node_name = g_strdup (node_name);
  return self;
}

gboolean
_flow_reader_is_busy (FlowReader *self)
{
  return self->now.work_finished < self->now.work_started;
}

gint64
_flow_reader_count_records (FlowReader *self)
{
  return self->now.n_records;
}

gint64
_flow_reader_count_finished (FlowReader *self)
{
  return self->now.work_finished;
}

void
_flow_reader_reset (FlowReader *self)
{
  put_position (self, (Position) { 0 });
}

/* --- reading --------------------------------------------------------------------------------------------------- */

/* The open file, at the byte where the reader stands. *@past where it ends before that byte. */
static gboolean
open_stream (FlowReader         *self,
             FlowKernelContext  *c,
             gboolean           *past,
             GError            **error)
{
  g_autoptr (GError) failure = NULL;

  *past = FALSE;
  if (self->stream != NULL && !g_bytes_equal (self->stream_work, self->now.work))
    drop_stream (self);
  if (self->stream == NULL)
    {
      g_autofree char *name = dup_file_name (&self->now);
      g_autofree char *path = flow_kernel_find_file (c, name, FLOW_PATH_READ, error);

      if (path == NULL)
        return FALSE;
      self->stream = _flow_stream_open (path, name, self->compression, c->budget, error);
      if (self->stream == NULL)
        return FALSE;
      self->stream_work = g_bytes_ref (self->now.work);
    }
  if (_flow_stream_tell (self->stream) != self->now.offset
      && !_flow_stream_seek (self->stream, self->now.offset, &failure))
    {
      *past = TRUE;
      if (failure == NULL)
        return TRUE;
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  return TRUE;
}

static gboolean
open_lmdb (FlowReader         *self,
           FlowKernelContext  *c,
           GError            **error)
{
  g_autofree char *name = dup_file_name (&self->now);
  g_autofree char *path = NULL;

  if (self->lmdb != NULL && !g_bytes_equal (self->stream_work, self->now.work))
    drop_stream (self);
  if (self->lmdb != NULL)
    return TRUE;
  path = flow_kernel_find_file (c, name, FLOW_PATH_READ, error);
  self->lmdb = path != NULL ? _flow_lmdb_open (path, name, error) : NULL;
  if (self->lmdb == NULL)
    return FALSE;
  self->stream_work = g_bytes_ref (self->now.work);
  return TRUE;
}

static gboolean
skip_header_lines (FlowReader  *self,
                   GError     **error)
{
  for (gint64 i = 0; i < self->options.header_bytes; i++)
    {
      g_autoptr (GError) failure = NULL;
      g_autoptr (GBytes) line = _flow_stream_read_line (self->stream, &failure);

      if (failure != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return FALSE;
        }
      if (line == NULL)
        break;
      self->now.record++;
    }
  self->now.offset = _flow_stream_tell (self->stream);
  return TRUE;
}

gboolean
_flow_reader_start (FlowReader         *self,
                    FlowKernelContext  *c,
                    GBytes             *work,
                    GError            **error)
{
  gboolean past;

  position_clear (&self->now);
  self->now.work = g_bytes_ref (work);
  self->now.offset = 0;
  self->now.record = 0;
  if (self->kind == FLOW_READER_LMDB)
    {
      drop_stream (self);
      if (!open_lmdb (self, c, error))
        return FALSE;
    }
  if (self->kind == FLOW_READER_TEXT_LINE || self->kind == FLOW_READER_TF_RECORD
      || self->kind == FLOW_READER_FIXED_LENGTH)
    {
      /* Another file may stand under that name by now. */
      drop_stream (self);
      if (!open_stream (self, c, &past, error))
        return FALSE;
    }
  if (self->kind == FLOW_READER_TEXT_LINE && !skip_header_lines (self, error))
    return FALSE;
  if (self->kind == FLOW_READER_FIXED_LENGTH)
    {
      g_autoptr (GError) failure = NULL;

      if (!_flow_stream_seek (self->stream, self->options.header_bytes, &failure))
        {
          if (failure != NULL)
            g_propagate_error (error, g_steal_pointer (&failure));
          else
            g_set_error (error, FLOW_ERROR, FLOW_ERROR_OUT_OF_RANGE, "reached end of file");
          return FALSE;
        }
      self->now.offset = self->options.header_bytes;
    }
  self->now.work_started++;
  return TRUE;
}

static GBytes *
numbered_key (FlowReader *self,
              gint64      n)
{
  gsize length;
  const char *work = g_bytes_get_data (self->now.work, &length);
  GString *key = g_string_new_len (work, (gssize) length);

  g_string_append_printf (key, ":%" G_GINT64_FORMAT, n);
  return g_string_free_to_bytes (key);
}

static gboolean
next_whole_file (FlowReader         *self,
                 FlowKernelContext  *c,
                 GBytes            **key,
                 GBytes            **value,
                 GError            **error)
{
  if (self->kind == FLOW_READER_IDENTITY)
    {
      *value = g_bytes_ref (self->now.work);
    }
  else
    {
      g_autofree char *name = dup_file_name (&self->now);
      g_autofree char *path = flow_kernel_find_file (c, name, FLOW_PATH_READ, error);
      g_autoptr (FlowStream) stream = path != NULL ? _flow_stream_open (path, name, "", c->budget, error) : NULL;

      if (stream == NULL)
        return FALSE;
      *value = _flow_stream_read (stream, (gsize) MAX (_flow_stream_count_left (stream), 0), error);
      if (*value == NULL)
        return FALSE;
    }
  *key = g_bytes_ref (self->now.work);
  return TRUE;
}

static gboolean
next_fixed_length (FlowReader  *self,
                   GBytes     **key,
                   GBytes     **value,
                   GError     **error)
{
  const FlowReaderOptions *o = &self->options;
  gsize wanted = (gsize) (o->record_bytes + o->footer_bytes);
  gint64 left = _flow_stream_count_left (self->stream);
  g_autoptr (GBytes) bytes = NULL;

  if (left >= 0 && (gsize) left < wanted)
    return TRUE;
  bytes = _flow_stream_read (self->stream, wanted, error);
  if (bytes == NULL)
    return FALSE;
  if (g_bytes_get_size (bytes) < wanted)
    return TRUE;
  *value = g_bytes_new (g_bytes_get_data (bytes, NULL), (gsize) o->record_bytes);
  *key = numbered_key (self, self->now.record++);
  if (!flow_add_int64 (self->now.offset, o->hop_bytes, &self->now.offset))
    self->now.offset = G_MAXINT64;
  return TRUE;
}

gboolean
_flow_reader_next (FlowReader         *self,
                   FlowKernelContext  *c,
                   GBytes            **key,
                   GBytes            **value,
                   gboolean           *done,
                   GError            **error)
{
  g_autoptr (GError) failure = NULL;
  gboolean past = FALSE;

  *key = NULL;
  *value = NULL;
  *done = FALSE;
  if (self->kind == FLOW_READER_WHOLE_FILE || self->kind == FLOW_READER_IDENTITY)
    {
      if (!next_whole_file (self, c, key, value, error))
        return FALSE;
      *done = TRUE;
    }
  else if (self->kind == FLOW_READER_LMDB)
    {
      if (!open_lmdb (self, c, error) || !_flow_lmdb_read (self->lmdb, self->now.record, c->budget, key, value, error))
        return FALSE;
      self->now.record += *key != NULL;
    }
  else if (!open_stream (self, c, &past, error))
    {
      return FALSE;
    }
  else if (!past && self->kind == FLOW_READER_FIXED_LENGTH)
    {
      if (!next_fixed_length (self, key, value, error))
        return FALSE;
    }
  else if (!past)
    {
      gboolean is_text = self->kind == FLOW_READER_TEXT_LINE;

      *value = is_text ? _flow_stream_read_line (self->stream, &failure)
                       : _flow_stream_read_record (self->stream, &failure);
      if (failure != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return FALSE;
        }
      if (*value != NULL)
        {
          *key = numbered_key (self, is_text ? ++self->now.record : self->now.offset);
          self->now.offset = _flow_stream_tell (self->stream);
        }
    }
  if (*key == NULL)
    *done = TRUE;
  else
    self->now.n_records++;
  if (*done)
    {
      self->now.work_finished = self->now.work_started;
      drop_stream (self);
    }
  return TRUE;
}

/* --- the state as a string: TensorFlow's ReaderBaseState ------------------------------------------------------- */

static gboolean
check_serializable (FlowReader  *self,
                    const char  *what,
                    GError     **error)
{
  FLOW_REQUIRE (self->kind == FLOW_READER_WHOLE_FILE || self->kind == FLOW_READER_IDENTITY, error, UNIMPLEMENTED,
                "Reader %s", what);
  return TRUE;
}

GBytes *
_flow_reader_serialize (FlowReader  *self,
                        GError     **error)
{
  FlowProtoWriter writer;

  if (!check_serializable (self, "SerializeState", error))
    return NULL;
  flow_proto_writer_init (&writer);
  flow_proto_writer_set_int (&writer, 1, self->now.work_started);
  flow_proto_writer_set_int (&writer, 2, self->now.work_finished);
  flow_proto_writer_set_int (&writer, 3, self->now.n_records);
  if (self->now.work != NULL && g_bytes_get_size (self->now.work) > 0)
    flow_proto_writer_set_bytes (&writer, 4, g_bytes_get_data (self->now.work, NULL), g_bytes_get_size (self->now.work));
  return flow_proto_writer_finish (&writer, error);
}

/* As protobuf prints a message: a field a line, none for what is not set. */
static char *
position_text (const Position *position)
{
  static const char *const names[] = { "work_started", "work_finished", "num_records_produced" };
  const gint64 values[] = { position->work_started, position->work_finished, position->n_records };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    if (values[i] != 0)
      g_string_append_printf (text, "%s: %" G_GINT64_FORMAT "\n", names[i], values[i]);
  if (position->work != NULL && g_bytes_get_size (position->work) > 0)
    {
      g_autofree char *work = flow_escape_bytes (g_bytes_get_data (position->work, NULL),
                                                 (gssize) g_bytes_get_size (position->work));

      g_string_append_printf (text, "current_work: \"%s\"\n", work);
    }
  return g_string_free (text, FALSE);
}

static gboolean
read_position (Position      *position,
               gconstpointer  state,
               gsize          length)
{
  FlowProtoReader reader;
  const guint8 *work;
  gsize work_length;

  flow_proto_reader_init (&reader, state, length);
  while (flow_proto_reader_next (&reader))
    switch (reader.field)
      {
      case 1:
        flow_proto_reader_get_int64 (&reader, &position->work_started);
        break;
      case 2:
        flow_proto_reader_get_int64 (&reader, &position->work_finished);
        break;
      case 3:
        flow_proto_reader_get_int64 (&reader, &position->n_records);
        break;
      case 4:
        if (flow_proto_reader_get_bytes (&reader, &work, &work_length))
          {
            position_clear (position);
            position->work = g_bytes_new (work, work_length);
          }
        break;
      default:
        break;
      }
  return !flow_proto_reader_failed (&reader);
}

gboolean
_flow_reader_restore (FlowReader     *self,
                      gconstpointer   state,
                      gsize           length,
                      gboolean        write,
                      GError        **error)
{
  Position position = { 0 };
  const char *kind = self->kind == FLOW_READER_IDENTITY ? "IdentityReader" : "WholeFileReader";
  g_autofree char *text = NULL;
  gboolean ok;

  if (!check_serializable (self, "RestoreState", error))
    return FALSE;
  ok = read_position (&position, state, length);
  if (!ok)
    {
      text = flow_escape_bytes (state, (gssize) length);
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Could not parse state for %s '%s': %s", kind,
                   self->node_name, text);
    }
  else if (position.work_started < 0 || position.work_finished < 0 || position.n_records < 0
           || position.work_started > position.work_finished)
    {
      gboolean negative = position.work_started < 0 || position.work_finished < 0 || position.n_records < 0;

      ok = FALSE;
      text = position_text (&position);
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%s when restoring in %s '%s': %s",
                   negative ? "Unexpected negative value" : "Inconsistent work started vs. finished", kind,
                   self->node_name, text);
    }
  if (ok && write)
    {
      put_position (self, position);
      /* TF counts as finished what was begun. */
      self->now.work_finished = self->now.work_started;
      position.work = NULL;
    }
  position_clear (&position);
  return ok;
}
