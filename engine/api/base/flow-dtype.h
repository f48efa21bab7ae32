/* flow-dtype.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-macros.h"

G_BEGIN_DECLS

/**
 * FlowDType:
 *
 * TensorFlow's `DataType`, number for number. A reference (an output of a ref variable) is its base
 * plus %FLOW_DTYPE_REF; tensors never have a reference dtype, only edges do.
 */
typedef enum {
  FLOW_DTYPE_INVALID = 0,
  FLOW_DTYPE_FLOAT = 1,
  FLOW_DTYPE_DOUBLE = 2,
  FLOW_DTYPE_INT32 = 3,
  FLOW_DTYPE_UINT8 = 4,
  FLOW_DTYPE_INT16 = 5,
  FLOW_DTYPE_INT8 = 6,
  FLOW_DTYPE_STRING = 7,
  FLOW_DTYPE_COMPLEX64 = 8,
  FLOW_DTYPE_INT64 = 9,
  FLOW_DTYPE_BOOL = 10,
  FLOW_DTYPE_QINT8 = 11,
  FLOW_DTYPE_QUINT8 = 12,
  FLOW_DTYPE_QINT32 = 13,
  FLOW_DTYPE_BFLOAT16 = 14,
  FLOW_DTYPE_QINT16 = 15,
  FLOW_DTYPE_QUINT16 = 16,
  FLOW_DTYPE_UINT16 = 17,
  FLOW_DTYPE_COMPLEX128 = 18,
  FLOW_DTYPE_HALF = 19,
  FLOW_DTYPE_RESOURCE = 20,
  FLOW_DTYPE_VARIANT = 21,
  FLOW_DTYPE_UINT32 = 22,
  FLOW_DTYPE_UINT64 = 23,
} FlowDType;

#define FLOW_N_DTYPES 24
#define FLOW_DTYPE_REF 100

/* A set of base dtypes as bits, for constraints of attrs and kernels. */
typedef guint32 FlowDTypeSet;
#define FLOW_DTYPE_BIT(dtype) ((FlowDTypeSet) 1u << (dtype))

static inline FlowDType
flow_dtype_base (int dtype)
{
  return (FlowDType) (dtype >= FLOW_DTYPE_REF ? dtype - FLOW_DTYPE_REF : dtype);
}

static inline gboolean
flow_dtype_is_ref (int dtype)
{
  return dtype >= FLOW_DTYPE_REF;
}

FLOW_API gboolean    flow_dtype_is_valid     (int         dtype);
FLOW_API gsize       flow_dtype_size         (int         dtype);
FLOW_API const char *flow_dtype_name         (int         dtype);
FLOW_API const char *flow_dtype_string       (int         dtype);
FLOW_API const char *flow_dtype_enum_name    (int         dtype);
FLOW_API int         flow_dtype_from_string  (const char *text);
FLOW_API gboolean    flow_dtype_is_floating  (int         dtype);
FLOW_API gboolean    flow_dtype_is_integer   (int         dtype);
FLOW_API gboolean    flow_dtype_is_complex   (int         dtype);
FLOW_API gboolean    flow_dtype_is_quantized (int         dtype);
FLOW_API gboolean    flow_dtype_is_number    (int         dtype);

/* IEEE binary16 and bfloat16 as their bits; both conversions to them round to nearest even. */
FLOW_API float       flow_half_to_float      (guint16     bits);
FLOW_API guint16     flow_half_from_float    (float       value);

static inline float
flow_bfloat16_to_float (guint16 bits)
{
  union { guint32 u; float f; } v = { .u = (guint32) bits << 16 };
  return v.f;
}

static inline guint16
flow_bfloat16_from_float (float value)
{
  union { float f; guint32 u; } v = { .f = value };
  if (value != value)
    return 0x7fc0;
  return (guint16) ((v.u + 0x7fff + ((v.u >> 16) & 1)) >> 16);
}

G_END_DECLS
