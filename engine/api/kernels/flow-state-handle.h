/* flow-state-handle.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

/* An attr that FlowKernelHost.call_function takes with the function's own: a string "NAME#N", or "NAME#N/MORE", by which
 * the nodes of the body, and of bodies called from there, keep their state. What was kept by another N is forgotten.
 * TensorFlow has the like among the options with which a function is instantiated. */
#define FLOW_STATE_HANDLE_ATTR "_state_handle"
