/* flow-kernels-string_convert.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Strings turned into numbers, and numbers into strings.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-string-hash-private.h"
#include "flow-string-private.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* --- StringToHashBucket and its relatives ------------------------------------------------------------------------------ */

static gboolean
hash_strings (FlowKernelContext *c,
              guint64          (*func) (gconstpointer data, gsize length),
              const guint64     *key,
              GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  guint64 n_buckets = (guint64) flow_kernel_attr_int (c, "num_buckets");
  FlowTensor *out = flow_kernel_allocate (c, 0, x->shape, error);

  if (out == NULL)
    return FALSE;
  for (gint64 i = 0; i < x->n_elements; i++)
    {
      Text text = text_at (x, i);
      guint64 hash = key != NULL ? _flow_hash_sip (text.bytes, text.length, key) : func (text.bytes, text.length);

      FLOW_WRITABLE (gint64, out)[i] = (gint64) (hash % n_buckets);
    }
  return TRUE;
}

static gboolean
hash_compute (FlowKernelContext *c,
              GError           **error)
{
  return hash_strings (c, _flow_hash_old, NULL, error);
}

static gboolean
hash_fast_compute (FlowKernelContext *c,
                   GError           **error)
{
  return hash_strings (c, _flow_hash_farm, NULL, error);
}

static gboolean
hash_strong_compute (FlowKernelContext *c,
                     GError           **error)
{
  FlowAttr *list = flow_kernel_attr (c, "key");
  guint64 key[2];

  if (flow_attr_get_length (list) != 2)
    return _flow_refuse (error, "Key must have 2 elements");
  key[0] = (guint64) flow_attr_get_int (flow_attr_get_item (list, 0));
  key[1] = (guint64) flow_attr_get_int (flow_attr_get_item (list, 1));
  return hash_strings (c, NULL, key, error);
}

/* --- StringToNumber -------------------------------------------------------------------------------------------------------- */

/* TF: white space around, a minus sign, digits, and nothing else. */
static gboolean
parse_integer (Text    text,
               gint64  low,
               gint64  high,
               gint64 *value)
{
  Text digits = text_strip (text);
  gboolean negative = digits.length > 0 && digits.bytes[0] == '-';
  gint64 n = 0;

  if (digits.length == (negative ? 1 : 0))
    return FALSE;
  for (gsize i = negative ? 1 : 0; i < digits.length; i++)
    {
      int digit = digits.bytes[i] - '0';

      if (digit < 0 || digit > 9 || !flow_mul_int64 (n, 10, &n) || !flow_add_int64 (n, negative ? -digit : digit, &n))
        return FALSE;
    }
  *value = n;
  return n >= low && n <= high;
}

static gboolean
parse_real (Text      text,
            locale_t  locale,
            gboolean  single,
            double   *value)
{
  Text trimmed = text_strip (text);
  g_autofree char *digits = g_strndup (trimmed.length > 0 ? trimmed.bytes : "", trimmed.length);
  char *end = NULL;

  if (trimmed.length == 0 || strlen (digits) != trimmed.length)
    return FALSE;
  *value = single ? (double) strtof_l (digits, &end, locale) : strtod_l (digits, &end, locale);
  return *end == '\0';
}

gboolean
_flow_put_number (FlowTensor *out,
                  gint64      i,
                  Text        text,
                  locale_t    locale)
{
  gint64 whole = 0;
  double real = 0;

  switch ((int) out->dtype)
    {
    case FLOW_DTYPE_INT32:
      if (!parse_integer (text, G_MININT32, G_MAXINT32, &whole))
        return FALSE;
      FLOW_WRITABLE (gint32, out)[i] = (gint32) whole;
      return TRUE;
    case FLOW_DTYPE_INT64:
      if (!parse_integer (text, G_MININT64, G_MAXINT64, &whole))
        return FALSE;
      FLOW_WRITABLE (gint64, out)[i] = whole;
      return TRUE;
    case FLOW_DTYPE_FLOAT:
      if (!parse_real (text, locale, TRUE, &real))
        return FALSE;
      FLOW_WRITABLE (float, out)[i] = (float) real;
      return TRUE;
    default:
      if (!parse_real (text, locale, FALSE, &real))
        return FALSE;
      FLOW_WRITABLE (double, out)[i] = real;
      return TRUE;
    }
}

