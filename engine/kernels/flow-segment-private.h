/* flow-segment-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the ops on sorted segments share.
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

static inline gint64
_flow_segment_id (const FlowTensor *ids,
                  gint64            i)
{
  return ids->dtype == FLOW_DTYPE_INT32 ? FLOW_DATA (gint32, ids)[i] : FLOW_DATA (gint64, ids)[i];
}

/* One more than the last id, 0 without ids; TF counts in the ids' own type, where the greatest has no next. */
static inline gboolean
_flow_segment_count (const FlowTensor  *ids,
                     gint64            *n_rows,
                     GError           **error)
{
  gint64 greatest = ids->dtype == FLOW_DTYPE_INT32 ? G_MAXINT32 : G_MAXINT64;
  gint64 last = ids->n_elements > 0 ? _flow_segment_id (ids, ids->n_elements - 1) : 0;

  FLOW_REQUIRE (last >= 0 && last < greatest, error, INVALID_ARGUMENT, "segment ids must be >= 0");
  *n_rows = ids->n_elements > 0 ? last + 1 : 0;
  return TRUE;
}

/* What the indices of one segment pick. */
static inline gboolean
_flow_segment_check_picked (const FlowTensor  *indices,
                            gint64             begin,
                            gint64             end,
                            gint64             n_picked,
                            GError           **error)
{
  for (gint64 i = begin; i < end; i++)
    {
      gint64 at = _flow_segment_id (indices, i);

      FLOW_REQUIRE (at >= 0 && at < n_picked, error, INVALID_ARGUMENT, "Bad: indices[%" G_GINT64_FORMAT "] == %"
                    G_GINT64_FORMAT " out of range [0, %" G_GINT64_FORMAT ")", i, at, n_picked);
    }
  return TRUE;
}

/* Segment by segment as TensorFlow goes: the next one must have a greater id, this one a row, and what its
 * indices pick (@indices: %NULL, where each row is its own) must lie among @n_picked rows. */
static inline gboolean
_flow_segment_check (const FlowTensor  *ids,
                     gint64             n_rows,
                     const FlowTensor  *indices,
                     gint64             n_picked,
                     GError           **error)
{
  gint64 begin = 0;

  for (gint64 i = 1; i <= ids->n_elements; i++)
    {
      gint64 id = _flow_segment_id (ids, i - 1);
      gint64 next = i < ids->n_elements ? _flow_segment_id (ids, i) : G_MAXINT64;

      if (i < ids->n_elements && id == next)
        continue;
      FLOW_REQUIRE (i == ids->n_elements || id < next, error, INVALID_ARGUMENT, "segment ids are not increasing");
      FLOW_REQUIRE (id >= 0 && id < n_rows, error, INVALID_ARGUMENT, "Segment id %" G_GINT64_FORMAT
                    " out of range [0, %" G_GINT64_FORMAT "), possibly because 'segment_ids' input is not sorted.", id, n_rows);
      if (indices != NULL && !_flow_segment_check_picked (indices, begin, i, n_picked, error))
        return FALSE;
      begin = i;
    }
  return TRUE;
}

gboolean _flow_segment_infer_unsorted (FlowInferContext  *c,
                                       GError           **error);

G_END_DECLS
