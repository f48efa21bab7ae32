/* flow-load-attr.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-formats-private.h"

#include <string.h>

/* What an attr and its place in lists take, by and large. */
#define ATTR_COST 128
/* No node of TensorFlow has more than some dozens; looking a name up is linear. */
#define MAX_ATTRS 512
#define SHORT_NAME 128

/* The items of an AttrValue.ListValue, which may come in several pieces. */
typedef struct {
  GPtrArray *items;
  FlowAttrKind kind;
  gboolean is_mixed;
} ListItems;

static void
unref_attr (gpointer attr)
{
  flow_attr_unref (attr);
}

static FlowAttr *
load_shape (FlowLoad        *self,
            FlowProtoReader *r)
{
  g_autoptr (FlowShape) shape = NULL;
  GError *error = NULL;

  shape = flow_shape_read_proto (r, TRUE, &error);
  if (error != NULL)
    _flow_load_take_node_problem (self, r, error);
  return shape != NULL ? flow_attr_new_shape (shape) : NULL;
}

/* A constant stays where it lies in the file; dtype and shape are read so that it can be described. */
static FlowAttr *
load_tensor (FlowLoad        *self,
             FlowProtoReader *r,
             const guint8    *data,
             gsize            size)
{
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (GBytes) encoded = NULL;
  GError *error = NULL;
  int dtype;

  shape = _flow_tensor_proto_peek (r, &dtype, &error);
  if (flow_proto_reader_failed (r))
    return NULL;
  /* An illegal shape is said now and fails whoever asks for the value. */
  if (error != NULL)
    _flow_load_take_node_problem (self, r, error);
  encoded = g_bytes_new_from_bytes (self->file, (gsize) (data - self->base), size);
  return flow_attr_new_tensor_encoded (encoded, dtype, shape, flow_tensor_decode_constant);
}

static FlowAttr *
load_func (FlowLoad        *self,
           FlowProtoReader *r)
{
  g_autoptr (FlowAttrList) attrs = NULL;
  g_autofree char *name = NULL;
  FlowProtoReader sub;

  while (flow_proto_reader_next (r))
    if (r->field == 1)
      flow_proto_reader_dup_string (r, &name);
    else if (r->field == 2 && flow_proto_reader_enter (r, &sub))
      {
        if (attrs == NULL)
          attrs = flow_attr_list_new ();
        if (!_flow_load_attr_entry (self, &sub, attrs))
          return NULL;
      }
  if (flow_proto_reader_failed (r))
    return NULL;
  return flow_attr_new_func (name != NULL ? name : "", g_steal_pointer (&attrs));
}

static gboolean
add_item (FlowLoad        *self,
          FlowProtoReader *r,
          ListItems       *list,
          FlowAttrKind     kind,
          FlowAttr        *item)
{
  if (item == NULL)
    return !flow_proto_reader_failed (r);
  if (!_flow_load_charge (self, r, ATTR_COST))
    {
      flow_attr_unref (item);
      return FALSE;
    }
  if (list->items->len > 0 && list->kind != kind)
    list->is_mixed = TRUE;
  list->kind = kind;
  g_ptr_array_add (list->items, item);
  return TRUE;
}

