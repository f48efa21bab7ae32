/* flow-kernels-string_unicode.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Strings as code points and back. What is not well formed is replaced, left out or refused: each longest piece that
 * could have begun a character is one error.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-encoding-private.h"
#include "flow-string-private.h"

#include <string.h>

typedef enum {
  ERRORS_STRICT,
  ERRORS_REPLACE,
  ERRORS_IGNORE,
} Errors;

typedef struct {
  FlowEncoding *input;
  FlowEncoding *output;
  Errors errors;
  gunichar replacement;
  gboolean replace_controls;
} Options;

/* --- what the attrs ask --------------------------------------------------------------------------------------------------- */

static void
options_free (gpointer data)
{
  Options *options = data;

  _flow_encoding_free (options->input);
  _flow_encoding_free (options->output);
  g_free (options);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Options, options_free)

static gpointer
options_construct (FlowKernelConstruction  *c,
                   GError                 **error)
{
  g_autoptr (Options) options = g_new0 (Options, 1);
  FlowAttr *input = flow_construction_attr (c, "input_encoding");
  FlowAttr *output = flow_construction_attr (c, "output_encoding");
  FlowAttr *controls = flow_construction_attr (c, "replace_control_characters");
  const char *errors = flow_attr_get_string (flow_construction_attr (c, "errors"), NULL);
  gint64 replacement = flow_attr_get_int (flow_construction_attr (c, "replacement_char"));

  options->errors = g_str_equal (errors, "strict") ? ERRORS_STRICT : g_str_equal (errors, "ignore") ? ERRORS_IGNORE : ERRORS_REPLACE;
  options->replace_controls = controls != NULL && flow_attr_get_bool (controls);
  if (replacement < 0 || replacement > 0x10ffff)
    {
      _flow_refuse (error, "replacement_char out of unicode codepoint range");
      return NULL;
    }
  options->replacement = (gunichar) replacement;
  if (input != NULL && (options->input = _flow_encoding_new (flow_attr_get_string (input, NULL))) == NULL)
    {
      _flow_refuse (error, "Could not create converter for input encoding: %s", flow_attr_get_string (input, NULL));
      return NULL;
    }
  if (output != NULL && (options->output = _flow_encoding_new (flow_attr_get_string (output, NULL))) == NULL)
    {
      _flow_refuse (error, "Could not create converter for output encoding: %s", flow_attr_get_string (output, NULL));
      return NULL;
    }
  return g_steal_pointer (&options);
}

/* --- one character ------------------------------------------------------------------------------------------------------------ */

typedef enum {
  TAKE,
  LEAVE_OUT,
  REFUSE,
} Verdict;

static Verdict
judge (const Options *options,
       gunichar      *c,
       gboolean       bad)
{
  if (!bad && !(options->replace_controls && *c <= 0x1f))
    return TAKE;
  if (options->errors == ERRORS_STRICT)
    return REFUSE;
  *c = options->replacement;
  return options->errors == ERRORS_IGNORE ? LEAVE_OUT : TAKE;
}

/* --- UnicodeTranscode ----------------------------------------------------------------------------------------------------------- */

static gboolean
transcode_compute (FlowKernelContext  *c,
                   GError            **error)
{
  const Options *options = flow_kernel_data (c);
  FlowTensor *input = flow_kernel_input (c, 0);
  FlowTensor *out = flow_kernel_allocate (c, 0, input->shape, error);
  g_autoptr (GString) result = g_string_new (NULL);

  for (gint64 i = 0; out != NULL && i < input->n_elements; i++)
    {
      Text text = text_at (input, i);
      gsize step;

      if (!reserve_text (c, 4 * text.length, error))
        return FALSE;
      g_string_truncate (result, 0);
      for (gsize at = 0; at < text.length; at += step)
        {
          gunichar character = 0;
          gboolean bad;
          Verdict verdict;

          step = _flow_encoding_next (options->input, text, at, &character, &bad);
          verdict = judge (options, &character, bad);
          if (verdict == REFUSE)
            return _flow_refuse (error, "Invalid formatting on input string");
          if (verdict == TAKE)
            _flow_encoding_append (options->output, result, character);
        }
      put_text (out, i, result->str, result->len);
    }
  return out != NULL;
}

/* --- UnicodeDecode ----------------------------------------------------------------------------------------------------------------- */

static gboolean
decode_infer (FlowInferContext  *c,
              GError           **error)
{
  gint64 n;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_shape_n_elements (flow_infer_input (c, 0), &n))
    n = FLOW_DIM_UNKNOWN;
  flow_infer_take_output (c, 0, flow_shape_new_vector (n < 0 ? n : n + 1));
  for (guint i = 1; i < c->n_outputs; i++)
    flow_infer_take_output (c, i, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return TRUE;
}

