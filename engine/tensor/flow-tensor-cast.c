/* flow-tensor-cast.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-tensor-cast.h"

#include <math.h>
#include <string.h>

#include "flow-parallel.h"
#include "flow-util.h"

#define GRAIN 65536

/* A number on its way from one dtype to another. A long double holds every int64, uint64 and float64
 * exactly, so each conversion rounds once. Integers go from one dtype to another as bits. */
typedef struct {
  gboolean is_integer;
  guint64 bits;          /* sign-extended; of integers and bools */
  long double re;
  long double im;
} Number;

typedef struct {
  const FlowTensor *from;
  FlowTensor *to;
} CastJob;

#define LOAD_INT(DTYPE, type)                                       \
    case FLOW_DTYPE_##DTYPE:                                        \
      n->is_integer = TRUE;                                         \
      n->bits = (guint64) (gint64) ((const type *) data)[i];        \
      n->re = (long double) ((const type *) data)[i];               \
      return;

static void
load_number (FlowDType     dtype,
             gconstpointer data,
             gint64        i,
             Number       *n)
{
  n->is_integer = FALSE;
  n->im = 0;
  switch ((int) dtype)
    {
    LOAD_INT (INT32, gint32)
    LOAD_INT (QINT32, gint32)
    LOAD_INT (UINT8, guint8)
    LOAD_INT (QUINT8, guint8)
    LOAD_INT (INT16, gint16)
    LOAD_INT (QINT16, gint16)
    LOAD_INT (INT8, gint8)
    LOAD_INT (QINT8, gint8)
    LOAD_INT (INT64, gint64)
    LOAD_INT (UINT16, guint16)
    LOAD_INT (QUINT16, guint16)
    LOAD_INT (UINT32, guint32)
    LOAD_INT (UINT64, guint64)
    case FLOW_DTYPE_BOOL:
      n->is_integer = TRUE;
      n->bits = ((const guint8 *) data)[i] != 0;
      n->re = (long double) n->bits;
      return;
    case FLOW_DTYPE_FLOAT:
      n->re = ((const float *) data)[i];
      return;
    case FLOW_DTYPE_DOUBLE:
      n->re = ((const double *) data)[i];
      return;
    case FLOW_DTYPE_HALF:
      n->re = flow_half_to_float (((const guint16 *) data)[i]);
      return;
    case FLOW_DTYPE_BFLOAT16:
      n->re = flow_bfloat16_to_float (((const guint16 *) data)[i]);
      return;
    case FLOW_DTYPE_COMPLEX64:
      n->re = ((const float *) data)[2 * i];
      n->im = ((const float *) data)[2 * i + 1];
      return;
    default:
      n->re = ((const double *) data)[2 * i];
      n->im = ((const double *) data)[2 * i + 1];
      return;
    }
}

/* What the x86-64 instruction gives, and with it numpy: the fraction is dropped, what does not fit is
 * the smallest number. */
static gint64
to_int64 (long double v)
{
  return v > -0x1p63L - 1 && v < 0x1p63L ? (gint64) v : G_MININT64;
}

static gint32
to_int32 (long double v)
{
  return v > -0x1p31L - 1 && v < 0x1p31L ? (gint32) v : G_MININT32;
}

static guint64
to_uint64 (long double v)
{
  if (v < 0x1p63L)
    return (guint64) to_int64 (v);
  return v < 0x1p64L ? (guint64) v : isnan (v) ? (guint64) 1 << 63 : 0;
}

/* Through float32, but so that nothing is rounded twice: where float32 is not exact it gets an odd
 * last bit, which no tie has. */
static guint16
to_half (long double v)
{
  float f = (float) v;
  union { float f; guint32 u; } cell;

  if (isnan (v) || isinf (f) || (long double) f == v)
    return flow_half_from_float (f);
  if (fabsl ((long double) f) > fabsl (v))
    f = nextafterf (f, 0);
  cell.f = f;
  cell.u |= 1;
  return flow_half_from_float (cell.f);
}

static void
store_number (FlowDType     dtype,
              gpointer      data,
              gint64        i,
              const Number *n)
{
  switch ((int) dtype)
    {
    case FLOW_DTYPE_BOOL:
      ((guint8 *) data)[i] = n->is_integer ? n->bits != 0 : n->re != 0 || n->im != 0;
      return;
    case FLOW_DTYPE_INT8:
    case FLOW_DTYPE_QINT8:
    case FLOW_DTYPE_UINT8:
    case FLOW_DTYPE_QUINT8:
      ((guint8 *) data)[i] = (guint8) (n->is_integer ? n->bits : (guint64) to_int32 (n->re));
      return;
    case FLOW_DTYPE_INT16:
    case FLOW_DTYPE_QINT16:
    case FLOW_DTYPE_UINT16:
    case FLOW_DTYPE_QUINT16:
      ((guint16 *) data)[i] = (guint16) (n->is_integer ? n->bits : (guint64) to_int32 (n->re));
      return;
    case FLOW_DTYPE_INT32:
    case FLOW_DTYPE_QINT32:
      ((guint32 *) data)[i] = (guint32) (n->is_integer ? n->bits : (guint64) to_int32 (n->re));
      return;
    case FLOW_DTYPE_UINT32:
      ((guint32 *) data)[i] = (guint32) (n->is_integer ? n->bits : (guint64) to_int64 (n->re));
      return;
    case FLOW_DTYPE_INT64:
      ((guint64 *) data)[i] = n->is_integer ? n->bits : (guint64) to_int64 (n->re);
      return;
    case FLOW_DTYPE_UINT64:
      ((guint64 *) data)[i] = n->is_integer ? n->bits : to_uint64 (n->re);
      return;
    case FLOW_DTYPE_FLOAT:
      ((float *) data)[i] = (float) n->re;
      return;
    case FLOW_DTYPE_DOUBLE:
      ((double *) data)[i] = (double) n->re;
      return;
    case FLOW_DTYPE_HALF:
      ((guint16 *) data)[i] = to_half (n->re);
      return;
    case FLOW_DTYPE_BFLOAT16:
      ((guint16 *) data)[i] = flow_bfloat16_from_float ((float) n->re);
      return;
    case FLOW_DTYPE_COMPLEX64:
      ((float *) data)[2 * i] = (float) n->re;
      ((float *) data)[2 * i + 1] = (float) n->im;
      return;
    default:
      ((double *) data)[2 * i] = (double) n->re;
      ((double *) data)[2 * i + 1] = (double) n->im;
      return;
    }
}

