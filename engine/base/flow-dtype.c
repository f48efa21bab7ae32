/* flow-dtype.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-dtype.h"

#include <string.h>

typedef enum {
  KIND_OTHER,
  KIND_FLOAT,
  KIND_INT,
  KIND_COMPLEX,
  KIND_QUANTIZED,
} DTypeKind;

/* One row per dtype, by number. `string` is the name in messages of the C++ side, `name` the one of
 * Python, which interfaces use. */
static const struct {
  const char *name;
  const char *string;
  const char *enum_name;
  gsize size;
  DTypeKind kind;
} dtypes[FLOW_N_DTYPES] = {
  [FLOW_DTYPE_INVALID] = { "invalid", "INVALID", "DT_INVALID", 0, KIND_OTHER },
  [FLOW_DTYPE_FLOAT] = { "float32", "float", "DT_FLOAT", 4, KIND_FLOAT },
  [FLOW_DTYPE_DOUBLE] = { "float64", "double", "DT_DOUBLE", 8, KIND_FLOAT },
  [FLOW_DTYPE_INT32] = { "int32", "int32", "DT_INT32", 4, KIND_INT },
  [FLOW_DTYPE_UINT8] = { "uint8", "uint8", "DT_UINT8", 1, KIND_INT },
  [FLOW_DTYPE_INT16] = { "int16", "int16", "DT_INT16", 2, KIND_INT },
  [FLOW_DTYPE_INT8] = { "int8", "int8", "DT_INT8", 1, KIND_INT },
  [FLOW_DTYPE_STRING] = { "string", "string", "DT_STRING", sizeof (gpointer), KIND_OTHER },
  [FLOW_DTYPE_COMPLEX64] = { "complex64", "complex64", "DT_COMPLEX64", 8, KIND_COMPLEX },
  [FLOW_DTYPE_INT64] = { "int64", "int64", "DT_INT64", 8, KIND_INT },
  [FLOW_DTYPE_BOOL] = { "bool", "bool", "DT_BOOL", 1, KIND_OTHER },
  [FLOW_DTYPE_QINT8] = { "qint8", "qint8", "DT_QINT8", 1, KIND_QUANTIZED },
  [FLOW_DTYPE_QUINT8] = { "quint8", "quint8", "DT_QUINT8", 1, KIND_QUANTIZED },
  [FLOW_DTYPE_QINT32] = { "qint32", "qint32", "DT_QINT32", 4, KIND_QUANTIZED },
  [FLOW_DTYPE_BFLOAT16] = { "bfloat16", "bfloat16", "DT_BFLOAT16", 2, KIND_FLOAT },
  [FLOW_DTYPE_QINT16] = { "qint16", "qint16", "DT_QINT16", 2, KIND_QUANTIZED },
  [FLOW_DTYPE_QUINT16] = { "quint16", "quint16", "DT_QUINT16", 2, KIND_QUANTIZED },
  [FLOW_DTYPE_UINT16] = { "uint16", "uint16", "DT_UINT16", 2, KIND_INT },
  [FLOW_DTYPE_COMPLEX128] = { "complex128", "complex128", "DT_COMPLEX128", 16, KIND_COMPLEX },
  [FLOW_DTYPE_HALF] = { "float16", "half", "DT_HALF", 2, KIND_FLOAT },
  [FLOW_DTYPE_RESOURCE] = { "resource", "resource", "DT_RESOURCE", sizeof (gpointer), KIND_OTHER },
  [FLOW_DTYPE_VARIANT] = { "variant", "variant", "DT_VARIANT", sizeof (gpointer), KIND_OTHER },
  [FLOW_DTYPE_UINT32] = { "uint32", "uint32", "DT_UINT32", 4, KIND_INT },
  [FLOW_DTYPE_UINT64] = { "uint64", "uint64", "DT_UINT64", 8, KIND_INT },
};

/**
 * flow_dtype_is_valid:
 * @dtype: a number from a file or a #FlowDType, reference or not
 *
 * Returns: whether it is a dtype that tensors or edges can have
 */
gboolean
flow_dtype_is_valid (int dtype)
{
  if (dtype > FLOW_DTYPE_REF)
    dtype -= FLOW_DTYPE_REF;
  return dtype > FLOW_DTYPE_INVALID && dtype < FLOW_N_DTYPES;
}

static int
index_of (int dtype)
{
  return flow_dtype_is_valid (dtype) ? (int) flow_dtype_base (dtype) : FLOW_DTYPE_INVALID;
}

/**
 * flow_dtype_size:
 * @dtype: a dtype
 *
 * Returns: bytes of one element's cell; for strings, resources and variants the size of a pointer;
 *   0 for what is no dtype
 */
gsize
flow_dtype_size (int dtype)
{
  return dtypes[index_of (dtype)].size;
}

/**
 * flow_dtype_name:
 * @dtype: a dtype
 *
 * Returns: (transfer none): TensorFlow's Python name, `float32`; a reference has its base's
 */
const char *
flow_dtype_name (int dtype)
{
  return dtypes[index_of (dtype)].name;
}

/**
 * flow_dtype_string:
 * @dtype: a dtype
 *
 * Returns: (transfer none): the name in TensorFlow's engine messages, `float`, `float_ref`; a number
 *   that is no dtype gives `INVALID`
 */
