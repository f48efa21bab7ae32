/* flow-iterator-state.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where an iterator is, as bytes: its position with what that holds, and what it remembers. Datasets are not among them: the
 * iterator that takes them up has its own, and those that functions made are made again. Where something cannot be told in
 * bytes (a dataset that is an element), there is only how many elements were given: they are then gone through again.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-iterator-private.h"
#include "flow-proto-reader.h"
#include "flow-proto-writer.h"
#include "flow-tensor-proto.h"
#include "flow-tensor-variant-private.h"

#include <string.h>

/* TF: the name of the type stands in front of what it keeps. */
#define TYPE_NAME "tensorflow::IteratorStateVariant"
/* No kind of dataset has more children or waiting elements by far; it bounds what bytes can ask for. */
#define MAX_SLOTS (1 << 24)

enum { STATE_TYPE = 1, STATE_COUNT, STATE_POSITION, STATE_MEMORY };
enum { POSITION_KIND = 1, POSITION_KEY, POSITION_FLAGS, POSITION_NUMBERS, POSITION_LIST, POSITION_TUPLE, POSITION_CHILD,
       POSITION_GIVEN };
enum { SLOT_INDEX = 1, SLOT_VALUE };
enum { TENSOR_PROTO = 1, TENSOR_SHAPE, TENSOR_CELL };
enum { MEMORY_KEY = 1, MEMORY_DRAWS, MEMORY_COMPLETE, MEMORY_TUPLE };
enum { IS_STARTED = 1, IS_ENDED = 2, HAS_LIST = 4 };

/* --- writing ------------------------------------------------------------------------------------------------------- */

static gboolean
write_tensor (const FlowTensor *tensor,
              guint32           field,
              FlowProtoWriter  *writer)
{
  gboolean ok = tensor != NULL && tensor->dtype != FLOW_DTYPE_RESOURCE;

  flow_proto_writer_begin (writer, field);
  if (ok && tensor->dtype != FLOW_DTYPE_VARIANT)
    {
      flow_proto_writer_begin (writer, TENSOR_PROTO);
      flow_tensor_write_proto (tensor, writer);
      flow_proto_writer_end (writer);
    }
  else if (ok)
    {
      flow_proto_writer_begin (writer, TENSOR_SHAPE);
      flow_shape_write_proto (tensor->shape, writer);
      flow_proto_writer_end (writer);
      for (gint64 i = 0; ok && i < tensor->n_elements; i++)
        ok = write_tensor (_flow_tensor_variant_at (tensor, i), TENSOR_CELL, writer);
    }
  flow_proto_writer_end (writer);
  return ok;
}

static gboolean
write_tuple (const FlowTuple *tuple,
             guint32          field,
             FlowProtoWriter *writer)
{
  gboolean ok = TRUE;

  flow_proto_writer_begin (writer, field);
  for (guint k = 0; ok && k < tuple->n; k++)
    ok = write_tensor (tuple->tensors[k], 1, writer);
  flow_proto_writer_end (writer);
  return ok;
}

static void
write_numbers (const gint64    *numbers,
               guint            n,
               guint32          field,
               FlowProtoWriter *writer)
{
  for (guint i = 0; i < n; i++)
    flow_proto_writer_add_fixed64 (writer, field, (guint64) numbers[i]);
}

static gboolean
write_position (FlowPosition    *self,
                guint32          field,
                FlowProtoWriter *writer)
{
  gboolean ok = TRUE;

  flow_proto_writer_begin (writer, field);
  flow_proto_writer_set_string (writer, POSITION_KIND, self->dataset->kind->name);
  flow_proto_writer_add_fixed64 (writer, POSITION_KEY, self->key);
  flow_proto_writer_set_int (writer, POSITION_FLAGS, (self->is_started ? IS_STARTED : 0) | (self->is_ended ? IS_ENDED : 0)
                             | (self->list != NULL ? HAS_LIST : 0));
  flow_proto_writer_set_int (writer, POSITION_GIVEN, self->n_given);
  write_numbers (self->numbers, FLOW_POSITION_NUMBERS, POSITION_NUMBERS, writer);
  if (self->list != NULL)
    write_numbers ((const gint64 *) (gpointer) self->list->data, self->list->len, POSITION_LIST, writer);
  for (guint i = 0; ok && self->tuples != NULL && i < self->tuples->len; i++)
    {
      if (self->tuples->pdata[i] == NULL)
        continue;
      flow_proto_writer_begin (writer, POSITION_TUPLE);
      flow_proto_writer_set_int (writer, SLOT_INDEX, i);
      ok = write_tuple (self->tuples->pdata[i], SLOT_VALUE, writer);
      flow_proto_writer_end (writer);
    }
  for (guint i = 0; ok && self->children != NULL && i < self->children->len; i++)
    {
      FlowPosition *child = self->children->pdata[i];

      if (child == NULL)
        continue;
      flow_proto_writer_begin (writer, POSITION_CHILD);
      flow_proto_writer_set_int (writer, SLOT_INDEX, i);
      ok = ((i < self->dataset->n_inputs && child->dataset == self->dataset->inputs[i])
            || self->dataset->kind->reopen != NULL)
           && write_position (child, SLOT_VALUE, writer);
      flow_proto_writer_end (writer);
    }
  flow_proto_writer_end (writer);
  return ok;
}

