/* flow-dataset-file.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What datasets of files share.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-dataset-private.h"
#include "flow-string-private.h"

#include <string.h>

char *
_flow_dup_string (const FlowTensor *tensor,
                  gint64            i)
{
  Text text = text_at (tensor, i);

  return g_strndup (text.length > 0 ? text.bytes : "", text.length);
}

gboolean
_flow_dataset_open_file (FlowPosition  *self,
                         FlowPull      *pull,
                         gboolean      *done,
                         gboolean      *past,
                         GError       **error)
{
  const FlowTensor *names = self->dataset->tensors[0];
  g_autoptr (GError) failure = NULL;

  *past = FALSE;
  *done = self->numbers[FLOW_FILE_INDEX] >= names->n_elements;
  if (*done)
    return TRUE;
  if (self->stream == NULL)
    {
      g_autofree char *name = _flow_dup_string (names, self->numbers[FLOW_FILE_INDEX]);
      g_autofree char *compression = _flow_dup_string (self->dataset->tensors[1], 0);
      g_autofree char *path = flow_kernel_find_file (pull->c, name, FLOW_PATH_READ, error);

      self->stream = path != NULL ? _flow_stream_open (path, name, compression, pull->c->budget, error) : NULL;
      if (self->stream == NULL)
        return FALSE;
    }
  if (_flow_stream_tell (self->stream) == self->numbers[FLOW_FILE_OFFSET]
      || _flow_stream_seek (self->stream, self->numbers[FLOW_FILE_OFFSET], &failure))
    return TRUE;
  *past = TRUE;
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

void
_flow_dataset_leave_file (FlowPosition *self)
{
  self->numbers[FLOW_FILE_INDEX]++;
  self->numbers[FLOW_FILE_OFFSET] = 0;
  self->numbers[FLOW_FILE_IS_OPEN] = 0;
  g_clear_pointer (&self->stream, _flow_stream_free);
}

FlowTensor *
_flow_dataset_read_compression (FlowKernelContext  *c,
                                guint               i,
                                GError            **error)
{
  FlowTensor *tensor = i < c->n_inputs ? flow_tensor_ref (flow_kernel_input (c, i)) : flow_tensor_new_string (NULL, 0);
  Text text;

  if (flow_is_scalar (tensor))
    {
      text = text_at (tensor, 0);
      if (text.length == 0 || (text.length == 4 && (memcmp (text.bytes, "ZLIB", 4) == 0
                                                    || memcmp (text.bytes, "GZIP", 4) == 0)))
        return tensor;
      _flow_refuse (error, "Unsupported compression_type.");
    }
  else
    {
      _flow_refuse (error, "compression_type must be a scalar");
    }
  flow_tensor_unref (tensor);
  return NULL;
}
