/* flow-kernels-functional.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Ops that call functions of the library. A kernel here is asked turn by turn: it names the function that
 * comes next and its arguments, the executor runs the body, and the kernel is asked again with what came
 * back, until it sets its outputs. What it must remember between turns it hands to the executor, which can
 * then undo it.
 */

#include "config.h"

#include "flow-array-private.h"

#include "flow-handle.h"

#include <string.h>

/* --- shapes ----------------------------------------------------------------------------------------- */

static gboolean
shapes_from_attr (FlowInferContext *c,
                  FlowAttr         *shapes,
                  GError          **error)
{
  FLOW_REQUIRE (flow_attr_get_length (shapes) == c->n_outputs, error, INVALID_ARGUMENT,
                "`output_shapes` must be the same length as num outputs (%" G_GSIZE_FORMAT " vs. %u",
                flow_attr_get_length (shapes), c->n_outputs);
  for (guint i = 0; i < c->n_outputs; i++)
    flow_infer_set_output (c, i, flow_attr_get_shape (flow_attr_get_item (shapes, i)));
  return TRUE;
}

static gboolean
branch_infer (FlowInferContext *c,
              GError          **error)
{
  FlowAttr *shapes = flow_infer_attr (c, "output_shapes");

  if (c->running || shapes == NULL || flow_attr_get_length (shapes) == 0)
    return flow_infer_unknown_shape (c, error);
  return shapes_from_attr (c, shapes, error);
}

/* TF: without the attr what goes in is taken for what comes out. */
static gboolean
while_infer (FlowInferContext *c,
             GError          **error)
{
  FlowAttr *shapes = flow_infer_attr (c, "output_shapes");

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (shapes != NULL && flow_attr_get_length (shapes) > 0)
    return shapes_from_attr (c, shapes, error);
  for (guint i = 0; i < c->n_outputs; i++)
    flow_infer_set_output (c, i, flow_infer_input (c, i));
  return TRUE;
}

static gboolean
gradient_infer (FlowInferContext *c,
                GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  FLOW_REQUIRE (c->n_inputs >= c->n_outputs, error, INVALID_ARGUMENT, "len(inputs) < len(outputs)");
  for (guint i = 0; i < c->n_outputs; i++)
    if (c->input_handles != NULL && c->input_handles[i].shape != NULL)
      flow_infer_set_output (c, i, c->input_handles[i].shape);
    else
      flow_infer_set_output (c, i, flow_infer_input (c, i));
  return TRUE;
}

/* --- turns ------------------------------------------------------------------------------------------ */

static FlowTensor **
inputs_from (FlowKernelContext *c,
             guint              first)
{
  FlowTensor **inputs = g_new0 (FlowTensor *, c->n_inputs - first + 1);

  for (guint i = first; i < c->n_inputs; i++)
    inputs[i - first] = flow_kernel_input (c, i);
  return inputs;
}

static gboolean
call (FlowKernelContext *c,
      const FlowAttr    *func,
      const char        *label,
      gint64             iteration,
      guint              first_input)
{
  g_autofree FlowTensor **args = inputs_from (c, first_input);

  flow_kernel_call (c, func, label, iteration, args, c->n_inputs - first_input);
  return TRUE;
}

/* TF: the functions' values become the op's, of which those are missing that are dead in them. */
static gboolean
set_outputs (FlowKernelContext  *c,
             FlowTensor *const  *values,
             guint               n_values,
             GError            **error)
{
  FLOW_REQUIRE (n_values == c->n_outputs, error, INTERNAL, "Expect to produce %u tensors, but only get %u", c->n_outputs,
                n_values);
  for (guint i = 0; i < n_values; i++)
    FLOW_REQUIRE (values[i] == NULL || (int) values[i]->dtype == c->output_dtypes[i], error, INTERNAL,
                  "Expect %u-th output is of type %s but get %s", i, flow_dtype_string (c->output_dtypes[i]),
                  flow_dtype_string (values[i]->dtype));
  for (guint i = 0; i < n_values; i++)
    if (values[i] != NULL)
      flow_kernel_set_output (c, i, values[i]);
  return TRUE;
}

