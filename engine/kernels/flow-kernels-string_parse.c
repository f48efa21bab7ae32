/* flow-kernels-string_parse.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Patterns, base64, raw numbers and comma-separated values.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-string-private.h"

#include <string.h>

/* --- regular expressions ------------------------------------------------------------------------------------ */

/* TensorFlow's library takes time in proportion to the text, this one may not: a pattern that tries
 * more than this many ways fails. */
#define MATCH_LIMIT "(*LIMIT_MATCH=1000000)"

static GRegex *
compile (const char  *source,
         gsize        length,
         gboolean     whole,
         GError     **error)
{
  g_autoptr (GError) failure = NULL;
  g_autofree char *read = _flow_pattern_read (source != NULL ? source : "", length, error);
  g_autofree char *text = NULL;
  GRegex *pattern;

  if (read == NULL)
    return NULL;
  text = whole ? g_strconcat (MATCH_LIMIT "\\A(?:", read, ")\\z", NULL) : g_strconcat (MATCH_LIMIT, read, NULL);
  pattern = g_regex_new (text, G_REGEX_DOLLAR_ENDONLY | G_REGEX_DUPNAMES | G_REGEX_NEWLINE_LF, G_REGEX_MATCH_NEWLINE_LF, &failure);
  if (pattern == NULL)
    _flow_refuse (error, "Invalid pattern: %.*s, error: %s", (int) MIN (length, 200), source, failure->message);
  return pattern;
}

static gboolean
match_strings (FlowKernelContext *c,
               const GRegex      *pattern,
               GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *out = flow_kernel_allocate (c, 0, x->shape, error);

  if (out == NULL)
    return FALSE;
  for (gint64 i = 0; i < x->n_elements; i++)
    {
      Text text = text_at (x, i);
      g_autoptr (GError) failure = NULL;

      /* RE2: nothing matches a byte that belongs to no character. */
      FLOW_WRITABLE (guint8, out)[i] = _flow_utf8_span (text) == text.length
                                       && g_regex_match_full (pattern, text.length > 0 ? text.bytes : "",
                                                              (gssize) text.length, 0, 0, NULL, &failure);
      if (failure != NULL)
        return _flow_refuse (error, "Could not match: %s", failure->message);
    }
  return TRUE;
}

/* "\1" stands for what the first group matched. */
static void
append_rewrite (GString          *text,
                const GMatchInfo *info,
                Text              subject,
                Text              rewrite)
{
  for (gsize i = 0; i < rewrite.length; i++)
    {
      int begin;
      int end;

      if (rewrite.bytes[i] != '\\' || i + 1 == rewrite.length)
        {
          g_string_append_c (text, rewrite.bytes[i]);
          continue;
        }
      i++;
      if (!g_ascii_isdigit (rewrite.bytes[i]))
        g_string_append_c (text, rewrite.bytes[i]);
      else if (g_match_info_fetch_pos (info, rewrite.bytes[i] - '0', &begin, &end) && begin >= 0)
        g_string_append_len (text, subject.bytes + begin, end - begin);
    }
}

/* RE2: an empty match right behind another match does not count. *@n: how many matches may still be replaced. */
static gboolean
replace_piece (GString           *out,
               const GRegex      *pattern,
               Text               text,
               Text               rewrite,
               GRegexMatchFlags   flags,
               gint64            *n,
               GError           **error)
{
  g_autoptr (GMatchInfo) info = NULL;
  g_autoptr (GError) failure = NULL;
  int last = 0;
  gboolean any = FALSE;

  g_regex_match_full (pattern, text.length > 0 ? text.bytes : "", (gssize) text.length, 0, flags, &info, &failure);
  while (*n > 0 && failure == NULL && g_match_info_matches (info))
    {
      int begin = 0;
      int end = 0;

      g_match_info_fetch_pos (info, 0, &begin, &end);
      if (!any || begin != end || begin != last)
        {
          g_string_append_len (out, text.bytes + last, begin - last);
          append_rewrite (out, info, text, rewrite);
          last = end;
          any = TRUE;
          (*n)--;
        }
      g_match_info_next (info, &failure);
    }
  if (failure != NULL)
    return _flow_refuse (error, "Could not match: %s", failure->message);
  g_string_append_len (out, text.bytes + last, (gssize) text.length - last);
  return TRUE;
}

