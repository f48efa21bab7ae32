/* flow-session.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-session-private.h"

#include "flow-resources-private.h"

#include "flow-util.h"

#include <string.h>

/**
 * FlowSession:
 *
 * What lives as long as a `tf.Session`: a graph, plans in a cache, kernels, and everything that ops
 * keep between runs. All but making one belongs on the kernel thread.
 */
struct _FlowSession
{
  GObject parent_instance;

  FlowGraph *graph;
  FlowBudget *budget;
  FlowResources *resources;
  GHashTable *plans;           /* key -> CachedPlan */
  GPtrArray *plan_order;       /* the same CachedPlans, as they were made */
  char *restored_from;         /* the checkpoint restored last */
  GPtrArray *kernels;          /* node -> FlowNodeKernel, NULL until used */
  GHashTable *callees;         /* function name -> GPtrArray of FlowCallee, one for each set of attrs */
  guint n_callees;
  GHashTable *frames;          /* names of frames: steps point to them */
  GHashTable *functions;       /* name -> GPtrArray of FlowAttr: what it was made with, in order */
  GHashTable *sites;           /* "node:label" -> FlowCallee */
  gboolean merges;             /* duplicates execute once */
  gboolean multiplies;         /* by reciprocals of constant divisors */
  FlowPlacement placement;     /* how much an op's device binds */
  guint n_processors;
  guint n_placed;              /* nodes of the graph whose devices are known to be there */
  guint64 next_step;
  FlowUndo *undo;              /* borrowed */
};

typedef struct {
  FlowPlan *plan;
  guint64 n_runs;
} CachedPlan;

G_DEFINE_FINAL_TYPE (FlowSession, flow_session, G_TYPE_OBJECT)

static void
cached_plan_free (gpointer data)
{
  CachedPlan *cached = data;

  flow_plan_unref (cached->plan);
  g_free (cached);
}

static void
node_kernel_free (gpointer data)
{
  FlowNodeKernel *self = data;

  if (self == NULL)
    return;
  if (self->data != NULL && self->kernel->destruct != NULL)
    self->kernel->destruct (self->data);
  for (guint i = 0; self->seen_shapes != NULL && i < self->n_inputs; i++)
    g_clear_pointer (&self->seen_shapes[i], flow_shape_unref);
  for (guint i = 0; self->inferred != NULL && i < self->n_outputs; i++)
    g_clear_pointer (&self->inferred[i], flow_shape_unref);
  g_free (self->state_name);
  g_free (self->seen_shapes);
  g_free (self->inferred);
  g_free (self->input_is_ref);
  g_free (self->output_dtypes);
  g_free (self);
}

static void
callees_free (gpointer data)
{
  g_ptr_array_unref (data);
}

static void
flow_session_finalize (GObject *object)
{
  FlowSession *self = FLOW_SESSION (object);

  g_clear_pointer (&self->plan_order, g_ptr_array_unref);
  g_clear_pointer (&self->plans, g_hash_table_unref);
  g_clear_pointer (&self->callees, g_hash_table_unref);
  g_free (self->restored_from);
  g_clear_pointer (&self->sites, g_hash_table_unref);
  g_clear_pointer (&self->functions, g_hash_table_unref);
  g_clear_pointer (&self->frames, g_hash_table_unref);
  g_clear_pointer (&self->kernels, g_ptr_array_unref);
  g_clear_pointer (&self->resources, _flow_resources_free);
  g_clear_object (&self->graph);
  g_clear_pointer (&self->budget, flow_budget_unref);

  G_OBJECT_CLASS (flow_session_parent_class)->finalize (object);
}

static void
flow_session_class_init (FlowSessionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = flow_session_finalize;
}

static void
flow_session_init (FlowSession *self)
{
  self->plans = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, cached_plan_free);
  self->kernels = _flow_node_kernels_new ();
  self->callees = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, callees_free);
  self->plan_order = g_ptr_array_new ();
  self->sites = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, _flow_callee_free);
  self->frames = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->functions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, callees_free);
  self->next_step = 1;
}

