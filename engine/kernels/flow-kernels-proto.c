/* flow-kernels-proto.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Messages of protocol buffers taken apart into tensors of their fields. What the messages are stands in a
 * FileDescriptorSet that the node names or holds.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-message-private.h"
#include "flow-proto-writer.h"
#include "flow-string-private.h"

#include <string.h>

/* --- numbers ------------------------------------------------------------------------------------------------------ */

/* What stands on the wire as a number of 64 bits, signs and all. @packed: TF widens packed int32 without their signs. */
static guint64
from_wire (FlowFieldType type,
           guint64       bits,
           gboolean      packed)
{
  switch (type)
    {
    case FLOW_FIELD_INT32:
      return packed ? (guint32) bits : (guint64) (gint64) (gint32) (guint32) bits;
    case FLOW_FIELD_ENUM:
    case FLOW_FIELD_SFIXED32:
      return (guint64) (gint64) (gint32) (guint32) bits;
    case FLOW_FIELD_UINT32:
    case FLOW_FIELD_FIXED32:
      return (guint32) bits;
    case FLOW_FIELD_BOOL:
      return bits != 0;
    case FLOW_FIELD_SINT32:
      return (guint64) (gint64) (gint32) ((guint32) bits >> 1 ^ (0 - ((guint32) bits & 1)));
    case FLOW_FIELD_SINT64:
      return bits >> 1 ^ (0 - (bits & 1));
    default:
      return bits;
    }
}

static double
float_of_bits (guint64 bits)
{
  guint32 low = (guint32) bits;
  float value;

  memcpy (&value, &low, sizeof value);
  return value;
}

/* @bits is what from_wire() gave. */
static void
put_number (FlowTensor    *out,
            gint64         i,
            FlowFieldType  type,
            guint64        bits)
{
  switch ((int) out->dtype)
    {
    case FLOW_DTYPE_DOUBLE:
      if (type == FLOW_FIELD_FLOAT)
        FLOW_WRITABLE (double, out)[i] = float_of_bits (bits);
      else
        memcpy (FLOW_WRITABLE (double, out) + i, &bits, sizeof bits);
      break;
    case FLOW_DTYPE_FLOAT: FLOW_WRITABLE (guint32, out)[i] = (guint32) bits; break;
    case FLOW_DTYPE_INT32: FLOW_WRITABLE (gint32, out)[i] = (gint32) bits; break;
    case FLOW_DTYPE_UINT32: FLOW_WRITABLE (guint32, out)[i] = (guint32) bits; break;
    case FLOW_DTYPE_BOOL: FLOW_WRITABLE (guint8, out)[i] = bits != 0; break;
    default: FLOW_WRITABLE (guint64, out)[i] = bits; break;
    }
}

/* --- taking apart ------------------------------------------------------------------------------------------------- */

/* A field that is asked for; they stand sorted by number. */
typedef struct {
  const FlowFieldDescriptor *field;
  guint output;
  gint64 count;                /* in the message that is read */
  gint64 most;                 /* in any message */
  FlowTensor *out;             /* NULL while they are counted */
  gint64 base;                 /* where the message's values begin in @out */
} Wanted;

typedef struct {
  const guint8 *pos;
  const guint8 *end;
} Cursor;

static gboolean
lose (GError     **error,
      const char  *format,
      gsize        n)
{
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, format, n);
  return FALSE;
}

static gboolean
skip_bytes (Cursor *at,
            guint64 n)
{
  if (n > (guint64) (at->end - at->pos))
    return FALSE;
  at->pos += n;
  return TRUE;
}

/* What follows a tag of @number and @wire. */
static gboolean
skip_field (Cursor       *at,
            guint32       number,
            FlowWireType  wire,
            guint         depth)
{
  guint64 value;

  switch (wire)
    {
    case FLOW_WIRE_VARINT: return flow_proto_read_varint (&at->pos, at->end, &value);
    case FLOW_WIRE_FIXED64: return skip_bytes (at, 8);
    case FLOW_WIRE_FIXED32: return skip_bytes (at, 4);
    case FLOW_WIRE_BYTES: return flow_proto_read_varint (&at->pos, at->end, &value) && skip_bytes (at, value);
    case FLOW_WIRE_GROUP:
      while (depth < FLOW_PROTO_MAX_DEPTH && flow_proto_read_varint (&at->pos, at->end, &value))
        {
          if ((value & 7) == FLOW_WIRE_GROUP_END)
            return value >> 3 == number;
          if (value >> 3 == 0 || !skip_field (at, (guint32) (value >> 3), (FlowWireType) (value & 7), depth + 1))
            return FALSE;
        }
      return FALSE;
    default: return FALSE;
    }
}