/* Between the bytes that belong to no character, which nothing matches. */
static gboolean
replace (GString        *out,
         const GRegex   *pattern,
         Text            text,
         Text            rewrite,
         gboolean        all,
         GError        **error)
{
  gint64 n = all ? G_MAXINT64 : 1;
  GRegexMatchFlags flags = 0;

  for (;;)
    {
      Text piece = { text.bytes, _flow_utf8_span (text) };
      gboolean ends = piece.length == text.length;

      if (!replace_piece (out, pattern, piece, rewrite, flags | (ends ? 0 : G_REGEX_MATCH_NOTEOL), &n, error))
        return FALSE;
      if (ends)
        return TRUE;
      g_string_append_c (out, text.bytes[piece.length]);
      text = (Text) { text.bytes + piece.length + 1, text.length - piece.length - 1 };
      flags = G_REGEX_MATCH_NOTBOL;
    }
}

static gboolean
replace_strings (FlowKernelContext *c,
                 const GRegex      *pattern,
                 Text               rewrite,
                 GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  gboolean all = flow_kernel_attr_bool (c, "replace_global");
  FlowTensor *out = flow_kernel_allocate (c, 0, x->shape, error);
  int n_groups = g_regex_get_capture_count (pattern);

  if (out == NULL)
    return FALSE;
  for (gsize i = 0; i + 1 < rewrite.length; i++)
    if (rewrite.bytes[i] == '\\' && g_ascii_isdigit (rewrite.bytes[i + 1]) && rewrite.bytes[i + 1] - '0' > n_groups)
      {
        /* TF: such a rewrite changes nothing. */
        for (gint64 k = 0; k < x->n_elements; k++)
          put_text (out, k, text_at (x, k).bytes, text_at (x, k).length);
        return TRUE;
      }
  for (gint64 i = 0; i < x->n_elements; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      if (!reserve_text (c, text_at (x, i).length * (rewrite.length + 1), error) ||
          !replace (text, pattern, text_at (x, i), rewrite, all, error))
        return FALSE;
      put_text (out, i, text->str, text->len);
    }
  return TRUE;
}

static gboolean
scalar_text (FlowTensor *t,
             const char *words,
             Text       *text,
             GError    **error)
{
  if (!flow_is_scalar (t))
    return _flow_refuse_shapes (error, t, NULL, words);
  *text = text_at (t, 0);
  return TRUE;
}

static gboolean
full_match_compute (FlowKernelContext *c,
                    GError           **error)
{
  g_autoptr (GRegex) pattern = NULL;
  Text source = { NULL, 0 };

  if (!scalar_text (flow_kernel_input (c, 1), "Pattern must be scalar, but received %s", &source, error))
    return FALSE;
  pattern = compile (source.bytes, source.length, TRUE, error);
  return pattern != NULL && match_strings (c, pattern, error);
}

static gboolean
regex_replace_compute (FlowKernelContext *c,
                       GError           **error)
{
  g_autoptr (GRegex) pattern = NULL;
  Text source = { NULL, 0 };
  Text rewrite = { NULL, 0 };

  if (!scalar_text (flow_kernel_input (c, 1), "Pattern must be scalar, but received %s", &source, error) ||
      !scalar_text (flow_kernel_input (c, 2), "Rewrite must be scalar, but received %s", &rewrite, error))
    return FALSE;
  pattern = compile (source.bytes, source.length, FALSE, error);
  return pattern != NULL && replace_strings (c, pattern, rewrite, error);
}

static gpointer
construct_pattern (FlowKernelConstruction *c,
                   gboolean                whole,
                   GError                **error)
{
  gsize length;
  const char *pattern = flow_attr_get_string (flow_construction_attr (c, "pattern"), &length);

  return compile (pattern, length, whole, error);
}

static gpointer
full_match_construct (FlowKernelConstruction *c,
                      GError                **error)
{
  return construct_pattern (c, TRUE, error);
}

static gpointer
replace_construct (FlowKernelConstruction *c,
                   GError                **error)
{
  return construct_pattern (c, FALSE, error);
}

static gboolean
static_full_match_compute (FlowKernelContext *c,
                           GError           **error)
{
  return match_strings (c, flow_kernel_data (c), error);
}