/**
 * flow_session_new:
 * @graph: a graph, which may grow while the session lives
 * @budget: (nullable): what its tensors may take; %NULL for the default
 *
 * Returns: (transfer full): a session without any state
 */
FlowSession *
flow_session_new (FlowGraph  *graph,
                  FlowBudget *budget)
{
  FlowSession *self = NULL;

  g_return_val_if_fail (FLOW_IS_GRAPH (graph), NULL);

  flow_kernels_register ();
  self = g_object_new (FLOW_TYPE_SESSION, NULL);
  self->graph = g_object_ref (graph);
  self->budget = budget != NULL ? flow_budget_ref (budget) : flow_budget_new (flow_budget_default_limit ());
  self->resources = _flow_resources_new ();
  return self;
}

GPtrArray *
_flow_session_get_kernels (FlowSession *self)
{
  return self->kernels;
}

FlowResources *
_flow_session_get_resources (FlowSession *self)
{
  return self->resources;
}

/**
 * flow_session_get_graph:
 * @self: a session
 *
 * Returns: (transfer none): its graph
 */
FlowGraph *
flow_session_get_graph (FlowSession *self)
{
  return self->graph;
}

/**
 * flow_session_get_budget:
 * @self: a session
 *
 * Returns: (transfer none): what its tensors may take
 */
FlowBudget *
flow_session_get_budget (FlowSession *self)
{
  return self->budget;
}

/**
 * flow_session_merge_duplicates:
 * @self: a session
 *
 * From now on, of nodes that compute the same thing a run executes one for all (flow_plan_new_merged()).
 * Plans that were made before stay as they are.
 */
void
flow_session_merge_duplicates (FlowSession *self)
{
  g_return_if_fail (FLOW_IS_SESSION (self));

  self->merges = TRUE;
}

/**
 * flow_session_set_placement:
 * @self: a session
 * @placement: how much an op's device binds
 * @n_processors: how many devices of the type CPU there are
 *
 * A new session runs every op here, whatever device it asks for. Otherwise no run begins while an op of the graph asks for
 * a device that is not here.
 */
void
flow_session_set_placement (FlowSession   *self,
                            FlowPlacement  placement,
                            guint          n_processors)
{
  g_return_if_fail (FLOW_IS_SESSION (self));

  self->placement = placement;
  self->n_processors = n_processors;
  self->n_placed = 0;
}

/* Looks at what a graph has grown by. */
static gboolean
place (FlowSession  *self,
       GError      **error)
{
  guint n_nodes = flow_graph_get_n_nodes (self->graph);

  if (self->n_placed == n_nodes)
    return TRUE;
  if (!_flow_graph_check_devices (self->graph, self->n_placed, self->placement, self->n_processors, error))
    return FALSE;
  self->n_placed = n_nodes;
  return TRUE;
}

/**
 * flow_session_multiply_by_reciprocals:
 * @self: a session
 *
 * From now on, what is divided by a constant that is no integer is multiplied by its reciprocal, which may differ in
 * the last bit. TensorFlow's sessions rewrite their graphs so unless they are told not to.
 */
void
flow_session_multiply_by_reciprocals (FlowSession *self)
{
  g_return_if_fail (FLOW_IS_SESSION (self));

  self->multiplies = TRUE;
}

/* TF: graphs of fewer nodes are not rewritten. */
#define MIN_REWRITTEN 4

gboolean
_flow_session_multiplies (FlowSession *self)
{
  return self->multiplies && flow_graph_get_n_nodes (self->graph) >= MIN_REWRITTEN;
}

/**
 * flow_session_get_plan:
 * @self: a session
 * @feeds: (array zero-terminated=1) (nullable): names of the tensors that are fed
 * @fetches: (array zero-terminated=1) (nullable): names of the tensors wanted
 * @targets: (array zero-terminated=1) (nullable): names of ops to run
 * @hits: (out) (optional): how often runs found the plan in the cache; %NULL for who only looks
 * @error: return location
 *
 * Finds or makes the plan, as TensorFlow caches executors: by the three sets. A graph that has grown
 * since needs no new plan, because nodes are only appended.
 *
 * Returns: (transfer full): the plan, %NULL on error
 */
