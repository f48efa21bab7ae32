/* flow-kernels-json_example.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * tensorflow.Example from JSON, as protobuf maps one to the other and as leniently as its reader: keys without quotes,
 * quotes of either kind, a comma at the end.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-proto-writer.h"
#include "flow-string-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What stands around a mistake when it is told. */
#define CONTEXT 20

typedef enum {
  LIST_BYTES = 1,
  LIST_FLOAT,
  LIST_INT64,
} ListKind;

typedef struct {
  const char *start;
  const char *pos;
  const char *end;
  FlowProtoWriter out;
  GString *path;               /* of the message that is read */
  GString *word;               /* the last key, string or number */
  gboolean is_quoted;          /* it was a string */
  const char *held;            /* a number that ends with the text, where it begins; NULL: there is none */
} Json;

/* --- mistakes ------------------------------------------------------------------------------------------------------ */

static gboolean
refuse (GError     **error,
        const char  *format,
        ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (GError     **error,
        const char  *format,
        ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  return _flow_refuse (error, "Error while parsing JSON: %s", text);
}

/* What is there instead of what was expected, with the place marked. TF: before the end nothing is shown but a number,
 * which the reader had held back in case that more of it comes. */
static gboolean
refuse_here (Json        *json,
             const char  *expected,
             GError     **error)
{
  const char *earliest = json->pos < json->end ? json->start : json->held != NULL ? json->held : json->end;
  const char *begin = json->pos - MIN (json->pos - earliest, CONTEXT);
  const char *end = json->pos + MIN (json->end - json->pos, CONTEXT);
  g_autofree char *segment = g_strndup (begin, (gsize) (end - begin));
  g_autofree char *gap = g_strnfill ((gsize) (json->pos - begin), ' ');

  return refuse (error, "%s\n%s\n%s^", expected, segment, gap);
}

static gboolean
refuse_missing (Json        *json,
                const char  *expected,
                GError     **error)
{
  g_autofree char *text = g_strconcat (json->pos == json->end ? "Unexpected end of string. " : "", expected, NULL);

  return refuse_here (json, text, error);
}

/* TF: numbers as they are read, not as they were written. */
static void
tell_number (GString *word)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  char *end;
  const double value = g_ascii_strtod (word->str, &end);

  if (*end != '\0' || strpbrk (word->str, ".eE") == NULL)
    return;
  g_ascii_formatd (text, sizeof text, "%.15g", value);
  if (g_ascii_strtod (text, NULL) != value)
    g_ascii_formatd (text, sizeof text, "%.17g", value);
  g_string_assign (word, text);
}

static gboolean
refuse_value (Json        *json,
              const char  *type,
              GError     **error)
{
  const char *quote = json->is_quoted ? "\"" : "";

  if (!json->is_quoted)
    tell_number (json->word);
  return refuse (error, "(%s): invalid value %s%s%s for type %s", json->path->str, quote, json->word->str, quote, type);
}

/* --- words --------------------------------------------------------------------------------------------------------- */

static char
peek (Json *json)
{
  while (json->pos < json->end && g_ascii_isspace (*json->pos))
    json->pos++;
  return json->pos < json->end ? *json->pos : '\0';
}

static gboolean
accept (Json *json,
        char  c)
{
  if (peek (json) != c)
    return FALSE;
  json->pos++;
  return TRUE;
}

static gboolean
read_unicode (Json     *json,
              guint    *unit)
{
  *unit = 0;
  if (json->end - json->pos < 4)
    return FALSE;
  for (guint i = 0; i < 4; i++)
    {
      int digit = g_ascii_xdigit_value (*json->pos++);

      if (digit < 0)
        return FALSE;
      *unit = *unit * 16 + (guint) digit;
    }
  return TRUE;
}