/* A single value: counted, or put where it belongs. */
static gboolean
read_value (Cursor   *at,
            Wanted   *wanted,
            GError  **error)
{
  const FlowFieldDescriptor *field = wanted->field;
  const FlowWireType wire = _flow_field_types[field->type].wire;
  const guint8 *begin = at->pos;
  gint64 place = wanted->base + (field->is_repeated ? wanted->count : 0);
  guint64 bits = 0;
  guint64 length;

  if (wanted->count == 0 || field->is_repeated)
    wanted->count++;
  if (!skip_field (at, field->number, wire, 0))
    return lose (error, "ReadValue: Failed skipping field when counting", 0);
  if (wanted->out == NULL)
    return TRUE;
  if (wire == FLOW_WIRE_VARINT)
    {
      flow_proto_read_varint (&begin, at->end, &bits);
    }
  else if (wire == FLOW_WIRE_FIXED64 || wire == FLOW_WIRE_FIXED32)
    {
      memcpy (&bits, begin, (gsize) (at->pos - begin));
      bits = GUINT64_FROM_LE (bits);
    }
  else
    {
      if (wire == FLOW_WIRE_BYTES)
        flow_proto_read_varint (&begin, at->end, &length);
      else
        /* TF: a group is given with the tags around it. */
        begin -= flow_proto_varint_size ((guint64) field->number << 3 | FLOW_WIRE_GROUP);
      flow_tensor_take_string (wanted->out, place, g_bytes_new (begin, (gsize) (at->pos - begin)));
      return TRUE;
    }
  put_number (wanted->out, place, field->type, from_wire (field->type, bits, FALSE));
  return TRUE;
}

/* How many values a packed field has. */
static gboolean
count_packed (const Cursor              *packed,
              const FlowFieldDescriptor *field,
              gint64                    *n,
              GError                   **error)
{
  const FlowWireType wire = _flow_field_types[field->type].wire;
  const gsize size = (gsize) (packed->end - packed->pos);
  Cursor at = *packed;
  guint64 value;

  *n = 0;
  if (field->type == FLOW_FIELD_GROUP)
    return lose (error, "TYPE_GROUP encountered as packed", 0);
  if (wire == FLOW_WIRE_FIXED64 || wire == FLOW_WIRE_FIXED32)
    {
      const gsize cell = wire == FLOW_WIRE_FIXED64 ? 8 : 4;

      *n = (gint64) (size / cell);
      return size % cell == 0 || lose (error, "Illegal data length for packed fixed-size type: %" G_GSIZE_FORMAT, size);
    }
  for (; at.pos < at.end; (*n)++)
    if (!flow_proto_read_varint (&at.pos, at.end, &value))
      return lose (error, "Corrupt packed varint", 0);
  return TRUE;
}

static gboolean
read_packed (Cursor   *at,
             Wanted   *wanted,
             GError  **error)
{
  const FlowFieldDescriptor *field = wanted->field;
  const FlowWireType wire = _flow_field_types[field->type].wire;
  guint64 length;
  Cursor packed;
  gint64 n;

  if (!flow_proto_read_varint (&at->pos, at->end, &length) || length > G_MAXINT32)
    return lose (error, "CollectField: Failed reading packed size", 0);
  packed.pos = at->pos;
  if (!skip_bytes (at, length))
    return lose (error, "ReadPackedValues: Skipping packed field failed", 0);
  packed.end = at->pos;
  if (length == 0)
    return TRUE;
  if (!count_packed (&packed, field, &n, error))
    return FALSE;
  /* TF: what is not repeated is counted, but its packed values are not looked at. */
  for (gint64 i = 0; wanted->out != NULL && field->is_repeated && i < n; i++)
    {
      guint64 bits = 0;

      if (wire == FLOW_WIRE_VARINT)
        {
          flow_proto_read_varint (&packed.pos, packed.end, &bits);
        }
      else
        {
          memcpy (&bits, packed.pos, wire == FLOW_WIRE_FIXED64 ? 8 : 4);
          bits = GUINT64_FROM_LE (bits);
          packed.pos += wire == FLOW_WIRE_FIXED64 ? 8 : 4;
        }
      put_number (wanted->out, wanted->base + wanted->count + i, field->type, from_wire (field->type, bits, TRUE));
    }
  wanted->count = field->is_repeated ? wanted->count + n : wanted->out == NULL ? MIN (wanted->count + n, 1) : wanted->count;
  return TRUE;
}

