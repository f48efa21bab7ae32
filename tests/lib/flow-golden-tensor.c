/* flow-golden-tensor.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-golden-tensor.h"

#include "flow-error.h"
#include "flow-util.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* --- reading ---------------------------------------------------------------------------------- */

GInputStream *
flow_golden_open (const char  *path,
                  GError     **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, error);
  g_autoptr (GZlibDecompressor) gunzip = NULL;

  if (stream == NULL || !g_str_has_suffix (path, ".gz"))
    return (GInputStream *) g_steal_pointer (&stream);
  gunzip = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  return g_converter_input_stream_new (G_INPUT_STREAM (stream), G_CONVERTER (gunzip));
}

FlowShape *
flow_golden_read_shape (JsonArray *dims)
{
  guint rank = json_array_get_length (dims);
  g_autofree gint64 *values = g_new0 (gint64, rank + 1);

  for (guint i = 0; i < rank; i++)
    values[i] = json_array_get_int_element (dims, i);
  return flow_shape_new ((int) rank, values);
}

FlowTensor *
flow_golden_read_tensor (JsonNode *node)
{
  JsonObject *object;
  g_autoptr (FlowShape) shape = NULL;
  FlowTensor *tensor;
  g_autoptr (GError) error = NULL;
  int dtype;

  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return NULL;
  object = json_node_get_object (node);
  dtype = flow_dtype_from_string (json_object_get_string_member (object, "dtype"));
  shape = flow_golden_read_shape (json_object_get_array_member (object, "shape"));
  tensor = flow_tensor_new (dtype, shape, NULL, &error);
  g_assert_no_error (error);
  if (dtype == FLOW_DTYPE_STRING)
    {
      JsonArray *strings = json_object_get_array_member (object, "strings");

      for (guint i = 0; i < json_array_get_length (strings); i++)
        {
          gsize length;
          guchar *bytes = g_base64_decode (json_array_get_string_element (strings, i), &length);

          flow_tensor_take_string (tensor, i, g_bytes_new_take (bytes, length));
        }
    }
  else
    {
      gsize length;
      g_autofree guchar *bytes = NULL;

      bytes = g_base64_decode (json_object_get_string_member (object, "data"), &length);
      g_assert_cmpuint (length, ==, flow_tensor_get_n_bytes (tensor));
      if (length > 0)
        memcpy (flow_tensor_get_writable (tensor), bytes, length);
    }
  return tensor;
}

/* --- comparing -------------------------------------------------------------------------------- */

static double
default_tolerance (FlowDType dtype)
{
  switch ((int) dtype)
    {
    case FLOW_DTYPE_HALF:
      return 1e-3;
    case FLOW_DTYPE_BFLOAT16:
      return 8e-3;
    case FLOW_DTYPE_DOUBLE:
    case FLOW_DTYPE_COMPLEX128:
      return 1e-13;
    default:
      return 1e-6;
    }
}

/* The floats of a cell: one, or two of a complex number. */
static double
float_at (const FlowTensor *t,
          gint64            i)
{
  switch ((int) t->dtype)
    {
    case FLOW_DTYPE_HALF:
      return flow_half_to_float (FLOW_DATA (guint16, t)[i]);
    case FLOW_DTYPE_BFLOAT16:
      return flow_bfloat16_to_float (FLOW_DATA (guint16, t)[i]);
    case FLOW_DTYPE_FLOAT:
    case FLOW_DTYPE_COMPLEX64:
      return FLOW_DATA (float, t)[i];
    default:
      return FLOW_DATA (double, t)[i];
    }
}

/* TensorFlow's threads take numbers below it for zeros. */
static double
smallest_normal (FlowDType dtype)
{
  switch ((int) dtype)
    {
    case FLOW_DTYPE_HALF:
      return ldexp (1, -14);
    case FLOW_DTYPE_DOUBLE:
    case FLOW_DTYPE_COMPLEX128:
      return DBL_MIN;
    default:
      return FLT_MIN;
    }
}

/* What a relative error is measured by. Of a complex number that is its length: the rounding of a
 * product shows in the smaller part, where the larger ones cancel. */
static double
magnitude_at (const FlowTensor *t,
              gint64            i,
              gint64            per_cell)
{
  return per_cell == 2 ? hypot (float_at (t, i & ~1), float_at (t, i | 1)) : fabs (float_at (t, i));
}

static char *
compare_floats (const FlowTensor *expected,
                const FlowTensor *got,
                double            tolerance,
                double            relative)
{
  gint64 per_cell = flow_dtype_is_complex (expected->dtype) ? 2 : 1;

  if (tolerance < 0)
    tolerance = default_tolerance (expected->dtype);
  for (gint64 i = 0; i < expected->n_elements * per_cell; i++)
    {
      double a = float_at (expected, i);
      double b = float_at (got, i);

      if (isnan (a) && isnan (b))
        continue;
      if (a == b)
        continue;
      if (relative >= 0 ? fabs (a - b) <= relative * magnitude_at (expected, i, per_cell) + smallest_normal (expected->dtype)
                        : fabs (a - b) <= tolerance * (1 + fabs (a)))
        continue;
      return g_strdup_printf ("element %" G_GINT64_FORMAT " is %.9g, TensorFlow has %.9g",
                              i / per_cell, b, a);
    }
  return NULL;
}

