/* flow-link-output.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-debugger.h"

G_BEGIN_DECLS

/* Reads what a process prints and tells it as `logged`, line by line where it comes slowly. */
typedef struct _FlowLinkOutput FlowLinkOutput;

FlowLinkOutput *_flow_link_output_new  (FlowDebugger   *debugger,
                                        GInputStream   *stream);
/* What is under way is dropped. */
void            _flow_link_output_free (FlowLinkOutput *self);

/* What was printed last: some lines; (transfer full). Reads what is in the pipe without waiting. */
char           *_flow_link_output_dup_tail (FlowLinkOutput *self);

G_END_DECLS