FlowPlan *
flow_session_get_plan (FlowSession       *self,
                       const char *const *feeds,
                       const char *const *fetches,
                       const char *const *targets,
                       guint64           *hits,
                       GError           **error)
{
  g_autofree char *key = flow_plan_make_key (feeds, fetches, targets);
  CachedPlan *cached = g_hash_table_lookup (self->plans, key);

  if (!place (self, error))
    return NULL;
  if (cached == NULL)
    {
      g_autoptr (FlowPlan) plan = (self->merges ? flow_plan_new_merged : flow_plan_new) (self->graph, feeds, fetches,
                                                                                        targets, error);

      if (plan == NULL)
        return NULL;
      cached = g_new0 (CachedPlan, 1);
      cached->plan = g_steal_pointer (&plan);
      g_hash_table_insert (self->plans, g_steal_pointer (&key), cached);
      g_ptr_array_add (self->plan_order, cached);
    }
  if (hits != NULL)
    *hits = cached->n_runs++;
  return flow_plan_ref (cached->plan);
}

static void
unref_attr (gpointer data)
{
  flow_attr_unref (data);
}

char *
_flow_session_name_function (FlowSession     *self,
                             const FlowAttr  *func,
                             gboolean         is_gradient)
{
  const char *name = flow_attr_get_func_name (func);
  GPtrArray *made = g_hash_table_lookup (self->functions, name);
  guint i = 0;

  if (made == NULL)
    {
      made = g_ptr_array_new_with_free_func (unref_attr);
      g_hash_table_insert (self->functions, g_strdup (name), made);
    }
  while (i < made->len && !flow_attr_equal (g_ptr_array_index (made, i), func))
    i++;
  if (i == made->len)
    g_ptr_array_add (made, flow_attr_ref (func));
  /* No node can be called so. */
  return i == 0 ? g_strdup_printf ("%s%s()/", is_gradient ? "grad:" : "", name)
                : g_strdup_printf ("%s%s(%u)/", is_gradient ? "grad:" : "", name, i);
}

/* One copy of each, as long as the session lives. */
const char *
_flow_session_intern_frame (FlowSession *self,
                            const char  *name)
{
  const char *found = NULL;

  if (*name == '\0')
    return "";
  found = g_hash_table_lookup (self->frames, name);
  if (found == NULL)
    {
      char *copy = g_strdup (name);

      g_hash_table_add (self->frames, copy);
      found = copy;
    }
  return found;
}

GHashTable *
_flow_session_get_sites (FlowSession *self)
{
  return self->sites;
}

