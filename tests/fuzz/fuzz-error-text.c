/* fuzz-error-text.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-error-text.h"
#include "fuzz-driver.h"

/* Reads bytes as an error text that somebody pastes: it is said in valid text, whatever it is. */

const char *const fuzz_seeds[] = { "golden/fuzz/error.txt", NULL };

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autoptr (FlowErrorText) said = flow_error_text_parse (NULL, text);

  g_assert_true (g_utf8_validate (said->message, -1, NULL));
  g_assert_true (said->meaning == NULL || g_utf8_validate (said->meaning, -1, NULL));
  return 0;
}