static gboolean
write_memory (FlowMemory      *memory,
              FlowProtoWriter *writer)
{
  const FlowMemoryEntry *entry;
  gboolean ok = TRUE;

  for (guint i = 0; ok && (entry = _flow_memory_get (memory, i)) != NULL; i++)
    {
      flow_proto_writer_begin (writer, STATE_MEMORY);
      flow_proto_writer_add_fixed64 (writer, MEMORY_KEY, entry->key);
      flow_proto_writer_set_int (writer, MEMORY_DRAWS, entry->n_draws);
      flow_proto_writer_set_int (writer, MEMORY_COMPLETE, entry->is_complete);
      for (guint k = 0; ok && k < entry->n_tuples; k++)
        ok = write_tuple (entry->tuples->pdata[k], MEMORY_TUPLE, writer);
      flow_proto_writer_end (writer);
    }
  return ok;
}

GBytes *
_flow_iterator_state_encode (FlowPosition  *position,
                             FlowMemory    *memory,
                             GError       **error)
{
  FlowProtoWriter writer;
  GBytes *bytes;

  flow_proto_writer_init (&writer);
  flow_proto_writer_set_string (&writer, STATE_TYPE, TYPE_NAME);
  flow_proto_writer_set_int (&writer, STATE_COUNT, position->n_given);
  if (write_position (position, STATE_POSITION, &writer) && write_memory (memory, &writer)
      && (bytes = flow_proto_writer_finish (&writer, NULL)) != NULL)
    return bytes;
  flow_proto_writer_clear (&writer);
  flow_proto_writer_init (&writer);
  flow_proto_writer_set_string (&writer, STATE_TYPE, TYPE_NAME);
  flow_proto_writer_set_int (&writer, STATE_COUNT, position->n_given);
  return flow_proto_writer_finish (&writer, error);
}

/* --- reading ------------------------------------------------------------------------------------------------------- */

static gboolean
refuse_bytes (GError **error)
{
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "The bytes of an iterator's state are damaged");
  return FALSE;
}

static FlowTensor *
read_variants (FlowPull   *pull,
               FlowShape  *shape,
               GPtrArray  *cells,
               GError    **error)
{
  g_autoptr (FlowTensor) tensor = NULL;
  gint64 n = 0;

  if (!flow_shape_n_elements (shape, &n) || n != (gint64) cells->len)
    {
      refuse_bytes (error);
      return NULL;
    }
  tensor = flow_tensor_new (FLOW_DTYPE_VARIANT, shape, pull->c->budget, error);
  for (guint i = 0; tensor != NULL && i < cells->len; i++)
    {
      FlowVariant *variant = _flow_tensor_variant_new (cells->pdata[i], error);

      if (variant == NULL)
        return NULL;
      FLOW_WRITABLE (FlowVariant *, tensor)[i] = variant;
    }
  return g_steal_pointer (&tensor);
}

