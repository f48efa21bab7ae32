/* flow-load-op-def.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-formats-private.h"

#include <string.h>

#define ARG_COST 96
#define ATTR_DEF_COST 96
#define NODE_COST 192
#define INPUT_COST 40

static const struct {
  const char *name;
  FlowAttrKind kind;
} attr_types[] = {
  { "string", FLOW_ATTR_STRING },
  { "int", FLOW_ATTR_INT },
  { "float", FLOW_ATTR_FLOAT },
  { "bool", FLOW_ATTR_BOOL },
  { "type", FLOW_ATTR_TYPE },
  { "shape", FLOW_ATTR_SHAPE },
  { "tensor", FLOW_ATTR_TENSOR },
  { "func", FLOW_ATTR_FUNC },
};

static void
intern_field (FlowProtoReader  *r,
              const char      **where)
{
  g_autofree char *text = NULL;

  if (flow_proto_reader_dup_string (r, &text) && *text != '\0')
    *where = g_intern_string (text);
}

static void
load_arg_def (FlowProtoReader *r,
              FlowArgDef      *arg)
{
  while (flow_proto_reader_next (r))
    switch (r->field)
      {
      case 1: flow_proto_reader_dup_string (r, &arg->name); break;
      case 3: flow_proto_reader_get_int32 (r, &arg->dtype); break;
      case 4: intern_field (r, &arg->type_attr); break;
      case 5: intern_field (r, &arg->number_attr); break;
      case 6: intern_field (r, &arg->type_list_attr); break;
      case 16: flow_proto_reader_get_bool (r, &arg->is_ref); break;
      default: break;
      }
  if (arg->name == NULL)
    arg->name = g_strdup ("");
}

/* "int", "list(type)": what an attr holds. */
static void
parse_attr_type (FlowAttrDef *attr,
                 const char  *type)
{
  gsize length = strlen (type);

  if (g_str_has_prefix (type, "list(") && type[length - 1] == ')')
    {
      attr->is_list = TRUE;
      type += strlen ("list(");
      length -= strlen ("list()");
    }
  for (guint i = 0; i < G_N_ELEMENTS (attr_types); i++)
    if (strncmp (attr_types[i].name, type, length) == 0 && attr_types[i].name[length] == '\0')
      attr->kind = attr_types[i].kind;
}

static void
take_allowed_values (FlowAttrDef    *attr,
                     const FlowAttr *allowed)
{
  gsize n = flow_attr_is_list (allowed) ? flow_attr_get_length (allowed) : 0;
  g_autoptr (GStrvBuilder) strings = g_strv_builder_new ();

  for (gsize i = 0; i < n; i++)
    {
      FlowAttr *item = flow_attr_get_item (allowed, i);

      if (flow_attr_get_kind (item) == FLOW_ATTR_TYPE)
        {
          int dtype = flow_attr_get_dtype (item);

          if (flow_dtype_is_valid (dtype) && dtype < FLOW_N_DTYPES)
            attr->allowed_types |= FLOW_DTYPE_BIT (dtype);
        }
      else if (flow_attr_get_kind (item) == FLOW_ATTR_STRING)
        g_strv_builder_add (strings, flow_attr_get_string (item, NULL));
    }
  if (n > 0 && flow_attr_get_kind (allowed) == FLOW_ATTR_STRING)
    {
      g_strfreev (attr->allowed_strings);
      attr->allowed_strings = g_strv_builder_end (strings);
    }
}

static void
load_attr_def (FlowLoad        *self,
               FlowProtoReader *r,
               FlowAttrDef     *attr)
{
  g_autofree char *type = NULL;
  g_autoptr (FlowAttr) allowed = NULL;
  FlowProtoReader sub;

  while (flow_proto_reader_next (r))
    switch (r->field)
      {
      case 1: intern_field (r, &attr->name); break;
      case 2: flow_proto_reader_dup_string (r, &type); break;
      case 3:
        if (!flow_proto_reader_enter (r, &sub))
          break;
        g_clear_pointer (&attr->default_value, flow_attr_unref);
        attr->default_value = _flow_load_attr (self, &sub);
        break;
      case 5: flow_proto_reader_get_bool (r, &attr->has_minimum); break;
      case 6: flow_proto_reader_get_int64 (r, &attr->minimum); break;
      case 7:
        if (!flow_proto_reader_enter (r, &sub))
          break;
        g_clear_pointer (&allowed, flow_attr_unref);
        allowed = _flow_load_attr (self, &sub);
        break;
      default: break;
      }
  if (attr->name == NULL)
    attr->name = g_intern_static_string ("");
  if (type != NULL)
    parse_attr_type (attr, type);
  if (allowed != NULL)
    take_allowed_values (attr, allowed);
}

/* A definition with room for the arguments and attrs that will come. */
static FlowOpSignature *
prepare_signature (FlowLoad        *self,
                   FlowProtoReader *at)
{
  FlowProtoReader r;
  guint n_inputs = 0;
  guint n_outputs = 0;
  guint n_attrs = 0;

  /* Nothing here may fail that does not fail the reading itself: the counts are what it relies on. */
  flow_proto_reader_init (&r, at->pos, (gsize) (at->end - at->pos));
  while (flow_proto_reader_next (&r))
    {
      if (r.wire != FLOW_WIRE_BYTES)
        continue;
      n_inputs += r.field == 2;
      n_outputs += r.field == 3;
      n_attrs += r.field == 4;
    }
  if (!_flow_load_charge (self, at, ((gsize) n_inputs + n_outputs) * ARG_COST +
                                    ((gsize) n_attrs + 1) * ATTR_DEF_COST))
    return NULL;
  return flow_op_signature_new ("", n_inputs, n_outputs, n_attrs);
}

