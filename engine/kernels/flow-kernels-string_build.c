/* flow-kernels-string_build.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Strings put together: from a template, from tokens, from segments; and bytes unpacked.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-segment-private.h"
#include "flow-string-private.h"
#include "flow-summarize-private.h"

#include <gio/gio.h>
#include <string.h>

/* --- StringNGrams ------------------------------------------------------------------------------------------------------------- */

static gboolean
ngrams_infer (FlowInferContext  *c,
              GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_set_output (c, 1, flow_infer_input (c, 1));
  return TRUE;
}

typedef struct {
  FlowKernelContext *c;
  FlowTensor *data;
  FlowTensor *splits;
  const char *separator;
  const char *left_pad;
  const char *right_pad;
  gint64 pad_width;
  FlowAttr *widths;
  gboolean keep_short;
  FlowTensor *out;
  gsize bytes;
} NGrams;

static gint64
pad_of (const NGrams *self,
        gint64        width)
{
  return MIN (self->pad_width < 0 ? width - 1 : self->pad_width, width - 1);
}

static gint64
count_of (const NGrams *self,
          gint64        length,
          gint64        width)
{
  return MAX (0, length + 2 * pad_of (self, width) - width + 1);
}

/* @n n-grams of the tokens from @first on, into cells from @to on. */
static gboolean
put_ngrams (NGrams  *self,
            gint64   first,
            gint64   length,
            gint64   to,
            gint64   n,
            gint64   width,
            GError **error)
{
  for (gint64 k = 0; k < n; k++)
    {
      gint64 pad = pad_of (self, width);
      gint64 left = MAX (0, pad - k);
      gint64 right = MAX (0, pad - (n - (k + 1)));
      gint64 tokens = width - (left + right);
      gint64 start = left > 0 ? 0 : k - pad;
      g_autoptr (GString) text = g_string_new (NULL);
      gsize expected = (gsize) left * (strlen (self->left_pad) + strlen (self->separator))
                       + (gsize) right * (strlen (self->right_pad) + strlen (self->separator));

      if (!reserve_text (self->c, self->bytes + expected, error))
        return FALSE;
      for (gint64 i = 0; i < left; i++)
        g_string_append_printf (text, "%s%s", self->left_pad, self->separator);
      for (gint64 i = 0; i < tokens && start + i < length; i++)
        {
          Text token = text_at (self->data, first + start + i);

          if (i > 0)
            g_string_append (text, self->separator);
          g_string_append_len (text, token.bytes, (gssize) token.length);
        }
      for (gint64 i = 0; i < right; i++)
        g_string_append_printf (text, "%s%s", self->separator, self->right_pad);
      self->bytes += text->len;
      put_text (self->out, to + k, text->str, text->len);
    }
  return TRUE;
}

static gboolean
check_splits (const NGrams  *self,
              GError       **error)
{
  gint64 n = self->splits->n_elements;

  /* TF: takes those that go back. */
  for (gint64 i = 0; i < 2 * n; i++)
    {
      gint64 split = flow_index_at (self->splits, i % n);
      gint64 least = i > n ? flow_index_at (self->splits, i % n - 1) : 0;

      if (split < least || split > self->data->n_elements)
        return _flow_refuse (error, "Invalid split value %" G_GINT64_FORMAT ", must be in [0,%" G_GINT64_FORMAT "]", split,
                             self->data->n_elements);
    }
  return TRUE;
}

static gint64
widths_of (const NGrams *self,
           gint64        length)
{
  gint64 n = 0;

  for (gsize w = 0; w < flow_attr_get_length (self->widths); w++)
    n += count_of (self, length, flow_attr_get_int (flow_attr_get_item (self->widths, w)));
  return self->keep_short && length > 0 && n == 0 ? 1 : n;
}

static gboolean
put_row (NGrams  *self,
         gint64   row,
         gint64   to,
         GError **error)
{
  gint64 first = flow_index_at (self->splits, row);
  gint64 length = flow_index_at (self->splits, row + 1) - first;
  gint64 at = to;

  for (gsize w = 0; w < flow_attr_get_length (self->widths); w++)
    {
      gint64 width = flow_attr_get_int (flow_attr_get_item (self->widths, w));
      gint64 n = count_of (self, length, width);

      if (!put_ngrams (self, first, length, at, n, width, error))
        return FALSE;
      at += n;
    }
  if (self->keep_short && at == to && length > 0)
    return put_ngrams (self, first, length, to, 1, length + 2 * MAX (self->pad_width, 0), error);
  return TRUE;
}

