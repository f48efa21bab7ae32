/* flow-number-text-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-dtype.h"

G_BEGIN_DECLS

/* The fewest decimal digits that say which number of its dtype a number is. */
typedef struct {
  gboolean negative;
  char digits[20];       /* d1 d2 d3 ..., no point */
  int n_digits;
  int exponent;          /* of d1: the number is d1.d2d3... times ten to this */
} FlowDigits;

void _flow_digits_shortest    (FlowDigits *self,
                               FlowDType   dtype,
                               double      value);
void _flow_digits_append      (GString    *text,
                               FlowDType   dtype,
                               double      value,
                               int         precision,
                               gboolean    scientific);
void _flow_number_append_repr (GString    *text,
                               FlowDType   dtype,
                               double      value);

G_END_DECLS