FlowCallee *
_flow_session_get_callee (FlowSession     *self,
                          const FlowAttr  *func,
                          FlowCalleeFlags  flags,
                          GError         **error)
{
  const char *name = flow_attr_get_func_name (func);
  const gboolean is_gradient = (flags & FLOW_CALLEE_GRADIENT) != 0;
  const gboolean is_as_written = (flags & FLOW_CALLEE_AS_WRITTEN) != 0;
  GPtrArray *same = g_hash_table_lookup (self->callees, name);
  g_autofree char *prefix = NULL;
  FlowCallee *callee = NULL;

  for (guint i = 0; same != NULL && i < same->len; i++)
    {
      callee = g_ptr_array_index (same, i);
      if (callee->is_gradient == is_gradient && callee->is_as_written == is_as_written && flow_attr_equal (callee->body->func, func))
        return callee;
    }
  prefix = g_strdup_printf ("f%u_%s", self->n_callees, name);
  g_strcanon (prefix + 1, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_", '_');
  callee = _flow_callee_new (self->graph, func, prefix, flags, error);
  if (callee == NULL)
    return NULL;
  callee->state_prefix = _flow_session_name_function (self, func, is_gradient);
  if (same == NULL)
    {
      same = g_ptr_array_new_with_free_func (_flow_callee_free);
      g_hash_table_insert (self->callees, g_strdup (name), same);
    }
  g_ptr_array_add (same, callee);
  self->n_callees++;
  return callee;
}

/**
 * flow_session_get_plan_hits:
 * @self: a session
 * @feeds: (array zero-terminated=1) (nullable): names of the tensors that are fed
 * @fetches: (array zero-terminated=1) (nullable): names of the tensors wanted
 * @targets: (array zero-terminated=1) (nullable): names of ops to run
 *
 * Returns: how often runs found that plan in the cache
 */
guint64
flow_session_get_plan_hits (FlowSession       *self,
                            const char *const *feeds,
                            const char *const *fetches,
                            const char *const *targets)
{
  g_autofree char *key = flow_plan_make_key (feeds, fetches, targets);
  CachedPlan *cached = g_hash_table_lookup (self->plans, key);

  return cached != NULL && cached->n_runs > 0 ? cached->n_runs - 1 : 0;
}

/**
 * flow_session_get_n_plans:
 * @self: a session
 *
 * Returns: how many plans its cache holds
 */
guint
flow_session_get_n_plans (FlowSession *self)
{
  return self->plan_order->len;
}

/**
 * flow_session_peek_plan:
 * @self: a session
 * @i: below flow_session_get_n_plans(); plans keep their numbers
 * @n_runs: (out) (optional): how many runs used it: the first made it, all others found it
 *
 * Returns: (transfer none): a plan of its cache
 */
FlowPlan *
flow_session_peek_plan (FlowSession *self,
                        guint        i,
                        guint64     *n_runs)
{
  CachedPlan *cached = g_ptr_array_index (self->plan_order, i);

  if (n_runs != NULL)
    *n_runs = cached->n_runs;
  return cached->plan;
}

/**
 * flow_session_get_restored_from:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): the checkpoint that was restored last, as it was named
 */
const char *
flow_session_get_restored_from (FlowSession *self)
{
  return self->restored_from;
}

void
_flow_session_set_restored_from (FlowSession *self,
                                 const char  *prefix)
{
  flow_set_str (&self->restored_from, prefix);
}

/**
 * flow_session_set_undo: (skip)
 * @self: a session
 * @undo: (nullable): where old states go from now on; borrowed
 */
void
flow_session_set_undo (FlowSession *self,
                       FlowUndo    *undo)
{
  self->undo = undo;
}

/**
 * flow_session_get_undo: (skip)
 * @self: a session
 *
 * Returns: (transfer none) (nullable): where old states go
 */
FlowUndo *
flow_session_get_undo (FlowSession *self)
{
  return self->undo;
}

guint64
_flow_session_get_next_step (FlowSession *self)
{
  return self->next_step;
}

void
_flow_session_set_next_step (FlowSession *self,
                             guint64      step)
{
  self->next_step = step;
}

guint64
_flow_session_next_step (FlowSession *self)
{
  guint64 step = self->next_step;

  _flow_set64 (self->undo, &self->next_step, step + 1);
  return step;
}

/**
 * flow_node_input_is_ref: (skip)
 * @graph: a graph
 * @node: a node
 * @input: one of its data inputs
 *
 * Returns: whether the op wants a reference there, not a value
 */
gboolean
flow_node_input_is_ref (FlowGraph *graph,
                        guint32    node,
                        guint      input)
{
  return flow_dtype_is_ref (flow_graph_get_input_dtype (graph, node, input));
}

/* TF's words for a type nobody knows, and ours for one without a kernel here. */
static gboolean
find_kernel (FlowGraph       *graph,
             guint32          node,
             FlowNodeKernel  *kernel,
             GError         **error)
{
  const char *type = flow_graph_get_node_type (graph, node);

  if (kernel->signature != NULL && kernel->signature->op == NULL
      && (kernel->signature->flags & FLOW_OP_FUNCTION) != 0)
    {
      kernel->kernel = &flow_kernel_of_functions;
      return TRUE;
    }
  if (kernel->signature == NULL || kernel->signature->op == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND,
                   "Op type not registered '%s' in binary running on %s. Make sure the Op and Kernel are registered "
                   "in the binary running in this process. Note that if you are loading a saved graph which used "
                   "ops from tf.contrib, accessing (e.g.) `tf.contrib.resampler` should be done before importing "
                   "the graph, as contrib ops are lazily registered when the module is first accessed.",
                   type, g_get_host_name ());
      return FALSE;
    }
  if (kernel->signature->op->kernels == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED, "Op type '%s' is known but has no kernel here", type);
      return FALSE;
    }
  kernel->kernel = flow_op_find_kernel (kernel->signature, kernel->attrs, error);
  return kernel->kernel != NULL;
}

