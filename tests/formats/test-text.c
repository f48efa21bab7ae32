/* test-text.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-error.h"
#include "flow-test-damage.h"
#include "flow-test-hex.h"
#include "flow-text-proto.h"

#include <string.h>

static char **
read_lines (const char *name)
{
  g_autoptr (GBytes) bytes = flow_test_read (name);
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));

  return g_strsplit (g_strchomp (text), "\n", -1);
}

/* Text to bytes as the official library does it (tests/oracle/record_formats.py). */
static void
test_recorded_texts (void)
{
  g_auto (GStrv) lines = read_lines ("golden/formats/texts.tsv");
  guint n_errors = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) row = g_strsplit (lines[i], "\t", -1);
      g_autoptr (GBytes) text = flow_test_unhex (row[2]);
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes = flow_text_to_proto (row[1], text, "x.pbtxt", &error);
      g_autofree char *hex = bytes != NULL ? flow_test_hex (bytes) : g_strdup ("error");

      if (strcmp (hex, row[3]) != 0)
        g_error ("%s: %.*s: %s, not %s (%s)", row[0], (int) g_bytes_get_size (text),
                 (const char *) g_bytes_get_data (text, NULL), hex, row[3], error != NULL ? error->message : "");
      if (bytes != NULL)
        continue;
      n_errors++;
      g_assert_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS);
      g_assert_true (g_str_has_prefix (error->message, "Can't parse x.pbtxt as text proto: 1:") ||
                     g_str_has_prefix (error->message, "Can't parse x.pbtxt as text proto: 2:"));
    }
  g_assert_cmpuint (g_strv_length (lines), >, 100);
  g_assert_cmpuint (n_errors, >, 30);
}

/* Bytes to text as the official printer does it, and back. */
static void
test_recorded_messages (void)
{
  g_auto (GStrv) lines = read_lines ("golden/formats/messages.tsv");

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) row = g_strsplit (lines[i], "\t", -1);
      g_autoptr (GBytes) bytes = flow_test_unhex (row[2]);
      g_autoptr (GBytes) wanted = flow_test_unhex (row[3]);
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) text = flow_proto_to_text (row[1], bytes, "x", &error);
      g_autoptr (GBytes) again = NULL;

      g_assert_no_error (error);
      if (!g_bytes_equal (text, wanted))
        g_error ("%s: wrote\n%.*s\nnot\n%.*s", row[0], (int) g_bytes_get_size (text),
                 (const char *) g_bytes_get_data (text, NULL), (int) g_bytes_get_size (wanted),
                 (const char *) g_bytes_get_data (wanted, NULL));
      again = flow_text_to_proto (row[1], text, "x", &error);
      g_assert_no_error (error);
      g_assert_true (g_bytes_equal (again, bytes));
    }
  g_assert_cmpuint (g_strv_length (lines), >, 20);
}

static void
check_text (const char *message,
            const char *text,
            const char *hex)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) encoded = flow_text_to_proto (message, bytes, "x", &error);
  g_autofree char *have = NULL;

  g_assert_no_error (error);
  have = flow_test_hex (encoded);
  g_assert_cmpstr (have, ==, hex);
}

static void
check_error (const char *message,
             const char *text,
             gssize      length,
             const char *what)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, length < 0 ? strlen (text) : (gsize) length);
  g_autoptr (GError) error = NULL;

  g_assert_null (flow_text_to_proto (message, bytes, "x", &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS);
  if (strstr (error->message, what) == NULL)
    g_error ("%s does not say %s", error->message, what);
}

/* What the C++ library takes and Python's does not; the format's description has it. */
static void
test_wider_forms (void)
{
  check_text ("AttrValue", "i: - 5", "18fbffffffffffffffff01");
  check_text ("AttrValue", "f: 2F", "2500000040");
  check_text ("AttrValue", "s: '\\u00e9\\U0001F600'", "1206c3a9f09f9880");
  check_text ("AttrValue", "s: \"\\400\"", "120100");
  check_text ("AttrValue", "s: '\\?'", "12013f");
  check_text ("AttrValue", "s: 'a' i: 1", "1801");
}