static FlowTensor *
read_tensor (FlowPull         *pull,
             FlowProtoReader  *reader,
             GError          **error)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_tensor_unref);
  g_autoptr (FlowShape) shape = NULL;
  FlowProtoReader sub;

  while (flow_proto_reader_next (reader))
    if (reader->field == TENSOR_PROTO)
      {
        g_autoptr (GBytes) bytes = NULL;
        const guint8 *data;
        gsize size;

        if (!flow_proto_reader_get_bytes (reader, &data, &size))
          break;
        bytes = g_bytes_new (data, size);
        return flow_tensor_from_proto (bytes, pull->c->budget, error);
      }
    else if (reader->field == TENSOR_SHAPE && flow_proto_reader_enter (reader, &sub))
      {
        g_clear_pointer (&shape, flow_shape_unref);
        shape = flow_shape_read_proto (&sub, FALSE, error);
        if (shape == NULL)
          return NULL;
      }
    else if (reader->field == TENSOR_CELL && flow_proto_reader_enter (reader, &sub))
      {
        FlowTensor *cell = read_tensor (pull, &sub, error);

        if (cell == NULL)
          return NULL;
        g_ptr_array_add (cells, cell);
      }
  if (shape != NULL)
    return read_variants (pull, shape, cells, error);
  refuse_bytes (error);
  return NULL;
}

static FlowTuple *
read_tuple (FlowPull         *pull,
            FlowProtoReader  *reader,
            GError          **error)
{
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_tensor_unref);
  FlowProtoReader sub;
  FlowTuple *tuple;

  while (flow_proto_reader_next (reader))
    if (reader->field == 1 && flow_proto_reader_enter (reader, &sub))
      {
        FlowTensor *tensor = read_tensor (pull, &sub, error);

        if (tensor == NULL)
          return NULL;
        g_ptr_array_add (tensors, tensor);
      }
  tuple = _flow_tuple_new_counted (tensors->len, pull->c->budget, error);
  for (guint i = 0; tuple != NULL && i < tensors->len; i++)
    tuple->tensors[i] = flow_tensor_ref (tensors->pdata[i]);
  return tuple;
}

static gboolean read_position (FlowPosition *self, FlowPull *pull, FlowProtoReader *reader, GError **error);

static gboolean
read_child (FlowPosition     *self,
            FlowPull         *pull,
            guint             i,
            FlowProtoReader  *reader,
            GError          **error)
{
  const gboolean is_input = i < self->dataset->n_inputs;

  if (!is_input && self->dataset->kind->reopen == NULL)
    return refuse_bytes (error);
  if (!(is_input ? _flow_position_open (self, i, self->dataset->inputs[i], 0, error)
                 : self->dataset->kind->reopen (self, pull, i, error)))
    return FALSE;
  return read_position (self->children->pdata[i], pull, reader, error);
}

/* A tuple or a child, by its place. */
static gboolean
read_slot (FlowPosition     *self,
           FlowPull         *pull,
           FlowProtoReader  *reader,
           gboolean          is_child,
           GError          **error)
{
  FlowProtoReader sub;
  gint64 i = 0;
  FlowTuple *tuple;

  while (flow_proto_reader_next (reader))
    if (reader->field == SLOT_INDEX)
      {
        flow_proto_reader_get_int64 (reader, &i);
      }
    else if (reader->field == SLOT_VALUE && flow_proto_reader_enter (reader, &sub))
      {
        if (i < 0 || i >= MAX_SLOTS)
          return refuse_bytes (error);
        if (is_child)
          return read_child (self, pull, (guint) i, &sub, error);
        tuple = read_tuple (pull, &sub, error);
        if (tuple != NULL)
          _flow_position_put (self, (guint) i, tuple);
        return tuple != NULL;
      }
  return refuse_bytes (error);
}

static gboolean
read_number (FlowPosition    *self,
             FlowProtoReader *reader,
             guint           *n)
{
  guint64 number;

  if (!flow_proto_reader_get_fixed64 (reader, &number))
    return FALSE;
  if (reader->field == POSITION_NUMBERS)
    {
      if (*n >= FLOW_POSITION_NUMBERS)
        return FALSE;
      self->numbers[(*n)++] = (gint64) number;
    }
  else if (reader->field == POSITION_LIST)
    {
      if (self->list == NULL)
        self->list = g_array_new (FALSE, TRUE, sizeof (gint64));
      g_array_append_val (self->list, number);
    }
  else
    {
      self->key = number;
    }
  return TRUE;
}

static gboolean
check_kind (FlowPosition     *self,
            FlowProtoReader  *reader,
            GError          **error)
{
  g_autofree char *kind = NULL;

  if (!flow_proto_reader_dup_string (reader, &kind))
    return refuse_bytes (error);
  FLOW_REQUIRE (strcmp (kind, self->dataset->kind->name) == 0, error, INVALID_ARGUMENT,
                "The saved state is of another dataset: %s, the iterator's is %s", kind, self->dataset->kind->name);
  return TRUE;
}