const char *
flow_dtype_string (int dtype)
{
  static const char *const refs[FLOW_N_DTYPES] = {
    "INVALID", "float_ref", "double_ref", "int32_ref", "uint8_ref", "int16_ref", "int8_ref",
    "string_ref", "complex64_ref", "int64_ref", "bool_ref", "qint8_ref", "quint8_ref", "qint32_ref",
    "bfloat16_ref", "qint16_ref", "quint16_ref", "uint16_ref", "complex128_ref", "half_ref",
    "resource_ref", "variant_ref", "uint32_ref", "uint64_ref",
  };
  int i = index_of (dtype);

  return flow_dtype_is_ref (dtype) ? refs[i] : dtypes[i].string;
}

/**
 * flow_dtype_enum_name:
 * @dtype: a dtype
 *
 * Returns: (transfer none): the name in text protos, `DT_FLOAT`; a reference has its base's
 */
const char *
flow_dtype_enum_name (int dtype)
{
  return dtypes[index_of (dtype)].enum_name;
}

/**
 * flow_dtype_from_string:
 * @text: a dtype in any of TensorFlow's spellings: `float`, `float32`, `DT_FLOAT`, each also with
 *   `_ref` (`_REF`)
 *
 * Returns: the dtype, %FLOW_DTYPE_INVALID if there is none of that name
 */
int
flow_dtype_from_string (const char *text)
{
  gsize length;
  int ref = 0;

  g_return_val_if_fail (text != NULL, FLOW_DTYPE_INVALID);

  length = strlen (text);
  if (length > 4 && g_ascii_strcasecmp (text + length - 4, "_ref") == 0)
    {
      length -= 4;
      ref = FLOW_DTYPE_REF;
    }
  for (int i = 1; i < FLOW_N_DTYPES; i++)
    {
      const char *spellings[] = { dtypes[i].name, dtypes[i].string, dtypes[i].enum_name };

      for (guint k = 0; k < G_N_ELEMENTS (spellings); k++)
        if (strlen (spellings[k]) == length && strncmp (spellings[k], text, length) == 0)
          return i + ref;
    }
  return FLOW_DTYPE_INVALID;
}

/**
 * flow_dtype_is_floating:
 * @dtype: a dtype
 *
 * Returns: whether it is half, bfloat16, float or double (or a reference to one)
 */
gboolean
flow_dtype_is_floating (int dtype)
{
  return dtypes[index_of (dtype)].kind == KIND_FLOAT;
}

/**
 * flow_dtype_is_integer:
 * @dtype: a dtype
 *
 * Returns: whether it is a signed or unsigned integer; bool and quantised dtypes are not
 */
gboolean
flow_dtype_is_integer (int dtype)
{
  return dtypes[index_of (dtype)].kind == KIND_INT;
}

/**
 * flow_dtype_is_complex:
 * @dtype: a dtype
 *
 * Returns: whether it is complex64 or complex128
 */
gboolean
flow_dtype_is_complex (int dtype)
{
  return dtypes[index_of (dtype)].kind == KIND_COMPLEX;
}

/**
 * flow_dtype_is_quantized:
 * @dtype: a dtype
 *
 * Returns: whether it is one of the q dtypes
 */
gboolean
flow_dtype_is_quantized (int dtype)
{
  return dtypes[index_of (dtype)].kind == KIND_QUANTIZED;
}

/**
 * flow_dtype_is_number:
 * @dtype: a dtype
 *
 * Returns: whether its elements are numbers: floating, integer, complex or quantised
 */
gboolean
flow_dtype_is_number (int dtype)
{
  return dtypes[index_of (dtype)].kind != KIND_OTHER;
}

/**
 * flow_half_to_float:
 * @bits: an IEEE binary16 value
 *
 * Returns: the same value; exact
 */
float
flow_half_to_float (guint16 bits)
{
  guint32 sign = (guint32) (bits & 0x8000) << 16;
  guint32 exponent = (bits >> 10) & 0x1f;
  guint32 mantissa = bits & 0x3ff;
  union { guint32 u; float f; } v;

  if (exponent == 0x1f)
    v.u = sign | 0x7f800000u | (mantissa << 13);
  else if (exponent != 0)
    v.u = sign | ((exponent + 112) << 23) | (mantissa << 13);
  else
    {
      v.f = (float) mantissa * 0x1p-24f;
      v.u |= sign;
    }
  return v.f;
}

/**
 * flow_half_from_float:
 * @value: any float
 *
 * Returns: the nearest IEEE binary16 value, ties to even; too large is infinity, NaN stays NaN
 */
guint16
flow_half_from_float (float value)
{
  union { float f; guint32 u; } v = { .f = value };
  guint16 sign = (guint16) ((v.u >> 16) & 0x8000);
  guint32 magnitude = v.u & 0x7fffffffu;

  if (magnitude > 0x7f800000u)
    return sign | 0x7e00;
  if (magnitude >= 0x47800000u)
    return sign | 0x7c00;
  if (magnitude < 0x38800000u)
    {
      /* Subnormal: let the float adder round at the right bit. */
      union { guint32 u; float f; } m = { .u = magnitude };

      m.f += 0.5f;
      return sign | (guint16) (m.u - 0x3f000000u);
    }
  magnitude += 0xfffu + ((magnitude >> 13) & 1) - (112u << 23);
  return sign | (guint16) (magnitude >> 13);
}