static gboolean
set_returned (FlowKernelContext *c,
              GError           **error)
{
  guint n = 0;
  FlowTensor *const *returned = flow_kernel_get_returned (c, &n);

  return set_outputs (c, returned, n, error);
}

/* TF's ToBool: a scalar by its value, anything else by whether it has elements. */
static gboolean
to_bool (const FlowTensor *tensor,
         gboolean         *value,
         GError          **error)
{
  gsize length = 0;

  if (!flow_is_scalar (tensor))
    {
      *value = tensor->n_elements > 0;
      return TRUE;
    }
  switch (tensor->dtype)
    {
    case FLOW_DTYPE_FLOAT: *value = FLOW_DATA (float, tensor)[0] != 0; break;
    case FLOW_DTYPE_DOUBLE: *value = FLOW_DATA (double, tensor)[0] != 0; break;
    case FLOW_DTYPE_INT32: *value = FLOW_DATA (gint32, tensor)[0] != 0; break;
    case FLOW_DTYPE_INT64: *value = FLOW_DATA (gint64, tensor)[0] != 0; break;
    case FLOW_DTYPE_INT16: *value = FLOW_DATA (gint16, tensor)[0] != 0; break;
    case FLOW_DTYPE_INT8:
    case FLOW_DTYPE_UINT8:
    case FLOW_DTYPE_BOOL: *value = FLOW_DATA (guint8, tensor)[0] != 0; break;
    case FLOW_DTYPE_STRING:
      flow_tensor_get_string (tensor, 0, &length);
      *value = length > 0;
      break;
    default:
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%s cannot be converted to a boolean",
                   flow_dtype_string (tensor->dtype));
      return FALSE;
    }
  return TRUE;
}

static gboolean
to_bool_compute (FlowKernelContext *c,
                 GError           **error)
{
  gboolean value = FALSE;

  if (!to_bool (flow_kernel_input (c, 0), &value, error))
    return FALSE;
  flow_kernel_take_output (c, 0, flow_tensor_new_bool (value));
  return TRUE;
}

/* --- If, Case --------------------------------------------------------------------------------------- */

static gboolean
if_compute (FlowKernelContext *c,
            GError           **error)
{
  gboolean yes = FALSE;

  if (flow_kernel_get_turn (c) > 0)
    return set_returned (c, error);
  if (!to_bool (flow_kernel_input (c, 0), &yes, error))
    return FALSE;
  return call (c, flow_kernel_attr (c, yes ? "then_branch" : "else_branch"), yes ? "then" : "else", 0, 1);
}

/* TF: an index that is none is the last branch's. */
static gboolean
case_compute (FlowKernelContext *c,
              GError           **error)
{
  const FlowAttr *branches = flow_kernel_attr (c, "branches");
  const FlowTensor *index = flow_kernel_input (c, 0);
  gint64 n = (gint64) flow_attr_get_length (branches);
  gint64 branch = 0;
  g_autofree char *label = NULL;

  if (flow_kernel_get_turn (c) > 0)
    return set_returned (c, error);
  FLOW_REQUIRE (flow_is_scalar (index), error, INVALID_ARGUMENT, "branch_index must be scalar");
  branch = FLOW_DATA (gint32, index)[0];
  if (branch < 0 || branch >= n)
    branch = n - 1;
  label = g_strdup_printf ("branch%" G_GINT64_FORMAT, branch);
  return call (c, flow_attr_get_item (branches, (gsize) branch), label, 0, 1);
}

/* --- While, For ------------------------------------------------------------------------------------- */

/* What the constants of its functions wait for (TF: the first variable), or what says whether it goes on, is dead: so is
 * all that comes of the loop. */
