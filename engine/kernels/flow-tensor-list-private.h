/* flow-tensor-list-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-kernel.h"
#include "flow-variant.h"

G_BEGIN_DECLS

/* TensorFlow's TensorList: a value like a tensor, unlike a TensorArray. */
#define FLOW_TYPE_TENSOR_LIST (_flow_tensor_list_get_type ())

G_DECLARE_FINAL_TYPE (FlowTensorList, _flow_tensor_list, FLOW, TENSOR_LIST, FlowVariant)

struct _FlowTensorList
{
  FlowVariant parent_instance;

  FlowDType dtype;
  FlowShape *shape;            /* of elements, may be known in part */
  gint64 max_elements;         /* -1: no limit */
  gint64 n;
  gint64 capacity;
  FlowTensor **tensors;        /* NULL: a place that was never written */
  FlowBudget *budget;          /* nullable: what pays for the places */
  gsize counted;               /* bytes asked of it */
};

/* A list of @n empty places; room for one more is made as it grows. */
FlowTensorList *_flow_tensor_list_new          (FlowDType             dtype,
                                                const FlowShape      *shape,
                                                gint64                n,
                                                FlowBudget           *budget,
                                                GError              **error);
/* The same places of the same tensors. */
gboolean        _flow_tensor_list_asked_shape  (FlowInferContext     *c,
                                                guint                 i,
                                                FlowShape           **out,
                                                GError              **error);
FlowTensorList *_flow_tensor_list_copy         (FlowTensorList       *self,
                                                FlowBudget           *budget,
                                                GError              **error);
gboolean        _flow_tensor_list_resize       (FlowTensorList       *self,
                                                gint64                n,
                                                GError              **error);
/* @tensor (nullable) in place @i. */
gboolean        _flow_tensor_list_set          (FlowTensorList       *self,
                                                gint64                i,
                                                const FlowTensor     *tensor,
                                                GError              **error);
gboolean        _flow_tensor_list_push         (FlowTensorList       *self,
                                                const FlowTensor     *tensor,
                                                GError              **error);

/* --- for kernels -------------------------------------------------------------------------------- */

/* TensorFlow's words for a variant of any type, in messages. */
char           *_flow_variant_text             (FlowVariant          *variant);
/* The list in input @i, a scalar; borrowed. */
FlowTensorList *_flow_kernel_list              (FlowKernelContext    *c,
                                                guint                 i,
                                                GError              **error);
/* The list in input @i as output @output, to be written: the input itself where nobody else has it. */
FlowTensorList *_flow_kernel_own_list          (FlowKernelContext    *c,
                                                guint                 i,
                                                guint                 output,
                                                GError              **error);
/* Output @output becomes a scalar that holds @list; takes it. */
gboolean        _flow_kernel_take_list         (FlowKernelContext    *c,
                                                guint                 output,
                                                FlowTensorList       *list);
/* "Invalid data types; op elements X but list elements Y" */
gboolean        _flow_kernel_list_dtype        (FlowKernelContext    *c,
                                                FlowTensorList       *list,
                                                GError              **error);
/* The shape that input @i spells: a vector, or -1 for one of unknown rank. */
FlowShape      *_flow_kernel_element_shape     (FlowKernelContext    *c,
                                                guint                 i,
                                                GError              **error);
/* That shape and the list's own together. */
FlowShape      *_flow_kernel_asked_shape       (FlowKernelContext    *c,
                                                FlowTensorList       *list,
                                                guint                 i,
                                                GError              **error);
/* And that of the tensor in place @i, if there is one. */
gboolean        _flow_tensor_list_merge        (FlowTensorList       *list,
                                                gint64                i,
                                                FlowShape           **shape,
                                                GError              **error);
/* As flow_infer_set_handle() for a new list, and what is known of the list in input @i (unknown where nothing is). */
void            _flow_infer_put_list           (FlowInferContext     *c,
                                                guint                 output,
                                                const FlowShape      *shape);
void            _flow_infer_same_list          (FlowInferContext     *c,
                                                guint                 input,
                                                guint                 output);
/* Input @shape_input merged with what is known of the list in input @list. */
gboolean        _flow_infer_list_shape         (FlowInferContext     *c,
                                                guint                 list,
                                                guint                 shape_input,
                                                FlowShape           **out,
                                                GError              **error);

#define FLOW_LIST_TYPES                                                                           \
  "element_dtype: bfloat16 bool complex128 complex64 double float half int16 int32 int64 int8 "   \
  "qint16 qint32 qint8 quint16 quint8 string uint16 uint8 variant"

G_END_DECLS