static void
load_list (FlowLoad        *self,
           FlowProtoReader *r,
           ListItems       *list)
{
  FlowProtoReader sub;
  guint64 number;
  float real;

  while (flow_proto_reader_next (r))
    switch (r->field)
      {
      case 2:
        if (r->wire == FLOW_WIRE_BYTES)
          add_item (self, r, list, FLOW_ATTR_STRING,
                    flow_attr_new_string ((const char *) r->data, (gssize) r->size));
        break;
      case 3:
        while (flow_proto_reader_each_varint (r, &number))
          if (!add_item (self, r, list, FLOW_ATTR_INT, flow_attr_new_int ((gint64) number)))
            return;
        break;
      case 4:
        while (flow_proto_reader_each_float (r, &real))
          if (!add_item (self, r, list, FLOW_ATTR_FLOAT, flow_attr_new_float (real)))
            return;
        break;
      case 5:
        while (flow_proto_reader_each_varint (r, &number))
          if (!add_item (self, r, list, FLOW_ATTR_BOOL, flow_attr_new_bool (number != 0)))
            return;
        break;
      case 6:
        while (flow_proto_reader_each_varint (r, &number))
          if (!add_item (self, r, list, FLOW_ATTR_TYPE,
                         flow_attr_new_type ((int) (gint32) (guint32) number)))
            return;
        break;
      case 7:
        if (flow_proto_reader_enter (r, &sub))
          add_item (self, r, list, FLOW_ATTR_SHAPE, load_shape (self, &sub));
        break;
      case 8:
        if (flow_proto_reader_enter (r, &sub))
          add_item (self, r, list, FLOW_ATTR_TENSOR, load_tensor (self, &sub, r->data, r->size));
        break;
      case 9:
        if (flow_proto_reader_enter (r, &sub))
          add_item (self, r, list, FLOW_ATTR_FUNC, load_func (self, &sub));
        break;
      default:
        break;
      }
}

static FlowAttr *
take_list (FlowLoad        *self,
           FlowProtoReader *r,
           ListItems       *list)
{
  FlowAttr *attr = NULL;

  if (list->is_mixed)
    _flow_load_take_error (self, r,
                           g_error_new (FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                                        "AttrValue had value with type 'list(any)': it holds values "
                                        "of several types"));
  if (!flow_proto_reader_failed (r))
    {
      attr = flow_attr_new_list (list->items->len > 0 ? list->kind : FLOW_ATTR_NONE,
                                 (FlowAttr **) list->items->pdata, list->items->len);
      g_ptr_array_set_free_func (list->items, NULL);
    }
  return attr;
}

/* The value of one field of an AttrValue's oneof. */
static FlowAttr *
load_member (FlowLoad        *self,
             FlowProtoReader *r)
{
  FlowProtoReader sub;
  float real;
  const char *text;
  gsize length;

  switch (r->field)
    {
    case 2:
      return r->wire == FLOW_WIRE_BYTES
             ? flow_attr_new_string ((const char *) r->data, (gssize) r->size) : NULL;
    case 3:
      return r->wire == FLOW_WIRE_VARINT ? flow_attr_new_int ((gint64) r->value) : NULL;
    case 4:
      return flow_proto_reader_get_float (r, &real) ? flow_attr_new_float (real) : NULL;
    case 5:
      return r->wire == FLOW_WIRE_VARINT ? flow_attr_new_bool (r->value != 0) : NULL;
    case 6:
      return r->wire == FLOW_WIRE_VARINT
             ? flow_attr_new_type ((int) (gint32) (guint32) r->value) : NULL;
    case 7:
      return flow_proto_reader_enter (r, &sub) ? load_shape (self, &sub) : NULL;
    case 8:
      return flow_proto_reader_enter (r, &sub) ? load_tensor (self, &sub, r->data, r->size) : NULL;
    case 9:
      if (!flow_proto_reader_get_string (r, &text, &length))
        return NULL;
      if (memchr (text, 0, length) != NULL)
        flow_proto_reader_fail (r, "a name has a 00 byte");
      else
        {
          g_autofree char *name = g_strndup (text, length);

          return flow_attr_new_placeholder (name);
        }
      return NULL;
    case 10:
      return flow_proto_reader_enter (r, &sub) ? load_func (self, &sub) : NULL;
    default:
      return NULL;
    }
}

