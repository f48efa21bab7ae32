/* test-json.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-json.h"

#include <string.h>

static void
test_good (void)
{
  static const char *const texts[] = {
    "0", "-12.5e+3", ".5", "-.5", "5.", "1E9", "true", "null", "\"\"", "\"\\u00e4\\n\\\\\"", "[]", "{}", " [ ] ", "[1, [2], {}]",
    "{\"a\": {\"b\": [1, \"]\", false]}, \"c\": -0}", "\n[\"a\\\"]\",\t\"\xc3\xa4\"]\r\n", "[[[[1]]]]",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (flow_json_check (texts[i], -1, 4, &error));
      g_assert_no_error (error);
    }
}

static void
test_bad (void)
{
  static const struct {
    const char *text;
    const char *words;
  } cases[] = {
    { "", "a value expected in line 1" },
    { " \n", "a value expected in line 2" },
    { "[", "a value" },
    { "[1", "a comma or a bracket" },
    { "[1,]", "a value" },
    { "[1 2]", "a comma or a bracket" },
    { "[1}", "a comma or a bracket" },
    { "1 2", "nothing more" },
    { "]", "a value" },
    { "{1: 2}", "a text in double quotes" },
    { "{'a': 2}", "a text in double quotes" },
    { "{\"a\" 2}", "a colon" },
    { "{\"a\":}", "a value" },
    { "{\"a\": 1\n\n,}", "a text in double quotes expected in line 3" },
    { "{\"a\": 1]", "a comma or a brace" },
    { "\"a", "the end of a text" },
    { "\"a\nb\"", "the end of a text" },
    { "\"a\\", "a letter that may stand behind a backslash" },
    { "\"\\x\"", "a letter that may stand behind a backslash" },
    { "\"\\u12g4\"", "hexadecimal" },
    { "nul", "a value" },
    { "01", "nothing more" },
    { "-", "a digit" },
    { ".", "a digit" },
    { "1.x", "nothing more" },
    { "1e", "a digit" },
    { "NaN", "a value" },
    { "/* no */ 1", "a value" },
    { "[[[[[1]]]]]", "nested more than 4 deep" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (flow_json_check (cases[i].text, -1, 4, &error));
      g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
      g_test_message ("%s: %s", cases[i].text, error->message);
      g_assert_nonnull (strstr (error->message, cases[i].words));
    }
}

/* Cut anywhere, a text is none: no byte behind the end is looked at. */
static void
test_cut (void)
{
  static const char text[] = "{\"a\": [true, null, -1.5e3, \"\\u0041\"]}";

  for (gsize n = 0; n < strlen (text); n++)
    {
      g_autofree char *copy = g_memdup2 (text, n + 1);
      g_autofree char *exact = n > 0 ? g_memdup2 (text, n) : NULL;

      copy[n] = '\0';
      g_assert_false (flow_json_check (copy, -1, 4, NULL));
      g_assert_false (flow_json_check (exact != NULL ? exact : "", (gssize) n, 4, NULL));
    }
  g_assert_true (flow_json_check (text, (gssize) strlen (text), 4, NULL));
}

static void
test_numbers (void)
{
  static const char *const cases[][2] = {
    { "1e+20.0", "1e+20" },
    { "[-1e+30.0,3,1e-05.0, 2.5e+19,1.0,10.0]", "[-1e+30,3,1e-05, 2.5e+19,1.0,10.0]" },
    { "{\"1e+20.0\":\"say \\\"1e+20.0\\\" 1e+20.0\\\\\"}", "{\"1e+20.0\":\"say \\\"1e+20.0\\\" 1e+20.0\\\\\"}" },
    { "{\"x\":[true,null,0,1.0]}", "{\"x\":[true,null,0,1.0]}" },
    { "\"open\\", "\"open\\" },
    { "", "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = flow_json_mend_numbers (g_strdup (cases[i][0]));

      g_assert_cmpstr (text, ==, cases[i][1]);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/json/good", test_good);
  g_test_add_func ("/base/json/bad", test_bad);
  g_test_add_func ("/base/json/cut", test_cut);
  g_test_add_func ("/base/json/numbers", test_numbers);
  return g_test_run ();
}
