/* flow-encoding-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-string-private.h"

G_BEGIN_DECLS

typedef struct _FlowEncoding FlowEncoding;

/* NULL for a name that is not known. */
FlowEncoding *_flow_encoding_new    (const char         *name);
void          _flow_encoding_free   (FlowEncoding       *self);
/* The character that begins at @at, and how many bytes it has; bytes that make none are @bad. */
gsize         _flow_encoding_next   (const FlowEncoding *self,
                                     Text                text,
                                     gsize               at,
                                     gunichar           *c,
                                     gboolean           *bad);
/* In UTF-8, UTF-16-BE or UTF-32-BE. */
void          _flow_encoding_append (const FlowEncoding *self,
                                     GString            *text,
                                     gunichar            c);

G_END_DECLS