static gboolean
loop_is_dead (FlowTensor *const *values,
              guint              n)
{
  return n > 0 && values[0] == NULL;
}

/* Odd turns come after the condition, even ones after the body; what is held is the loop's variables. */
static gboolean
while_compute (FlowKernelContext *c,
               GError           **error)
{
  guint64 turn = flow_kernel_get_turn (c);
  gint64 iteration = (gint64) (turn / 2);
  guint n = 0;
  FlowTensor *const *returned = flow_kernel_get_returned (c, &n);
  guint n_held = 0;
  FlowTensor *const *held = flow_kernel_get_held (c, &n_held);
  gboolean again = FALSE;

  if (loop_is_dead (returned, n))
    return TRUE;
  if (turn == 0)
    {
      g_autofree FlowTensor **inputs = inputs_from (c, 0);

      flow_kernel_hold (c, inputs, c->n_inputs);
      flow_kernel_call (c, flow_kernel_attr (c, "cond"), "cond", 0, inputs, c->n_inputs);
      return TRUE;
    }
  if (turn % 2 == 0)
    {
      FLOW_REQUIRE (n == n_held, error, INVALID_ARGUMENT, "While loop body returned %u arguments. Expected: %u", n, n_held);
      flow_kernel_hold (c, returned, n);
      flow_kernel_call (c, flow_kernel_attr (c, "cond"), "cond", iteration, returned, n);
      return TRUE;
    }
  FLOW_REQUIRE (n == 1, error, INVALID_ARGUMENT,
                "Expected a single scalar which can be converted to a boolean, got %u tensors.", n);
  if (!to_bool (returned[0], &again, error))
    return FALSE;
  if (!again)
    return set_outputs (c, held, n_held, error);
  flow_kernel_hold (c, held, n_held);
  flow_kernel_call (c, flow_kernel_attr (c, "body"), "body", iteration, held, n_held);
  return TRUE;
}

static gboolean
read_int (FlowKernelContext *c,
          guint              i,
          const char        *what,
          gint64            *value,
          GError           **error)
{
  const FlowTensor *tensor = flow_kernel_input (c, i);

  FLOW_REQUIRE (flow_is_scalar (tensor), error, INVALID_ARGUMENT, "%s must be a scalar", what);
  *value = FLOW_DATA (gint32, tensor)[0];
  return TRUE;
}