static Wanted *
find_wanted (GArray  *all,
             guint32  number)
{
  for (guint i = all->len; i-- > 0;)
    if (g_array_index (all, Wanted, i).field->number == number)
      return &g_array_index (all, Wanted, i);
  return NULL;
}

static gboolean
read_message (GArray   *all,
              Text      text,
              GError  **error)
{
  Cursor at = { (const guint8 *) text.bytes, (const guint8 *) text.bytes + text.length };

  for (guint i = 0; i < all->len; i++)
    g_array_index (all, Wanted, i).count = 0;
  while (at.pos < at.end)
    {
      guint64 tag;
      FlowWireType wire;
      Wanted *wanted;
      FlowWireType own;

      if (!flow_proto_read_varint (&at.pos, at.end, &tag) || (guint32) tag == 0 || (tag & 7) == FLOW_WIRE_GROUP_END)
        return lose (error, "CountFields: Failed to consume entire buffer", 0);
      wire = (FlowWireType) (tag & 7);
      wanted = find_wanted (all, (guint32) tag >> 3);
      if (wanted == NULL)
        {
          if ((guint32) tag >> 3 == 0 || !skip_field (&at, (guint32) tag >> 3, wire, 0))
            return lose (error, "Failed skipping unrequested field", 0);
          continue;
        }
      own = _flow_field_types[wanted->field->type].wire;
      if (wire == FLOW_WIRE_BYTES && own != FLOW_WIRE_BYTES)
        {
          if (!read_packed (&at, wanted, error))
            return FALSE;
        }
      else if (wire != own)
        {
          if (!skip_field (&at, (guint32) tag >> 3, wire, 0))
            return lose (error, "CollectField: Failed skipping malformed field", 0);
        }
      else if (!read_value (&at, wanted, error))
        {
          return FALSE;
        }
    }
  return TRUE;
}

/* --- what is not there ---------------------------------------------------------------------------------------------- */

static guint64
default_bits (const FlowFieldDescriptor *field)
{
  const char *text = field->default_text;
  guint64 bits = 0;
  double number;

  if (field->type == FLOW_FIELD_ENUM)
    return (guint64) (gint64) flow_field_get_default_enum (field);
  if (text == NULL)
    return 0;
  if (field->type == FLOW_FIELD_BOOL)
    return strcmp (text, "true") == 0;
  if (field->type != FLOW_FIELD_DOUBLE && field->type != FLOW_FIELD_FLOAT)
    return *text == '-' ? (guint64) g_ascii_strtoll (text, NULL, 10) : g_ascii_strtoull (text, NULL, 10);
  number = g_ascii_strtod (text, NULL);
  if (field->type == FLOW_FIELD_DOUBLE)
    {
      memcpy (&bits, &number, sizeof bits);
    }
  else
    {
      const float single = (float) number;
      guint32 low;

      memcpy (&low, &single, sizeof low);
      bits = low;
    }
  return bits;
}

/* TF: up to the first zero. */
static GBytes *
default_string (const FlowFieldDescriptor *field)
{
  const char *text = field->default_text;

  if (text == NULL || *text == '\0' || (field->type != FLOW_FIELD_STRING && field->type != FLOW_FIELD_BYTES))
    return NULL;
  return g_bytes_new (text, strlen (text));
}