/* Characters of string @i: counted, and written where @values is given. */
static gboolean
decode_one (const Options  *options,
            Text            text,
            gint32         *values,
            gint64         *starts,
            gint64         *count,
            GError        **error)
{
  gsize step;

  *count = 0;
  for (gsize at = 0; at < text.length; at += step)
    {
      gunichar character = 0;
      gboolean bad;
      Verdict verdict;

      step = _flow_encoding_next (options->input, text, at, &character, &bad);
      verdict = judge (options, &character, bad);
      if (verdict == REFUSE && bad)
        return _flow_refuse (error, "Invalid formatting on input string");
      /* TF: a control character is no error here, only in UnicodeTranscode. */
      if (verdict == REFUSE)
        character = options->replacement;
      if (verdict == LEAVE_OUT)
        continue;
      if (values != NULL)
        values[*count] = (gint32) character;
      if (starts != NULL)
        starts[*count] = (gint64) at;
      (*count)++;
    }
  return TRUE;
}

static gboolean
decode_compute (FlowKernelContext  *c,
                GError            **error)
{
  const Options *options = flow_kernel_data (c);
  FlowTensor *input = flow_kernel_input (c, 0);
  FlowTensor *splits = flow_kernel_allocate_dims (c, 0, 1, (gint64[]) { input->n_elements + 1 }, error);
  FlowTensor *values;
  FlowTensor *starts = NULL;
  gint64 total = 0;
  gint64 count;

  for (gint64 i = 0; splits != NULL && i <= input->n_elements; i++)
    {
      if (splits->dtype == FLOW_DTYPE_INT32)
        FLOW_WRITABLE (gint32, splits)[i] = (gint32) total;
      else
        FLOW_WRITABLE (gint64, splits)[i] = total;
      if (i < input->n_elements && !decode_one (options, text_at (input, i), NULL, NULL, &count, error))
        return FALSE;
      total += i < input->n_elements ? count : 0;
      FLOW_REQUIRE (total <= G_MAXINT32, error, RESOURCE_EXHAUSTED, "OOM when decoding strings");
    }
  values = splits != NULL ? flow_kernel_allocate_dims (c, 1, 1, &total, error) : NULL;
  if (values == NULL || (c->n_outputs > 2 && (starts = flow_kernel_allocate_dims (c, 2, 1, &total, error)) == NULL))
    return FALSE;
  for (gint64 i = 0; i < input->n_elements; i++)
    {
      gint64 at = flow_index_at (splits, i);

      if (!decode_one (options, text_at (input, i), FLOW_WRITABLE (gint32, values) + at,
                       starts != NULL ? FLOW_WRITABLE (gint64, starts) + at : NULL, &count, error))
        return FALSE;
    }
  return TRUE;
}

/* --- UnicodeEncode ------------------------------------------------------------------------------------------------------------------ */

static gboolean
encode_infer (FlowInferContext  *c,
              GError           **error)
{
  const FlowShape *splits = flow_infer_input (c, 1);

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_vector (splits->rank == 1 && splits->dims[0] > 0 ? splits->dims[0] - 1
                                                                                                : FLOW_DIM_UNKNOWN));
  return TRUE;
}

/* TF: walks on from where the row before ended, so the first split is taken for 0 and a smaller one makes an empty row. */
static gboolean
check_splits (const FlowTensor  *values,
              const FlowTensor  *splits,
              GError           **error)
{
  if (!flow_is_vector (splits) || splits->n_elements == 0)
    return _flow_refuse_shapes (error, splits, NULL, "input_splits must be a vector with at least one element, got shape %s");
  for (gint64 i = 1; i < splits->n_elements; i++)
    if (flow_index_at (splits, i) > values->n_elements)
      return _flow_refuse (error, "Values in input_splits must be less than or equal to input_tensor length.");
  return TRUE;
}

static gboolean
encode_compute (FlowKernelContext  *c,
                GError            **error)
{
  const Options *options = flow_kernel_data (c);
  FlowTensor *values = flow_kernel_input (c, 0);
  FlowTensor *splits = flow_kernel_input (c, 1);
  g_autoptr (GString) result = g_string_new (NULL);
  gint64 k = 0;
  FlowTensor *out;

  if (!check_splits (values, splits, error))
    return FALSE;
  out = flow_kernel_allocate_dims (c, 0, 1, (gint64[]) { splits->n_elements - 1 }, error);
  for (gint64 i = 0; out != NULL && i < out->n_elements; i++)
    {
      g_string_truncate (result, 0);
      for (; k < flow_index_at (splits, i + 1); k++)
        {
          gint32 value = FLOW_DATA (gint32, values)[k];
          gunichar character = (gunichar) value;
          Verdict verdict = judge (options, &character, value < 0 || value > 0x10ffff);

          if (verdict == REFUSE)
            return _flow_refuse (error, "Code point value out of valid Unicode range.");
          if (verdict == TAKE)
            _flow_encoding_append (options->output, result, character);
        }
      put_text (out, i, result->str, result->len);
    }
  return out != NULL;
}