static gboolean
for_compute (FlowKernelContext *c,
             GError           **error)
{
  guint64 turn = flow_kernel_get_turn (c);
  guint n = 0;
  FlowTensor *const *returned = flow_kernel_get_returned (c, &n);
  guint n_variables = c->n_inputs - 3;
  gint64 start = 0;
  gint64 limit = 0;
  gint64 delta = 0;
  gint64 i = 0;
  g_autofree FlowTensor **inputs = inputs_from (c, 3);
  g_autofree FlowTensor **args = g_new0 (FlowTensor *, n_variables + 1);
  g_autoptr (FlowTensor) counter = NULL;

  if (!read_int (c, 0, "start", &start, error) || !read_int (c, 1, "limit", &limit, error)
      || !read_int (c, 2, "delta", &delta, error))
    return FALSE;
  FLOW_REQUIRE ((delta > 0 && start <= limit) || (delta < 0 && start >= limit) || start == limit, error, INVALID_ARGUMENT,
                "Invalid start/limit/delta: %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, start, limit, delta);
  /* TF: also where it would never be called. */
  FLOW_REQUIRE (flow_kernel_has_function (c, flow_kernel_attr (c, "body")), error, NOT_FOUND,
                "Function %s is not defined.", flow_attr_get_func_name (flow_kernel_attr (c, "body")));
  FLOW_REQUIRE (turn == 0 || n == n_variables, error, INVALID_ARGUMENT,
                "For loop body returned %u arguments. Expected: %u", n, n_variables);
  i = start + (gint64) turn * delta;
  if (delta > 0 ? i >= limit : i <= limit)
    return turn == 0 ? set_outputs (c, inputs, n_variables, error) : set_outputs (c, returned, n, error);
  counter = flow_tensor_new_int32 ((gint32) i);
  args[0] = counter;
  for (guint k = 0; k < n_variables; k++)
    args[k + 1] = turn == 0 ? inputs[k] : returned[k];
  flow_kernel_call (c, flow_kernel_attr (c, "body"), "body", (gint64) turn, args, n_variables + 1);
  return TRUE;
}

/* --- calls ------------------------------------------------------------------------------------------ */

/* There is one executor here, which stands for all that TensorFlow has. */
static gboolean
check_executor (FlowKernelContext *c,
                GError           **error)
{
  static const char *const known[] = { "", "DEFAULT", "SINGLE_THREADED_EXECUTOR", NULL };
  const char *type = flow_kernel_attr_string (c, "executor_type");

  FLOW_REQUIRE (g_strv_contains (known, type), error, NOT_FOUND, "  No executor factory registered for the given executor "
                "type: %s Registered factories are {SINGLE_THREADED_EXECUTOR, , DEFAULT}.", type);
  return TRUE;
}

/* TF: a function that may run on several devices says so in its errors. */
static gboolean
partitioned_call_compute (FlowKernelContext *c,
                          GError           **error)
{
  if (flow_kernel_get_turn (c) > 0)
    return set_returned (c, error);
  FLOW_REQUIRE (flow_kernel_has_function (c, flow_kernel_attr (c, "f")), error, INVALID_ARGUMENT,
                "Failed to find function \"%s\" in function library: ", flow_attr_get_func_name (flow_kernel_attr (c, "f")));
  if (!check_executor (c, error))
    return FALSE;
  if (c->turn != NULL)
    c->turn->is_on_devices = TRUE;
  return call (c, flow_kernel_attr (c, "f"), "", 0, 0);
}

static gboolean
gradient_compute (FlowKernelContext *c,
                  GError           **error)
{
  g_autofree FlowTensor **args = inputs_from (c, 0);

  if (flow_kernel_get_turn (c) > 0)
    return set_returned (c, error);
  flow_kernel_call_gradient (c, flow_kernel_attr (c, "f"), "", args, c->n_inputs);
  return TRUE;
}

/* There is one device here. */
static gboolean
is_this_device (const char *name)
{
  static const char *const ours[] = {
    "", "/cpu:0", "/CPU:0", "/device:CPU:0", "CPU:0", "/job:localhost", "/job:localhost/replica:0/task:0/cpu:0",
    "/job:localhost/replica:0/task:0/device:CPU:0", "/job:localhost/task:0/device:CPU:0", NULL
  };

  return g_strv_contains (ours, name);
}

static gboolean
remote_call_compute (FlowKernelContext *c,
                     GError           **error)
{
  const FlowTensor *target = flow_kernel_input (c, 0);
  g_autofree char *name = NULL;
  const char *bytes = NULL;
  gsize length = 0;

  if (flow_kernel_get_turn (c) > 0)
    return set_returned (c, error);
  FLOW_REQUIRE (target->n_elements == 1, error, INVALID_ARGUMENT, "target must be a scalar");
  bytes = flow_tensor_get_string (target, 0, &length);
  name = g_strndup (bytes, length);
  FLOW_REQUIRE (is_this_device (name), error, INVALID_ARGUMENT, "Device %s is not among the devices here: /device:CPU:0", name);
  return call (c, flow_kernel_attr (c, "f"), "", 0, 1);
}

/* A node whose op type is a function's name: its attrs are what the function is made with. */
static gpointer
function_construct (FlowKernelConstruction *c,
                    GError                **error)
{
  return flow_attr_new_func (c->signature->name, flow_attr_list_ref (c->attrs));
}

static void
function_destruct (gpointer data)
{
  flow_attr_unref (data);
}

static gboolean
function_compute (FlowKernelContext *c,
                  GError           **error)
{
  if (flow_kernel_get_turn (c) > 0)
    return set_returned (c, error);
  return call (c, flow_kernel_data (c), "", 0, 0);
}

const FlowKernelDef flow_kernel_of_functions = {
  NULL, function_compute, function_construct, function_destruct
};

/* --- values that only pass through ---------------------------------------------------------------------- */

/* TF: unknown dims are 0, an unknown rank is a scalar's; nobody reads the value. */
static gboolean
fake_param_compute (FlowKernelContext *c,
                    GError           **error)
{
  FlowShape *said = flow_attr_get_shape (flow_kernel_attr (c, "shape"));
  g_autoptr (FlowShape) shape = said->rank == FLOW_RANK_UNKNOWN ? flow_shape_new_scalar ()
                                                                : flow_shape_new (said->rank, said->dims);

  for (int d = 0; d < shape->rank; d++)
    if (shape->dims[d] < 0)
      shape->dims[d] = 0;
  return flow_kernel_allocate (c, 0, shape, error) != NULL;
}

/* Many values of one dtype as a list of values that each have their own, and back. */
static gboolean
pass_on_infer (FlowInferContext *c,
               GError          **error)
{
  FLOW_REQUIRE (c->n_inputs == c->n_outputs, error, INVALID_ARGUMENT, "Expected %u outputs, got %u", c->n_inputs,
                c->n_outputs);
  for (guint i = 0; i < c->n_outputs; i++)
    flow_infer_set_output (c, i, flow_infer_input (c, i));
  return TRUE;
}

static gboolean
pass_on_compute (FlowKernelContext *c,
                 GError           **error)
{
  g_autofree FlowTensor **inputs = inputs_from (c, 0);

  return set_outputs (c, inputs, c->n_inputs, error);
}

static gboolean
arg_compute (FlowKernelContext *c,
             GError           **error)
{
  g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "nullptr call_frame");
  return FALSE;
}