#define FAST_LOOP(from_type, to_type)                                             \
    for (gint64 i = begin; i < end; i++)                                          \
      ((to_type *) job->to->data)[i] = (to_type) ((const from_type *) job->from->data)[i]

#define PAIR(from, to) ((from) * FLOW_N_DTYPES + (to))

static void
cast_range (gint64   begin,
            gint64   end,
            gpointer data)
{
  CastJob *job = data;

  switch (PAIR ((int) job->from->dtype, (int) job->to->dtype))
    {
    case PAIR (FLOW_DTYPE_DOUBLE, FLOW_DTYPE_FLOAT):
      FAST_LOOP (double, float);
      return;
    case PAIR (FLOW_DTYPE_FLOAT, FLOW_DTYPE_DOUBLE):
      FAST_LOOP (float, double);
      return;
    case PAIR (FLOW_DTYPE_INT64, FLOW_DTYPE_INT32):
      FAST_LOOP (gint64, gint32);
      return;
    case PAIR (FLOW_DTYPE_INT32, FLOW_DTYPE_INT64):
      FAST_LOOP (gint32, gint64);
      return;
    case PAIR (FLOW_DTYPE_UINT8, FLOW_DTYPE_FLOAT):
      FAST_LOOP (guint8, float);
      return;
    default:
      for (gint64 i = begin; i < end; i++)
        {
          Number n;

          load_number (job->from->dtype, job->from->data, i, &n);
          store_number (job->to->dtype, job->to->data, i, &n);
        }
    }
}

static gboolean
has_values (FlowDType dtype)
{
  return dtype != FLOW_DTYPE_STRING && dtype != FLOW_DTYPE_RESOURCE && dtype != FLOW_DTYPE_VARIANT;
}

static gboolean
parse_string (const FlowTensor  *self,
              gint64             i,
              FlowDType          dtype,
              Number            *n,
              GError           **error)
{
  gsize length;
  const char *bytes = flow_tensor_get_string (self, i, &length);
  g_autofree char *copy = g_strndup (bytes != NULL ? bytes : "", length);
  char *text = g_strstrip (copy);
  char *end = text;

  n->im = 0;
  n->is_integer = flow_dtype_is_integer (dtype);
  if (n->is_integer)
    {
      n->bits = *text == '-' ? (guint64) g_ascii_strtoll (text, &end, 10) : g_ascii_strtoull (text, &end, 10);
      n->re = 0;
    }
  else
    {
      n->re = g_ascii_strtod (text, &end);
    }
  if (*text == '\0' || *end != '\0')
    {
      g_autofree char *shown = flow_escape_display (bytes, (gssize) length, 100);

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "could not convert string to %s: '%s'",
                   n->is_integer ? "int" : "float", shown);
      return FALSE;
    }
  return TRUE;
}

/**
 * flow_tensor_cast:
 * @self: a tensor
 * @dtype: a base dtype
 * @budget: (nullable): what to ask for the memory
 * @error: where to put an error
 *
 * Converts as Session.run converts what is fed, which is numpy's conversion without a check: floats
 * lose their fraction on the way to integers, integers that do not fit are cut, complex numbers lose
 * the imaginary part, anything but zero is true. Strings are read as numbers. Quantised dtypes are
 * their integers.
 *
 * Returns: (transfer full): a tensor of the same shape, @self itself if it has the dtype; %NULL with
 *   %FLOW_ERROR_INVALID_ARGUMENT when a value cannot be one of @dtype, or as flow_tensor_new()
 */
FlowTensor *
flow_tensor_cast (const FlowTensor  *self,
                  FlowDType          dtype,
                  FlowBudget        *budget,
                  GError           **error)
{
  g_autoptr (FlowTensor) result = NULL;
  CastJob job = { self };

  g_return_val_if_fail (self != NULL, NULL);

  if (self->dtype == dtype)
    return flow_tensor_ref (self);
  if (!flow_dtype_is_valid (dtype) || flow_dtype_is_ref (dtype) || !has_values (dtype)
      || (!has_values (self->dtype) && self->dtype != FLOW_DTYPE_STRING))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Cannot convert a value of type %s to %s",
                   flow_dtype_string (self->dtype), flow_dtype_string (dtype));
      return NULL;
    }

  result = flow_tensor_new (dtype, self->shape, budget, error);
  if (result == NULL)
    return NULL;
  if (self->dtype == FLOW_DTYPE_STRING)
    {
      for (gint64 i = 0; i < self->n_elements; i++)
        {
          Number n;

          if (!parse_string (self, i, dtype, &n, error))
            return NULL;
          store_number (dtype, result->data, i, &n);
        }
      return g_steal_pointer (&result);
    }
  job.to = result;
  flow_parallel_for (self->n_elements, GRAIN, cast_range, &job);
  return g_steal_pointer (&result);
}