static gboolean
construct_kernel (FlowGraph       *graph,
                  guint32          node,
                  FlowNodeKernel  *kernel,
                  GError         **error)
{
  g_autofree int *input_dtypes = g_new0 (int, kernel->n_inputs + 1);
  g_autofree int *output_dtypes = g_new0 (int, kernel->n_outputs + 1);
  FlowKernelConstruction c = {
    .node_name = flow_graph_get_node_name (graph, node),
    .signature = kernel->signature,
    .attrs = kernel->attrs,
    .n_inputs = kernel->n_inputs,
    .input_dtypes = input_dtypes,
    .n_outputs = kernel->n_outputs,
    .output_dtypes = output_dtypes,
  };

  for (guint i = 0; i < kernel->n_inputs; i++)
    input_dtypes[i] = flow_graph_get_input_dtype (graph, node, i);
  for (guint i = 0; i < kernel->n_outputs; i++)
    output_dtypes[i] = flow_graph_get_output_dtype (graph, node, i);
  if (kernel->kernel->construct == NULL)
    return TRUE;
  kernel->data = kernel->kernel->construct (&c, error);
  return kernel->data != NULL;
}

GPtrArray *
_flow_node_kernels_new (void)
{
  return g_ptr_array_new_with_free_func (node_kernel_free);
}

FlowNodeKernel *
_flow_node_kernels_get (GPtrArray  *kernels,
                        FlowGraph  *graph,
                        guint32     node,
                        GError    **error)
{
  g_autoptr(GError) local = NULL;
  FlowNodeKernel *kernel = NULL;
  const char *name = flow_graph_get_node_name (graph, node);

  if (node >= kernels->len)
    g_ptr_array_set_size (kernels, (int) flow_graph_get_n_nodes (graph));
  kernel = g_ptr_array_index (kernels, node);
  if (kernel != NULL)
    return kernel;
  kernel = g_new0 (FlowNodeKernel, 1);
  kernel->signature = flow_graph_get_signature (graph, node);
  kernel->attrs = flow_graph_get_node_attrs (graph, node);
  kernel->n_inputs = flow_graph_get_n_inputs (graph, node);
  kernel->n_outputs = flow_graph_get_n_outputs (graph, node);
  if (!find_kernel (graph, node, kernel, &local) || !construct_kernel (graph, node, kernel, &local))
    {
      g_autofree char *text = NULL;

      node_kernel_free (kernel);
      if (strstr (local->message, "{{node ") != NULL)
        text = g_strdup_printf ("%s\n\t [[%s]]", local->message, name);
      else
        text = g_strdup_printf ("%s\n\t [[{{node %s}}]]", local->message, name);
      g_set_error_literal (error, FLOW_ERROR, local->domain == FLOW_ERROR ? local->code : FLOW_ERROR_INTERNAL, text);
      if (error != NULL)
        flow_error_set_node (*error, name, flow_graph_get_node_type (graph, node));
      return NULL;
    }
  kernel->input_is_ref = g_new0 (guint8, kernel->n_inputs + 1);
  kernel->output_dtypes = g_new0 (int, kernel->n_outputs + 1);
  kernel->seen_shapes = g_new0 (FlowShape *, kernel->n_inputs + 1);
  kernel->inferred = g_new0 (FlowShape *, kernel->n_outputs + 1);
  for (guint i = 0; i < kernel->n_inputs; i++)
    kernel->input_is_ref[i] = (guint8) flow_node_input_is_ref (graph, node, i);
  for (guint i = 0; i < kernel->n_outputs; i++)
    kernel->output_dtypes[i] = flow_dtype_base (flow_graph_get_output_dtype (graph, node, i));
  kernels->pdata[node] = kernel;
  return kernel;
}