/* Likewise: a session's call has room for no value of a function. */
static gboolean
retval_compute (FlowKernelContext  *c,
                GError            **error)
{
  gint64 index = flow_kernel_attr_int (c, "index");

  FLOW_REQUIRE (index < 0, error, INVALID_ARGUMENT, "SetRetval %" G_GINT64_FORMAT " is not within [0, 0)", index);
  return FALSE;
}

/* --- the table ---------------------------------------------------------------------------------------- */

#define BRANCH_ATTRS "Tin: list(type) >= 0; Tout: list(type) >= 0; "
#define SHAPES_ATTR "output_shapes: list(shape) = []"
#define CALL_ATTRS \
  "Tin: list(type) >= 0; Tout: list(type) >= 0; f: func; config: string = \"\"; config_proto: string = \"\"; " \
  "executor_type: string = \"\""

#define KERNEL(func) (const FlowKernelDef[]) { { NULL, func }, { NULL } }

static const FlowOpDef ops[] = {
  {
    .name = "Case",
    .inputs = "branch_index: int32; input: Tin",
    .outputs = "output: Tout",
    .attrs = BRANCH_ATTRS "branches: list(func) >= 1; " SHAPES_ATTR,
    .summary = "Runs one of several functions, by index",
    .flags = FLOW_OP_STATEFUL | FLOW_OP_FUNCTION | FLOW_OP_NOT_CONSTANT,
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = branch_infer,
    .kernels = KERNEL (case_compute),
  },
  {
    .name = "FakeParam",
    .inputs = "",
    .outputs = "output: dtype",
    .attrs = "dtype: type; shape: shape",
    .summary = "Stands for a value that nobody reads",
    .flags = FLOW_OP_NOT_CONSTANT,
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = flow_infer_explicit_shape,
    .kernels = KERNEL (fake_param_compute),
  },
  {
    .name = "For",
    .inputs = "start: int32; limit: int32; delta: int32; input: T",
    .outputs = "output: T",
    .attrs = "T: list(type) >= 0; body: func",
    .summary = "Runs a function for each number of a range on what it gave before",
    .flags = FLOW_OP_FUNCTION | FLOW_OP_NOT_CONSTANT,
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = flow_infer_unknown_shape,
    .kernels = KERNEL (for_compute),
  },
  {
    .name = "If",
    .inputs = "cond: Tcond; input: Tin",
    .outputs = "output: Tout",
    .attrs = "Tcond: type; " BRANCH_ATTRS "then_branch: func; else_branch: func; " SHAPES_ATTR,
    .summary = "Runs one of two functions",
    .flags = FLOW_OP_STATEFUL | FLOW_OP_FUNCTION | FLOW_OP_NOT_CONSTANT,
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = branch_infer,
    .kernels = KERNEL (if_compute),
  },
  {
    .name = "PartitionedCall",
    .inputs = "args: Tin",
    .outputs = "output: Tout",
    .attrs = CALL_ATTRS,
    .summary = "Runs a function",
    .flags = FLOW_OP_FUNCTION | FLOW_OP_NOT_CONSTANT,
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = flow_infer_unknown_shape,
    .kernels = KERNEL (partitioned_call_compute),
  },
  {
    .name = "RemoteCall",
    .inputs = "target: string; args: Tin",
    .outputs = "output: Tout",
    .attrs = "Tin: list(type) >= 1; Tout: list(type) >= 1; f: func",
    .summary = "Runs a function on a device",
    .flags = FLOW_OP_STATEFUL | FLOW_OP_FUNCTION | FLOW_OP_NOT_CONSTANT,
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = flow_infer_unknown_shape,
    .kernels = KERNEL (remote_call_compute),
  },
  {
    .name = "StatefulPartitionedCall",
    .inputs = "args: Tin",
    .outputs = "output: Tout",
    .attrs = CALL_ATTRS,
    .summary = "Runs a function that keeps or changes state",
    .flags = FLOW_OP_STATEFUL | FLOW_OP_FUNCTION | FLOW_OP_NOT_CONSTANT,
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = flow_infer_unknown_shape,
    .kernels = KERNEL (partitioned_call_compute),
  },
  {
    .name = "StatelessCase",
    .inputs = "branch_index: int32; input: Tin",
    .outputs = "output: Tout",
    .attrs = BRANCH_ATTRS "branches: list(func) >= 1; " SHAPES_ATTR,
    .summary = "Runs one of several functions without state, by index",
    .flags = FLOW_OP_FUNCTION | FLOW_OP_NOT_CONSTANT,
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = branch_infer,
    .kernels = KERNEL (case_compute),
  },
  {
    .name = "StatelessIf",
    .inputs = "cond: Tcond; input: Tin",
    .outputs = "output: Tout",
    .attrs = "Tcond: type; " BRANCH_ATTRS "then_branch: func; else_branch: func; " SHAPES_ATTR,
    .summary = "Runs one of two functions without state",
    .flags = FLOW_OP_FUNCTION | FLOW_OP_NOT_CONSTANT,
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = branch_infer,
    .kernels = KERNEL (if_compute),
  },
  {
    .name = "StatelessWhile",
    .inputs = "input: T",
    .outputs = "output: T",
    .attrs = "T: list(type) >= 0; cond: func; body: func; " SHAPES_ATTR "; parallel_iterations: int = 10",
    .summary = "Runs a function without state on what it gave before, as long as another says so",
    .flags = FLOW_OP_FUNCTION | FLOW_OP_NOT_CONSTANT,
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = while_infer,
    .kernels = KERNEL (while_compute),
  },
  {
    .name = "SymbolicGradient",
    .inputs = "input: Tin",
    .outputs = "output: Tout",
    .attrs = "Tin: list(type) >= 1; Tout: list(type) >= 1; f: func",
    .summary = "Runs the gradient of a function",
    .flags = FLOW_OP_FUNCTION | FLOW_OP_NOT_CONSTANT,
    .family = FLOW_OP_FAMILY_GRADIENT,
    .infer = gradient_infer,
    .kernels = KERNEL (gradient_compute),
  },
  {
    .name = "While",
    .inputs = "input: T",
    .outputs = "output: T",
    .attrs = "T: list(type) >= 0; cond: func; body: func; " SHAPES_ATTR "; parallel_iterations: int = 10",
    .summary = "Runs a function on what it gave before, as long as another says so",
    .flags = FLOW_OP_STATEFUL | FLOW_OP_FUNCTION | FLOW_OP_NOT_CONSTANT,
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = while_infer,
    .kernels = KERNEL (while_compute),
  },
  {
    .name = "_Arg",
    .inputs = "",
    .outputs = "output: T",
    .attrs = "T: type; index: int >= 0",
    .summary = "An argument of a function",
    .flags = FLOW_OP_STATEFUL | FLOW_OP_PLACEHOLDER | FLOW_OP_NOT_CONSTANT,
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = flow_infer_unknown_shape,
    .kernels = KERNEL (arg_compute),
  },
  {
    .name = "_ArrayToList",
    .inputs = "input: N * T",
    .outputs = "output: out_types",
    .attrs = "T: type; N: int >= 1; out_types: list(type) >= 1",
    .summary = "Values of one dtype as a list in which each has its own",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = pass_on_infer,
    .kernels = KERNEL (pass_on_compute),
  },
  {
    .name = "_If",
    .inputs = "cond: Tcond; input: Tin",
    .outputs = "output: Tout",
    .attrs = "Tcond: type; Tin: list(type) >= 1; Tout: list(type) >= 1; then_branch: func; else_branch: func",
    .summary = "Runs one of two functions, as the optimizer of TensorFlow writes it",
    .flags = FLOW_OP_STATEFUL | FLOW_OP_FUNCTION | FLOW_OP_NOT_CONSTANT,
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = flow_infer_unknown_shape,
    .kernels = KERNEL (if_compute),
  },
  {
    .name = "_ListToArray",
    .inputs = "input: Tin",
    .outputs = "output: N * T",
    .attrs = "Tin: list(type) >= 1; T: type; N: int >= 1",
    .summary = "A list of values as values of one dtype",
    .family = FLOW_OP_FAMILY_ARRAY,
    .infer = pass_on_infer,
    .kernels = KERNEL (pass_on_compute),
  },
  {
    .name = "_Retval",
    .inputs = "input: T",
    .outputs = "",
    .attrs = "T: type; index: int >= 0",
    .summary = "A value that a function gives",
    .flags = FLOW_OP_STATEFUL | FLOW_OP_NOT_CONSTANT,
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = flow_infer_no_outputs,
    .kernels = KERNEL (retval_compute),
  },
  {
    .name = "_While",
    .inputs = "input: T",
    .outputs = "output: T",
    .attrs = "T: list(type) >= 0; cond: func; body: func",
    .summary = "Runs a function as long as another says so, as the optimizer of TensorFlow writes it",
    .flags = FLOW_OP_STATEFUL | FLOW_OP_FUNCTION | FLOW_OP_NOT_CONSTANT,
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = while_infer,
    .kernels = KERNEL (while_compute),
  },
  {
    .name = "ToBool",
    .inputs = "input: T",
    .outputs = "output: bool",
    .attrs = "T: type",
    .summary = "Whether a scalar is not zero, or there are elements",
    .family = FLOW_OP_FAMILY_MATH,
    .infer = flow_infer_scalar_shape,
    .kernels = KERNEL (to_bool_compute),
  },
};

FLOW_DEFINE_OP_FAMILY (functional, ops)