static gboolean
static_replace_compute (FlowKernelContext *c,
                        GError           **error)
{
  Text rewrite;

  rewrite.bytes = flow_attr_get_string (flow_kernel_attr (c, "rewrite"), &rewrite.length);
  return replace_strings (c, flow_kernel_data (c), rewrite, error);
}

static gboolean
replace_infer (FlowInferContext *c,
               GError          **error)
{
  flow_infer_set_output (c, 0, flow_infer_input (c, 0));
  return TRUE;
}

/* --- base64, of the alphabet that file names may have ---------------------------------------------------------- */

static gboolean
encode_base64_compute (FlowKernelContext *c,
                       GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  gboolean pad = flow_kernel_attr_bool (c, "pad");
  FlowTensor *out = flow_kernel_allocate (c, 0, x->shape, error);

  if (out == NULL)
    return FALSE;
  for (gint64 i = 0; i < x->n_elements; i++)
    {
      Text text = text_at (x, i);
      g_autofree char *encoded = NULL;
      gsize length;

      if (text.length == 0)
        continue;
      if (!reserve_text (c, text.length / 3 * 4 + 4, error))
        return FALSE;
      encoded = g_base64_encode ((const guchar *) text.bytes, text.length);
      length = strlen (encoded);
      for (gsize k = 0; k < length; k++)
        encoded[k] = encoded[k] == '+' ? '-' : encoded[k] == '/' ? '_' : encoded[k];
      while (!pad && length > 0 && encoded[length - 1] == '=')
        length--;
      put_text (out, i, encoded, length);
    }
  return TRUE;
}

static gboolean
append_plain (GString    *plain,
              const char *bytes,
              gsize       n)
{
  for (gsize k = 0; k < n; k++)
    {
      if (!g_ascii_isalnum (bytes[k]) && bytes[k] != '-' && bytes[k] != '_')
        return FALSE;
      g_string_append_c (plain, bytes[k] == '-' ? '+' : bytes[k] == '_' ? '/' : bytes[k]);
    }
  return TRUE;
}

/* In the order of TensorFlow's complaints: what comes before the last four characters, their number, themselves. */
static gboolean
decode_base64 (Text      text,
               GString  *plain,
               GError  **error)
{
  gsize head = text.length > 0 ? (text.length - 1) / 4 * 4 : 0;
  gsize n = text.length;

  if (!append_plain (plain, text.bytes, head))
    return _flow_refuse (error, "Invalid character found in base64.");
  if (n - head == 4 && text.bytes[n - 1] == '=')
    n -= text.bytes[n - 2] == '=' ? 2 : 1;
  if (n - head == 1)
    return _flow_refuse (error, "Base64 string length cannot be 1 modulo 4.");
  if (!append_plain (plain, text.bytes + head, n - head))
    return _flow_refuse (error, "Invalid character found in base64.");
  for (; n % 4 != 0; n++)
    g_string_append_c (plain, '=');
  return TRUE;
}

static gboolean
decode_base64_compute (FlowKernelContext *c,
                       GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *out = flow_kernel_allocate (c, 0, x->shape, error);

  if (out == NULL)
    return FALSE;
  for (gint64 i = 0; i < x->n_elements; i++)
    {
      g_autoptr (GString) plain = g_string_new (NULL);
      g_autofree guchar *decoded = NULL;
      gsize length;

      if (!decode_base64 (text_at (x, i), plain, error))
        return FALSE;
      decoded = g_base64_decode (plain->str, &length);
      put_text (out, i, (const char *) decoded, length);
    }
  return TRUE;
}

/* --- DecodeRaw -------------------------------------------------------------------------------------------------- */

static gboolean
decode_raw_infer (FlowInferContext *c,
                  GError          **error)
{
  g_autoptr (FlowShape) unknown = flow_shape_new_vector (FLOW_DIM_UNKNOWN);
  g_autoptr (FlowShape) out = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_concatenate (c, flow_infer_input (c, 0), unknown, &out, error))
    return FALSE;
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

/* Turns every number of @size bytes around. */
static void
swap_bytes (guint8 *data,
            gsize   n_bytes,
            gsize   size)
{
  for (gsize i = 0; i + size <= n_bytes; i += size)
    for (gsize k = 0; k < size / 2; k++)
      {
        guint8 byte = data[i + k];

        data[i + k] = data[i + size - 1 - k];
        data[i + size - 1 - k] = byte;
      }
}