static gboolean
read_position (FlowPosition     *self,
               FlowPull         *pull,
               FlowProtoReader  *reader,
               GError          **error)
{
  FlowProtoReader sub;
  gint64 flags = 0;
  guint n = 0;

  while (flow_proto_reader_next (reader))
    switch (reader->field)
      {
      case POSITION_KIND:
        if (!check_kind (self, reader, error))
          return FALSE;
        break;
      case POSITION_FLAGS:
        flow_proto_reader_get_int64 (reader, &flags);
        self->is_started = (flags & IS_STARTED) != 0;
        self->is_ended = (flags & IS_ENDED) != 0;
        if ((flags & HAS_LIST) != 0 && self->list == NULL)
          self->list = g_array_new (FALSE, TRUE, sizeof (gint64));
        break;
      case POSITION_GIVEN:
        flow_proto_reader_get_int64 (reader, &self->n_given);
        break;
      case POSITION_KEY:
      case POSITION_NUMBERS:
      case POSITION_LIST:
        if (!read_number (self, reader, &n))
          return refuse_bytes (error);
        break;
      case POSITION_TUPLE:
      case POSITION_CHILD:
        if (flow_proto_reader_enter (reader, &sub)
            && !read_slot (self, pull, &sub, reader->field == POSITION_CHILD, error))
          return FALSE;
        break;
      default:
        break;
      }
  return !flow_proto_reader_failed (reader) || refuse_bytes (error);
}

static gboolean
read_entry (FlowPull         *pull,
            FlowProtoReader  *reader,
            GError          **error)
{
  FlowMemoryEntry entry = { 0 };
  FlowProtoReader sub;

  entry.tuples = g_ptr_array_new_with_free_func (_flow_tuple_unref);
  while (flow_proto_reader_next (reader))
    if (reader->field == MEMORY_KEY)
      {
        flow_proto_reader_get_fixed64 (reader, &entry.key);
      }
    else if (reader->field == MEMORY_DRAWS)
      {
        flow_proto_reader_get_int64 (reader, &entry.n_draws);
      }
    else if (reader->field == MEMORY_COMPLETE)
      {
        flow_proto_reader_get_bool (reader, &entry.is_complete);
      }
    else if (reader->field == MEMORY_TUPLE && flow_proto_reader_enter (reader, &sub))
      {
        FlowTuple *tuple = read_tuple (pull, &sub, error);

        if (tuple == NULL)
          {
            g_ptr_array_unref (entry.tuples);
            return FALSE;
          }
        g_ptr_array_add (entry.tuples, tuple);
      }
  entry.n_tuples = entry.tuples->len;
  _flow_memory_add (*pull->memory, entry);
  return TRUE;
}

static gboolean
go_through (FlowPosition **position,
            FlowPull      *pull,
            gint64         count,
            GError       **error)
{
  for (gint64 i = 0; i < count; i++)
    {
      FlowTuple *tuple = NULL;

      if (!_flow_position_next (position, pull, &tuple, error))
        return FALSE;
      if (tuple == NULL)
        break;
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
  FlowPosition *position = _flow_position_new (dataset);
  FlowProtoReader reader;
  FlowProtoReader sub;
  g_autofree char *type = NULL;
  gboolean has_position = FALSE;
  gboolean ok = TRUE;
  gint64 count = 0;
  gsize size;
  gconstpointer data = g_bytes_get_data (encoded, &size);

  flow_proto_reader_init (&reader, data, size);
  while (ok && flow_proto_reader_next (&reader))
    switch (reader.field)
      {
      case STATE_TYPE:
        ok = type == NULL && flow_proto_reader_dup_string (&reader, &type) && strcmp (type, TYPE_NAME) == 0;
        break;
      case STATE_COUNT:
        ok = flow_proto_reader_get_int64 (&reader, &count);
        break;
      case STATE_POSITION:
        has_position = TRUE;
        ok = flow_proto_reader_enter (&reader, &sub) && read_position (position, pull, &sub, error);
        break;
      case STATE_MEMORY:
        ok = flow_proto_reader_enter (&reader, &sub) && read_entry (pull, &sub, error);
        break;
      default:
        break;
      }
  if (ok && (type == NULL || flow_proto_reader_failed (&reader)))
    ok = refuse_bytes (error);
  if (ok && !has_position)
    ok = go_through (&position, pull, count, error);
  if (ok)
    return position;
  if (error != NULL && *error == NULL)
    refuse_bytes (error);
  _flow_position_unref (position);
  return NULL;
}