static gboolean
ngrams_compute (FlowKernelContext  *c,
                GError            **error)
{
  NGrams ngrams = {
    .c = c,
    .data = flow_kernel_input (c, 0),
    .splits = flow_kernel_input (c, 1),
    .separator = flow_kernel_attr_string (c, "separator"),
    .left_pad = flow_kernel_attr_string (c, "left_pad"),
    .right_pad = flow_kernel_attr_string (c, "right_pad"),
    .pad_width = flow_kernel_attr_int (c, "pad_width"),
    .widths = flow_kernel_attr (c, "ngram_widths"),
    .keep_short = flow_kernel_attr_bool (c, "preserve_short_sequences"),
  };
  FlowTensor *splits = flow_kernel_allocate (c, 1, ngrams.splits->shape, error);
  gint64 total = 0;

  if (splits == NULL || !check_splits (&ngrams, error))
    return FALSE;
  /* TF: looks at none where there are no rows. */
  for (gsize w = 0; splits->n_elements > 1 && w < flow_attr_get_length (ngrams.widths); w++)
    {
      gint64 width = flow_attr_get_int (flow_attr_get_item (ngrams.widths, w));

      if (width < 1 || width > G_MAXINT32 || ngrams.pad_width > G_MAXINT32)
        return _flow_refuse (error, "ngram_widths and pad_width must be small positive numbers, got %" G_GINT64_FORMAT, width);
    }
  for (gint64 i = 0; i < splits->n_elements; i++)
    {
      if (i > 0)
        total += widths_of (&ngrams, flow_index_at (ngrams.splits, i) - flow_index_at (ngrams.splits, i - 1));
      if (ngrams.data->n_elements == 0)
        total = 0;
      if (splits->dtype == FLOW_DTYPE_INT32)
        FLOW_WRITABLE (gint32, splits)[i] = (gint32) MIN (total, G_MAXINT32);
      else
        FLOW_WRITABLE (gint64, splits)[i] = total;
      FLOW_REQUIRE (total <= G_MAXINT32, error, RESOURCE_EXHAUSTED, "OOM when making n-grams");
    }
  ngrams.out = flow_kernel_allocate_dims (c, 0, 1, &total, error);
  if (ngrams.out == NULL)
    return FALSE;
  for (gint64 i = 0; total > 0 && i + 1 < splits->n_elements; i++)
    if (!put_row (&ngrams, i, flow_index_at (splits, i), error))
      return FALSE;
  return TRUE;
}

/* --- StringFormat ----------------------------------------------------------------------------------------------------------------- */

static gpointer
format_construct (FlowKernelConstruction  *c,
                  GError                 **error)
{
  const char *format = flow_attr_get_string (flow_construction_attr (c, "template"), NULL);
  const char *placeholder = flow_attr_get_string (flow_construction_attr (c, "placeholder"), NULL);
  GPtrArray *parts = g_ptr_array_new_with_free_func (g_free);

  /* TF: an empty placeholder is found nowhere. */
  while (*placeholder != '\0')
    {
      const char *next = strstr (format, placeholder);

      if (next == NULL)
        break;
      g_ptr_array_add (parts, g_strndup (format, (gsize) (next - format)));
      format = next + strlen (placeholder);
    }
  g_ptr_array_add (parts, g_strdup (format));
  if (parts->len == c->n_inputs + 1)
    return parts;
  _flow_refuse (error, "num placeholders in template and num inputs must match: %u vs. %u", parts->len - 1, c->n_inputs);
  g_ptr_array_unref (parts);
  return NULL;
}

static void
format_destruct (gpointer parts)
{
  g_ptr_array_unref (parts);
}

static gboolean
format_compute (FlowKernelContext  *c,
                GError            **error)
{
  const GPtrArray *parts = flow_kernel_data (c);
  gint64 n = flow_kernel_attr_int (c, "summarize");
  g_autoptr (GString) text = g_string_new (parts->pdata[0]);

  for (guint i = 0; i < c->n_inputs; i++)
    {
      _flow_summarize_v2 (text, flow_kernel_input (c, i), n);
      g_string_append (text, parts->pdata[i + 1]);
      if (!reserve_text (c, text->len, error))
        return FALSE;
    }
  flow_kernel_take_output (c, 0, flow_tensor_new_string (text->str, (gssize) text->len));
  return TRUE;
}

/* --- UnsortedSegmentJoin ------------------------------------------------------------------------------------------------------------ */