static gboolean
has_attr (const FlowOpSignature *signature,
          const char            *name)
{
  return flow_op_signature_find_attr (signature, name) != NULL;
}

/**
 * flow_session_is_variable_node:
 * @self: a session
 * @node: a node
 *
 * Told by the op's definition, not by its name: no inputs, one reference or resource output, and the
 * attrs dtype, shape, container and shared_name.
 *
 * Returns: whether the node stands for a variable
 */
gboolean
flow_session_is_variable_node (FlowSession *self,
                               guint32      node)
{
  const FlowOpSignature *signature = flow_graph_get_signature (self->graph, node);
  int dtype = 0;

  if (signature == NULL || signature->n_inputs != 0 || flow_graph_get_n_outputs (self->graph, node) != 1)
    return FALSE;
  dtype = flow_graph_get_output_dtype (self->graph, node, 0);
  return (flow_dtype_is_ref (dtype) || dtype == FLOW_DTYPE_RESOURCE) && has_attr (signature, "dtype")
         && has_attr (signature, "shape") && has_attr (signature, "shared_name") && has_attr (signature, "container");
}

/**
 * flow_session_get_variable_name:
 * @self: a session
 * @node: a variable's node
 *
 * TF: the attr shared_name; for a reference variable without one its node's name.
 *
 * Returns: (transfer full): the name of the variable's resource
 */
char *
flow_session_get_variable_name (FlowSession *self,
                                guint32      node)
{
  FlowAttr *shared = flow_graph_get_attr (self->graph, node, "shared_name");
  const char *name = shared != NULL ? flow_attr_get_string (shared, NULL) : NULL;

  if ((name == NULL || *name == '\0') && flow_dtype_is_ref (flow_graph_get_output_dtype (self->graph, node, 0)))
    name = flow_graph_get_node_name (self->graph, node);
  return g_strdup (name != NULL ? name : "");
}

/**
 * flow_session_find_variable_node: (skip)
 * @self: a session
 * @name: a variable's name
 *
 * Returns: a node that stands for it, %FLOW_NODE_NONE
 */
guint32
flow_session_find_variable_node (FlowSession *self,
                                 const char  *name)
{
  guint32 node = flow_graph_find_node (self->graph, name);

  if (node != FLOW_NODE_NONE && flow_session_is_variable_node (self, node))
    {
      g_autofree char *own = flow_session_get_variable_name (self, node);

      if (strcmp (own, name) == 0)
        return node;
    }
  for (node = 0; node < flow_graph_get_n_nodes (self->graph); node++)
    if (flow_session_is_variable_node (self, node))
      {
        g_autofree char *own = flow_session_get_variable_name (self, node);

        if (strcmp (own, name) == 0)
          return node;
      }
  return FLOW_NODE_NONE;
}

/**
 * flow_session_dup_variable:
 * @self: a session
 * @name: a variable's name
 *
 * Returns: (transfer full) (nullable): its value, %NULL if it has none
 */
FlowTensor *
flow_session_dup_variable (FlowSession *self,
                           const char  *name)
{
  FlowVariable *variable = flow_session_find_variable (self, name);

  return variable != NULL && variable->value != NULL ? flow_tensor_ref (variable->value) : NULL;
}