static gboolean
to_number_compute (FlowKernelContext *c,
                   GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *out = flow_kernel_allocate (c, 0, x->shape, error);
  locale_t locale;
  gint64 bad = -1;

  if (out == NULL)
    return FALSE;
  locale = newlocale (LC_ALL_MASK, "C", (locale_t) 0);
  for (gint64 i = 0; i < x->n_elements && bad < 0; i++)
    if (!_flow_put_number (out, i, text_at (x, i), locale))
      bad = i;
  freelocale (locale);
  if (bad >= 0)
    {
      Text text = text_at (x, bad);
      g_autofree char *shown = flow_escape_display (text.bytes, (gssize) text.length, 200);

      return _flow_refuse (error, "StringToNumberOp could not correctly convert string: %s", shown);
    }
  return TRUE;
}

/* --- AsString ------------------------------------------------------------------------------------------------------------------ */

/* Wider is nothing that a person reads. */
#define MAX_WIDTH (1 << 20)

typedef struct {
  char real[64];
  char whole[64];
} Formats;

/* The format is put together from checked parts: the attr's text itself never gets there. */
static gpointer
as_string_construct (FlowKernelConstruction *c,
                     GError                **error)
{
  int dtype = flow_attr_get_dtype (flow_construction_attr (c, "T"));
  gint64 precision = flow_attr_get_int (flow_construction_attr (c, "precision"));
  gint64 width = flow_attr_get_int (flow_construction_attr (c, "width"));
  gboolean scientific = flow_attr_get_bool (flow_construction_attr (c, "scientific"));
  gboolean shortest = flow_attr_get_bool (flow_construction_attr (c, "shortest"));
  gsize n_fill;
  const char *fill = flow_attr_get_string (flow_construction_attr (c, "fill"), &n_fill);
  gboolean real = flow_dtype_is_floating (dtype) || flow_dtype_is_complex (dtype);
  g_autofree char *width_text = width >= 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, width) : g_strdup ("");
  g_autofree char *precision_text = precision >= 0 ? g_strdup_printf (".%" G_GINT64_FORMAT, precision) : g_strdup ("");
  Formats *formats;

  if (real && scientific && shortest)
    return _flow_refuse (error, "Cannot select both scientific and shortest notation"), NULL;
  if (!real && (scientific || shortest))
    return _flow_refuse (error, "scientific and shortest format not supported for datatype %s",
                         flow_dtype_string (dtype)), NULL;
  if (!real && precision >= 0)
    return _flow_refuse (error, "precision not supported for datatype %s", flow_dtype_string (dtype)), NULL;
  if (n_fill > 1)
    return _flow_refuse (error, "Fill string must be one or fewer characters"), NULL;
  if (n_fill == 1 && strchr (" +-0#", fill[0]) == NULL)
    return _flow_refuse (error, "Fill argument not supported: \"%c\"", g_ascii_isprint (fill[0]) ? fill[0] : '?'), NULL;
  if (width > MAX_WIDTH || precision > MAX_WIDTH)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED,
                   "OOM when allocating strings of %" G_GINT64_FORMAT " characters", MAX (width, precision));
      return NULL;
    }
  formats = g_new0 (Formats, 1);
  g_snprintf (formats->real, sizeof formats->real, "%%%s%s%s%c", n_fill == 1 ? (char[]) { fill[0], '\0' } : "", width_text,
              precision_text, shortest ? 'g' : scientific ? 'e' : 'f');
  g_snprintf (formats->whole, sizeof formats->whole, "%%%s%s%s", n_fill == 1 ? (char[]) { fill[0], '\0' } : "", width_text,
              G_GINT64_FORMAT);
  return formats;
}

