/* flow-tensor.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-budget.h"
#include "flow-dtype.h"
#include "flow-handle.h"
#include "flow-shape.h"

G_BEGIN_DECLS

/**
 * FlowBuffer: (skip)
 *
 * The storage behind one or more tensors: memory of our own (counted against a budget) or bytes that
 * somebody else owns (a mapped file, a numpy array).
 */
typedef struct _FlowBuffer FlowBuffer;

/**
 * FlowTensor:
 *
 * An immutable, reference-counted value: dtype, shape, elements in row-major order.
 *
 * Elements of strings are `GBytes *` (%NULL is the empty string), of resources `FlowHandle *`, of
 * variants `FlowVariant *`; the tensor owns a reference to each. All others lie as they are, little
 * endian, aligned to 64 bytes when the memory is ours and to the element size otherwise.
 *
 * A tensor may be written only by whoever made it, before anybody else has a reference:
 * flow_tensor_get_writable().
 */
typedef struct _FlowTensor FlowTensor;

/**
 * FlowReleaseFunc:
 * @data: what was given with it
 *
 * Called once, from any thread, when nobody needs somebody else's memory any more.
 */
typedef void (*FlowReleaseFunc) (gpointer data);

struct _FlowTensor
{
  /*< private >*/
  gatomicrefcount ref_count;
  FlowDType dtype;
  FlowShape *shape;
  gint64 n_elements;
  gsize n_bytes;          /* of the elements' own cells: for strings n_elements * sizeof (GBytes *) */
  gpointer data;
  FlowBuffer *buffer;
};

#define FLOW_TYPE_TENSOR (flow_tensor_get_type ())

FLOW_API GType         flow_tensor_get_type        (void);
FLOW_API FlowTensor   *flow_tensor_new             (FlowDType          dtype,
                                                    const FlowShape   *shape,
                                                    FlowBudget        *budget,
                                                    GError           **error);
FLOW_API FlowTensor   *flow_tensor_new_zeros       (FlowDType          dtype,
                                                    const FlowShape   *shape,
                                                    FlowBudget        *budget,
                                                    GError           **error);
FLOW_API FlowTensor   *flow_tensor_new_from_bytes  (FlowDType          dtype,
                                                    const FlowShape   *shape,
                                                    GBytes            *bytes,
                                                    GError           **error);
FLOW_API FlowTensor   *flow_tensor_new_from_memory (FlowDType          dtype,
                                                    const FlowShape   *shape,
                                                    guint64            address,
                                                    FlowReleaseFunc    release,
                                                    gpointer           data,
                                                    GError           **error);
FLOW_API FlowTensor   *flow_tensor_new_strings    (const FlowShape   *shape,
                                                    GPtrArray         *values,
                                                    GError           **error);
FLOW_API FlowTensor   *flow_tensor_new_scalar      (FlowDType          dtype,
                                                    gconstpointer      value);
FLOW_API FlowTensor   *flow_tensor_new_float       (float              value);
FLOW_API FlowTensor   *flow_tensor_new_int32       (gint32             value);
FLOW_API FlowTensor   *flow_tensor_new_int64       (gint64             value);
FLOW_API FlowTensor   *flow_tensor_new_bool        (gboolean           value);
FLOW_API FlowTensor   *flow_tensor_new_string      (const char        *value,
                                                    gssize             length);
FLOW_API FlowTensor   *flow_tensor_new_handle      (const FlowHandle  *handle);
FLOW_API FlowTensor   *flow_tensor_reshape         (const FlowTensor  *self,
                                                    const FlowShape   *shape,
                                                    GError           **error);
FLOW_API FlowTensor   *flow_tensor_bitcast         (const FlowTensor  *self,
                                                    FlowDType          dtype,
                                                    const FlowShape   *shape,
                                                    GError           **error);
FLOW_API FlowTensor   *flow_tensor_slice_rows      (const FlowTensor  *self,
                                                    gint64             begin,
                                                    gint64             end);
FLOW_API FlowTensor   *flow_tensor_copy            (const FlowTensor  *self,
                                                    FlowBudget        *budget,
                                                    GError           **error);
FLOW_API FlowTensor   *flow_tensor_ref             (const FlowTensor  *self);
FLOW_API void          flow_tensor_unref           (const FlowTensor  *self);
FLOW_API gboolean      flow_tensor_is_exclusive    (const FlowTensor  *self);

FLOW_API FlowDType     flow_tensor_get_dtype       (const FlowTensor  *self);
FLOW_API FlowShape    *flow_tensor_get_shape       (const FlowTensor  *self);
FLOW_API int           flow_tensor_get_rank        (const FlowTensor  *self);
FLOW_API gint64        flow_tensor_get_dim         (const FlowTensor  *self,
                                                    int                i);
FLOW_API gint64        flow_tensor_get_n_elements  (const FlowTensor  *self);
FLOW_API gsize         flow_tensor_get_n_bytes     (const FlowTensor  *self);
FLOW_API gconstpointer flow_tensor_get_data        (const FlowTensor  *self);
FLOW_API gpointer      flow_tensor_get_writable    (FlowTensor        *self);
FLOW_API guint64       flow_tensor_get_address     (const FlowTensor  *self);
FLOW_API GBytes       *flow_tensor_dup_bytes       (const FlowTensor  *self);
FLOW_API const char   *flow_tensor_get_string      (const FlowTensor  *self,
                                                    gint64             i,
                                                    gsize             *length);
FLOW_API GBytes       *flow_tensor_dup_string      (const FlowTensor  *self,
                                                    gint64             i);
FLOW_API void          flow_tensor_take_string     (FlowTensor        *self,
                                                    gint64             i,
                                                    GBytes            *value);
FLOW_API double        flow_tensor_get_double      (const FlowTensor  *self,
                                                    gint64             i);
FLOW_API gint64        flow_tensor_get_int         (const FlowTensor  *self,
                                                    gint64             i);
FLOW_API gboolean      flow_tensor_identical       (const FlowTensor  *a,
                                                    const FlowTensor  *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowTensor, flow_tensor_unref)

#ifndef __GI_SCANNER__
/* For kernels, where a call per element would show. */
#define FLOW_DIMS(t) ((t)->shape->dims)
#define FLOW_RANK(t) ((t)->shape->rank)
#define FLOW_DATA(type, t) ((const type *) (t)->data)
#define FLOW_WRITABLE(type, t) ((type *) (t)->data)
#endif

G_END_DECLS