static void
load_flag (FlowProtoReader *r,
           FlowOpSignature *signature,
           guint            flag)
{
  gboolean value = FALSE;

  if (flow_proto_reader_get_bool (r, &value))
    signature->flags = value ? signature->flags | flag : signature->flags & ~flag;
}

/* Reads an OpDef: the definition of an op type, or the signature of a function. */
FlowOpSignature *
_flow_load_op_def (FlowLoad        *self,
                   FlowProtoReader *reader)
{
  FlowOpSignature *signature;
  FlowProtoReader sub;
  guint n_inputs = 0;
  guint n_outputs = 0;
  guint n_attrs = 0;

  signature = prepare_signature (self, reader);
  if (signature == NULL)
    return NULL;
  while (flow_proto_reader_next (reader))
    switch (reader->field)
      {
      case 1:
        flow_proto_reader_dup_string (reader, &signature->name);
        break;
      case 2:
        if (flow_proto_reader_enter (reader, &sub))
          load_arg_def (&sub, &signature->inputs[n_inputs++]);
        break;
      case 3:
        if (flow_proto_reader_enter (reader, &sub))
          load_arg_def (&sub, &signature->outputs[n_outputs++]);
        break;
      case 4:
        if (flow_proto_reader_enter (reader, &sub))
          load_attr_def (self, &sub, &signature->attrs[n_attrs++]);
        break;
      case 16: load_flag (reader, signature, FLOW_OP_AGGREGATE); break;
      case 17: load_flag (reader, signature, FLOW_OP_STATEFUL); break;
      case 18: load_flag (reader, signature, FLOW_OP_COMMUTATIVE); break;
      case 19: load_flag (reader, signature, FLOW_OP_ALLOWS_UNINITIALIZED); break;
      default: break;
      }
  if (flow_proto_reader_failed (reader))
    g_clear_pointer (&signature, flow_op_signature_free);
  return signature;
}

static FlowFunctionNode *
load_function_node (FlowLoad        *self,
                    FlowProtoReader *r)
{
  FlowAttrList *attrs = flow_attr_list_new ();
  g_autoptr (GStrvBuilder) inputs = g_strv_builder_new ();
  g_autofree char *name = NULL;
  g_autofree char *op = NULL;
  g_autofree char *device = NULL;
  FlowProtoReader sub;

  while (flow_proto_reader_next (r))
    {
      g_autofree char *input = NULL;

      switch (r->field)
        {
        case 1: flow_proto_reader_dup_string (r, &name); break;
        case 2: flow_proto_reader_dup_string (r, &op); break;
        case 3:
          if (flow_proto_reader_dup_string (r, &input) && _flow_load_charge (self, r, INPUT_COST))
            g_strv_builder_add (inputs, input);
          break;
        case 4: flow_proto_reader_dup_string (r, &device); break;
        case 5:
          if (flow_proto_reader_enter (r, &sub))
            _flow_load_attr_entry (self, &sub, attrs);
          break;
        default: break;
        }
    }
  return flow_function_node_new (name != NULL ? name : "", op != NULL ? op : "", device,
                                 g_strv_builder_end (inputs), attrs);
}

/* An entry of a map from string to string. */
static void
load_string_entry (FlowLoad        *self,
                   FlowProtoReader *r,
                   GHashTable      *map)
{
  g_autofree char *key = NULL;
  g_autofree char *value = NULL;

  while (flow_proto_reader_next (r))
    if (r->field == 1)
      flow_proto_reader_dup_string (r, &key);
    else if (r->field == 2)
      flow_proto_reader_dup_string (r, &value);
  if (flow_proto_reader_failed (r) || !_flow_load_charge (self, r, INPUT_COST))
    return;
  g_hash_table_replace (map, key != NULL ? g_steal_pointer (&key) : g_strdup (""),
                        value != NULL ? g_steal_pointer (&value) : g_strdup (""));
}

/* Reads a FunctionDef. */
FlowFunction *
_flow_load_function_def (FlowLoad        *self,
                         FlowProtoReader *reader)
{
  FlowFunction *function = flow_function_new (NULL);
  FlowProtoReader sub;

  function->attrs = flow_attr_list_new ();
  while (flow_proto_reader_next (reader))
    {
      if (!flow_proto_reader_enter (reader, &sub))
        continue;
      switch (reader->field)
        {
        case 1:
          g_clear_pointer (&function->signature, flow_op_signature_free);
          function->signature = _flow_load_op_def (self, &sub);
          break;
        case 3:
          if (_flow_load_charge (self, reader, NODE_COST))
            g_ptr_array_add (function->nodes, load_function_node (self, &sub));
          break;
        case 4: load_string_entry (self, &sub, function->ret); break;
        case 5: _flow_load_attr_entry (self, &sub, function->attrs); break;
        case 6: load_string_entry (self, &sub, function->control_ret); break;
        default: break;
        }
    }
  if (function->signature == NULL)
    function->signature = flow_op_signature_new ("", 0, 0, 0);
  function->name = g_strdup (function->signature->name);
  if (flow_proto_reader_failed (reader))
    g_clear_pointer (&function, flow_function_free);
  return function;
}
