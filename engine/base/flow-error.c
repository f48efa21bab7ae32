/* flow-error.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-error.h"

#include <errno.h>
#include <string.h>

typedef struct {
  char *node;
  char *op_type;
} FlowErrorPrivate;

static void
flow_error_private_init (FlowErrorPrivate *priv)
{
}

static void
flow_error_private_copy (const FlowErrorPrivate *src,
                         FlowErrorPrivate       *dest)
{
  dest->node = g_strdup (src->node);
  dest->op_type = g_strdup (src->op_type);
}

static void
flow_error_private_clear (FlowErrorPrivate *priv)
{
  g_free (priv->node);
  g_free (priv->op_type);
}

G_DEFINE_EXTENDED_ERROR (FlowError, flow_error)

/* Index = code. The title is how TensorFlow 1.15 prints a code inside a message. */
static const struct {
  const char *name;
  const char *title;
} codes[] = {
  { "OK", "OK" },
  { "CANCELLED", "Cancelled" },
  { "UNKNOWN", "Unknown" },
  { "INVALID_ARGUMENT", "Invalid argument" },
  { "DEADLINE_EXCEEDED", "Deadline exceeded" },
  { "NOT_FOUND", "Not found" },
  { "ALREADY_EXISTS", "Already exists" },
  { "PERMISSION_DENIED", "Permission denied" },
  { "RESOURCE_EXHAUSTED", "Resource exhausted" },
  { "FAILED_PRECONDITION", "Failed precondition" },
  { "ABORTED", "Aborted" },
  { "OUT_OF_RANGE", "Out of range" },
  { "UNIMPLEMENTED", "Unimplemented" },
  { "INTERNAL", "Internal" },
  { "UNAVAILABLE", "Unavailable" },
  { "DATA_LOSS", "Data loss" },
  { "UNAUTHENTICATED", "Unauthenticated" },
};

/**
 * flow_error_code_name:
 * @code: a #FlowError code, 0 for OK
 *
 * Returns: (transfer none): TensorFlow's name of the code, such as `INVALID_ARGUMENT`; `UNKNOWN`
 *   for a number that is no code
 */
const char *
flow_error_code_name (int code)
{
  return code >= 0 && code < (int) G_N_ELEMENTS (codes) ? codes[code].name : codes[FLOW_ERROR_UNKNOWN].name;
}

/**
 * flow_error_code_title:
 * @code: a #FlowError code, 0 for OK
 *
 * Returns: (transfer none): how TensorFlow 1.15 prints the code in prose, such as `Invalid argument`
 */
const char *
flow_error_code_title (int code)
{
  return code >= 0 && code < (int) G_N_ELEMENTS (codes) ? codes[code].title : codes[FLOW_ERROR_UNKNOWN].title;
}

/**
 * flow_error_code_from_name:
 * @name: a code's name such as `OUT_OF_RANGE`
 *
 * Returns: the code, -1 if there is none of that name
 */
int
flow_error_code_from_name (const char *name)
{
  g_return_val_if_fail (name != NULL, -1);

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    if (strcmp (codes[i].name, name) == 0)
      return (int) i;
  return -1;
}

/**
 * flow_error_code_from_errno:
 * @errnum: an `errno` value
 *
 * Returns: the code that TensorFlow gives that errno (its own table; the rest is UNKNOWN)
 */