static gboolean
join_infer (FlowInferContext  *c,
            GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return _flow_segment_infer_unsorted (c, error);
}

static gboolean
check_join (const FlowTensor  *input,
            const FlowTensor  *ids,
            gint64             n_segments,
            GError           **error)
{
  if (FLOW_RANK (ids) == 0)
    return _flow_refuse (error, "Segment_id cannot have rank 0");
  if (FLOW_RANK (ids) > FLOW_RANK (input))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_OUT_OF_RANGE, "Invalid segment_id rank %d for input with %d dimension(s)",
                   FLOW_RANK (ids), FLOW_RANK (input));
      return FALSE;
    }
  /* TF: names the rank of the input here. */
  for (int d = 0; d < FLOW_RANK (ids); d++)
    if (FLOW_DIMS (ids)[d] != FLOW_DIMS (input)[d])
      return _flow_refuse (error, "Segment dimension is %" G_GINT64_FORMAT " while input dimension is %d in rank %d",
                           FLOW_DIMS (ids)[d], FLOW_RANK (input), d);
  for (gint64 i = 0; i < ids->n_elements; i++)
    if (flow_index_at (ids, i) < 0 || flow_index_at (ids, i) >= n_segments)
      return _flow_refuse (error, "segment_ids are not allowed to exceed num_segments or to have negative values.");
  return TRUE;
}

/* The next string of segment cell @i. TF: the separator stands only behind what is not empty. */
static void
append_part (GString    **cells,
             gint64       i,
             Text         part,
             const char  *separator)
{
  if (cells[i] == NULL)
    cells[i] = g_string_new (NULL);
  else if (cells[i]->len > 0)
    g_string_append (cells[i], separator);
  g_string_append_len (cells[i], part.bytes, (gssize) part.length);
}

static gboolean
join_compute (FlowKernelContext  *c,
              GError            **error)
{
  FlowTensor *input = flow_kernel_input (c, 0);
  FlowTensor *ids = flow_kernel_input (c, 1);
  FlowTensor *count = flow_kernel_input (c, 2);
  const char *separator = flow_kernel_attr_string (c, "separator");
  gint64 n_segments = count->n_elements == 1 ? flow_index_at (count, 0) : -1;
  g_autoptr (FlowShape) shape = NULL;
  GString **cells;
  FlowTensor *out;
  gint64 inner;

  FLOW_REQUIRE (count->n_elements == 1, error, INVALID_ARGUMENT, "Number of segments must be a scalar");
  if (!check_join (input, ids, n_segments, error))
    return FALSE;
  if (n_segments < 0)
    return _flow_refuse (error, "Number of segments must not be negative, but is %" G_GINT64_FORMAT, n_segments);
  shape = flow_shape_new_of_rank (1 + FLOW_RANK (input) - FLOW_RANK (ids));
  shape->dims[0] = n_segments;
  memcpy (shape->dims + 1, FLOW_DIMS (input) + FLOW_RANK (ids), sizeof (gint64) * (gsize) (shape->rank - 1));
  out = flow_kernel_allocate (c, 0, shape, error);
  if (out == NULL)
    return FALSE;
  cells = g_try_new0 (GString *, (gsize) MAX (out->n_elements, 1));
  FLOW_REQUIRE (cells != NULL, error, RESOURCE_EXHAUSTED, "OOM when joining strings");
  inner = ids->n_elements > 0 ? input->n_elements / ids->n_elements : 0;
  for (gint64 i = 0; i < input->n_elements; i++)
    append_part (cells, flow_index_at (ids, i / inner) * inner + i % inner, text_at (input, i), separator);
  for (gint64 i = 0; i < out->n_elements; i++)
    if (cells[i] != NULL)
      {
        put_text (out, i, cells[i]->str, cells[i]->len);
        g_string_free (cells[i], TRUE);
      }
  g_free (cells);
  return TRUE;
}

/* --- DecodeCompressed --------------------------------------------------------------------------------------------------------------- */

static gpointer
compression_construct (FlowKernelConstruction  *c,
                       GError                 **error)
{
  const char *type = flow_attr_get_string (flow_construction_attr (c, "compression_type"), NULL);

  if (*type == '\0' || g_str_equal (type, "ZLIB") || g_str_equal (type, "GZIP"))
    return g_strdup (type);
  _flow_refuse (error, "Only ZLIB, GZIP or NONE are supported compressions");
  return NULL;
}