/* In names of queues, tables and barriers of one node alone the process's count of them stands, behind those of tensor
 * arrays and stacks the run's; in what was recorded it is 0. */
static char *
without_counts (const char *text,
                gssize      length)
{
  g_autoptr (GRegex) own = g_regex_new ("(^|[' ])_\\d+_(?=\\w)", G_REGEX_RAW, G_REGEX_MATCH_DEFAULT, NULL);
  g_autoptr (GRegex) of_run = g_regex_new ("(TensorArray |Stack\\[)([\\w/.\\-]+?)_\\d+(?![\\w/])", G_REGEX_RAW,
                                           G_REGEX_MATCH_DEFAULT, NULL);
  g_autofree char *named = g_regex_replace (own, text, length, 0, "\\1_0_", G_REGEX_MATCH_DEFAULT, NULL);

  return named != NULL ? g_regex_replace (of_run, named, -1, 0, "\\1\\2_0", G_REGEX_MATCH_DEFAULT, NULL) : NULL;
}

static gboolean
strings_are_same (const char *a,
                  gsize       n_a,
                  const char *b,
                  gsize       n_b)
{
  g_autofree char *name = NULL;

  if (n_a == n_b && (n_a == 0 || memcmp (a, b, n_a) == 0))
    return TRUE;
  if (n_a < 3 || memcmp (a, "_0_", 3) != 0 || !g_utf8_validate (b, (gssize) n_b, NULL))
    return FALSE;
  name = without_counts (b, (gssize) n_b);
  return strlen (name) == n_a && memcmp (name, a, n_a) == 0;
}

char *
flow_golden_compare (const FlowTensor *expected,
                     const FlowTensor *got,
                     double            tolerance,
                     double            relative)
{
  if (expected->dtype != got->dtype)
    return g_strdup_printf ("dtype is %s, TensorFlow has %s", flow_dtype_name (got->dtype),
                            flow_dtype_name (expected->dtype));
  if (!flow_shape_equal (expected->shape, got->shape))
    {
      g_autofree char *a = flow_shape_to_string (expected->shape);
      g_autofree char *b = flow_shape_to_string (got->shape);

      return g_strdup_printf ("shape is %s, TensorFlow has %s", b, a);
    }
  if (flow_dtype_is_floating (expected->dtype) || flow_dtype_is_complex (expected->dtype))
    return compare_floats (expected, got, tolerance, relative);
  if (expected->dtype == FLOW_DTYPE_STRING)
    {
      for (gint64 i = 0; i < expected->n_elements; i++)
        {
          gsize n_a;
          gsize n_b;
          const char *a = flow_tensor_get_string (expected, i, &n_a);
          const char *b = flow_tensor_get_string (got, i, &n_b);

          if (!strings_are_same (a, n_a, b, n_b))
            {
              gsize at = 0;
              g_autofree char *ours = NULL;
              g_autofree char *theirs = NULL;

              while (at < MIN (n_a, n_b) && a[at] == b[at])
                at++;
              at = at > 8 ? at - 8 : 0;
              ours = flow_escape_bytes (b + at, (gssize) MIN (n_b - at, 60));
              theirs = flow_escape_bytes (a + at, (gssize) MIN (n_a - at, 60));
              return g_strdup_printf ("string %" G_GINT64_FORMAT " (%" G_GSIZE_FORMAT " bytes) is from %" G_GSIZE_FORMAT
                                      " on '%s', TensorFlow (%" G_GSIZE_FORMAT ") has '%s'", i, n_b, at, ours, n_a, theirs);
            }
        }
      return NULL;
    }
  for (gint64 i = 0; i < expected->n_elements; i++)
    {
      gsize size = flow_dtype_size (expected->dtype);
      const guint8 *a = (const guint8 *) expected->data + i * (gint64) size;
      const guint8 *b = (const guint8 *) got->data + i * (gint64) size;

      if (memcmp (a, b, size) != 0)
        return g_strdup_printf ("element %" G_GINT64_FORMAT " is %" G_GINT64_FORMAT
                                ", TensorFlow has %" G_GINT64_FORMAT, i,
                                flow_tensor_get_int (got, i), flow_tensor_get_int (expected, i));
    }
  return NULL;
}

char *
flow_golden_compare_error (int           code,
                           const char   *message,
                           const GError *error)
{
  g_autofree char *text = NULL;

  if (code == 0)
    return g_strdup_printf ("failed with %s: %s", flow_error_code_name (error->code), error->message);
  if (error->code != code)
    return g_strdup_printf ("fails with %s: %s\n    TensorFlow with %s: %s", flow_error_code_name (error->code),
                            error->message, flow_error_code_name (code), message);
  text = without_counts (error->message, -1);
  if (text == NULL || !g_str_has_prefix (text, message))
    return g_strdup_printf ("says: %s\n    TensorFlow: %s", error->message, message);
  return NULL;
}
