/* test-npy.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "flow-npy.h"
#include "flow-npz.h"
#include "flow-tensor-cast.h"
#include "flow-tensor-compare.h"
#include "flow-util.h"

static char *
golden_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "golden", "tensor", name, NULL);
}

static FlowTensor *
read_key (FlowNpz    *npz,
          const char *key)
{
  g_autoptr (GError) error = NULL;
  FlowTensor *tensor = flow_npz_read (npz, key, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (tensor);
  return tensor;
}

static void
assert_counts_up (FlowNpz    *npz,
                  const char *key,
                  FlowDType   dtype)
{
  g_autoptr (FlowTensor) tensor = read_key (npz, key);

  g_test_message ("%s", key);
  g_assert_cmpint (tensor->dtype, ==, dtype);
  g_assert_cmpint (FLOW_RANK (tensor), ==, 3);
  g_assert_cmpint (FLOW_DIMS (tensor)[0], ==, 2);
  g_assert_cmpint (FLOW_DIMS (tensor)[2], ==, 4);
  for (gint64 i = 0; i < 24; i++)
    {
      if (dtype == FLOW_DTYPE_COMPLEX64)
        {
          g_assert_cmpfloat (FLOW_DATA (float, tensor)[2 * i], ==, (float) i);
          g_assert_cmpfloat (FLOW_DATA (float, tensor)[2 * i + 1], ==, (float) (2 * i));
        }
      else
        {
          g_assert_cmpfloat (flow_tensor_get_double (tensor, i), ==, (double) i);
        }
    }
}

static void
assert_strings (FlowNpz    *npz,
                const char *key,
                const char *expected)
{
  g_autoptr (FlowTensor) tensor = read_key (npz, key);
  g_autoptr (GString) all = g_string_new (NULL);

  g_assert_cmpint (tensor->dtype, ==, FLOW_DTYPE_STRING);
  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      gsize length;
      const char *text = flow_tensor_get_string (tensor, i, &length);
      g_autofree char *escaped = flow_escape_bytes (text, (gssize) length);

      g_string_append_printf (all, "%s|", escaped);
    }
  g_assert_cmpstr (all->str, ==, expected);
}

static void
test_forms (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = golden_path (data);
  g_autoptr (FlowNpz) npz = flow_npz_open (path, &error);
  g_autoptr (FlowTensor) tensor = NULL;
  g_auto (GStrv) keys = NULL;

  g_assert_no_error (error);
  keys = flow_npz_list_keys (npz);
  g_assert_cmpuint (g_strv_length (keys), ==, 16);
  g_assert_true (g_strv_contains ((const char *const *) keys, "s"));
  g_assert_false (g_strv_contains ((const char *const *) keys, "s#data"));
  assert_counts_up (npz, "c_f4", FLOW_DTYPE_FLOAT);
  assert_counts_up (npz, "c_big_f4", FLOW_DTYPE_FLOAT);
  assert_counts_up (npz, "c_big_i8", FLOW_DTYPE_INT64);
  assert_counts_up (npz, "c_big_c8", FLOW_DTYPE_COMPLEX64);
  assert_counts_up (npz, "f_i4", FLOW_DTYPE_INT32);
  assert_counts_up (npz, "f_big_f8", FLOW_DTYPE_DOUBLE);
  assert_strings (npz, "bytes", "a|bcd||e\\000f|");
  assert_strings (npz, "text", "x|\\303\\244\\342\\202\\254||");
  assert_strings (npz, "text_big", "x|\\303\\244\\342\\202\\254||");
  assert_strings (npz, "f_text", "a|b|c|d|e|f|");
  assert_strings (npz, "s", "a||\\000cd|xy|");

  tensor = read_key (npz, "scalar");
  g_assert_cmpint (FLOW_RANK (tensor), ==, 0);
  g_assert_cmpfloat (flow_tensor_get_double (tensor, 0), ==, 2.5);
  flow_tensor_unref (tensor);
  tensor = read_key (npz, "empty");
  g_assert_cmpint (tensor->n_elements, ==, 0);
  g_assert_cmpint (FLOW_DIMS (tensor)[0], ==, 3);
  flow_tensor_unref (tensor);
  tensor = read_key (npz, "v2");
  g_assert_cmpint (tensor->dtype, ==, FLOW_DTYPE_BFLOAT16);
  g_assert_cmpfloat (flow_tensor_get_double (tensor, 1), ==, 2);

  g_clear_pointer (&tensor, flow_tensor_unref);
  tensor = flow_npz_read (npz, "nope", NULL, &error);
  g_assert_null (tensor);
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND);
}

static void
test_zip64 (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = golden_path ("zip64.npz");
  g_autofree char *npy_path = golden_path ("big.npy");
  g_autoptr (FlowNpz) npz = flow_npz_open (path, &error);
  g_autoptr (FlowTensor) tensor = NULL;

  g_assert_no_error (error);
  assert_counts_up (npz, "a", FLOW_DTYPE_FLOAT);
  tensor = flow_npy_load (npy_path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (flow_tensor_get_double (tensor, 23), ==, 23);
}

/* Every pair of dtypes as numpy converts it; tests/oracle/record_numpy.py. */
static void
test_casts (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = golden_path ("cast.npz");
  g_autoptr (FlowNpz) npz = flow_npz_open (path, &error);
  g_auto (GStrv) keys = NULL;
  guint n = 0;

  g_assert_no_error (error);
  keys = flow_npz_list_keys (npz);
  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autofree char *to_key = NULL;
      g_autoptr (FlowTensor) from = NULL;
      g_autoptr (FlowTensor) to = NULL;
      g_autoptr (FlowTensor) result = NULL;
      g_autoptr (FlowTensorDiff) diff = NULL;

      if (!g_str_has_suffix (keys[i], "|from"))
        continue;
      to_key = g_strdup_printf ("%.*s|to", (int) (strlen (keys[i]) - 5), keys[i]);
      from = read_key (npz, keys[i]);
      to = read_key (npz, to_key);
      result = flow_tensor_cast (from, to->dtype, NULL, &error);
      g_assert_no_error (error);
      diff = flow_tensor_compare (result, to, NULL);
      if (!diff->within)
        g_test_message ("%s: element %" G_GINT64_FORMAT ": %.17g, expected %.17g", keys[i], diff->worst_index,
                        flow_tensor_get_double (result, diff->worst_index),
                        flow_tensor_get_double (to, diff->worst_index));
      g_assert_true (diff->within);
      n++;
    }
  g_assert_cmpuint (n, ==, 140);
}