/* zlib's words for what begins wrongly; @otherwise for what goes wrong behind it. */
static const char *
inflate_words (GZlibCompressorFormat  format,
               Text                   text,
               const char            *otherwise)
{
  const guint8 *b = (const guint8 *) text.bytes;

  if (text.length < 2)
    return otherwise;
  if (format == G_ZLIB_COMPRESSOR_FORMAT_GZIP)
    return b[0] != 0x1f || b[1] != 0x8b ? "incorrect header check"
           : text.length > 2 && b[2] != 8 ? "unknown compression method" : otherwise;
  if (format != G_ZLIB_COMPRESSOR_FORMAT_ZLIB)
    return otherwise;
  return (b[0] << 8 | b[1]) % 31 != 0 ? "incorrect header check"
         : (b[0] & 15) != 8 ? "unknown compression method"
         : (b[0] >> 4) > 7 ? "invalid window size" : otherwise;
}

/* A bomb of a few bytes may hold gigabytes: the budget is asked as it unfolds. */
static GBytes *
unfold (FlowKernelContext      *c,
        GZlibCompressorFormat   format,
        Text                    text,
        GError                **error)
{
  g_autoptr (GZlibDecompressor) inflate = g_zlib_decompressor_new (format);
  g_autoptr (GByteArray) all = g_byte_array_new ();
  guint8 buffer[16384];
  gsize at = 0;

  for (;;)
    {
      g_autoptr (GError) failure = NULL;
      gsize read = 0;
      gsize written = 0;
      GConverterResult result = g_converter_convert (G_CONVERTER (inflate), text.bytes + at, text.length - at, buffer,
                                                     sizeof buffer, G_CONVERTER_INPUT_AT_END, &read, &written, &failure);

      at += read;
      if (written > 0)
        g_byte_array_append (all, buffer, (guint) written);
      if (all->len > G_MAXINT32 || !reserve_text (c, all->len, error))
        {
          if (error != NULL && *error == NULL)
            g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "OOM when decompressing a string");
          return NULL;
        }
      if (result == G_CONVERTER_FINISHED)
        return g_byte_array_free_to_bytes (g_steal_pointer (&all));
      if (result == G_CONVERTER_ERROR)
        {
          /* TF: what is cut short gives what there is. */
          if (g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT))
            return g_byte_array_free_to_bytes (g_steal_pointer (&all));
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "inflate() failed with error -3: %s",
                       inflate_words (format, text, failure->message));
          return NULL;
        }
    }
}

static gboolean
compressed_compute (FlowKernelContext  *c,
                    GError            **error)
{
  const char *type = flow_kernel_data (c);
  FlowTensor *input = flow_kernel_input (c, 0);
  FlowTensor *out;

  if (*type == '\0')
    {
      flow_kernel_set_output (c, 0, input);
      return TRUE;
    }
  out = flow_kernel_allocate (c, 0, input->shape, error);
  for (gint64 i = 0; out != NULL && i < input->n_elements; i++)
    {
      GBytes *bytes = unfold (c, g_str_equal (type, "GZIP") ? G_ZLIB_COMPRESSOR_FORMAT_GZIP : G_ZLIB_COMPRESSOR_FORMAT_ZLIB,
                              text_at (input, i), error);

      if (bytes == NULL)
        return FALSE;
      flow_tensor_take_string (out, i, bytes);
    }
  return out != NULL;
}

/* --- DecodePaddedRaw --------------------------------------------------------------------------------------------------------------------- */

static gboolean
padded_infer (FlowInferContext  *c,
              GError           **error)
{
  const FlowShape *in = flow_infer_input (c, 0);
  FlowShape *out;
  gint64 length;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (in->rank == FLOW_RANK_UNKNOWN || in->rank >= FLOW_SHAPE_MAX_RANK)
    return flow_infer_unknown_shape (c, error);
  out = flow_shape_new_of_rank (in->rank + 1);
  memcpy (out->dims, in->dims, sizeof (gint64) * (gsize) in->rank);
  if (flow_infer_scalar_value (c, 1, &length) && length > 0)
    out->dims[in->rank] = length / (gint64) flow_dtype_size ((FlowDType) flow_infer_attr_dtype (c, "out_type"));
  flow_infer_take_output (c, 0, out);
  return TRUE;
}