static gboolean
decode_raw_compute (FlowKernelContext *c,
                    GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  int dtype = flow_dtype_base (c->output_dtypes[0]);
  gsize size = flow_dtype_size (dtype);
  gsize length = x->n_elements > 0 ? text_at (x, 0).length : 0;
  gint64 dims[FLOW_SHAPE_MAX_RANK + 1];
  FlowTensor *out;

  for (gint64 i = 1; i < x->n_elements; i++)
    if (text_at (x, i).length != length)
      return _flow_refuse (error, "DecodeRaw requires input strings to all be the same size, but element %"
                           G_GINT64_FORMAT " has size %" G_GSIZE_FORMAT " != %" G_GSIZE_FORMAT, i,
                           length, text_at (x, i).length);
  if (length % size != 0)
    return _flow_refuse (error, "Input to DecodeRaw has length %" G_GSIZE_FORMAT " that is not a multiple of %"
                         G_GSIZE_FORMAT ", the size of %s", length, size, flow_dtype_string (dtype));
  if (FLOW_RANK (x) >= FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  memcpy (dims, FLOW_DIMS (x), sizeof (gint64) * (gsize) FLOW_RANK (x));
  dims[FLOW_RANK (x)] = (gint64) (length / size);
  out = flow_kernel_allocate_dims (c, 0, FLOW_RANK (x) + 1, dims, error);
  if (out == NULL)
    return FALSE;
  for (gint64 i = 0; i < x->n_elements && length > 0; i++)
    memcpy ((char *) out->data + (gsize) i * length, text_at (x, i).bytes, length);
  if (dtype == FLOW_DTYPE_BOOL)
    for (gint64 i = 0; i < out->n_elements; i++)
      FLOW_WRITABLE (guint8, out)[i] = FLOW_WRITABLE (guint8, out)[i] != 0;
  /* TF: a complex number is turned round as a whole. */
  if (!flow_kernel_attr_bool (c, "little_endian"))
    swap_bytes (out->data, out->n_bytes, size);
  return TRUE;
}

/* --- DecodeCSV -------------------------------------------------------------------------------------------------- */

typedef struct {
  char delimiter;
  gboolean quotes;
  FlowAttr *columns;           /* those that count; empty: all */
} CsvFormat;

static gboolean
is_wanted (const CsvFormat *format,
           gsize            n_parsed,
           gsize            n_taken)
{
  gsize n = flow_attr_get_length (format->columns);

  return n == 0 || (n_taken < n && flow_attr_get_int (flow_attr_get_item (format->columns, n_taken)) == (gint64) n_parsed);
}

/* Reads a field from @at on and goes behind its delimiter. */
static gboolean
read_field (const CsvFormat *format,
            Text             record,
            gsize           *at,
            GString         *field,
            GError         **error)
{
  gsize i = *at;
  gsize n = record.length;
  const char *s = record.bytes;

  if (!format->quotes || s[i] != '"')
    {
      for (; i < n && s[i] != format->delimiter; i++)
        {
          if ((format->quotes && s[i] == '"') || s[i] == '\n' || s[i] == '\r')
            return _flow_refuse (error, "Unquoted fields cannot have quotes/CRLFs inside");
          g_string_append_c (field, s[i]);
        }
      *at = i + 1;
      return TRUE;
    }
  for (i++; i + 1 < n && (s[i] != '"' || s[i + 1] != format->delimiter);)
    {
      if (s[i] == '"')
        {
          if (s[i + 1] != '"')
            return _flow_refuse (error, "Quote inside a string has to be escaped by another quote");
          i++;
        }
      g_string_append_c (field, s[i++]);
    }
  if (i >= n || s[i] != '"' || (i + 1 < n && s[i + 1] != format->delimiter))
    return _flow_refuse (error, "Quoted field has to end with quote followed by delim or end");
  *at = i + 2;
  return TRUE;
}

static GPtrArray *
read_record (const CsvFormat *format,
             Text             record,
             GError         **error)
{
  GPtrArray *fields = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  gsize n_columns = flow_attr_get_length (format->columns);
  gsize n_parsed = 0;
  gsize at = 0;

  while (at < record.length)
    {
      g_autoptr (GString) field = NULL;

      if (record.bytes[at] == '\n' || record.bytes[at] == '\r')
        {
          at++;
          continue;
        }
      field = g_string_new (NULL);
      if (!read_field (format, record, &at, field, error))
        {
          g_ptr_array_unref (fields);
          return NULL;
        }
      if (is_wanted (format, n_parsed, fields->len))
        g_ptr_array_add (fields, g_bytes_new (field->str, field->len));
      n_parsed++;
      if (n_columns > 0 && fields->len == n_columns)
        return fields;
    }
  /* TF: a delimiter at the end has an empty field behind it. */
  if (record.length > 0 && record.bytes[record.length - 1] == format->delimiter &&
      is_wanted (format, n_parsed, fields->len))
    g_ptr_array_add (fields, g_bytes_new_static ("", 0));
  return fields;
}

static gboolean
put_field (FlowKernelContext *c,
           guint              f,
           gint64             i,
           GBytes            *field,
           locale_t           locale,
           GError           **error)
{
  FlowTensor *out = c->outputs[f].tensor;
  FlowTensor *missing = flow_kernel_input (c, f + 1);
  gsize n_na;
  const char *na = flow_attr_get_string (flow_kernel_attr (c, "na_value"), &n_na);
  gsize cell = _flow_cell_size (out->dtype);
  Text text;

  text.bytes = g_bytes_get_data (field, &text.length);
  if (text.length == 0 || (text.length == n_na && memcmp (text.bytes, na, n_na) == 0))
    {
      if (missing->n_elements != 1)
        return _flow_refuse (error, "Field %u is required but missing in record %" G_GINT64_FORMAT "!", f, i);
      _flow_replace_cells (out->dtype, (char *) out->data + (gsize) i * cell, missing->data, 1);
      return TRUE;
    }
  if (out->dtype == FLOW_DTYPE_STRING)
    {
      put_text (out, i, text.bytes, text.length);
      return TRUE;
    }
  if (!_flow_put_number (out, i, text, locale))
    {
      g_autofree char *shown = flow_escape_display (text.bytes, (gssize) text.length, 200);

      return _flow_refuse (error, "Field %u in record %" G_GINT64_FORMAT " is not a valid %s: %s", f, i,
                           flow_dtype_string (out->dtype), shown);
    }
  return TRUE;
}

static gboolean
decode_csv_rows (FlowKernelContext *c,
                 const CsvFormat   *format,
                 locale_t           locale,
                 GError           **error)
{
  FlowTensor *records = flow_kernel_input (c, 0);

  for (gint64 i = 0; i < records->n_elements; i++)
    {
      g_autoptr (GPtrArray) fields = read_record (format, text_at (records, i), error);

      if (fields == NULL)
        return FALSE;
      if (fields->len != c->n_outputs)
        return _flow_refuse (error, "Expect %u fields but have %u in record %" G_GINT64_FORMAT, c->n_outputs,
                             fields->len, i);
      for (guint f = 0; f < c->n_outputs; f++)
        if (!put_field (c, f, i, fields->pdata[f], locale, error))
          return FALSE;
    }
  return TRUE;
}

static gboolean
decode_csv_infer (FlowInferContext *c,
                  GError          **error)
{
  for (guint i = 0; i < c->n_outputs; i++)
    flow_infer_set_output (c, i, flow_infer_input (c, 0));
  return TRUE;
}

static gpointer
decode_csv_construct (FlowKernelConstruction *c,
                      GError                **error)
{
  gsize length;
  const char *delimiter = flow_attr_get_string (flow_construction_attr (c, "field_delim"), &length);
  FlowAttr *columns = flow_construction_attr (c, "select_cols");
  CsvFormat *format;

  if (length != 1)
    return _flow_refuse (error, "field_delim should be only 1 char"), NULL;
  for (gsize i = 1; i < flow_attr_get_length (columns); i++)
    if (flow_attr_get_int (flow_attr_get_item (columns, i)) <= flow_attr_get_int (flow_attr_get_item (columns, i - 1)))
      return _flow_refuse (error, "select_cols should be strictly increasing indices"), NULL;
  if (flow_attr_get_length (columns) > 0 && flow_attr_get_int (flow_attr_get_item (columns, 0)) < 0)
    return _flow_refuse (error, "select_cols should be non-negative indices"), NULL;
  format = g_new0 (CsvFormat, 1);
  format->delimiter = *delimiter;
  format->quotes = flow_attr_get_bool (flow_construction_attr (c, "use_quote_delim"));
  format->columns = flow_attr_ref (columns);
  return format;
}

static void
csv_destruct (gpointer pointer)
{
  flow_attr_unref (((CsvFormat *) pointer)->columns);
  g_free (pointer);
}

static gboolean
decode_csv_compute (FlowKernelContext *c,
                    GError           **error)
{
  FlowTensor *records = flow_kernel_input (c, 0);
  locale_t locale;
  gboolean ok;

  for (guint i = 0; i < c->n_outputs; i++)
    {
      FlowTensor *missing = flow_kernel_input (c, i + 1);

      if (FLOW_RANK (missing) > 1)
        return _flow_refuse (error, "Shape of a default must be a length-0 or length-1 vector, or a scalar.");
      if (missing->n_elements > 1)
        return _flow_refuse (error, "There should only be 1 default per field but field %u has %" G_GINT64_FORMAT, i,
                             missing->n_elements);
    }
  for (guint i = 0; i < c->n_outputs; i++)
    if (flow_kernel_allocate (c, i, records->shape, error) == NULL)
      return FALSE;
  locale = newlocale (LC_ALL_MASK, "C", (locale_t) 0);
  ok = decode_csv_rows (c, flow_kernel_data (c), locale, error);
  freelocale (locale);
  return ok;
}

static const FlowOpDef ops[] = {
  {
    .name = "DecodeBase64",
    .inputs = "input: string",
    .outputs = "output: string",
    .summary = "The bytes that base64 stands for",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, decode_base64_compute }, { NULL } },
  },
  {
    .name = "DecodeCSV",
    .inputs = "records: string; record_defaults: OUT_TYPE",
    .outputs = "output: OUT_TYPE",
    .attrs = "OUT_TYPE: list({float, double, int32, int64, string}) >= 1; field_delim: string = "
             "\",\"; use_quote_delim: bool = true; na_value: string = \"\"; select_cols: "
             "list(int) = []",
    .summary = "Comma-separated values as columns",
    .family = FLOW_OP_FAMILY_IO,
    .infer = decode_csv_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, decode_csv_compute, decode_csv_construct, csv_destruct }, { NULL } },
  },
  {
    .name = "DecodeRaw",
    .inputs = "bytes: string",
    .outputs = "output: out_type",
    .attrs = "out_type: {half, float, double, int32, uint16, uint8, int16, int8, int64, "
             "complex64, complex128, bool}; little_endian: bool = true",
    .summary = "The bytes of strings as numbers",
    .family = FLOW_OP_FAMILY_IO,
    .infer = decode_raw_infer,
    .kernels = (const FlowKernelDef[]) {
      { "out_type: half float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool",
        decode_raw_compute },
      { NULL },
    },
  },
  {
    .name = "EncodeBase64",
    .inputs = "input: string",
    .outputs = "output: string",
    .attrs = "pad: bool = false",
    .summary = "Bytes as base64",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, encode_base64_compute }, { NULL } },
  },
  {
    .name = "RegexFullMatch",
    .inputs = "input: string; pattern: string",
    .outputs = "output: bool",
    .summary = "Whether strings match a pattern as a whole",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, full_match_compute }, { NULL } },
  },
  {
    .name = "RegexReplace",
    .inputs = "input: string; pattern: string; rewrite: string",
    .outputs = "output: string",
    .attrs = "replace_global: bool = true",
    .summary = "Strings with what matches a pattern rewritten",
    .family = FLOW_OP_FAMILY_IO,
    .infer = replace_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, regex_replace_compute }, { NULL } },
  },
  {
    .name = "StaticRegexFullMatch",
    .inputs = "input: string",
    .outputs = "output: bool",
    .attrs = "pattern: string",
    .summary = "Whether strings match a pattern as a whole",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, static_full_match_compute, full_match_construct, (GDestroyNotify) g_regex_unref }, { NULL } },
  },
  {
    .name = "StaticRegexReplace",
    .inputs = "input: string",
    .outputs = "output: string",
    .attrs = "pattern: string; rewrite: string; replace_global: bool = true",
    .summary = "Strings with what matches a pattern rewritten",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, static_replace_compute, replace_construct, (GDestroyNotify) g_regex_unref }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (string_parse, ops)
