/* flow-files-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

/* Adds the names of the files that @pattern matches (fnmatch, no wildcard matches a '/') to @names, as
 * TensorFlow spells them, in no order. Folders that the graph may not touch are not looked into. */
gboolean _flow_match_files (FlowKernelContext *c,
                            const char        *pattern,
                            GPtrArray         *names,
                            GError           **error);

G_END_DECLS