/* --- UnicodeScript -------------------------------------------------------------------------------------------------------------------- */

/* GUnicodeScript to the numbers of ICU that TensorFlow gives; scripts that its ICU did not know are unknown (103). */
static const guint8 scripts[] = {
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
  24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
  48, 50, 51, 49, 52, 53, 59, 55, 56, 60, 58, 61, 57, 103, 62, 101, 91, 90, 87, 79, 82, 110, 113, 111,
  66, 109, 99, 104, 107, 108, 117, 130, 71, 116, 122, 125, 78, 120, 131, 115, 133, 88, 126, 106, 127, 63, 65, 84,
  118, 141, 86, 92, 151, 152, 153, 134, 159, 135, 136, 137, 157, 145, 83, 160, 121, 140, 163, 149, 143, 142, 89, 75,
  144, 165, 123, 166, 158, 146, 161, 156, 162, 164, 76, 112, 167, 168, 169, 170, 171, 154, 175, 150, 176, 177, 178, 179,
  182, 180, 181, 184, 183,
};
#define UNKNOWN_SCRIPT 103

static gboolean
script_compute (FlowKernelContext  *c,
                GError            **error)
{
  FlowTensor *input = flow_kernel_input (c, 0);
  FlowTensor *out = flow_kernel_forward_or_allocate (c, 0, 0, input->shape, error);

  for (gint64 i = 0; out != NULL && i < input->n_elements; i++)
    {
      gint32 value = FLOW_DATA (gint32, input)[i];
      int script = value >= 0 && value <= 0x10ffff ? (int) g_unichar_get_script ((gunichar) value) : -1;

      if (script < 0)
        FLOW_WRITABLE (gint32, out)[i] = value >= 0 && value <= 0x10ffff ? UNKNOWN_SCRIPT : -1;
      else
        FLOW_WRITABLE (gint32, out)[i] = script < (int) G_N_ELEMENTS (scripts) ? scripts[script] : UNKNOWN_SCRIPT;
    }
  return out != NULL;
}

#define ERRORS "errors: {'strict', 'replace', 'ignore'} = \"replace\""
#define DECODE_ATTRS "input_encoding: string; " ERRORS "; replacement_char: int = 65533; "         \
                     "replace_control_characters: bool = false; Tsplits: {int32, int64} = DT_INT64"
#define UNICODE_OP(op, in, out, attr, infer_func, types, compute, text)                             \
  { .name = op, .inputs = in, .outputs = out, .attrs = attr, .summary = text,                       \
    .family = FLOW_OP_FAMILY_IO, .infer = infer_func,                                               \
    .kernels = (const FlowKernelDef[]) { { types, compute, options_construct, options_free }, { NULL } } }

static const FlowOpDef ops[] = {
  UNICODE_OP ("UnicodeDecode", "input: string", "row_splits: Tsplits; char_values: int32", DECODE_ATTRS, decode_infer,
              "Tsplits: int32 int64", decode_compute, "Strings as code points"),
  UNICODE_OP ("UnicodeDecodeWithOffsets", "input: string",
              "row_splits: Tsplits; char_values: int32; char_to_byte_starts: int64", DECODE_ATTRS, decode_infer,
              "Tsplits: int32 int64", decode_compute, "Strings as code points, and where each begins"),
  UNICODE_OP ("UnicodeEncode", "input_values: int32; input_splits: Tsplits", "output: string",
              "errors: {'ignore', 'replace', 'strict'} = \"replace\"; output_encoding: {'UTF-8', 'UTF-16-BE', 'UTF-32-BE'}; "
              "replacement_char: int = 65533; Tsplits: {int32, int64} = DT_INT64", encode_infer, "Tsplits: int32 int64",
              encode_compute, "Code points as strings"),
  { .name = "UnicodeScript", .inputs = "input: int32", .outputs = "output: int32",
    .summary = "The script that each code point belongs to", .family = FLOW_OP_FAMILY_IO, .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, script_compute }, { NULL } } },
  UNICODE_OP ("UnicodeTranscode", "input: string", "output: string",
              "input_encoding: string; output_encoding: {'UTF-8', 'UTF-16-BE', 'UTF-32-BE'}; " ERRORS
              "; replacement_char: int = 65533; replace_control_characters: bool = false", flow_infer_unchanged_shape, NULL,
              transcode_compute, "Strings in another encoding"),
};

FLOW_DEFINE_OP_FAMILY (string_unicode, ops)