static void
test_places (void)
{
  check_error ("GraphDef", "node {\n  name: \"a\"\n  nam: \"b\"\n}", -1,
               "3:3: Message type \"tensorflow.NodeDef\" has no field named \"nam\".");
  check_error ("GraphDef", "node {\n  name: 5\n}", -1, "2:9: Expected string, got: 5");
  check_error ("GraphDef", "node { name: \"abc }", -1, "1:14: String literal is not terminated.");
  check_error ("GraphDef", "node { name: \"a\nb\" }", -1, "1:16: String literals cannot cross line boundaries.");
  check_error ("AttrValue", "type: DT_NOPE", -1, "1:7: Unknown enumeration value of \"DT_NOPE\" for field \"type\".");
  check_error ("AttrValue", "i: 99999999999999999999", -1, "1:4: Integer out of range (99999999999999999999)");
  check_error ("AttrValue", "b: maybe", -1, "1:4: Invalid value for boolean field: \"maybe\".");
  check_error ("AttrValue", "s: '\\q'", -1, "Invalid escape sequence");
  check_error ("AttrValue", "s: '\\", -1, "String literal is not terminated.");
  check_error ("AttrValue", "s: '\\U00110000'", -1, "hex digits");
  check_error ("GraphDef", "node {} \0 node {}", 17, "1:9: Invalid control character");
  check_error ("GraphDef", "node { # never closed", -1, "Expected \"}\"");
  check_error ("MetaGraphDef", "meta_info_def { any_info { [type.googleapis.com/tensorflow.Nope] { } } }", -1, "Could not find type");
  check_error ("MetaGraphDef", "meta_info_def { any_info { [", -1, "Expected the type");
}

static void
test_nesting (void)
{
  for (guint levels = 30; levels <= 100000; levels = levels == 30 ? 40 : levels * 50)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GBytes) encoded = NULL;
      g_autoptr (GError) error = NULL;

      for (guint i = 0; i < levels; i++)
        g_string_append (text, "func { attr { value {");
      for (guint i = 0; i < levels; i++)
        g_string_append (text, "} } }");
      bytes = g_bytes_new (text->str, text->len);
      encoded = flow_text_to_proto ("AttrValue", bytes, "x", &error);
      if (levels <= 30)
        g_assert_no_error (error);
      else
        g_assert_nonnull (strstr (error->message, "nested deeper than 100 levels"));
    }
}

static void
test_long_line (void)
{
  g_autoptr (GString) text = g_string_new ("node { attr { key: \"value\" value { tensor { tensor_content: \"");
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) encoded = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 1 << 20; i++)
    g_string_append (text, "\\000\\377");
  g_string_append (text, "\" } } } }");
  bytes = g_bytes_new (text->str, text->len);
  encoded = flow_text_to_proto ("GraphDef", bytes, "x", &error);
  g_assert_no_error (error);
  /* Five tags and lengths of up to four bytes each around the content, and a key. */
  g_assert_cmpuint (g_bytes_get_size (encoded), ==, (2 << 20) + 5 * 5 + 7);
}

/* The same model in both formats. */
static void
test_text_is_binary (void)
{
  static const struct {
    const char *file;
    const char *message;
  } files[] = {
    { "golden/models/xor.meta", "MetaGraphDef" },
    { "golden/models/cond_test.meta", "MetaGraphDef" },
    { "golden/models/half_plus_two.pb", "SavedModel" },
    { "golden/models/assert_less_equal_test.pb", "GraphDef" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GBytes) bytes = flow_test_read (files[i].file);
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) text = flow_proto_to_text (files[i].message, bytes, "x", &error);
      g_autoptr (GBytes) encoded = NULL;
      g_autoptr (GBytes) text_again = NULL;
      g_autoptr (GBytes) again = NULL;

      g_assert_no_error (error);
      encoded = flow_text_to_proto (files[i].message, text, "x", &error);
      g_assert_no_error (error);
      text_again = flow_proto_to_text (files[i].message, encoded, "x", &error);
      g_assert_no_error (error);
      g_assert_true (g_bytes_equal (text, text_again));
      again = flow_text_to_proto (files[i].message, text_again, "x", &error);
      g_assert_true (g_bytes_equal (encoded, again));
      /* Maps may be in another order than the writer's, nothing else may differ. */
      g_assert_cmpuint (g_bytes_get_size (encoded), ==, g_bytes_get_size (bytes));
    }
}

static void
test_writer_damage (void)
{
  g_autoptr (GBytes) bytes = flow_test_unhex ("0a05");
  g_autoptr (GBytes) bad_string = flow_test_unhex ("0a030a01ff");
  g_autoptr (GError) error = NULL;

  g_assert_null (flow_proto_to_text ("GraphDef", bytes, "x", &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS);
  g_clear_error (&error);
  g_assert_null (flow_proto_to_text ("GraphDef", bad_string, "x", &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/formats/text/recorded-texts", test_recorded_texts);
  g_test_add_func ("/formats/text/recorded-messages", test_recorded_messages);
  g_test_add_func ("/formats/text/wider-forms", test_wider_forms);
  g_test_add_func ("/formats/text/places", test_places);
  g_test_add_func ("/formats/text/nesting", test_nesting);
  g_test_add_func ("/formats/text/long-line", test_long_line);
  g_test_add_func ("/formats/text/text-is-binary", test_text_is_binary);
  g_test_add_func ("/formats/text/writer-damage", test_writer_damage);

  return g_test_run ();
}
