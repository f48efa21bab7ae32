/* flow-summarize-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

/* Appends the first @max_entries elements (negative: all) as TensorFlow's Tensor::SummarizeValue
 * writes them: what stands inside the brackets of Assert and Print. */
void _flow_summarize      (GString          *text,
                           const FlowTensor *tensor,
                           gint64            max_entries);
/* The same as StringFormat writes it: all brackets, strings in quotes, @ends elements (negative: all) from
 * either end of each dim. */
void _flow_summarize_v2   (GString          *text,
                           const FlowTensor *tensor,
                           gint64            ends);
/* Bytes with everything that is not printable as a C escape. */
void _flow_append_escaped (GString          *text,
                           const char       *bytes,
                           gsize             length);
/* The shortest of %.6g and %.9g that reads back as the same number. */
void _flow_append_float   (GString          *text,
                           float             value);
void _flow_append_double  (GString          *text,
                           double            value);

/* A number as TensorFlow's messages have it; an argument of a printf: _flow_float_text (x).text. */
typedef struct {
  char text[32];
} FlowNumberText;

FlowNumberText _flow_float_text  (float  value);
FlowNumberText _flow_double_text (double value);
/* Of a value that is held in @dtype. */
FlowNumberText _flow_number_text (int    dtype,
                                  double value);

G_END_DECLS