static void
fill_defaults (Wanted *wanted)
{
  const FlowFieldDescriptor *field = wanted->field;
  /* TF: a field that has one value, packed, is counted and has its default. */
  guint64 bits = default_bits (field);
  g_autoptr (GBytes) text = wanted->out->dtype == FLOW_DTYPE_STRING ? default_string (field) : NULL;

  /* TF: it keeps defaults without a sign in a byte. */
  if (wanted->out->dtype == FLOW_DTYPE_UINT32 || wanted->out->dtype == FLOW_DTYPE_UINT64)
    bits &= 0xff;
  for (gint64 i = wanted->count; i < wanted->most; i++)
    if (wanted->out->dtype != FLOW_DTYPE_STRING)
      put_number (wanted->out, wanted->base + i, field->type, bits);
    else if (text != NULL)
      flow_tensor_take_string (wanted->out, wanted->base + i, g_bytes_ref (text));
}

/* --- DecodeProtoV2 -------------------------------------------------------------------------------------------------- */

static int
compare_wanted (gconstpointer a,
                gconstpointer b)
{
  const Wanted *x = a;
  const Wanted *y = b;

  if (x->field->number != y->field->number)
    return x->field->number < y->field->number ? -1 : 1;
  return x->output < y->output ? -1 : x->output > y->output;
}

static gboolean
find_fields (FlowKernelContext    *c,
             const FlowDescriptor *message,
             GArray               *all,
             GError              **error)
{
  const FlowAttr *names = flow_kernel_attr (c, "field_names");
  const FlowAttr *dtypes = flow_kernel_attr (c, "output_types");
  const guint n = (guint) flow_attr_get_length (names);

  if (n != (guint) flow_attr_get_length (dtypes))
    return _flow_refuse (error, "field_names and output_types attributes must have the same length");
  for (guint i = 0; i < n; i++)
    {
      const char *name = flow_attr_get_string (flow_attr_get_item (names, i), NULL);
      const int dtype = flow_attr_get_dtype (flow_attr_get_item (dtypes, i));
      Wanted wanted = { .output = i, .most = 1 };

      wanted.field = flow_descriptor_find_field (message, name);
      if (wanted.field == NULL)
        wanted.field = flow_descriptor_find_extension (message, name);
      if (wanted.field == NULL)
        return _flow_refuse (error, "Unknown field: %s in message type %s", name, flow_kernel_attr_string (c, "message_type"));
      if (!_flow_field_is_compatible (wanted.field->type, dtype))
        return _flow_refuse (error, "Unexpected output type for %s: %d to %d", wanted.field->full_name,
                             _flow_field_types[wanted.field->type].cpp_type, dtype);
      g_array_append_val (all, wanted);
    }
  g_array_sort (all, compare_wanted);
  return TRUE;
}

/* Messages as bytes, where they are text or are to be made clean. */
static GBytes *
clean_message (const FlowDescriptor *message,
               Text                  text,
               gboolean              is_binary,
               GError              **error)
{
  GBytes *bytes = is_binary ? flow_descriptor_read_binary (message, text.bytes, text.length)
                  : flow_descriptor_read_text (message, text.bytes, text.length);

  if (bytes == NULL)
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "Unable to parse %s protobuf", is_binary ? "binary" : "text");
  return bytes;
}

static gboolean
clean_messages (FlowKernelContext    *c,
                const FlowDescriptor *message,
                GPtrArray            *clean,
                GError              **error)
{
  const FlowTensor *input = flow_kernel_input (c, 0);
  const char *format = flow_kernel_attr_string (c, "message_format");
  gboolean is_binary = strcmp (format, "binary") == 0;

  if (!is_binary && strcmp (format, "text") != 0)
    return _flow_refuse (error, "format must be one of binary or text");
  if (is_binary && !flow_kernel_attr_bool (c, "sanitize"))
    return TRUE;
  for (gint64 i = 0; i < input->n_elements; i++)
    {
      GBytes *bytes = clean_message (message, text_at (input, i), is_binary, error);

      if (bytes == NULL)
        return FALSE;
      g_ptr_array_add (clean, bytes);
    }
  return TRUE;
}

static void
unref_bytes (gpointer bytes)
{
  g_bytes_unref (bytes);
}

static Text
message_at (const FlowTensor *input,
            const GPtrArray  *clean,
            gint64            i)
{
  Text text;

  if (clean->len == 0)
    return text_at (input, i);
  text.bytes = g_bytes_get_data (clean->pdata[i], &text.length);
  return text;
}

