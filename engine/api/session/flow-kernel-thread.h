/* flow-kernel-thread.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-macros.h"

G_BEGIN_DECLS

/**
 * FlowKernelFunc: (skip)
 * @data: what was given with it
 */
typedef void (*FlowKernelFunc) (gpointer data);

#ifndef __GI_SCANNER__
FLOW_API void     flow_kernel_thread_push       (FlowKernelFunc func,
                                                 gpointer       data);
FLOW_API void     flow_kernel_thread_call       (FlowKernelFunc func,
                                                 gpointer       data);
FLOW_API gboolean flow_kernel_thread_is_current (void);
#endif

G_END_DECLS
