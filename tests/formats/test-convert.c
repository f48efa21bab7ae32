/* test-convert.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-formats-private.h"
#include "flow-model-private.h"
#include "flow-test-damage.h"

#include <string.h>

/* Every model file, read and written: golden/formats/converted.tsv has for each the SHA-256 of what TensorFlow's
 * own protobuf writes of it, in deterministic order and as text. Those that are not committed are read where
 * FLOW_TEST_SHARED has them. */

static char *
hash (GBytes *bytes)
{
  return g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);
}

static GBytes *
convert (GBytes        *bytes,
         FlowModelKind  kind,
         gboolean       as_text)
{
  g_autoptr (GError) error = NULL;
  GBytes *converted = flow_model_convert_bytes (bytes, "x", kind, as_text, &error);

  g_assert_no_error (error);
  return converted;
}

static void
check_file (const char    *name,
            GBytes        *bytes,
            FlowModelKind  kind,
            const char    *ordered_hash,
            const char    *text_hash)
{
  g_autoptr (FlowBudget) budget = flow_budget_new (flow_budget_default_limit ());
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) plain = g_bytes_ref (bytes);
  g_autoptr (GBytes) binary = NULL;
  g_autoptr (GBytes) text = NULL;
  g_autoptr (GBytes) from_text = NULL;
  g_autoptr (GBytes) ordered = NULL;
  g_autofree char *binary_sum = NULL;
  g_autofree char *text_sum = NULL;
  FlowModelKind text_kind;

  g_test_message ("%s", name);
  g_assert_true (_flow_unpack (&plain, name, budget, &error));
  binary = convert (bytes, kind, FALSE);
  text = convert (bytes, kind, TRUE);
  /* What stays what it is comes out byte for byte. */
  g_assert_true (g_bytes_equal (_flow_sniff_text (plain, &text_kind) ? text : binary, plain));
  /* Text and binary say the same: in one order they are the same. */
  from_text = convert (text, kind, FALSE);
  ordered = flow_model_order_bytes (binary, "x", &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (from_text, ordered));
  binary_sum = hash (ordered);
  text_sum = hash (text);
  if (*ordered_hash != '-')
    g_assert_cmpstr (binary_sum, ==, ordered_hash);
  if (*text_hash != '-')
    g_assert_cmpstr (text_sum, ==, text_hash);
}

static GBytes *
read_listed (const char *place,
             const char *name)
{
  g_autofree char *path = NULL;
  char *data;
  gsize size;

  if (strcmp (place, "golden") == 0)
    path = g_build_filename (g_getenv ("G_TEST_SRCDIR"), "golden", name, NULL);
  else if (g_getenv ("FLOW_TEST_SHARED") != NULL)
    path = g_build_filename (g_getenv ("FLOW_TEST_SHARED"), "fixtures", name, NULL);
  if (path == NULL || !g_file_test (path, G_FILE_TEST_EXISTS))
    return NULL;
  g_assert_true (g_file_get_contents (path, &data, &size, NULL));
  return g_bytes_new_take (data, size);
}

static void
test_all (void)
{
  g_autoptr (GBytes) table = flow_test_read ("golden/formats/converted.tsv");
  g_autofree char *list = g_strndup (g_bytes_get_data (table, NULL), g_bytes_get_size (table));
  g_auto (GStrv) lines = g_strsplit (g_strchomp (list), "\n", -1);
  guint n_committed = 0;
  guint n_shared = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) columns = g_strsplit (lines[i], "\t", -1);
      g_autoptr (GBytes) bytes = read_listed (columns[0], columns[1]);
      gboolean is_committed = strcmp (columns[0], "golden") == 0;

      g_assert_true (bytes != NULL || !is_committed);
      if (bytes == NULL)
        continue;
      check_file (columns[1], bytes, (FlowModelKind) atoi (columns[2]), columns[3], columns[4]);
      n_committed += is_committed;
      n_shared += !is_committed;
    }
  g_test_message ("%u committed files and %u others", n_committed, n_shared);
  g_assert_cmpuint (n_committed, >=, 9);
}

/* Fields that nobody knows, and maps in any order, go through a file that stays binary. */
static void
test_unknown_fields (void)
{
  static const guint8 bytes[] = {
    /* node { name: "a" op: "NoOp" attr { "z": b } attr { "a": b } and field 99 } */
    0x0a, 0x25, 0x0a, 0x01, 'a', 0x12, 0x04, 'N', 'o', 'O', 'p', 0x2a, 0x07, 0x0a, 0x01, 'z', 0x12, 0x02, 0x28, 0x01,
    0x2a, 0x07, 0x0a, 0x01, '_', 0x12, 0x02, 0x28, 0x01, 0x9a, 0x06, 0x07, 'u', 'n', 'k', 'n', 'o', 'w', 'n',
    /* field 100 of the graph */
    0xa0, 0x06, 0x2a,
  };
  g_autoptr (GBytes) graph = g_bytes_new_static (bytes, sizeof bytes);
  g_autoptr (GBytes) same = convert (graph, FLOW_MODEL_GRAPH_DEF, FALSE);
  g_autoptr (GBytes) meta = convert (graph, FLOW_MODEL_META_GRAPH, FALSE);
  g_autoptr (GBytes) back = convert (meta, FLOW_MODEL_GRAPH_DEF, FALSE);

  g_assert_true (g_bytes_equal (graph, same));
  g_assert_true (g_bytes_equal (graph, back));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/formats/convert/all", test_all);
  g_test_add_func ("/formats/convert/unknown-fields", test_unknown_fields);

  return g_test_run ();
}