static void
test_cast_strings (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowTensor) text = flow_tensor_new_string (" 2.5 ", -1);
  g_autoptr (FlowTensor) bad = flow_tensor_new_string ("abc", -1);
  g_autoptr (FlowTensor) number = flow_tensor_cast (text, FLOW_DTYPE_FLOAT, NULL, &error);
  g_autoptr (FlowTensor) none = NULL;
  g_autoptr (FlowTensor) same = flow_tensor_cast (text, FLOW_DTYPE_STRING, NULL, NULL);

  g_assert_no_error (error);
  g_assert_cmpfloat (flow_tensor_get_double (number, 0), ==, 2.5);
  g_assert_true (same == text);
  none = flow_tensor_cast (bad, FLOW_DTYPE_FLOAT, NULL, &error);
  g_assert_null (none);
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
  g_assert_cmpstr (error->message, ==, "could not convert string to float: 'abc'");
  g_clear_error (&error);
  none = flow_tensor_cast (number, FLOW_DTYPE_STRING, NULL, &error);
  g_assert_null (none);
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
}

static void
test_write (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("flow-npz-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.npz", NULL);
  g_autofree char *npy_path = g_build_filename (folder, "a.npy", NULL);
  g_autofree char *golden = golden_path ("forms.npz");
  g_autoptr (FlowNpz) source = flow_npz_open (golden, NULL);
  g_autoptr (FlowNpz) back = NULL;
  g_autoptr (FlowNpzWriter) writer = flow_npz_writer_new (path, &error);
  g_auto (GStrv) keys = flow_npz_list_keys (source);
  const gint8 q[] = { -3, 4 };
  g_autoptr (FlowShape) two = flow_shape_new_vector (2);
  g_autoptr (GBytes) q_bytes = g_bytes_new_static (q, 2);
  g_autoptr (FlowTensor) quantised = flow_tensor_new_from_bytes (FLOW_DTYPE_QINT8, two, q_bytes, NULL);
  g_autoptr (FlowTensor) again = NULL;

  g_assert_no_error (error);
  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autoptr (FlowTensor) tensor = read_key (source, keys[i]);

      g_assert_true (flow_npz_writer_add (writer, keys[i], tensor, &error));
    }
  g_assert_true (flow_npz_writer_add (writer, "q", quantised, &error));
  g_assert_false (flow_npz_writer_add (writer, "q", quantised, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_ALREADY_EXISTS);
  g_clear_error (&error);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_true (flow_npz_writer_finish (writer, &error));

  back = flow_npz_open (path, &error);
  g_assert_no_error (error);
  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autoptr (FlowTensor) a = read_key (source, keys[i]);
      g_autoptr (FlowTensor) b = read_key (back, keys[i]);
      g_autoptr (FlowTensorDiff) diff = flow_tensor_compare (a, b, NULL);

      g_assert_true (diff->equal_bits);
    }
  again = read_key (back, "q");
  g_assert_cmpint (again->dtype, ==, FLOW_DTYPE_QINT8);
  g_assert_cmpint (flow_tensor_get_int (again, 0), ==, -3);

  g_clear_pointer (&again, flow_tensor_unref);
  {
    g_autoptr (FlowTensor) tensor = read_key (source, "bytes");
    g_autoptr (FlowTensorDiff) diff = NULL;

    g_assert_true (flow_npy_save (tensor, npy_path, &error));
    again = flow_npy_load (npy_path, NULL, &error);
    g_assert_no_error (error);
    diff = flow_tensor_compare (tensor, again, NULL);
    g_assert_true (diff->equal_bits);
  }
  g_unlink (path);
  g_unlink (npy_path);
  g_rmdir (folder);
}

