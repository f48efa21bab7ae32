/* test-tensor-proto.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-tensor-proto.h"
#include "flow-test-damage.h"
#include "flow-test-hex.h"

#include <string.h>

static char *
elements_hex (const FlowTensor *tensor)
{
  g_autoptr (GByteArray) array = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;

  if (flow_tensor_get_dtype (tensor) != FLOW_DTYPE_STRING)
    g_byte_array_append (array, flow_tensor_get_data (tensor), (guint) flow_tensor_get_n_bytes (tensor));
  else
    for (gint64 i = 0; i < flow_tensor_get_n_elements (tensor); i++)
      {
        gsize length;
        const char *text = flow_tensor_get_string (tensor, i, &length);
        guint32 le = GUINT32_TO_LE ((guint32) length);

        g_byte_array_append (array, (const guint8 *) &le, sizeof le);
        g_byte_array_append (array, (const guint8 *) text, (guint) length);
      }
  bytes = g_byte_array_free_to_bytes (g_steal_pointer (&array));
  return flow_test_hex (bytes);
}

static char *
shape_text (const FlowTensor *tensor)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < flow_tensor_get_rank (tensor); i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "", flow_tensor_get_dim (tensor, i));
  return g_string_free (text, FALSE);
}

/* What TensorFlow 1.15 makes of the same constants (tests/oracle/record_formats.py). */
static void
test_recorded (void)
{
  g_autoptr (GBytes) file = flow_test_read ("golden/formats/tensors.tsv");
  g_autofree char *text = g_strndup (g_bytes_get_data (file, NULL), g_bytes_get_size (file));
  g_auto (GStrv) lines = g_strsplit (g_strchomp (text), "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) row = g_strsplit (lines[i], "\t", -1);
      g_autoptr (GBytes) encoded = flow_test_unhex (row[1]);
      g_autoptr (GError) error = NULL;
      g_autoptr (FlowTensor) tensor = flow_tensor_from_proto (encoded, NULL, &error);
      g_autofree char *hex = NULL;
      g_autofree char *shape = NULL;
      g_autoptr (GBytes) written = NULL;
      g_autoptr (FlowTensor) again = NULL;

      g_test_message ("%s", row[0]);
      if (strcmp (row[4], "error") == 0)
        {
          g_assert_null (tensor);
          g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
          g_assert_nonnull (strstr (error->message, "Cannot parse tensor from proto"));
          continue;
        }
      g_assert_no_error (error);
      g_assert_cmpint (flow_tensor_get_dtype (tensor), ==, atoi (row[2]));
      shape = shape_text (tensor);
      g_assert_cmpstr (shape, ==, row[3]);
      hex = elements_hex (tensor);
      g_assert_cmpstr (hex, ==, row[4]);

      written = flow_tensor_to_proto (tensor, &error);
      g_assert_no_error (error);
      again = flow_tensor_from_proto (written, NULL, &error);
      g_assert_no_error (error);
      g_assert_true (flow_tensor_identical (tensor, again));
    }
  g_assert_cmpuint (g_strv_length (lines), >, 30);
}

static GBytes *
encode (int           dtype,
        const gint64 *dims,
        guint         n_dims,
        const char   *rest_hex)
{
  g_autoptr (GBytes) rest = flow_test_unhex (rest_hex);
  FlowProtoWriter w;
  gconstpointer data;
  gsize size;

  flow_proto_writer_init (&w);
  flow_proto_writer_set_int (&w, 1, dtype);
  flow_proto_writer_begin (&w, 2);
  for (guint i = 0; i < n_dims; i++)
    {
      flow_proto_writer_begin (&w, 2);
      flow_proto_writer_set_int (&w, 1, dims[i]);
      flow_proto_writer_end (&w);
    }
  flow_proto_writer_end (&w);
  data = g_bytes_get_data (rest, &size);
  flow_proto_writer_append (&w, data, size);
  return flow_proto_writer_finish (&w, NULL);
}

static void
check_refused (int           dtype,
               const gint64 *dims,
               guint         n_dims,
               const char   *rest_hex,
               int           code,
               const char   *what)
{
  g_autoptr (GBytes) encoded = encode (dtype, dims, n_dims, rest_hex);
  g_autoptr (FlowBudget) budget = flow_budget_new (1 << 30);
  g_autoptr (GError) error = NULL;

  g_assert_null (flow_tensor_from_proto (encoded, budget, &error));
  g_assert_error (error, FLOW_ERROR, code);
  if (strstr (error->message, what) == NULL)
    g_error ("%s does not say %s", error->message, what);
  g_assert_cmpuint (flow_budget_get_used (budget), ==, 0);
  g_assert_cmpuint (flow_budget_get_peak (budget), <=, 1 << 30);
}