static gboolean
padded_compute (FlowKernelContext  *c,
                GError            **error)
{
  FlowTensor *input = flow_kernel_input (c, 0);
  FlowTensor *length = flow_kernel_input (c, 1);
  FlowDType dtype = flow_dtype_base (flow_kernel_attr_dtype (c, "out_type"));
  gsize size = flow_dtype_size (dtype);
  g_autoptr (FlowShape) shape = NULL;
  FlowTensor *out;
  gint32 fixed;

  if (!flow_is_scalar (length))
    return _flow_refuse_shapes (error, length, NULL, "k must be scalar, got shape %s");
  fixed = FLOW_DATA (gint32, length)[0];
  if (fixed % (gint32) size != 0)
    return _flow_refuse (error, "fixed_length (%d) must be a multiple of the size of out_type (%d)", fixed, (int) size);
  if (fixed <= 0)
    return _flow_refuse (error, "fixed_length (%d) must be greater than zero.", fixed);
  if (FLOW_RANK (input) >= FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  shape = flow_shape_new_of_rank (FLOW_RANK (input) + 1);
  memcpy (shape->dims, FLOW_DIMS (input), sizeof (gint64) * (gsize) FLOW_RANK (input));
  shape->dims[FLOW_RANK (input)] = fixed / (gint32) size;
  out = flow_kernel_allocate (c, 0, shape, error);
  if (out == NULL)
    return FALSE;
  if (out->n_bytes > 0)
    memset (out->data, 0, out->n_bytes);
  for (gint64 i = 0; i < input->n_elements; i++)
    {
      Text text = text_at (input, i);

      if (text.length > 0)
        memcpy ((guint8 *) out->data + (gsize) i * (gsize) fixed, text.bytes, MIN (text.length, (gsize) fixed));
    }
  if (!flow_kernel_attr_bool (c, "little_endian"))
    for (gint64 i = 0; size > 1 && i < out->n_elements; i++)
      for (gsize k = 0; k < size / 2; k++)
        {
          guint8 *cell = (guint8 *) out->data + (gsize) i * size;
          guint8 kept = cell[k];

          cell[k] = cell[size - 1 - k];
          cell[size - 1 - k] = kept;
        }
  return TRUE;
}

/* --- the table ------------------------------------------------------------------------------------------------------- */

static const FlowOpDef ops[] = {
  { .name = "DecodeCompressed", .inputs = "bytes: string", .outputs = "output: string", .attrs = "compression_type: string = \"\"",
    .summary = "Strings decompressed", .family = FLOW_OP_FAMILY_IO, .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, compressed_compute, compression_construct, g_free }, { NULL } } },
  { .name = "DecodePaddedRaw", .inputs = "input_bytes: string; fixed_length: int32", .outputs = "output: out_type",
    .attrs = "out_type: {half, float, double, int32, uint16, uint8, int16, int8, int64}; little_endian: bool = true",
    .summary = "Numbers from the bytes of strings, filled up to one length", .family = FLOW_OP_FAMILY_IO, .infer = padded_infer,
    .kernels = (const FlowKernelDef[]) { { "out_type: double float int16 int32 int64 int8 uint16 uint8", padded_compute }, { NULL } } },
  { .name = "StringFormat", .inputs = "inputs: T", .outputs = "output: string",
    .attrs = "T: list(type) >= 0; template: string = \"%s\"; placeholder: string = \"%s\"; summarize: int = 3",
    .summary = "A text with tensors in it", .family = FLOW_OP_FAMILY_IO, .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, format_compute, format_construct, format_destruct }, { NULL } } },
  { .name = "StringNGrams", .inputs = "data: string; data_splits: Tsplits", .outputs = "ngrams: string; ngrams_splits: Tsplits",
    .attrs = "separator: string; ngram_widths: list(int) >= 0; left_pad: string; right_pad: string; pad_width: int; "
             "preserve_short_sequences: bool; Tsplits: {int32, int64} = DT_INT64",
    .summary = "Runs of neighbouring tokens", .family = FLOW_OP_FAMILY_IO, .infer = ngrams_infer,
    .kernels = (const FlowKernelDef[]) { { "Tsplits: int32 int64", ngrams_compute }, { NULL } } },
  { .name = "UnsortedSegmentJoin", .inputs = "inputs: string; segment_ids: Tindices; num_segments: Tnumsegments",
    .outputs = "output: string",
    .attrs = "separator: string = \"\"; Tindices: {int32, int64}; Tnumsegments: {int32, int64} = DT_INT32",
    .summary = "Strings of one segment joined", .family = FLOW_OP_FAMILY_IO, .infer = join_infer,
    .kernels = (const FlowKernelDef[]) { { "Tindices: int32 int64; Tnumsegments: int32 int64", join_compute }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (string_build, ops)