/* A writer that is given up leaves nothing behind. */
static void
test_give_up (void)
{
  g_autofree char *folder = g_dir_make_tmp ("flow-npz-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.npz", NULL);
  g_autofree char *below = g_build_filename (folder, "none", "a.npz", NULL);
  g_autoptr (GError) error = NULL;
  FlowNpzWriter *writer = flow_npz_writer_new (path, &error);

  g_assert_no_error (error);
  flow_npz_writer_unref (writer);
  g_assert_null (flow_npz_writer_new (below, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static FlowTensor *
read_npy_text (const char  *header,
               gsize        n_data,
               GError     **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GBytes) all = NULL;
  g_autofree guint8 *data = g_malloc0 (MAX (n_data, 1));
  g_autoptr (FlowBudget) budget = flow_budget_new (1 << 20);
  guint8 length[2] = { (guint8) strlen (header), (guint8) (strlen (header) >> 8) };

  g_byte_array_append (bytes, (const guint8 *) "\x93NUMPY\x01\x00", 8);
  g_byte_array_append (bytes, length, 2);
  g_byte_array_append (bytes, (const guint8 *) header, (guint) strlen (header));
  g_byte_array_append (bytes, data, (guint) n_data);
  all = g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
  return flow_npy_read (all, budget, error);
}

static void
test_hostile_headers (void)
{
  static const struct {
    const char *header;
    gsize n_data;
    int code;
  } cases[] = {
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 8, 0 },
    { "{'shape': (2L,), 'descr': '<f4', 'fortran_order': False}", 8, 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", 8, FLOW_ERROR_DATA_LOSS },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }", 8, FLOW_ERROR_DATA_LOSS },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }", 8, FLOW_ERROR_DATA_LOSS },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", 8, FLOW_ERROR_DATA_LOSS },
    { "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", 8, FLOW_ERROR_UNIMPLEMENTED },
    { "{'descr': '<f16', 'fortran_order': False, 'shape': (1,), }", 16, FLOW_ERROR_UNIMPLEMENTED },
    { "{'descr': '<M8', 'fortran_order': False, 'shape': (1,), }", 16, FLOW_ERROR_UNIMPLEMENTED },
    { "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", 16, FLOW_ERROR_UNIMPLEMENTED },
    { "{'descr': '', 'fortran_order': False, 'shape': (1,), }", 16, FLOW_ERROR_INVALID_ARGUMENT },
    { "{'descr': '|S99999999999', 'fortran_order': False, 'shape': (1,), }", 16, FLOW_ERROR_INVALID_ARGUMENT },
    { "{'descr': '|S0', 'fortran_order': False, 'shape': (9000000000000,), }", 0, FLOW_ERROR_RESOURCE_EXHAUSTED },
    { "{'descr': '|S0', 'fortran_order': False, 'shape': (1000000,), }", 0, FLOW_ERROR_RESOURCE_EXHAUSTED },
    { "{'descr': '<f4', 'fortran_order': False}", 8, FLOW_ERROR_DATA_LOSS },
    { "{'descr': '<f4', 'fortran_order': None, 'shape': (1,)}", 8, FLOW_ERROR_DATA_LOSS },
    { "{'descr': '<f4", 8, FLOW_ERROR_DATA_LOSS },
    { "[]", 8, FLOW_ERROR_DATA_LOSS },
    { "", 8, FLOW_ERROR_DATA_LOSS },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FlowTensor) tensor = read_npy_text (cases[i].header, cases[i].n_data, &error);

      g_test_message ("%s: %s", cases[i].header, error != NULL ? error->message : "read");
      if (cases[i].code == 0)
        g_assert_no_error (error);
      else
        g_assert_error (error, FLOW_ERROR, cases[i].code);
    }
}

