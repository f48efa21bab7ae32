/* fuzz-text.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-model.h"
#include "flow-text-proto.h"
#include "fuzz-driver.h"

/* Reads bytes as text; what is read is printed, and that is read again to the same bytes. */

const char *const fuzz_seeds[] = { "golden/models/half_plus_two.pbtxt", "golden/models/values.pbtxt", NULL };

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  static const char *const messages[] = { "SavedModel", "GraphDef" };

  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
      g_autoptr (GBytes) encoded = flow_text_to_proto (messages[i], bytes, "fuzz", NULL);
      g_autoptr (GBytes) text = NULL;
      g_autoptr (GBytes) again = NULL;
      g_autoptr (GBytes) text_again = NULL;

      if (encoded == NULL)
        continue;
      text = flow_proto_to_text (messages[i], encoded, "fuzz", NULL);
      g_assert_nonnull (text);
      again = flow_text_to_proto (messages[i], text, "fuzz", NULL);
      g_assert_nonnull (again);
      text_again = flow_proto_to_text (messages[i], again, "fuzz", NULL);
      g_assert_true (g_bytes_equal (text, text_again));
    }
  return 0;
}
