/* flow-error.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-macros.h"

G_BEGIN_DECLS

/**
 * FlowError:
 * @FLOW_ERROR_CANCELLED: an op was cancelled, a queue was closed
 * @FLOW_ERROR_UNKNOWN: what TensorFlow calls unknown (EIO for one)
 * @FLOW_ERROR_INVALID_ARGUMENT: a graph, attr, shape, dtype or value that may not be
 * @FLOW_ERROR_DEADLINE_EXCEEDED: a run took longer than it was given
 * @FLOW_ERROR_NOT_FOUND: no such node, key, file, op type
 * @FLOW_ERROR_ALREADY_EXISTS: a name is taken
 * @FLOW_ERROR_PERMISSION_DENIED: refused by the system or by our own policy
 * @FLOW_ERROR_RESOURCE_EXHAUSTED: the memory budget or the disk is full
 * @FLOW_ERROR_FAILED_PRECONDITION: uninitialised variables and their like
 * @FLOW_ERROR_ABORTED: concurrent change
 * @FLOW_ERROR_OUT_OF_RANGE: end of a queue, a reader, an iterator
 * @FLOW_ERROR_UNIMPLEMENTED: a known op without a kernel for what is asked
 * @FLOW_ERROR_INTERNAL: what should not happen
 * @FLOW_ERROR_UNAVAILABLE: nobody answers
 * @FLOW_ERROR_DATA_LOSS: damaged bytes
 * @FLOW_ERROR_UNAUTHENTICATED: no or a wrong token
 *
 * TensorFlow's status codes, number for number, so that a gRPC status maps one to one.
 */
typedef enum {
  FLOW_ERROR_CANCELLED = 1,
  FLOW_ERROR_UNKNOWN = 2,
  FLOW_ERROR_INVALID_ARGUMENT = 3,
  FLOW_ERROR_DEADLINE_EXCEEDED = 4,
  FLOW_ERROR_NOT_FOUND = 5,
  FLOW_ERROR_ALREADY_EXISTS = 6,
  FLOW_ERROR_PERMISSION_DENIED = 7,
  FLOW_ERROR_RESOURCE_EXHAUSTED = 8,
  FLOW_ERROR_FAILED_PRECONDITION = 9,
  FLOW_ERROR_ABORTED = 10,
  FLOW_ERROR_OUT_OF_RANGE = 11,
  FLOW_ERROR_UNIMPLEMENTED = 12,
  FLOW_ERROR_INTERNAL = 13,
  FLOW_ERROR_UNAVAILABLE = 14,
  FLOW_ERROR_DATA_LOSS = 15,
  FLOW_ERROR_UNAUTHENTICATED = 16,
} FlowError;

#define FLOW_ERROR (flow_error_quark ())

FLOW_API GQuark      flow_error_quark           (void);
FLOW_API const char *flow_error_code_name       (int           code);
FLOW_API const char *flow_error_code_title      (int           code);
FLOW_API int         flow_error_code_from_name  (const char   *name);
FLOW_API int         flow_error_code_from_errno (int           errnum);
FLOW_API void        flow_error_set_from_errno  (GError      **error,
                                                 int           errnum,
                                                 const char   *path);
FLOW_API void        flow_error_set_node        (GError       *error,
                                                 const char   *node,
                                                 const char   *op_type);
FLOW_API const char *flow_error_get_node        (const GError *error);
FLOW_API const char *flow_error_get_op_type     (const GError *error);

/* Kernels and shape functions: set the error and fail in one statement. The condition and message
 * stand on one line, as TensorFlow's OP_REQUIRES has it. */
#define FLOW_REQUIRE(cond, error, code, ...)                                                  \
  G_STMT_START {                                                                              \
    if (G_UNLIKELY (!(cond)))                                                                 \
      {                                                                                       \
        g_set_error ((error), FLOW_ERROR, FLOW_ERROR_##code, __VA_ARGS__);                    \
        return FALSE;                                                                         \
      }                                                                                       \
  } G_STMT_END

G_END_DECLS