static FlowAttr *
load_value (FlowLoad        *self,
            FlowProtoReader *r)
{
  g_autoptr (FlowAttr) attr = NULL;
  ListItems list = { NULL, FLOW_ATTR_NONE, FALSE };
  FlowProtoReader sub;

  while (flow_proto_reader_next (r))
    {
      FlowAttr *member;

      if (r->field == 1 && flow_proto_reader_enter (r, &sub))
        {
          g_clear_pointer (&attr, flow_attr_unref);
          if (list.items == NULL)
            list.items = g_ptr_array_new_with_free_func (unref_attr);
          load_list (self, &sub, &list);
          continue;
        }
      member = load_member (self, r);
      if (member == NULL)
        continue;
      g_clear_pointer (&list.items, g_ptr_array_unref);
      g_clear_pointer (&attr, flow_attr_unref);
      attr = member;
    }
  if (list.items != NULL)
    {
      attr = take_list (self, r, &list);
      g_ptr_array_unref (list.items);
    }
  if (flow_proto_reader_failed (r))
    return NULL;
  return g_steal_pointer (&attr);
}

static guint
hash_bytes (const guint8 *data,
            gsize         size)
{
  guint hash = 2166136261u;

  for (gsize i = 0; i < size; i++)
    hash = (hash ^ data[i]) * 16777619u;
  return hash ^ hash >> 15;
}

/* Reads an AttrValue. NULL without a failure when no member is set, which counts as missing. */
FlowAttr *
_flow_load_attr (FlowLoad        *self,
                 FlowProtoReader *reader)
{
  const guint8 *data = reader->pos;
  gsize size = (gsize) (reader->end - reader->pos);
  FlowAttr *attr;
  guint slot;

  if (size > FLOW_LOAD_CACHE_BYTES)
    return _flow_load_charge (self, reader, ATTR_COST) ? load_value (self, reader) : NULL;

  slot = hash_bytes (data, size) % FLOW_LOAD_CACHE_SIZE;
  if (self->cache[slot].attr != NULL && self->cache[slot].size == size &&
      memcmp (self->cache[slot].bytes, data, size) == 0)
    {
      reader->pos = reader->end;
      return flow_attr_ref (self->cache[slot].attr);
    }
  if (!_flow_load_charge (self, reader, ATTR_COST))
    return NULL;
  attr = load_value (self, reader);
  /* A constant knows its place in the file: it is no copy of another. */
  if (attr != NULL && flow_attr_get_kind (attr) != FLOW_ATTR_TENSOR)
    {
      g_clear_pointer (&self->cache[slot].attr, flow_attr_unref);
      self->cache[slot].attr = flow_attr_ref (attr);
      self->cache[slot].size = (guint) size;
      memcpy (self->cache[slot].bytes, data, size);
    }
  return attr;
}

/* Reads an entry of a map from name to AttrValue into @attrs. */
gboolean
_flow_load_attr_entry (FlowLoad        *self,
                       FlowProtoReader *reader,
                       FlowAttrList    *attrs)
{
  g_autoptr (FlowAttr) value = NULL;
  FlowProtoReader sub;
  const char *key = "";
  gsize length = 0;
  char short_name[SHORT_NAME];
  g_autofree char *long_name = NULL;
  char *name = short_name;

  while (flow_proto_reader_next (reader))
    if (reader->field == 1)
      flow_proto_reader_get_string (reader, &key, &length);
    else if (reader->field == 2 && flow_proto_reader_enter (reader, &sub))
      {
        g_clear_pointer (&value, flow_attr_unref);
        value = _flow_load_attr (self, &sub);
      }
  if (memchr (key, 0, length) != NULL)
    flow_proto_reader_fail (reader, "a name has a 00 byte");
  if (flow_proto_reader_failed (reader) || !_flow_load_charge (self, reader, 2 * sizeof (gpointer)))
    return FALSE;
  if (value == NULL)
    return TRUE;

  if (length >= SHORT_NAME)
    name = long_name = g_strndup (key, length);
  else
    {
      memcpy (short_name, key, length);
      short_name[length] = '\0';
    }
  if (flow_attr_list_get_length (attrs) >= MAX_ATTRS)
    {
      _flow_load_take_error (self, reader,
                             g_error_new (FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                                          "more than %d attrs on one node", MAX_ATTRS));
      return FALSE;
    }
  flow_attr_list_set (attrs, name, value);
  return TRUE;
}