static void
append_real (GString       *text,
             const Formats *formats,
             double         value)
{
  g_string_append_printf (text, formats->real, value);
}

static void
append_as_string (GString          *text,
                  const Formats    *formats,
                  const FlowTensor *x,
                  gint64            i)
{
  if (x->dtype == FLOW_DTYPE_BOOL)
    {
      g_string_append (text, FLOW_DATA (guint8, x)[i] != 0 ? "true" : "false");
    }
  else if (flow_dtype_is_complex (x->dtype))
    {
      gboolean single = x->dtype == FLOW_DTYPE_COMPLEX64;

      g_string_append_c (text, '(');
      append_real (text, formats, single ? (double) FLOW_DATA (float, x)[2 * i] : FLOW_DATA (double, x)[2 * i]);
      g_string_append_c (text, ',');
      append_real (text, formats, single ? (double) FLOW_DATA (float, x)[2 * i + 1] : FLOW_DATA (double, x)[2 * i + 1]);
      g_string_append_c (text, ')');
    }
  else if (flow_dtype_is_floating (x->dtype))
    {
      append_real (text, formats, flow_tensor_get_double (x, i));
    }
  else
    {
      g_string_append_printf (text, formats->whole, flow_tensor_get_int (x, i));
    }
}

static gboolean
as_string_compute (FlowKernelContext *c,
                   GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *out = flow_kernel_allocate (c, 0, x->shape, error);
  locale_t locale;
  locale_t before;
  gsize total = 0;
  gboolean ok = TRUE;

  if (out == NULL)
    return FALSE;
  /* Numbers have points, whatever the language of the process. */
  locale = newlocale (LC_ALL_MASK, "C", (locale_t) 0);
  before = uselocale (locale);
  for (gint64 i = 0; ok && i < x->n_elements; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      append_as_string (text, flow_kernel_data (c), x, i);
      total += text->len;
      ok = reserve_text (c, total, error);
      put_text (out, i, text->str, text->len);
    }
  uselocale (before);
  freelocale (locale);
  return ok;
}

static const FlowOpDef ops[] = {
  {
    .name = "AsString",
    .inputs = "input: T",
    .outputs = "output: string",
    .attrs = "T: {int8, int16, int32, int64, complex64, complex128, float, double, bool}; "
             "precision: int = -1; scientific: bool = false; shortest: bool = false; width: int = "
             "-1; fill: string = \"\"",
    .summary = "Numbers as strings",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, as_string_compute, as_string_construct, g_free }, { NULL } },
  },
  {
    .name = "StringToHashBucket",
    .inputs = "string_tensor: string",
    .outputs = "output: int64",
    .attrs = "num_buckets: int >= 1",
    .summary = "Strings as numbers below a limit, by hash",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, hash_compute }, { NULL } },
  },
  {
    .name = "StringToHashBucketFast",
    .inputs = "input: string",
    .outputs = "output: int64",
    .attrs = "num_buckets: int >= 1",
    .summary = "Strings as numbers below a limit, by hash",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, hash_fast_compute }, { NULL } },
  },
  {
    .name = "StringToHashBucketStrong",
    .inputs = "input: string",
    .outputs = "output: int64",
    .attrs = "num_buckets: int >= 1; key: list(int)",
    .summary = "Strings as numbers below a limit, by a hash with a key",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, hash_strong_compute }, { NULL } },
  },
  {
    .name = "StringToNumber",
    .inputs = "string_tensor: string",
    .outputs = "output: out_type",
    .attrs = "out_type: {float, double, int32, int64} = DT_FLOAT",
    .summary = "The numbers that strings spell",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { "out_type: float double int32 int64", to_number_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (string_convert, ops)