/* Behind a backslash. */
static gboolean
read_escape (Json *json)
{
  static const char names[] = "bfnrtv";
  static const char meanings[] = "\b\f\n\r\t\v";
  char c = *json->pos++;
  const char *known = strchr (names, c);
  guint high;
  guint low;

  if (c != 'u')
    {
      g_string_append_c (json->word, known != NULL && c != '\0' ? meanings[known - names] : c);
      return TRUE;
    }
  if (!read_unicode (json, &high))
    return FALSE;
  if (high >= 0xd800 && high < 0xdc00 && json->end - json->pos >= 6 && json->pos[0] == '\\' && json->pos[1] == 'u')
    {
      json->pos += 2;
      if (!read_unicode (json, &low) || low < 0xdc00 || low > 0xdfff)
        return FALSE;
      high = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
    }
  g_string_append_unichar (json->word, high);
  return TRUE;
}

static gboolean
read_string (Json    *json,
             GError **error)
{
  const char quote = *json->pos++;

  g_string_truncate (json->word, 0);
  json->is_quoted = TRUE;
  while (json->pos < json->end && *json->pos != quote)
    {
      const char *at = json->pos++;

      if (*at != '\\')
        {
          g_string_append_c (json->word, *at);
        }
      else if (json->pos == json->end || !read_escape (json))
        {
          json->pos = at;
          return refuse_here (json, "Invalid escape sequence.", error);
        }
    }
  if (json->pos == json->end)
    return refuse_here (json, "Closing quote expected in string.", error);
  json->pos++;
  return TRUE;
}

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '$';
}