/* A file cut at every byte and with every byte changed: an error, or the same arrays. */
static void
test_damaged (gconstpointer data)
{
  g_autofree char *golden = golden_path (data);
  g_autofree char *folder = g_dir_make_tmp ("flow-npz-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.npz", NULL);
  g_autofree char *bytes = NULL;
  gsize n;
  guint n_read = 0;

  g_assert_true (g_file_get_contents (golden, &bytes, &n, NULL));
  for (gsize i = 0; i < 2 * n; i++)
    {
      g_autoptr (FlowNpz) npz = NULL;
      g_auto (GStrv) keys = NULL;
      char saved = bytes[i % n];

      bytes[i % n] ^= 0x5a;
      g_assert_true (g_file_set_contents_full (path, bytes, (gssize) (i < n ? i : n), G_FILE_SET_CONTENTS_NONE,
                                               0600, NULL));
      bytes[i % n] = saved;
      npz = flow_npz_open (path, NULL);
      if (npz == NULL)
        continue;
      keys = flow_npz_list_keys (npz);
      for (guint k = 0; keys[k] != NULL; k++)
        {
          g_autoptr (FlowTensor) tensor = flow_npz_read (npz, keys[k], NULL, NULL);

          n_read += tensor != NULL;
        }
    }
  g_assert_cmpuint (n_read, >, 0);
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/tensor/npz/forms", "forms.npz", test_forms);
  g_test_add_data_func ("/tensor/npz/forms-deflated", "forms-deflated.npz", test_forms);
  g_test_add_func ("/tensor/npz/zip64", test_zip64);
  g_test_add_func ("/tensor/npz/write", test_write);
  g_test_add_func ("/tensor/npz/give-up", test_give_up);
  g_test_add_data_func ("/tensor/npz/damaged", "forms.npz", test_damaged);
  g_test_add_data_func ("/tensor/npz/damaged-deflated", "forms-deflated.npz", test_damaged);
  g_test_add_func ("/tensor/npy/hostile-headers", test_hostile_headers);
  g_test_add_func ("/tensor/cast/numpy", test_casts);
  g_test_add_func ("/tensor/cast/strings", test_cast_strings);
  return g_test_run ();
}