static FlowVariable *
make_variable (FlowSession *self,
               const char  *name,
               GError     **error)
{
  guint32 node = flow_session_find_variable_node (self, name);
  g_autoptr(FlowShape) unknown = flow_shape_new_unknown ();
  FlowAttr *container = NULL;
  FlowAttr *dtype = NULL;
  FlowAttr *shape = NULL;
  FlowVariable *variable = NULL;
  const char *where = NULL;

  if (node == FLOW_NODE_NONE)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "The graph has no variable %s", name);
      return NULL;
    }
  container = flow_graph_get_attr (self->graph, node, "container");
  dtype = flow_graph_get_attr (self->graph, node, "dtype");
  shape = flow_graph_get_attr (self->graph, node, "shape");
  where = container != NULL ? flow_attr_get_string (container, NULL) : NULL;
  variable = flow_variable_new (where != NULL && *where != '\0' ? where : FLOW_DEFAULT_CONTAINER, name,
                                dtype != NULL ? flow_attr_get_dtype (dtype) : FLOW_DTYPE_FLOAT,
                                shape != NULL && flow_attr_get_shape (shape) != NULL ? flow_attr_get_shape (shape)
                                                                                     : unknown);
  _flow_resources_insert (self->resources, &variable->parent, self->undo);
  flow_resource_unref (variable);
  return variable;
}

/* The variable that @value is for, made if the session has it not yet: NULL if it is for none. */
static FlowVariable *
find_fitting (FlowSession *self,
              const char  *name,
              FlowTensor  *value,
              GError     **error)
{
  FlowVariable *variable = flow_session_find_variable (self, name);
  guint32 node = FLOW_NODE_NONE;
  FlowAttr *shape = NULL;
  FlowShape *declared = NULL;

  if (variable == NULL)
    variable = make_variable (self, name, error);
  if (variable == NULL)
    return NULL;
  FLOW_REQUIRE (variable->dtype == value->dtype, error, INVALID_ARGUMENT,
                "tensor_name = %s; expected dtype %s does not equal original dtype %s", name,
                flow_dtype_string (variable->dtype), flow_dtype_string (value->dtype));
  /* An old-style definition may say scalar where it means unknown. */
  node = flow_session_find_variable_node (self, name);
  shape = node != FLOW_NODE_NONE ? flow_graph_get_attr (self->graph, node, "shape") : NULL;
  declared = shape != NULL ? flow_attr_get_shape (shape) : variable->shape;
  if (declared != NULL && declared->rank != 0 && !flow_shape_is_compatible (declared, value->shape))
    {
      g_autofree char *lhs = flow_shape_to_string (declared);
      g_autofree char *rhs = flow_shape_to_string (value->shape);

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "Assign requires shapes of both tensors to match. lhs shape= %s rhs shape= %s", lhs, rhs);
      return NULL;
    }
  return variable;
}

/* Whether flow_session_set_variable() would assign: for those who assign many or none. */
gboolean
_flow_session_fits_variable (FlowSession *self,
                             const char  *name,
                             FlowTensor  *value,
                             GError     **error)
{
  return find_fitting (self, name, value, error) != NULL;
}

/**
 * flow_session_set_variable:
 * @self: a session
 * @name: a variable's name; made if the graph has it and the session not yet
 * @value: its new value
 * @error: return location
 *
 * Assigns from outside of the graph. Undoable.
 *
 * Sets `FLOW_ERROR_NOT_FOUND` if there is no such variable, `FLOW_ERROR_INVALID_ARGUMENT` if dtype or
 * shape do not fit.
 *
 * Returns: whether it was assigned
 */
gboolean
flow_session_set_variable (FlowSession *self,
                           const char  *name,
                           FlowTensor  *value,
                           GError     **error)
{
  FlowVariable *variable = find_fitting (self, name, value, error);

  if (variable == NULL)
    return FALSE;
  if (self->undo != NULL)
    flow_undo_resource (self->undo, &variable->parent);
  flow_variable_take_value (variable, flow_tensor_ref (value));
  variable->parent.version++;
  return TRUE;
}

/**
 * flow_session_list_variables:
 * @self: a session
 *
 * Returns: (transfer full) (array zero-terminated=1): names of the variables that have a value, sorted
 */
char **
flow_session_list_variables (FlowSession *self)
{
  g_autoptr(GPtrArray) resources = flow_session_list_resources (self);
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < resources->len; i++)
    {
      FlowResource *resource = g_ptr_array_index (resources, i);

      if (resource->klass == &flow_variable_class && ((FlowVariable *) resource)->value != NULL)
        g_ptr_array_add (names, g_strdup (resource->name));
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}
