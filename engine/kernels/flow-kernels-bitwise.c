/* flow-kernels-bitwise.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-elementwise-private.h"

/* Bits of integers, element by element. */

#define UNSIGNED_LOOPS(ident, expr)                                                    \
  FLOW_BINARY_LOOP (, ident##_8, guint8, guint8, expr)                                 \
  FLOW_BINARY_LOOP (, ident##_16, guint16, guint16, expr)                              \
  FLOW_BINARY_LOOP (FLOW_CLONES, ident##_32, guint32, guint32, expr)                   \
  FLOW_BINARY_LOOP (FLOW_CLONES, ident##_64, guint64, guint64, expr)
#define ENTRIES(ident)                                                                 \
  [FLOW_DTYPE_INT8] = ident##_8,                                                       \
  [FLOW_DTYPE_INT16] = ident##_16,                                                     \
  [FLOW_DTYPE_INT32] = ident##_32,                                                     \
  [FLOW_DTYPE_INT64] = ident##_64,                                                     \
  [FLOW_DTYPE_UINT8] = ident##_8,                                                      \
  [FLOW_DTYPE_UINT16] = ident##_16,                                                    \
  [FLOW_DTYPE_UINT32] = ident##_32,                                                    \
  [FLOW_DTYPE_UINT64] = ident##_64

#define ALL_INTS "T: int8 int16 int32 int64 uint8 uint16 uint32 uint64"

UNSIGNED_LOOPS (and, a & b)
static const FlowBinaryLoops and_loops = { ENTRIES (and) };
FLOW_BINARY_COMPUTE (and)
FLOW_ONE_KERNEL (and, ALL_INTS)

UNSIGNED_LOOPS (or, a | b)
static const FlowBinaryLoops or_loops = { ENTRIES (or) };
FLOW_BINARY_COMPUTE (or)
FLOW_ONE_KERNEL (or, ALL_INTS)

UNSIGNED_LOOPS (xor, a ^ b)
static const FlowBinaryLoops xor_loops = { ENTRIES (xor) };
FLOW_BINARY_COMPUTE (xor)
FLOW_ONE_KERNEL (xor, ALL_INTS)

/* TF: a shift by less than nothing is none, one past the width is by width - 1. */
#define CLAMP_SHIFT(b, bits) ((b) < 0 ? 0 : (b) > (bits) - 1 ? (bits) - 1 : (int) (b))
#define CLAMP_UNSIGNED(b, bits) ((b) > (bits) - 1 ? (bits) - 1 : (int) (b))

FLOW_BINARY_LOOP (, left_int8, gint8, gint8, (guint8) a << CLAMP_SHIFT (b, 8))
FLOW_BINARY_LOOP (, left_int16, gint16, gint16, (guint32) (guint16) a << CLAMP_SHIFT (b, 16))
FLOW_BINARY_LOOP (, left_int32, gint32, gint32, (guint32) a << CLAMP_SHIFT (b, 32))
FLOW_BINARY_LOOP (, left_int64, gint64, gint64, (guint64) a << CLAMP_SHIFT (b, 64))
FLOW_BINARY_LOOP (, left_uint8, guint8, guint8, (guint32) a << CLAMP_UNSIGNED (b, 8))
FLOW_BINARY_LOOP (, left_uint16, guint16, guint16, (guint32) a << CLAMP_UNSIGNED (b, 16))
FLOW_BINARY_LOOP (, left_uint32, guint32, guint32, a << CLAMP_UNSIGNED (b, 32))
FLOW_BINARY_LOOP (, left_uint64, guint64, guint64, a << CLAMP_UNSIGNED (b, 64))

FLOW_BINARY_LOOP (, right_int8, gint8, gint8, a >> CLAMP_SHIFT (b, 8))
FLOW_BINARY_LOOP (, right_int16, gint16, gint16, a >> CLAMP_SHIFT (b, 16))
FLOW_BINARY_LOOP (, right_int32, gint32, gint32, a >> CLAMP_SHIFT (b, 32))
FLOW_BINARY_LOOP (, right_int64, gint64, gint64, a >> CLAMP_SHIFT (b, 64))
FLOW_BINARY_LOOP (, right_uint8, guint8, guint8, a >> CLAMP_UNSIGNED (b, 8))
FLOW_BINARY_LOOP (, right_uint16, guint16, guint16, a >> CLAMP_UNSIGNED (b, 16))
FLOW_BINARY_LOOP (, right_uint32, guint32, guint32, a >> CLAMP_UNSIGNED (b, 32))
FLOW_BINARY_LOOP (, right_uint64, guint64, guint64, a >> CLAMP_UNSIGNED (b, 64))

#define SHIFT_ENTRIES(ident)                                                           \
  [FLOW_DTYPE_INT8] = ident##_int8,                                                    \
  [FLOW_DTYPE_INT16] = ident##_int16,                                                  \
  [FLOW_DTYPE_INT32] = ident##_int32,                                                  \
  [FLOW_DTYPE_INT64] = ident##_int64,                                                  \
  [FLOW_DTYPE_UINT8] = ident##_uint8,                                                  \
  [FLOW_DTYPE_UINT16] = ident##_uint16,                                                \
  [FLOW_DTYPE_UINT32] = ident##_uint32,                                                \
  [FLOW_DTYPE_UINT64] = ident##_uint64

static const FlowBinaryLoops left_loops = { SHIFT_ENTRIES (left) };
FLOW_BINARY_COMPUTE (left)
FLOW_ONE_KERNEL (left, ALL_INTS)

static const FlowBinaryLoops right_loops = { SHIFT_ENTRIES (right) };
FLOW_BINARY_COMPUTE (right)
FLOW_ONE_KERNEL (right, ALL_INTS)

FLOW_UNARY_LOOP (, invert_8, guint8, guint8, ~a)
FLOW_UNARY_LOOP (, invert_16, guint16, guint16, ~a)
FLOW_UNARY_LOOP (, invert_32, guint32, guint32, ~a)
FLOW_UNARY_LOOP (, invert_64, guint64, guint64, ~a)

static const FlowUnaryLoops invert_loops = { ENTRIES (invert) };
FLOW_UNARY_COMPUTE (invert)
FLOW_ONE_KERNEL (invert, ALL_INTS)

FLOW_UNARY_LOOP (, count_8, guint8, guint8, __builtin_popcount (a))
FLOW_UNARY_LOOP (, count_16, guint16, guint8, __builtin_popcount (a))
FLOW_UNARY_LOOP (, count_32, guint32, guint8, __builtin_popcount (a))
FLOW_UNARY_LOOP (, count_64, guint64, guint8, __builtin_popcountll (a))

static const FlowUnaryLoops count_loops = { ENTRIES (count) };
FLOW_UNARY_COMPUTE (count)
FLOW_ONE_KERNEL (count, "T: int8 int16 int32 int64 uint8 uint16")

#define INTS "T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}"
#define BITWISE(op, ident, flag_bits, text)                                            \
  { .name = op, .inputs = "x: T; y: T", .outputs = "z: T", .attrs = INTS,              \
    .summary = text, .flags = flag_bits, .family = FLOW_OP_FAMILY_MATH,                \
    .infer = flow_infer_broadcast_binary, .kernels = ident##_kernels }

static const FlowOpDef ops[] = {
  BITWISE ("BitwiseAnd", and, FLOW_OP_COMMUTATIVE, "Bits set in x and y"),
  BITWISE ("BitwiseOr", or, FLOW_OP_COMMUTATIVE, "Bits set in x or y"),
  BITWISE ("BitwiseXor", xor, FLOW_OP_COMMUTATIVE, "Bits set in one of x and y"),
  { .name = "Invert", .inputs = "x: T", .outputs = "y: T", .attrs = INTS,
    .summary = "Every bit turned over", .family = FLOW_OP_FAMILY_MATH,
    .infer = flow_infer_unchanged_shape, .kernels = invert_kernels },
  BITWISE ("LeftShift", left, 0, "x shifted left by y bits"),
  { .name = "PopulationCount", .inputs = "x: T", .outputs = "y: uint8", .attrs = INTS,
    .summary = "Number of bits set", .family = FLOW_OP_FAMILY_MATH,
    .infer = flow_infer_unchanged_shape, .kernels = count_kernels },
  BITWISE ("RightShift", right, 0, "x shifted right by y bits, its sign kept"),
};

FLOW_DEFINE_OP_FAMILY (bitwise, ops)
