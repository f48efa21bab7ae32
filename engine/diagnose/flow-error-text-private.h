/* flow-error-text-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-error-text.h"

G_BEGIN_DECLS

/* An error that is known. @pattern finds it; its groups n (node), t (tensor), v (variable), k (checkpoint
 * key), f (file), o (op type) say what it is about. @meaning and @advice may have these letters in braces. */
typedef struct {
  const char *id;
  int code;
  const char *pattern;
  const char *meaning;
  const char *advice;
} FlowErrorRow;

extern const FlowErrorRow _flow_error_rows[];
extern const guint _flow_n_error_rows;

G_END_DECLS