static FlowTensor *
allocate_behind (FlowKernelContext  *c,
                 guint               i,
                 const FlowTensor   *input,
                 gint64              n,
                 GError            **error)
{
  const int rank = FLOW_RANK (input);
  g_autofree gint64 *dims = g_new (gint64, (gsize) rank + 1);

  memcpy (dims, FLOW_DIMS (input), (gsize) rank * sizeof (gint64));
  dims[rank] = n;
  return flow_kernel_allocate_dims (c, i, rank + 1, dims, error);
}

static gboolean
decode_messages (FlowKernelContext  *c,
                 GArray             *all,
                 const GPtrArray    *clean,
                 GError            **error)
{
  const FlowTensor *input = flow_kernel_input (c, 0);
  FlowTensor *sizes = allocate_behind (c, 0, input, all->len, error);

  if (sizes == NULL)
    return FALSE;
  for (gint64 i = 0; i < input->n_elements; i++)
    {
      if (!read_message (all, message_at (input, clean, i), error))
        return FALSE;
      for (guint k = 0; k < all->len; k++)
        {
          Wanted *wanted = &g_array_index (all, Wanted, k);

          FLOW_WRITABLE (gint32, sizes)[i * all->len + wanted->output] = (gint32) wanted->count;
          wanted->most = MAX (wanted->most, wanted->count);
        }
    }
  for (guint k = 0; k < all->len; k++)
    {
      Wanted *wanted = &g_array_index (all, Wanted, k);

      wanted->out = allocate_behind (c, 1 + wanted->output, input, wanted->most, error);
      if (wanted->out == NULL)
        return FALSE;
    }
  for (gint64 i = 0; i < input->n_elements; i++)
    {
      for (guint k = 0; k < all->len; k++)
        g_array_index (all, Wanted, k).base = i * g_array_index (all, Wanted, k).most;
      if (!read_message (all, message_at (input, clean, i), error))
        return FALSE;
      for (guint k = 0; k < all->len; k++)
        fill_defaults (&g_array_index (all, Wanted, k));
    }
  return TRUE;
}

static gboolean
decode_compute (FlowKernelContext  *c,
                GError            **error)
{
  g_autoptr (FlowDescriptorPool) own = NULL;
  const FlowDescriptor *message = _flow_message_find (c, &own, error);
  g_autoptr (GArray) all = g_array_new (FALSE, TRUE, sizeof (Wanted));
  g_autoptr (GPtrArray) clean = g_ptr_array_new_with_free_func (unref_bytes);

  if (message == NULL || !find_fields (c, message, all, error))
    return FALSE;
  if (flow_kernel_input (c, 0)->n_elements < 1)
    return _flow_refuse (error, "Bufs argument must contain at least one value");
  return clean_messages (c, message, clean, error) && decode_messages (c, all, clean, error);
}

static gboolean
decode_infer (FlowInferContext  *c,
              GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  for (guint i = 0; i < c->n_outputs; i++)
    {
      g_autoptr (FlowShape) last = flow_shape_new_vector (i == 0 ? (gint64) c->n_outputs - 1 : FLOW_DIM_UNKNOWN);
      FlowShape *shape;

      if (!flow_infer_concatenate (c, flow_infer_input (c, 0), last, &shape, error))
        return FALSE;
      flow_infer_take_output (c, i, shape);
    }
  return TRUE;
}

static const FlowKernelDef decode_kernels[] = { { NULL, decode_compute, _flow_message_source_construct, _flow_message_source_destruct }, { NULL } };

static const FlowOpDef ops[] = {
  { .name = "DecodeProtoV2", .inputs = "bytes: string", .outputs = "sizes: int32; values: output_types",
    .attrs = "message_type: string; field_names: list(string); output_types: list(type) >= 0; "
             "descriptor_source: string = 'local://'; message_format: string = 'binary'; sanitize: bool = false",
    .summary = "Fields of messages as tensors", .family = FLOW_OP_FAMILY_IO, .infer = decode_infer, .kernels = decode_kernels },
};

FLOW_DEFINE_OP_FAMILY (proto, ops)