int
flow_error_code_from_errno (int errnum)
{
  switch (errnum)
    {
    case 0:
      return 0;
    case EINVAL: case ENAMETOOLONG: case E2BIG: case EDESTADDRREQ: case EDOM: case EFAULT:
    case EILSEQ: case ENOPROTOOPT: case ENOTSOCK: case ENOTTY: case EPROTOTYPE: case ESPIPE:
      return FLOW_ERROR_INVALID_ARGUMENT;
    case ETIMEDOUT: case ETIME:
      return FLOW_ERROR_DEADLINE_EXCEEDED;
    case ENODEV: case ENOENT: case ENXIO: case ESRCH:
      return FLOW_ERROR_NOT_FOUND;
    case EEXIST: case EADDRNOTAVAIL: case EALREADY:
      return FLOW_ERROR_ALREADY_EXISTS;
    case EPERM: case EACCES: case EROFS:
      return FLOW_ERROR_PERMISSION_DENIED;
    case ENOTEMPTY: case EISDIR: case ENOTDIR: case EADDRINUSE: case EBADF: case EBUSY: case ECHILD:
    case EISCONN: case ENOTBLK: case ENOTCONN: case EPIPE: case ESHUTDOWN: case ETXTBSY:
      return FLOW_ERROR_FAILED_PRECONDITION;
    case ENOSPC: case EDQUOT: case EMFILE: case EMLINK: case ENFILE: case ENOBUFS: case ENODATA:
    case ENOMEM: case ENOSR: case EUSERS:
      return FLOW_ERROR_RESOURCE_EXHAUSTED;
    case EFBIG: case EOVERFLOW: case ERANGE:
      return FLOW_ERROR_OUT_OF_RANGE;
    case ENOSYS: case ENOTSUP: case EAFNOSUPPORT: case EPFNOSUPPORT: case EPROTONOSUPPORT:
    case ESOCKTNOSUPPORT: case EXDEV:
      return FLOW_ERROR_UNIMPLEMENTED;
    case EAGAIN: case ECONNREFUSED: case ECONNABORTED: case ECONNRESET: case EINTR:
    case EHOSTDOWN: case EHOSTUNREACH: case ENETDOWN: case ENETRESET: case ENETUNREACH:
    case ENOLCK: case ENOLINK: case ENONET:
      return FLOW_ERROR_UNAVAILABLE;
    case EDEADLK: case ESTALE:
      return FLOW_ERROR_ABORTED;
    case ECANCELED:
      return FLOW_ERROR_CANCELLED;
    default:
      return FLOW_ERROR_UNKNOWN;
    }
}

/**
 * flow_error_set_from_errno: (skip)
 * @error: where to put it
 * @errnum: an `errno` value
 * @path: (nullable): the file it is about
 *
 * Sets TensorFlow's code for @errnum with its form of the words, `PATH; No such file or directory`.
 */
void
flow_error_set_from_errno (GError     **error,
                           int          errnum,
                           const char  *path)
{
  int code = flow_error_code_from_errno (errnum);

  if (path != NULL)
    g_set_error (error, FLOW_ERROR, code, "%s; %s", path, g_strerror (errnum));
  else
    g_set_error (error, FLOW_ERROR, code, "%s", g_strerror (errnum));
}

/**
 * flow_error_set_node: (skip)
 * @error: an error of the domain `FLOW_ERROR`
 * @node: (nullable): the name of the node it is about
 * @op_type: (nullable): that node's op type
 *
 * Says which node an error is about, so that nobody has to read the message for it. An error that
 * knows its node keeps it: the innermost caller is right.
 */
void
flow_error_set_node (GError     *error,
                     const char *node,
                     const char *op_type)
{
  FlowErrorPrivate *priv;

  if (error == NULL || error->domain != FLOW_ERROR)
    return;
  priv = flow_error_get_private (error);
  if (priv->node != NULL)
    return;
  priv->node = g_strdup (node);
  priv->op_type = g_strdup (op_type);
}

/**
 * flow_error_get_node: (skip)
 * @error: any error
 *
 * Returns: (transfer none) (nullable): the name of the node the error is about
 */
const char *
flow_error_get_node (const GError *error)
{
  FlowErrorPrivate *priv;

  if (error == NULL || error->domain != FLOW_ERROR)
    return NULL;
  priv = flow_error_get_private (error);
  return priv->node;
}

/**
 * flow_error_get_op_type: (skip)
 * @error: any error
 *
 * Returns: (transfer none) (nullable): the op type of the node the error is about
 */
const char *
flow_error_get_op_type (const GError *error)
{
  FlowErrorPrivate *priv;

  if (error == NULL || error->domain != FLOW_ERROR)
    return NULL;
  priv = flow_error_get_private (error);
  return priv->op_type;
}
