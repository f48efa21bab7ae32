/* flow-kernels-trial.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Ops that TensorFlow tries its own machinery with: which kernel a node gets, on which device it runs, what a graph's
 * version is, resources that hold nothing.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-named-private.h"
#include "flow-step-private.h"

/* --- which kernel ----------------------------------------------------------------------------------------------------- */

#define SAYS(ident, text)                                                                                    \
  static gboolean                                                                                            \
  ident##_compute (FlowKernelContext *c, GError **error)                                                     \
  {                                                                                                          \
    flow_kernel_take_output (c, 0, flow_tensor_new_string (text, -1));                                       \
    return TRUE;                                                                                             \
  }

SAYS (no_label, "My label is: default")
SAYS (label_1, "My label is: overload_1")
SAYS (label_2, "My label is: overload_2")
SAYS (fact, "0! == 1")
SAYS (fact_of_sergey, "Sergey Brin and Batman have never been seen at the same place at the same time.")
SAYS (device, "/job:localhost/replica:0/task:0/device:CPU:0")

static gboolean
vector_infer (FlowInferContext  *c,
              GError           **error)
{
  g_autoptr (FlowShape) vector = NULL;

  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 1, &vector, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_scalar ());
  return TRUE;
}

static gboolean
one_compute (FlowKernelContext  *c,
             GError            **error)
{
  flow_kernel_take_output (c, 0, flow_tensor_new_float (1));
  return TRUE;
}

static gboolean
version_compute (FlowKernelContext  *c,
                 GError            **error)
{
  flow_kernel_take_output (c, 0, flow_tensor_new_int32 (c->producer));
  return TRUE;
}

static gpointer
fail_to_construct (FlowKernelConstruction  *c,
                   GError                 **error)
{
  _flow_refuse (error, "Failure during construction.");
  return NULL;
}

static gboolean
nothing_compute (FlowKernelContext  *c,
                 GError            **error)
{
  return TRUE;
}

/* --- resources that hold nothing --------------------------------------------------------------------------------------- */

static gpointer
stub_save (FlowResource *resource)
{
  return g_strdup (resource->name);
}

static void
stub_restore (FlowResource  *resource,
              gconstpointer  saved)
{
}

static void
stub_visit (FlowResource        *resource,
            FlowResourceVisitor  visitor,
            gpointer             data)
{
}

static char *
stub_describe (FlowResource *resource)
{
  return g_strdup ("Stub");
}

static const FlowResourceClass stub_class = {
  .type_name = "N10tensorflow12StubResourceE",
  .save = stub_save,
  .restore = stub_restore,
  .saved_free = g_free,
  .visit = stub_visit,
  .describe = stub_describe,
};

FLOW_NAMED_KERNELS (stub_class, FlowResource)

static gboolean
create_compute (FlowKernelContext  *c,
                GError            **error)
{
  FlowResource *made = _flow_named_alloc (c, &stub_class, sizeof (FlowResource), error);
  FlowResource *old;

  if (made == NULL)
    return FALSE;
  old = flow_kernel_lookup (c, made->container, made->name, &stub_class, NULL);
  if (old == NULL)
    return _flow_named_publish (c, made, error);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_ALREADY_EXISTS, "Resource %s/%s/%s", made->container, made->name,
               stub_class.type_name);
  flow_resource_unref (old);
  flow_resource_unref (made);
  return FALSE;
}

static gboolean
use (FlowKernelContext  *c,
     gpointer            resource,
     GError            **error)
{
  return TRUE;
}

FLOW_NAMED_COMPUTE (use, 0, stub_class)

/* --- the table --------------------------------------------------------------------------------------------------------- */

#define TRIAL(op, ins, outs, ats, bits, infer_func, text, ...)                                               \
  { .name = op, .inputs = ins, .outputs = outs, .attrs = ats, .summary = text, .flags = bits,                \
    .family = FLOW_OP_FAMILY_STATE, .infer = infer_func,                                                     \
    .kernels = (const FlowKernelDef[]) { __VA_ARGS__, { NULL } } }
#define STUB "resource: resource"

static const FlowOpDef ops[] = {
  TRIAL ("ConstructionFails", "", "", "", 0, flow_infer_no_outputs, "Cannot be made",
         { NULL, nothing_compute, fail_to_construct }),
  TRIAL ("DevicePlacementOp", "", "device: string", "", FLOW_OP_STATEFUL, flow_infer_scalar_shape,
         "The device that the node runs on", { NULL, device_compute }),
  TRIAL ("Fact", "", "fact: string", "", 0, flow_infer_unknown_shape, "A fact about factorials", { NULL, fact_compute },
         { "_kernel: Sergey", fact_of_sergey_compute }, { "_kernel: sergey", fact_of_sergey_compute }),
  TRIAL ("GraphDefVersion", "", "version: int32", "", FLOW_OP_STATEFUL, flow_infer_scalar_shape,
         "The version of whoever wrote the graph", { NULL, version_compute }),
  TRIAL ("KernelLabel", "", "result: string", "", 0, flow_infer_scalar_shape, "The label of the kernel that the node got",
         { NULL, no_label_compute }, { "_kernel: overload_1", label_1_compute }, { "_kernel: overload_2", label_2_compute }),
  TRIAL ("KernelLabelRequired", "input: int32", "result: string", "", 0, vector_infer,
         "The same where there is no kernel without one", { "_kernel: overload_1", label_1_compute },
         { "_kernel: overload_2", label_2_compute }),
  TRIAL ("ResourceCreateOp", STUB, "", "", FLOW_OP_STATEFUL, flow_infer_no_outputs, "Makes a resource that holds nothing",
         { NULL, create_compute }),
  TRIAL ("ResourceInitializedOp", STUB, "initialized: bool", "", FLOW_OP_STATEFUL, flow_infer_scalar_shape,
         "Whether a resource that holds nothing was made", { NULL, is_initialized_compute }),
  TRIAL ("ResourceUsingOp", STUB, "", "", FLOW_OP_STATEFUL, flow_infer_no_outputs,
         "Looks a resource up that holds nothing", { NULL, use_compute }),
  TRIAL ("StubResourceHandleOp", "", STUB, "container: string = ''; shared_name: string = ''", FLOW_OP_STATEFUL,
         flow_infer_scalar_shape, "Names a resource that holds nothing",
         { NULL, handle_compute, _flow_place_construct, _flow_place_destruct }),
  TRIAL ("TestAttr", "", "out: T", "T: {float, double}", 0, flow_infer_unknown_shape, "The number 1 in a dtype",
         { "T: float", one_compute }),
};

FLOW_DEFINE_OP_FAMILY (trial, ops)
