/* flow-tensor-load.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-tensor-load-private.h"

#include <float.h>
#include <math.h>

/* What the elements of a tensor are as float64: the one loop that statistics and comparison share. */

#define LOAD_CASE(DTYPE, type)                                \
    case FLOW_DTYPE_##DTYPE:                                  \
      {                                                       \
        const type *data = (const type *) tensor->data + begin; \
        for (gint64 i = 0; i < n; i++)                        \
          values[i] = (double) data[i];                       \
        return TRUE;                                          \
      }

/*
 * _flow_tensor_load_doubles:
 * @tensor: a tensor of any dtype
 * @begin: first flat index
 * @end: one past the last flat index
 * @values: (out): room for @end - @begin numbers
 *
 * Bool gives 0 and 1, complex numbers their magnitudes, quantised dtypes their stored integers.
 *
 * Returns: FALSE if the dtype has no numbers
 */
FLOW_TENSOR_CLONES gboolean
_flow_tensor_load_doubles (const FlowTensor *tensor,
                           gint64            begin,
                           gint64            end,
                           double           *values)
{
  gint64 n = end - begin;

  switch ((int) tensor->dtype)
    {
    LOAD_CASE (FLOAT, float)
    LOAD_CASE (DOUBLE, double)
    LOAD_CASE (INT32, gint32)
    LOAD_CASE (QINT32, gint32)
    LOAD_CASE (UINT8, guint8)
    LOAD_CASE (QUINT8, guint8)
    LOAD_CASE (INT16, gint16)
    LOAD_CASE (QINT16, gint16)
    LOAD_CASE (INT8, gint8)
    LOAD_CASE (QINT8, gint8)
    LOAD_CASE (INT64, gint64)
    LOAD_CASE (UINT16, guint16)
    LOAD_CASE (QUINT16, guint16)
    LOAD_CASE (UINT32, guint32)
    LOAD_CASE (UINT64, guint64)

    case FLOW_DTYPE_BOOL:
      for (gint64 i = 0; i < n; i++)
        values[i] = ((const guint8 *) tensor->data)[begin + i] != 0;
      return TRUE;

    case FLOW_DTYPE_HALF:
      for (gint64 i = 0; i < n; i++)
        values[i] = flow_half_to_float (((const guint16 *) tensor->data)[begin + i]);
      return TRUE;

    case FLOW_DTYPE_BFLOAT16:
      for (gint64 i = 0; i < n; i++)
        values[i] = flow_bfloat16_to_float (((const guint16 *) tensor->data)[begin + i]);
      return TRUE;

    case FLOW_DTYPE_COMPLEX64:
      for (gint64 i = 0; i < n; i++)
        {
          const float *cell = (const float *) tensor->data + 2 * (begin + i);
          values[i] = hypot (cell[0], cell[1]);
        }
      return TRUE;

    case FLOW_DTYPE_COMPLEX128:
      for (gint64 i = 0; i < n; i++)
        {
          const double *cell = (const double *) tensor->data + 2 * (begin + i);
          values[i] = hypot (cell[0], cell[1]);
        }
      return TRUE;

    default:
      return FALSE;
    }
}

/*
 * _flow_dtype_min_normal:
 *
 * Returns: the smallest positive number of the dtype that is not denormal; 0 for dtypes that have
 *   no denormal numbers
 */
double
_flow_dtype_min_normal (FlowDType dtype)
{
  switch ((int) dtype)
    {
    case FLOW_DTYPE_HALF:
      return 0x1p-14;
    case FLOW_DTYPE_BFLOAT16:
    case FLOW_DTYPE_FLOAT:
    case FLOW_DTYPE_COMPLEX64:
      return FLT_MIN;
    case FLOW_DTYPE_DOUBLE:
    case FLOW_DTYPE_COMPLEX128:
      return DBL_MIN;
    default:
      return 0;
    }
}