static gboolean
is_number (char c)
{
  return g_ascii_isdigit (c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

static void
take_while (Json     *json,
            gboolean (*is_part) (char c))
{
  const char *begin = json->pos;

  while (json->pos < json->end && is_part (*json->pos))
    json->pos++;
  g_string_truncate (json->word, 0);
  g_string_append_len (json->word, begin, json->pos - begin);
  json->is_quoted = FALSE;
}

static gboolean
read_key (Json    *json,
          GError **error)
{
  const char c = peek (json);

  if (c == '"' || c == '\'')
    return read_string (json, error);
  if (!g_ascii_isalpha (c) && c != '_' && c != '$')
    return refuse_missing (json, "Expected an object key or }.", error);
  take_while (json, is_word);
  return TRUE;
}

static gboolean
accept_null (Json *json)
{
  const char *word = "null";

  if (peek (json) != 'n' || (gsize) (json->end - json->pos) < strlen (word) || memcmp (json->pos, word, strlen (word)) != 0)
    return FALSE;
  json->pos += strlen (word);
  return TRUE;
}

/* A string, a number, true or false. */
static gboolean
read_scalar (Json    *json,
             GError **error)
{
  const char c = peek (json);

  if (c == '"' || c == '\'')
    return read_string (json, error);
  if (g_ascii_isdigit (c) || c == '-')
    {
      const char *begin = json->pos;

      take_while (json, is_number);
      json->held = json->pos == json->end ? begin : NULL;
      return TRUE;
    }
  if (c == 't' || c == 'f')
    {
      const char *begin = json->pos;

      take_while (json, is_word);
      if (strcmp (json->word->str, "true") == 0 || strcmp (json->word->str, "false") == 0)
        return TRUE;
      json->pos = begin;
    }
  return refuse_missing (json, "Expected a value.", error);
}

/* --- the text as a whole --------------------------------------------------------------------------------------------- */

static gboolean skip_value (Json *json, guint depth, GError **error);

static gboolean
skip_object (Json    *json,
             guint    depth,
             GError **error)
{
  while (!accept (json, '}'))
    {
      if (!read_key (json, error))
        return FALSE;
      if (!accept (json, ':'))
        return refuse_missing (json, "Expected : between key:value pair.", error);
      if (!skip_value (json, depth, error))
        return FALSE;
      if (!accept (json, ',') && peek (json) != '}')
        return refuse_missing (json, "Expected , or } after key:value pair.", error);
    }
  return TRUE;
}

/* TF: what is no JSON is told before anything that does not fit the message. */
static gboolean
skip_value (Json    *json,
            guint    depth,
            GError **error)
{
  if (depth >= FLOW_PROTO_MAX_DEPTH)
    return refuse_here (json, "Message too deep.", error);
  if (accept (json, '{'))
    return skip_object (json, depth + 1, error);
  if (!accept (json, '['))
    return accept_null (json) || read_scalar (json, error);
  while (!accept (json, ']'))
    {
      if (!skip_value (json, depth + 1, error))
        return FALSE;
      if (!accept (json, ',') && peek (json) != ']')
        return refuse_missing (json, "Expected , or ] after array value.", error);
    }
  return TRUE;
}

/* --- objects ------------------------------------------------------------------------------------------------------- */

typedef gboolean (*FieldFunc) (Json *json, const char *key, gpointer data, GError **error);

/* Each field of an object is asked of @func. */
static gboolean
read_object (Json       *json,
             const char *type,
             FieldFunc   func,
             gpointer    data,
             GError    **error)
{
  if (!accept (json, '{'))
    {
      if (peek (json) == '[')
        return refuse (error, "(%s): Proto field is not repeating, cannot start list.", json->path->str);
      return read_scalar (json, error) && refuse_value (json, type, error);
    }
  while (!accept (json, '}'))
    {
      g_autofree char *key = NULL;

      if (!read_key (json, error))
        return FALSE;
      key = g_strdup (json->word->str);
      if (!accept (json, ':'))
        return refuse_missing (json, "Expected : between key:value pair.", error);
      if (!func (json, key, data, error))
        return FALSE;
      if (!accept (json, ',') && peek (json) != '}')
        return refuse_missing (json, "Expected , or } after key:value pair.", error);
    }
  return TRUE;
}

static gboolean
refuse_key (Json        *json,
            const char  *key,
            GError     **error)
{
  if (json->path->len == 0)
    return refuse (error, "%s: Cannot find field.", key);
  return refuse (error, "(%s) %s: Cannot find field.", json->path->str, key);
}

/* --- values of a list ------------------------------------------------------------------------------------------------ */

static gboolean
put_float (Json *json)
{
  const char *text = json->word->str;
  char *end;
  double value;

  if (json->is_quoted && strcmp (text, "NaN") == 0)
    value = NAN;
  else if (json->is_quoted && (strcmp (text, "Infinity") == 0 || strcmp (text, "-Infinity") == 0))
    value = *text == '-' ? -INFINITY : INFINITY;
  else
    {
      if (!g_ascii_isdigit (*text) && *text != '-')
        return FALSE;
      value = g_ascii_strtod (text, &end);
      if (*end != '\0' || fabs (value) > FLT_MAX)
        return FALSE;
    }
  flow_proto_writer_add_float (&json->out, 1, (float) value);
  return TRUE;
}

/* A whole number may be written as one that is not. */
static gboolean
put_int (Json *json)
{
  const char *text = json->word->str;
  gint64 value;
  char *end;

  if (g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &value, NULL))
    {
      flow_proto_writer_add_int (&json->out, 1, value);
      return TRUE;
    }
  if (!json->is_quoted && (g_ascii_isdigit (*text) || *text == '-'))
    {
      const double number = g_ascii_strtod (text, &end);

      if (*end == '\0' && number >= -0x1p63 && number < 0x1p63 && number == trunc (number))
        {
          flow_proto_writer_add_int (&json->out, 1, (gint64) number);
          return TRUE;
        }
    }
  return FALSE;
}

/* Base64 of either alphabet, with or without its end. */
static gboolean
put_bytes (Json *json)
{
  g_autofree char *text = g_strdup (json->word->str);
  gsize length = strlen (text);
  g_autofree char *padded = NULL;
  g_autofree guchar *bytes = NULL;
  gsize size;

  while (length > 0 && text[length - 1] == '=')
    text[--length] = '\0';
  for (gsize i = 0; i < length; i++)
    {
      text[i] = text[i] == '-' ? '+' : text[i] == '_' ? '/' : text[i];
      if (!g_ascii_isalnum (text[i]) && text[i] != '+' && text[i] != '/')
        return FALSE;
    }
  if (length % 4 == 1 || !json->is_quoted)
    return FALSE;
  padded = g_strconcat (text, length % 4 == 2 ? "==" : length % 4 == 3 ? "=" : "", NULL);
  bytes = g_base64_decode (padded, &size);
  flow_proto_writer_add_bytes (&json->out, 1, bytes, size);
  return TRUE;
}

static gboolean
put_value (Json      *json,
           ListKind   kind,
           GError   **error)
{
  static const char *const types[] = { [LIST_BYTES] = "TYPE_BYTES", [LIST_FLOAT] = "TYPE_FLOAT", [LIST_INT64] = "TYPE_INT64" };
  gboolean ok;

  if (!read_scalar (json, error))
    return FALSE;
  if (!json->is_quoted && g_ascii_isalpha (*json->word->str))
    ok = FALSE;
  else
    ok = kind == LIST_BYTES ? put_bytes (json) : kind == LIST_FLOAT ? put_float (json) : put_int (json);
  return ok || refuse_value (json, types[kind], error);
}

/* Lists in the list are as if they were not there. */
static gboolean
read_values (Json      *json,
             ListKind   kind,
             guint     *n,
             guint      depth,
             GError   **error)
{
  const gsize length = json->path->len;

  if (!accept (json, '['))
    {
      if (accept_null (json))
        return TRUE;
      g_string_append_printf (json->path, "[%u]", (*n)++);
      if (!put_value (json, kind, error))
        return FALSE;
      g_string_truncate (json->path, length);
      return TRUE;
    }
  while (!accept (json, ']'))
    {
      if (depth >= FLOW_PROTO_MAX_DEPTH)
        return refuse_here (json, "Message too deep.", error);
      if (!read_values (json, kind, n, depth + 1, error))
        return FALSE;
      if (!accept (json, ',') && peek (json) != ']')
        return refuse_missing (json, "Expected , or ] after array value.", error);
    }
  return TRUE;
}

static gboolean
read_list_field (Json        *json,
                 const char  *key,
                 gpointer     data,
                 GError     **error)
{
  const gsize length = json->path->len;
  guint n = 0;

  if (strcmp (key, "value") != 0)
    return refuse_key (json, key, error);
  g_string_append (json->path, ".value");
  if (!read_values (json, *(const ListKind *) data, &n, 0, error))
    return FALSE;
  g_string_truncate (json->path, length);
  return TRUE;
}

/* --- features -------------------------------------------------------------------------------------------------------- */

/* @data says whether the feature has a list already. */
static gboolean
read_feature_field (Json        *json,
                    const char  *key,
                    gpointer     data,
                    GError     **error)
{
  static const struct {
    const char *json_name;
    const char *name;
    const char *type;
  } lists[] = {
    [LIST_BYTES] = { "bytesList", "bytes_list", "BytesList" },
    [LIST_FLOAT] = { "floatList", "float_list", "FloatList" },
    [LIST_INT64] = { "int64List", "int64_list", "Int64List" },
  };
  const gsize length = json->path->len;
  gboolean *is_set = data;
  ListKind kind = LIST_BYTES;
  g_autofree char *type = NULL;

  while (kind <= LIST_INT64 && strcmp (key, lists[kind].json_name) != 0 && strcmp (key, lists[kind].name) != 0)
    kind++;
  if (kind > LIST_INT64)
    return refuse_key (json, key, error);
  if (accept_null (json))
    return TRUE;
  if (*is_set)
    return refuse (error, "(%s): invalid value oneof field 'kind' is already set. Cannot set '%s' for type oneof",
                   json->path->str, key);
  *is_set = TRUE;
  type = g_strconcat ("type.googleapis.com/tensorflow.", lists[kind].type, NULL);
  g_string_append_printf (json->path, ".%s", lists[kind].name);
  flow_proto_writer_begin (&json->out, (guint32) kind);
  if (!read_object (json, type, read_list_field, &kind, error))
    return FALSE;
  flow_proto_writer_end (&json->out);
  g_string_truncate (json->path, length);
  return TRUE;
}

/* @data has the keys that are set. */
static gboolean
read_entry (Json        *json,
            const char  *key,
            gpointer     data,
            GError     **error)
{
  GHashTable *keys = data;
  const gsize length = json->path->len;
  gboolean is_set = FALSE;

  if (!g_hash_table_add (keys, g_strdup (key)))
    return refuse (error, "(%s[0]) %s: Repeated map key: '%s' is already set.", json->path->str, key, key);
  g_string_append_printf (json->path, "[%u].value", g_hash_table_size (keys) - 1);
  flow_proto_writer_begin (&json->out, 1);
  flow_proto_writer_add_string (&json->out, 1, key);
  if (!accept_null (json))
    {
      flow_proto_writer_begin (&json->out, 2);
      if (!read_object (json, "type.googleapis.com/tensorflow.Feature", read_feature_field, &is_set, error))
        return FALSE;
      flow_proto_writer_end (&json->out);
    }
  flow_proto_writer_end (&json->out);
  g_string_truncate (json->path, length);
  return TRUE;
}

static gboolean
read_features_field (Json        *json,
                     const char  *key,
                     gpointer     data,
                     GError     **error)
{
  const gsize length = json->path->len;

  if (strcmp (key, "feature") != 0)
    return refuse_key (json, key, error);
  if (accept_null (json))
    return TRUE;
  if (peek (json) == '[')
    return refuse (error, "(%s): invalid value Cannot bind a list to map for field 'feature'. for type Map", json->path->str);
  g_string_append (json->path, ".feature");
  if (!read_object (json, "Map", read_entry, data, error))
    return FALSE;
  g_string_truncate (json->path, length);
  return TRUE;
}

static gboolean
read_example_field (Json        *json,
                    const char  *key,
                    gpointer     data,
                    GError     **error)
{
  g_autoptr (GHashTable) keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (strcmp (key, "features") != 0)
    return refuse_key (json, key, error);
  if (accept_null (json))
    return TRUE;
  g_string_append (json->path, "features");
  flow_proto_writer_begin (&json->out, 1);
  if (!read_object (json, "type.googleapis.com/tensorflow.Features", read_features_field, keys, error))
    return FALSE;
  flow_proto_writer_end (&json->out);
  g_string_truncate (json->path, 0);
  return TRUE;
}

static gboolean
read_example (Json    *json,
              GError **error)
{
  Json whole = *json;

  if (!skip_value (&whole, 0, error))
    return FALSE;
  if (peek (&whole) != '\0')
    return refuse_here (&whole, "Parsing terminated before end of input.", error);
  if (peek (json) != '{')
    return refuse (error, ": Root element must be a message.");
  return read_object (json, "", read_example_field, NULL, error);
}

static gboolean
decode_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowTensor *input = flow_kernel_input (c, 0);
  FlowTensor *out = flow_kernel_allocate (c, 0, input->shape, error);

  if (out == NULL)
    return FALSE;
  for (gint64 i = 0; i < input->n_elements; i++)
    {
      const Text text = text_at (input, i);
      Json json = { .start = text.bytes, .pos = text.bytes, .end = text.bytes + text.length };
      g_autoptr (GString) path = g_string_new (NULL);
      g_autoptr (GString) word = g_string_new (NULL);
      g_autoptr (GBytes) bytes = NULL;

      json.path = path;
      json.word = word;
      flow_proto_writer_init (&json.out);
      if (!read_example (&json, error))
        {
          flow_proto_writer_clear (&json.out);
          return FALSE;
        }
      bytes = flow_proto_writer_finish (&json.out, error);
      if (bytes == NULL || !reserve_text (c, g_bytes_get_size (bytes), error))
        return FALSE;
      flow_tensor_take_string (out, i, g_steal_pointer (&bytes));
    }
  return TRUE;
}

static const FlowOpDef ops[] = {
  { .name = "DecodeJSONExample", .inputs = "json_examples: string", .outputs = "binary_examples: string", .attrs = "",
    .summary = "Examples from JSON", .family = FLOW_OP_FAMILY_IO, .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, decode_compute }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (json_example, ops)