static void
test_hostile (void)
{
  const gint64 huge[] = { G_GINT64_CONSTANT (10000000000) };
  const gint64 negative[] = { -5, 2 };
  const gint64 overflow[] = { G_GINT64_CONSTANT (1) << 32, G_GINT64_CONSTANT (1) << 32 };
  const gint64 top[] = { G_MAXINT64, 2 };
  const gint64 many_strings[] = { G_MAXINT32 };
  const gint64 two[] = { 2 };
  gint64 many[300];

  for (guint i = 0; i < G_N_ELEMENTS (many); i++)
    many[i] = 1;
  check_refused (1, huge, 1, "2d0000803f", FLOW_ERROR_RESOURCE_EXHAUSTED, "OOM when allocating tensor with shape[10000000000]");
  check_refused (1, negative, 2, "", FLOW_ERROR_INVALID_ARGUMENT, "[-5,2]");
  check_refused (1, overflow, 2, "", FLOW_ERROR_INVALID_ARGUMENT, "too large (more than 2**63 - 1 entries)");
  check_refused (1, top, 2, "", FLOW_ERROR_INVALID_ARGUMENT, "too large");
  check_refused (1, many, 255, "", FLOW_ERROR_INVALID_ARGUMENT, "too many dimensions");
  check_refused (1, NULL, 0, "12021801", FLOW_ERROR_INVALID_ARGUMENT, "not fully defined");
  check_refused (9999, NULL, 0, "", FLOW_ERROR_INVALID_ARGUMENT, "9999");
  check_refused (0, NULL, 0, "", FLOW_ERROR_INVALID_ARGUMENT, "invalid DataType enum 0");
  check_refused (101, NULL, 0, "", FLOW_ERROR_INVALID_ARGUMENT, "101");
  check_refused (7, many_strings, 1, "220a01010101010101010101", FLOW_ERROR_INVALID_ARGUMENT, "Cannot parse tensor from proto");
  check_refused (7, two, 1, "220cffffffffffffffffff010001", FLOW_ERROR_INVALID_ARGUMENT, "Cannot parse tensor from proto");
  check_refused (20, two, 1, "2203000000", FLOW_ERROR_INVALID_ARGUMENT, "Cannot parse tensor from proto");
  check_refused (1, two, 1, "2a03000000", FLOW_ERROR_DATA_LOSS, "Can't parse tensor");
  check_refused (21, two, 1, "7a00", FLOW_ERROR_UNIMPLEMENTED, "variant");
}

/* A constant of a megabyte is used where it lies when it lies aligned. */
static void
test_no_copy (void)
{
  const gint64 dims[] = { 1 << 18 };
  g_autofree char *zeros = g_strnfill ((1 << 20) * 2, '0');
  g_autofree char *rest = g_strconcat ("22808040", zeros, NULL);
  g_autoptr (GBytes) encoded = encode (1, dims, 1, rest);
  const guint8 *start = g_bytes_get_data (encoded, NULL);
  gsize size = g_bytes_get_size (encoded);

  for (gsize shift = 0; shift < 4; shift++)
    {
      g_autofree guint8 *memory = g_malloc (size + 4);
      g_autoptr (GBytes) moved = NULL;
      g_autoptr (FlowTensor) tensor = NULL;
      const guint8 *data;

      memcpy (memory + shift, start, size);
      moved = g_bytes_new_static (memory + shift, size);
      tensor = flow_tensor_from_proto (moved, NULL, NULL);
      g_assert_nonnull (tensor);
      data = flow_tensor_get_data (tensor);
      if (((guintptr) memory + shift + size - (1 << 20)) % 4 == 0)
        g_assert_true (data >= memory && data < memory + size + 4);
      else
        g_assert_true (data < memory || data >= memory + size + 4);
    }
}

static void
test_handles (void)
{
  g_autoptr (FlowShape) shape = flow_shape_new_matrix (2, FLOW_DIM_UNKNOWN);
  g_autoptr (FlowHandle) handle = flow_handle_new ("box", "w", "Var", FLOW_DTYPE_FLOAT, shape);
  g_autoptr (FlowTensor) tensor = flow_tensor_new_handle (handle);
  g_autoptr (GBytes) encoded = flow_tensor_to_proto (tensor, NULL);
  g_autoptr (FlowTensor) again = flow_tensor_from_proto (encoded, NULL, NULL);
  const FlowHandle *read;

  g_assert_nonnull (again);
  read = FLOW_DATA (FlowHandle *, again)[0];
  g_assert_cmpstr (read->container, ==, "box");
  g_assert_cmpstr (read->name, ==, "w");
  g_assert_cmpstr (read->type_name, ==, "Var");
  g_assert_cmpint (read->dtype, ==, FLOW_DTYPE_FLOAT);
  g_assert_true (flow_shape_equal (read->shape, shape));
}

static gboolean
read_tensor (GBytes   *bytes,
             gpointer  data)
{
  g_autoptr (FlowTensor) tensor = flow_tensor_from_proto (bytes, data, NULL);

  return tensor != NULL;
}

static void
test_damage (void)
{
  g_autoptr (GBytes) file = flow_test_read ("golden/formats/tensors.tsv");
  g_autofree char *text = g_strndup (g_bytes_get_data (file, NULL), g_bytes_get_size (file));
  g_auto (GStrv) lines = g_strsplit (g_strchomp (text), "\n", -1);
  g_autoptr (FlowBudget) budget = flow_budget_new (1 << 26);
  guint n = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) row = g_strsplit (lines[i], "\t", -1);
      g_autoptr (GBytes) good = flow_test_unhex (row[1]);

      n += flow_test_damage (good, 500, read_tensor, budget).n_cases;
    }
  g_assert_cmpuint (n, >, 1000);
  g_assert_cmpuint (flow_budget_get_used (budget), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/formats/tensor-proto/recorded", test_recorded);
  g_test_add_func ("/formats/tensor-proto/hostile", test_hostile);
  g_test_add_func ("/formats/tensor-proto/no-copy", test_no_copy);
  g_test_add_func ("/formats/tensor-proto/handles", test_handles);
  g_test_add_func ("/formats/tensor-proto/damage", test_damage);

  return g_test_run ();
}
