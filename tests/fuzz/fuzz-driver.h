/* fuzz-driver.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a fuzz target defines; libFuzzer's form, so that clang's -fsanitize=fuzzer can drive it too. */
int                LLVMFuzzerTestOneInput (const guint8 *data,
                                           gsize         size);
/* Files below tests/golden that it starts from, NULL at the end. */
extern const char *const fuzz_seeds[];

G_END_DECLS
