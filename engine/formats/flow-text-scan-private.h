/* flow-text-scan-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-formats-private.h"

G_BEGIN_DECLS

/* A place in protobuf text. After the first failure it stands at the end, so that loops stop. */
typedef struct {
  const char *start;
  const char *pos;
  const char *end;
  char *problem;               /* what is wrong, NULL while all is well */
  const char *problem_at;
  int problem_code;
} FlowTextScan;

typedef struct {
  const char *text;
  gsize length;
} FlowTextWord;

void     _flow_text_scan_init    (FlowTextScan  *self,
                                  const char    *text,
                                  gsize          length);
void     _flow_text_scan_clear   (FlowTextScan  *self);
void     _flow_text_scan_fail    (FlowTextScan  *self,
                                  const char    *at,
                                  const char    *format,
                                  ...) G_GNUC_PRINTF (3, 4);
gboolean _flow_text_scan_finish  (FlowTextScan  *self,
                                  const char    *label,
                                  GError       **error);
/* Moves over white space and comments and tells what comes: a character, 0 at the end. */
char     _flow_text_scan_peek    (FlowTextScan  *self);
gboolean _flow_text_scan_accept  (FlowTextScan  *self,
                                  char           c);
gboolean _flow_text_scan_expect  (FlowTextScan  *self,
                                  char           c);
gboolean _flow_text_scan_word    (FlowTextScan  *self,
                                  FlowTextWord  *word);
/* An integer with its sign; FALSE with a failure for what is none or does not fit 64 bits. */
gboolean _flow_text_scan_integer (FlowTextScan  *self,
                                  gboolean      *negative,
                                  guint64       *magnitude);
gboolean _flow_text_scan_float   (FlowTextScan  *self,
                                  double        *value);
/* One or more quoted pieces, unescaped and appended to @out. */
gboolean _flow_text_scan_string  (FlowTextScan  *self,
                                  FlowProtoWriter *out);
float    _flow_double_to_float   (double         value);

G_END_DECLS
