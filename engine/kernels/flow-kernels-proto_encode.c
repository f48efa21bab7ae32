/* flow-kernels-proto_encode.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Messages of protocol buffers put together from tensors of their fields.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-message-private.h"
#include "flow-proto-writer.h"
#include "flow-string-private.h"

#include <string.h>

/* --- EncodeProto ------------------------------------------------------------------------------------------------------ */

/* A field that is written; they stand sorted by number. */
typedef struct {
  const FlowFieldDescriptor *field;
  guint index;
  const FlowTensor *values;
} Given;

static int
compare_given (gconstpointer a,
               gconstpointer b)
{
  const Given *x = a;
  const Given *y = b;

  if (x->field->number != y->field->number)
    return x->field->number < y->field->number ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* Value @i of @values as it stands on the wire. */
static guint64
to_wire (const FlowTensor *values,
         gint64            i,
         FlowFieldType     type)
{
  gint64 number;

  switch ((int) values->dtype)
    {
    case FLOW_DTYPE_DOUBLE:
      if (type == FLOW_FIELD_FLOAT)
        {
          const float single = (float) FLOW_DATA (double, values)[i];
          guint32 bits;

          memcpy (&bits, &single, sizeof bits);
          return bits;
        }
      return FLOW_DATA (guint64, values)[i];
    case FLOW_DTYPE_FLOAT: return FLOW_DATA (guint32, values)[i];
    case FLOW_DTYPE_INT32: number = FLOW_DATA (gint32, values)[i]; break;
    case FLOW_DTYPE_UINT32: number = FLOW_DATA (guint32, values)[i]; break;
    case FLOW_DTYPE_BOOL: return FLOW_DATA (guint8, values)[i] != 0;
    default: number = FLOW_DATA (gint64, values)[i]; break;
    }
  switch ((int) type)
    {
    case FLOW_FIELD_INT32:
    case FLOW_FIELD_ENUM:
      return (guint64) (gint64) (gint32) number;
    case FLOW_FIELD_UINT32:
      return (guint32) number;
    case FLOW_FIELD_SINT32:
      return (guint32) number << 1 ^ (0 - ((guint32) number >> 31));
    case FLOW_FIELD_SINT64:
      return (guint64) number << 1 ^ (0 - ((guint64) number >> 63));
    default:
      return (guint64) number;
    }
}

static void
write_field (FlowProtoWriter *w,
             const Given     *given,
             gint64           first,
             gint64           n)
{
  const FlowFieldDescriptor *field = given->field;
  const FlowWireType wire = _flow_field_types[field->type].wire;

  if (field->is_packed && wire != FLOW_WIRE_BYTES && wire != FLOW_WIRE_GROUP)
    {
      flow_proto_writer_begin (w, field->number);
      for (gint64 i = 0; i < n; i++)
        flow_proto_writer_append_number (w, wire, to_wire (given->values, first + i, field->type));
      flow_proto_writer_end (w);
      return;
    }
  for (gint64 i = 0; i < n; i++)
    {
      flow_proto_writer_append_tag (w, field->number, wire);
      if (given->values->dtype == FLOW_DTYPE_STRING)
        {
          Text text = text_at (given->values, first + i);

          if (wire == FLOW_WIRE_BYTES)
            flow_proto_writer_append_varint (w, text.length);
          flow_proto_writer_append (w, text.bytes, text.length);
          if (wire == FLOW_WIRE_GROUP)
            flow_proto_writer_append_tag (w, field->number, FLOW_WIRE_GROUP_END);
        }
      else
        {
          flow_proto_writer_append_number (w, wire, to_wire (given->values, first + i, field->type));
        }
    }
}

/* The shape that all values have before their last dimension. */
static gboolean
check_values (FlowKernelContext  *c,
              const GArray       *all,
              FlowShape         **prefix,
              GError            **error)
{
  const FlowAttr *names = flow_kernel_attr (c, "field_names");

  for (guint i = 0; i < all->len; i++)
    {
      const Given *given = &g_array_index (all, Given, i);
      const char *name = flow_attr_get_string (flow_attr_get_item (names, i), NULL);
      g_autofree char *shape = flow_tensor_shape_text (given->values);
      g_autoptr (FlowShape) own = NULL;

      if (!_flow_field_is_compatible (given->field->type, given->values->dtype))
        return _flow_refuse (error, "Incompatible type for field %s.  Saw dtype: %s but field type is: %s", name,
                             flow_dtype_string (given->values->dtype), _flow_field_types[given->field->type].name);
      if (FLOW_RANK (given->values) < 2)
        return _flow_refuse (error, "Invalid shape for field %s.  Saw shape %s but it should be at least a matrix.", name,
                             shape);
      own = flow_shape_new (FLOW_RANK (given->values) - 1, FLOW_DIMS (given->values));
      if (*prefix == NULL)
        *prefix = flow_shape_ref (own);
      else if (!flow_shape_equal (own, *prefix))
        return _flow_refuse (error, "Values must match up to the last dimension");
    }
  if (*prefix == NULL)
    *prefix = flow_shape_new_scalar ();
  return TRUE;
}

static gint64
last_dim (const FlowTensor *tensor)
{
  return FLOW_DIMS (tensor)[FLOW_RANK (tensor) - 1];
}

static gboolean
check_sizes (FlowKernelContext  *c,
             const GArray       *all,
             const FlowShape    *prefix,
             GError            **error)
{
  const FlowTensor *sizes = flow_kernel_input (c, 0);
  g_autoptr (FlowShape) last = flow_shape_new_vector (all->len);
  g_autofree gint64 *dims = g_new (gint64, (gsize) prefix->rank + 1);
  g_autoptr (FlowShape) expected = NULL;
  gint64 n = all->len > 0 ? sizes->n_elements / all->len : 0;

  memcpy (dims, prefix->dims, (gsize) prefix->rank * sizeof (gint64));
  dims[prefix->rank] = all->len;
  expected = flow_shape_new (prefix->rank + 1, dims);
  if (!flow_shape_equal (sizes->shape, expected))
    {
      g_autofree char *seen = flow_tensor_shape_text (sizes);
      g_autofree char *asked = flow_shape_to_string (expected);

      return _flow_refuse (error, "sizes should be batch_size + [len(field_names)].  Saw: %s but expected: %s", seen, asked);
    }
  for (guint k = 0; k < all->len; k++)
    for (gint64 i = 0; i < n; i++)
      {
        const gint32 size = FLOW_DATA (gint32, sizes)[i * all->len + k];
        const gint64 most = last_dim (g_array_index (all, Given, k).values);

        if (size > most)
          return _flow_refuse (error, "Size to write must not be larger than value tensor; but saw: %d > %" G_GINT64_FORMAT
                               " at message %" G_GINT64_FORMAT " field %u", size, most, i, k);
        FLOW_REQUIRE (size >= 0, error, INVALID_ARGUMENT, "Size to write must not be negative; but saw: %d at message %"
                      G_GINT64_FORMAT " field %u", size, i, k);
      }
  return TRUE;
}

static gboolean
encode_messages (FlowKernelContext  *c,
                 GArray             *all,
                 const FlowShape    *prefix,
                 GError            **error)
{
  const FlowTensor *sizes = flow_kernel_input (c, 0);
  FlowTensor *out = flow_kernel_allocate (c, 0, prefix, error);

  if (out == NULL)
    return FALSE;
  g_array_sort (all, compare_given);
  for (gint64 i = 0; i < out->n_elements; i++)
    {
      FlowProtoWriter w;
      g_autoptr (GBytes) bytes = NULL;

      flow_proto_writer_init (&w);
      for (guint k = 0; k < all->len; k++)
        {
          const Given *given = &g_array_index (all, Given, k);
          const gint32 n = FLOW_DATA (gint32, sizes)[i * all->len + given->index];

          if (n > 0)
            write_field (&w, given, i * last_dim (given->values), n);
        }
      bytes = flow_proto_writer_finish (&w, error);
      if (bytes == NULL || !reserve_text (c, g_bytes_get_size (bytes), error))
        return FALSE;
      flow_tensor_take_string (out, i, g_steal_pointer (&bytes));
    }
  return TRUE;
}

static gboolean
encode_compute (FlowKernelContext  *c,
                GError            **error)
{
  g_autoptr (FlowDescriptorPool) own = NULL;
  const FlowDescriptor *message = _flow_message_find (c, &own, error);
  const FlowAttr *names = flow_kernel_attr (c, "field_names");
  g_autoptr (GArray) all = g_array_new (FALSE, TRUE, sizeof (Given));
  g_autoptr (FlowShape) prefix = NULL;

  if (message == NULL)
    return FALSE;
  for (guint i = 0; i < (guint) flow_attr_get_length (names); i++)
    {
      const char *name = flow_attr_get_string (flow_attr_get_item (names, i), NULL);
      Given given = { flow_descriptor_find_field (message, name), i, NULL };

      if (given.field == NULL)
        return _flow_refuse (error, "Unknown field: %s in message type %s", name, flow_kernel_attr_string (c, "message_type"));
      g_array_append_val (all, given);
    }
  if (all->len != c->n_inputs - 1)
    return _flow_refuse (error, "Length of inputs list must match field_names");
  for (guint i = 0; i < all->len; i++)
    g_array_index (all, Given, i).values = flow_kernel_input (c, 1 + i);
  return check_values (c, all, &prefix, error) && check_sizes (c, all, prefix, error) &&
         encode_messages (c, all, prefix, error);
}

static gboolean
encode_infer (FlowInferContext  *c,
              GError           **error)
{
  g_autoptr (FlowShape) output = flow_shape_new_unknown ();

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  for (guint i = c->n_inputs; i-- > 1;)
    {
      g_autoptr (FlowShape) values = NULL;
      g_autoptr (FlowShape) inner = NULL;
      FlowShape *merged;

      if (!flow_infer_with_rank_at_least (c, flow_infer_input (c, i), 2, &values, error)
          || !flow_infer_subshape (c, values, 0, -1, &inner, error) || !flow_infer_merge (c, inner, output, &merged, error))
        return FALSE;
      flow_shape_unref (output);
      output = merged;
    }
  flow_infer_set_output (c, 0, output);
  return TRUE;
}

static const FlowKernelDef encode_kernels[] = { { NULL, encode_compute, _flow_message_source_construct, _flow_message_source_destruct }, { NULL } };

static const FlowOpDef ops[] = {
  { .name = "EncodeProto", .inputs = "sizes: int32; values: Tinput_types", .outputs = "bytes: string",
    .attrs = "field_names: list(string); message_type: string; descriptor_source: string = 'local://'; "
             "Tinput_types: list(type) >= 1",
    .summary = "Messages of tensors of their fields", .family = FLOW_OP_FAMILY_IO, .infer = encode_infer,
    .kernels = encode_kernels },
};

FLOW_DEFINE_OP_FAMILY (proto_encode, ops)
