/* flow-op-runner.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-op-runner.h"

#include <glib/gstdio.h>
#include <string.h>

#include "flow-denormals.h"

/* Small enough that a kernel which forgets the budget shows under a memory limit, large enough for
 * every recorded case. */
#define BUDGET_BYTES (G_GUINT64_CONSTANT (256) << 20)
/* More inputs or outputs than this are refused before arrays are made. */
#define MAX_ARGS 100000
#define CONTAINER "localhost"

typedef struct {
  FlowResource *resource;
  gpointer saved;              /* NULL: an entry about the table itself */
  enum { UNDO_WRITE, UNDO_PUBLISH, UNDO_REMOVE } kind;
} Undo;

struct _FlowOpRunner
{
  FlowBudget *budget;
  GCancellable *cancellable;   /* of the op that runs; nullable */
  GHashTable *resources;       /* "container/name" -> FlowResource */
  GArray *undo;                /* of Undo */
  GString *printed;
  char *folder;
  char *waiting;
  gboolean forwarding;
  int producer;
};

/* --- the host ------------------------------------------------------------------------------- */

/* Resources of different types may have one name. */
static char *
resource_key (const char              *container,
              const char              *name,
              const FlowResourceClass *klass)
{
  return g_strdup_printf ("%s/%s/%s", container[0] != 0 ? container : CONTAINER, name, klass->type_name);
}

static FlowResource *
host_lookup (gpointer                  data,
             const char               *container,
             const char               *name,
             const FlowResourceClass  *klass,
             GError                  **error)
{
  FlowOpRunner *self = data;
  g_autofree char *key = resource_key (container, name, klass);
  FlowResource *found = g_hash_table_lookup (self->resources, key);

  if (g_hash_table_size (self->resources) == 0)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "Container %s does not exist. (Could not find resource: %s/%s)",
                   container[0] != 0 ? container : CONTAINER, container[0] != 0 ? container : CONTAINER, name);
      return NULL;
    }
  if (found == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "Resource %s does not exist.", key);
      return NULL;
    }
  return flow_resource_ref (found);
}

static gboolean
host_publish (gpointer       data,
              FlowResource  *resource,
              GError       **error)
{
  FlowOpRunner *self = data;
  g_autofree char *key = resource_key (resource->container, resource->name, resource->klass);
  Undo undo = { flow_resource_ref (resource), NULL, UNDO_PUBLISH };

  if (g_hash_table_contains (self->resources, key))
    {
      flow_resource_unref (resource);
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_ALREADY_EXISTS, "Resource %s", key);
      return FALSE;
    }
  g_hash_table_insert (self->resources, g_steal_pointer (&key), flow_resource_ref (resource));
  g_array_append_val (self->undo, undo);
  return TRUE;
}

static gboolean
host_remove (gpointer       data,
             FlowResource  *resource,
             GError       **error)
{
  FlowOpRunner *self = data;
  g_autofree char *key = resource_key (resource->container, resource->name, resource->klass);
  Undo undo = { flow_resource_ref (resource), NULL, UNDO_REMOVE };

  if (!g_hash_table_remove (self->resources, key))
    {
      flow_resource_unref (resource);
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "Resource %s does not exist.", key);
      return FALSE;
    }
  g_array_append_val (self->undo, undo);
  return TRUE;
}

static void
host_will_write (gpointer      data,
                 FlowResource *resource)
{
  FlowOpRunner *self = data;
  Undo undo = { flow_resource_ref (resource), resource->klass->save (resource), UNDO_WRITE };

  g_array_append_val (self->undo, undo);
}

static void
host_wrote (gpointer      data,
            FlowResource *resource)
{
  resource->version++;
}

static const char *
host_step_container (gpointer data)
{
  return "__per_step_1";
}

static void
host_draw_seed (gpointer    data,
                const char *node_name,
                guint64     seed[2])
{
  seed[0] = 12345;
  seed[1] = 67890;
}

static gboolean
host_call_function (gpointer            data,
                    const char         *name,
                    FlowAttrList       *attrs,
                    FlowCallPlace       place,
                    FlowTensor *const  *inputs,
                    guint               n_inputs,
                    FlowTensor        **outputs,
                    guint               n_outputs,
                    GError            **error)
{
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "Function %s is not defined.", name);
  return FALSE;
}

static char *
host_resolve_path (gpointer         data,
                   const char      *path,
                   FlowPathAccess   access,
                   GError         **error)
{
  FlowOpRunner *self = data;
  g_autofree char *full = g_canonicalize_filename (path, flow_op_runner_get_folder (self));

  if (!g_str_has_prefix (full, self->folder) ||
      (full[strlen (self->folder)] != '/' && full[strlen (self->folder)] != 0))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_PERMISSION_DENIED, "%s is not in an allowed folder",
                   path);
      return NULL;
    }
  return g_steal_pointer (&full);
}

static void
host_print (gpointer    data,
            const char *stream,
            const char *text)
{
  FlowOpRunner *self = data;

  g_string_append (self->printed, text);
}

static const FlowKernelHost host = {
  .lookup = host_lookup,
  .publish = host_publish,
  .remove = host_remove,
  .will_write = host_will_write,
  .wrote = host_wrote,
  .step_container = host_step_container,
  .draw_seed = host_draw_seed,
  .call_function = host_call_function,
  .resolve_path = host_resolve_path,
  .print = host_print,
};

/* --- life ------------------------------------------------------------------------------------ */

static void
clear_undo (gpointer data)
{
  Undo *undo = data;

  if (undo->saved != NULL)
    undo->resource->klass->saved_free (undo->saved);
  flow_resource_unref (undo->resource);
}

FlowOpRunner *
flow_op_runner_new (void)
{
  FlowOpRunner *self = g_new0 (FlowOpRunner, 1);

  flow_kernels_register ();
  self->budget = flow_budget_new (BUDGET_BYTES);
  self->resources = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, flow_resource_unref);
  self->undo = g_array_new (FALSE, FALSE, sizeof (Undo));
  g_array_set_clear_func (self->undo, clear_undo);
  self->printed = g_string_new (NULL);
  return self;
}

static void
remove_folder (const char *path)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_DIR) && !g_file_test (child, G_FILE_TEST_IS_SYMLINK))
        remove_folder (child);
      else
        g_unlink (child);
    }
  g_clear_pointer (&dir, g_dir_close);
  g_rmdir (path);
}

void
flow_op_runner_free (FlowOpRunner *self)
{
  g_array_unref (self->undo);
  g_hash_table_unref (self->resources);
  g_string_free (self->printed, TRUE);
  if (self->folder != NULL)
    remove_folder (self->folder);
  g_free (self->folder);
  g_free (self->waiting);
  g_clear_object (&self->cancellable);
  flow_budget_unref (self->budget);
  g_free (self);
}

/* @cancellable: (nullable): stops ops that take long */
void
flow_op_runner_set_cancellable (FlowOpRunner *self,
                                GCancellable *cancellable)
{
  g_set_object (&self->cancellable, cancellable);
}

FlowVariable *
flow_op_runner_add_variable (FlowOpRunner     *self,
                             const char       *name,
                             FlowDType         dtype,
                             const FlowTensor *value)
{
  g_autoptr (FlowShape) shape = flow_shape_new_unknown ();
  FlowVariable *variable = flow_variable_new (CONTAINER, name, dtype, shape);

  if (value != NULL)
    flow_variable_take_value (variable, flow_tensor_ref (value));
  g_hash_table_insert (self->resources, resource_key (CONTAINER, name, &flow_variable_class), variable);
  return variable;
}

FlowTensor *
flow_op_runner_new_handle (FlowOpRunner *self,
                           FlowVariable *variable)
{
  g_autoptr (FlowHandle) handle = NULL;

  handle = flow_handle_new (variable->parent.container, variable->parent.name,
                            flow_variable_class.type_name, variable->dtype,
                            variable->value != NULL ? variable->value->shape : variable->shape);
  return flow_tensor_new_handle (handle);
}

void
flow_op_runner_clear_value (gpointer data)
{
  FlowValue *value = data;

  g_clear_pointer (&value->tensor, flow_tensor_unref);
  g_clear_pointer (&value->ref, flow_resource_unref);
}

void
flow_op_runner_set_producer (FlowOpRunner *self,
                             int           producer)
{
  self->producer = producer;
}

void
flow_op_runner_set_forwarding (FlowOpRunner *self,
                               gboolean      forwarding)
{
  self->forwarding = forwarding;
}

void
flow_op_runner_undo (FlowOpRunner *self)
{
  for (guint i = self->undo->len; i > 0; i--)
    {
      Undo *undo = &g_array_index (self->undo, Undo, i - 1);
      char *key = resource_key (undo->resource->container, undo->resource->name, undo->resource->klass);

      if (undo->kind == UNDO_WRITE)
        undo->resource->klass->restore (undo->resource, undo->saved);
      else if (undo->kind == UNDO_PUBLISH)
        g_hash_table_remove (self->resources, key);
      else
        g_hash_table_insert (self->resources, g_strdup (key), flow_resource_ref (undo->resource));
      g_free (key);
    }
  g_array_set_size (self->undo, 0);
}

guint
flow_op_runner_get_n_undo (FlowOpRunner *self)
{
  return self->undo->len;
}

const char *
flow_op_runner_get_waiting (FlowOpRunner *self)
{
  return self->waiting;
}

const char *
flow_op_runner_get_printed (FlowOpRunner *self)
{
  return self->printed->str;
}

const char *
flow_op_runner_get_folder (FlowOpRunner *self)
{
  if (self->folder == NULL)
    self->folder = g_dir_make_tmp ("flow-op-XXXXXX", NULL);
  g_assert_nonnull (self->folder);
  return self->folder;
}

FlowBudget *
flow_op_runner_get_budget (FlowOpRunner *self)
{
  return self->budget;
}

/* --- attrs and arguments ---------------------------------------------------------------------- */

static gboolean
check_allowed (const FlowAttrDef  *def,
               FlowAttr           *item,
               GError            **error)
{
  if (def->kind == FLOW_ATTR_TYPE)
    {
      int dtype = flow_attr_get_dtype (item);

      FLOW_REQUIRE (dtype > 0 && dtype < FLOW_N_DTYPES, error, INVALID_ARGUMENT,
                    "AttrValue has an invalid DataType enum: %d", dtype);
      FLOW_REQUIRE (def->allowed_types == 0 || (def->allowed_types & FLOW_DTYPE_BIT (dtype)) != 0,
                    error, INVALID_ARGUMENT,
                    "Value for attr '%s' of %s is not in the list of allowed values", def->name,
                    flow_dtype_string (dtype));
    }
  if (def->kind == FLOW_ATTR_STRING && def->allowed_strings != NULL)
    {
      const char *text = flow_attr_get_string (item, NULL);

      FLOW_REQUIRE (g_strv_contains ((const char *const *) def->allowed_strings, text), error,
                    INVALID_ARGUMENT,
                    "Value for attr '%s' of \"%s\" is not in the list of allowed values", def->name,
                    text);
    }
  return TRUE;
}

static gboolean
check_attr (const FlowAttrDef  *def,
            FlowAttr           *value,
            GError            **error)
{
  gsize n = flow_attr_get_length (value);
  gboolean is_list = flow_attr_is_list (value);

  FLOW_REQUIRE (is_list == def->is_list &&
                (flow_attr_get_kind (value) == def->kind || (is_list && n == 0)), error,
                INVALID_ARGUMENT, "AttrValue of attr '%s' has a value of the wrong type", def->name);
  if (!is_list)
    {
      FLOW_REQUIRE (!def->has_minimum || def->kind != FLOW_ATTR_INT ||
                    flow_attr_get_int (value) >= def->minimum, error, INVALID_ARGUMENT,
                    "Value for attr '%s' of %" G_GINT64_FORMAT " must be at least minimum %"
                    G_GINT64_FORMAT, def->name, flow_attr_get_int (value), def->minimum);
      return check_allowed (def, value, error);
    }
  FLOW_REQUIRE (!def->has_minimum || (gint64) n >= def->minimum, error, INVALID_ARGUMENT,
                "Length for attr '%s' of %" G_GSIZE_FORMAT " must be at least minimum %"
                G_GINT64_FORMAT, def->name, n, def->minimum);
  for (gsize i = 0; i < n; i++)
    if (!check_allowed (def, flow_attr_get_item (value, i), error))
      return FALSE;
  return TRUE;
}

/* What importing a graph does: every attr there, of its kind, allowed; defaults filled in. */
static FlowAttrList *
complete_attrs (const FlowOpSignature  *signature,
                FlowAttrList           *attrs,
                GError                **error)
{
  g_autoptr (FlowAttrList) full = flow_attr_list_new ();

  for (guint i = 0; i < signature->n_attrs; i++)
    {
      const FlowAttrDef *def = &signature->attrs[i];
      FlowAttr *value = attrs != NULL ? flow_attr_list_get (attrs, def->name) : NULL;

      if (value == NULL)
        value = def->default_value;
      if (value == NULL)
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "NodeDef missing attr '%s'",
                       def->name);
          return NULL;
        }
      if (!check_attr (def, value, error))
        return NULL;
      flow_attr_list_set (full, def->name, value);
    }
  /* What the definition does not know stays, as in an imported graph: later producers add attrs. */
  for (guint i = 0; attrs != NULL && i < flow_attr_list_get_length (attrs); i++)
    if (flow_attr_list_get (full, flow_attr_list_get_name (attrs, i)) == NULL)
      flow_attr_list_set (full, flow_attr_list_get_name (attrs, i), flow_attr_list_get_value (attrs, i));
  return g_steal_pointer (&full);
}

gboolean
flow_op_runner_expand_args (const FlowArgDef  *args,
                            guint              n_args,
                            FlowAttrList      *attrs,
                            GArray            *dtypes,
                            GError           **error)
{
  for (guint i = 0; i < n_args; i++)
    {
      const FlowArgDef *arg = &args[i];
      int extra = arg->is_ref ? FLOW_DTYPE_REF : 0;
      int dtype = arg->dtype;
      gint64 count = 1;

      if (arg->type_list_attr != NULL)
        {
          FlowAttr *list = flow_attr_list_get (attrs, arg->type_list_attr);

          for (gsize k = 0; k < flow_attr_get_length (list); k++)
            {
              int item = flow_attr_get_dtype (flow_attr_get_item (list, k)) + extra;

              g_array_append_val (dtypes, item);
            }
          continue;
        }
      if (arg->type_attr != NULL)
        dtype = flow_attr_get_dtype (flow_attr_list_get (attrs, arg->type_attr));
      if (arg->number_attr != NULL)
        count = flow_attr_get_int (flow_attr_list_get (attrs, arg->number_attr));
      FLOW_REQUIRE (count >= 0 && count <= MAX_ARGS, error, INVALID_ARGUMENT,
                    "Value for number_attr() %" G_GINT64_FORMAT " < 0 or too big", count);
      dtype += extra;
      for (gint64 k = 0; k < count; k++)
        g_array_append_val (dtypes, dtype);
    }
  return TRUE;
}

/* --- one execution ---------------------------------------------------------------------------- */

typedef struct {
  const FlowOpSignature *signature;
  FlowAttrList *attrs;
  GArray *input_dtypes;
  GArray *output_dtypes;       /* as on edges */
  GArray *base_dtypes;         /* of outputs, for contexts */
  GArray *inputs;              /* of FlowValue, owned */
  GPtrArray *input_shapes;
  GPtrArray *input_values;
  FlowShape **output_shapes;
  FlowHandleData *input_handles;
  FlowHandleData *output_handles;
  GArray *outputs;             /* of FlowValue, owned */
  const FlowKernelDef *kernel;
  gpointer kernel_data;
} Execution;

static void
execution_clear (Execution *x)
{
  guint n_outputs = x->output_dtypes != NULL ? x->output_dtypes->len : 0;
  guint n_inputs = x->input_dtypes != NULL ? x->input_dtypes->len : 0;

  if (x->kernel_data != NULL && x->kernel->destruct != NULL)
    x->kernel->destruct (x->kernel_data);
  for (guint i = 0; x->output_shapes != NULL && i < n_outputs; i++)
    g_clear_pointer (&x->output_shapes[i], flow_shape_unref);
  for (guint i = 0; x->output_handles != NULL && i < n_outputs; i++)
    g_clear_pointer (&x->output_handles[i].shape, flow_shape_unref);
  for (guint i = 0; x->input_handles != NULL && i < n_inputs; i++)
    g_clear_pointer (&x->input_handles[i].shape, flow_shape_unref);
  g_free (x->output_shapes);
  g_free (x->output_handles);
  g_free (x->input_handles);
  g_clear_pointer (&x->attrs, flow_attr_list_unref);
  g_clear_pointer (&x->input_dtypes, g_array_unref);
  g_clear_pointer (&x->output_dtypes, g_array_unref);
  g_clear_pointer (&x->base_dtypes, g_array_unref);
  g_clear_pointer (&x->inputs, g_array_unref);
  g_clear_pointer (&x->outputs, g_array_unref);
  g_clear_pointer (&x->input_shapes, g_ptr_array_unref);
  g_clear_pointer (&x->input_values, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Execution, execution_clear)

static GArray *
new_values (guint n)
{
  GArray *values = g_array_sized_new (FALSE, TRUE, sizeof (FlowValue), n);

  g_array_set_clear_func (values, flow_op_runner_clear_value);
  g_array_set_size (values, n);
  return values;
}

static gboolean
prepare_signature (Execution     *x,
                   const char    *node_name,
                   const char    *type,
                   FlowAttrList  *attrs,
                   guint          n_inputs,
                   GError       **error)
{
  x->signature = flow_op_registry_lookup (type);
  FLOW_REQUIRE (x->signature != NULL, error, NOT_FOUND, "Op type not registered '%s'", type);
  x->attrs = complete_attrs (x->signature, attrs, error);
  if (x->attrs == NULL)
    return FALSE;
  x->input_dtypes = g_array_new (FALSE, FALSE, sizeof (int));
  x->output_dtypes = g_array_new (FALSE, FALSE, sizeof (int));
  x->base_dtypes = g_array_new (FALSE, FALSE, sizeof (int));
  if (!flow_op_runner_expand_args (x->signature->inputs, x->signature->n_inputs, x->attrs,
                                   x->input_dtypes, error) ||
      !flow_op_runner_expand_args (x->signature->outputs, x->signature->n_outputs, x->attrs,
                                   x->output_dtypes, error))
    return FALSE;
  FLOW_REQUIRE (x->input_dtypes->len == n_inputs, error, INVALID_ARGUMENT,
                "NodeDef expected %u inputs do not match %u inputs specified; %s",
                x->input_dtypes->len, n_inputs, node_name);
  for (guint i = 0; i < x->output_dtypes->len; i++)
    {
      int dtype = flow_dtype_base (g_array_index (x->output_dtypes, int, i));

      g_array_append_val (x->base_dtypes, dtype);
    }
  return TRUE;
}

/* One input as the kernel will see it: a ref that a plain argument reads is its value. */
static gboolean
prepare_input (FlowOpRunner     *self,
               Execution        *x,
               guint             i,
               const FlowValue  *given,
               GError          **error)
{
  int wanted = g_array_index (x->input_dtypes, int, i);
  FlowValue *value = &g_array_index (x->inputs, FlowValue, i);
  FlowTensor *tensor = given->ref != NULL ? given->ref->value : given->tensor;
  int dtype;

  if (given->ref == NULL && tensor == NULL && (x->signature->flags & FLOW_OP_MERGE) != 0)
    {
      /* Dead. */
      g_ptr_array_add (x->input_values, NULL);
      g_ptr_array_add (x->input_shapes, NULL);
      return TRUE;
    }
  FLOW_REQUIRE (given->ref != NULL || tensor != NULL, error, INVALID_ARGUMENT, "Input %u is dead", i);
  dtype = given->ref != NULL ? given->ref->dtype : given->tensor->dtype;

  FLOW_REQUIRE (flow_dtype_base (wanted) == (FlowDType) dtype &&
                (!flow_dtype_is_ref (wanted) || given->ref != NULL), error, INVALID_ARGUMENT,
                "Input %u of node op was passed %s from x:0 incompatible with expected %s.", i,
                flow_dtype_string (dtype), flow_dtype_string (wanted));
  FLOW_REQUIRE (tensor != NULL || (x->signature->flags & FLOW_OP_ALLOWS_UNINITIALIZED) != 0, error,
                FAILED_PRECONDITION, "Attempting to use uninitialized value %s",
                given->ref->parent.name);
  if (flow_dtype_is_ref (wanted))
    value->ref = flow_resource_ref (given->ref);
  else if (self->forwarding && given->ref == NULL)
    value->tensor = flow_tensor_copy (tensor, self->budget, error);
  else
    value->tensor = flow_tensor_ref (tensor);
  if (value->ref == NULL && value->tensor == NULL)
    return FALSE;
  g_ptr_array_add (x->input_values, value->tensor != NULL ? value->tensor : tensor);
  g_ptr_array_add (x->input_shapes, tensor != NULL ? tensor->shape : given->ref->shape);
  if (dtype == FLOW_DTYPE_RESOURCE && tensor != NULL && tensor->n_elements == 1)
    {
      const FlowHandle *handle = FLOW_DATA (FlowHandle *, tensor)[0];

      if (handle != NULL)
        {
          x->input_handles[i].dtype = handle->dtype;
          x->input_handles[i].shape = handle->shape != NULL ? flow_shape_ref (handle->shape) : NULL;
        }
    }
  return TRUE;
}

static gboolean
construct (Execution   *x,
           const char  *node_name,
           GError     **error)
{
  FlowKernelConstruction c = {
    .node_name = node_name,
    .signature = x->signature,
    .attrs = x->attrs,
    .n_inputs = x->input_dtypes->len,
    .input_dtypes = (const int *) x->input_dtypes->data,
    .n_outputs = x->output_dtypes->len,
    .output_dtypes = (const int *) x->output_dtypes->data,
  };

  x->kernel = flow_op_find_kernel (x->signature, x->attrs, error);
  if (x->kernel == NULL)
    return FALSE;
  if (x->kernel->construct == NULL)
    return TRUE;
  x->kernel_data = x->kernel->construct (&c, error);
  return x->kernel_data != NULL;
}

static gboolean
infer (Execution   *x,
       const char  *node_name,
       GError     **error)
{
  FlowInferContext c = {
    .node_name = node_name,
    .signature = x->signature,
    .attrs = x->attrs,
    .n_inputs = x->input_dtypes->len,
    .input_shapes = (FlowShape **) x->input_shapes->pdata,
    .input_values = (FlowTensor **) x->input_values->pdata,
    .input_handles = x->input_handles,
    .n_outputs = x->output_dtypes->len,
    .output_shapes = x->output_shapes,
    .output_handles = x->output_handles,
    .running = TRUE,
  };

  FLOW_REQUIRE (x->signature->op != NULL && x->signature->op->infer != NULL, error, INTERNAL,
                "%s has no shape function", x->signature->name);
  return x->signature->op->infer (&c, error);
}

/* What any executor relies on: all outputs set, of the promised dtype, and of the inferred shape. */
static gboolean
check_outputs (Execution  *x,
               GError    **error)
{
  for (guint i = 0; i < x->outputs->len; i++)
    {
      const FlowValue *value = &g_array_index (x->outputs, FlowValue, i);
      int wanted = g_array_index (x->output_dtypes, int, i);
      FlowTensor *tensor = value->tensor;
      int dtype = value->ref != NULL ? value->ref->dtype : tensor != NULL ? tensor->dtype : 0;

      if (value->ref == NULL && tensor == NULL &&
          (x->signature->flags & (FLOW_OP_SWITCH | FLOW_OP_MERGE)) != 0)
        continue;
      FLOW_REQUIRE (value->ref != NULL || tensor != NULL, error, INTERNAL, "output %u was not set",
                    i);
      FLOW_REQUIRE ((FlowDType) dtype == flow_dtype_base (wanted), error, INTERNAL,
                    "output %u has dtype %s instead of %s", i, flow_dtype_string (dtype),
                    flow_dtype_string (wanted));
      FLOW_REQUIRE (value->ref == NULL || flow_dtype_is_ref (wanted), error, INTERNAL,
                    "output %u is a reference but should not be", i);
      /* TF: of this handle, which is a scalar, its shape function says [2]. */
      if (strcmp (x->signature->name, "ResourceConditionalAccumulator") == 0)
        continue;
      if (tensor != NULL && x->output_shapes[i] != NULL &&
          !flow_shape_is_compatible (tensor->shape, x->output_shapes[i]))
        {
          g_autofree char *got = flow_shape_to_string (tensor->shape);
          g_autofree char *said = flow_shape_to_string (x->output_shapes[i]);

          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL,
                       "output %u has shape %s, the shape function said %s", i, got, said);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
compute (FlowOpRunner  *self,
         Execution     *x,
         const char    *node_name,
         GError       **error)
{
  g_autofree guint8 *forwardable = g_malloc0 (x->inputs->len + 1);
  FlowKernelContext c = {
    .node_name = node_name,
    .signature = x->signature,
    .attrs = x->attrs,
    .kernel_data = x->kernel_data,
    .n_inputs = x->inputs->len,
    .inputs = (FlowValue *) x->inputs->data,
    .input_forwardable = forwardable,
    .n_outputs = x->outputs->len,
    .outputs = (FlowValue *) x->outputs->data,
    .output_dtypes = (const int *) x->base_dtypes->data,
    .output_shapes = x->output_shapes,
    .budget = self->budget,
    .cancellable = self->cancellable,
    .host = &host,
    .host_data = self,
    .producer = self->producer,
  };
  guint mode;
  gboolean ok;

  flow_op_runner_get_folder (self);
  memset (forwardable, self->forwarding ? 1 : 0, x->inputs->len);
  g_clear_pointer (&self->waiting, g_free);
  mode = flow_denormals_flush ();
  ok = x->kernel->compute (&c, error);
  flow_denormals_set_mode (mode);
  if (ok && c.waiting_for != NULL)
    self->waiting = g_strdup (c.waiting_text != NULL ? c.waiting_text : "");
  g_clear_pointer (&c.waiting_for, flow_resource_unref);
  g_free (c.waiting_text);
  if (!ok)
    return FALSE;
  return self->waiting != NULL || check_outputs (x, error);
}

gboolean
flow_op_runner_try_kernel (const char    *node_name,
                           const char    *type,
                           FlowAttrList  *attrs,
                           guint          n_inputs,
                           GError       **error)
{
  g_auto (Execution) x = { NULL };

  return prepare_signature (&x, node_name, type, attrs, n_inputs, error) && construct (&x, node_name, error);
}

gboolean
flow_op_runner_run (FlowOpRunner     *self,
                    const char       *node_name,
                    const char       *type,
                    FlowAttrList     *attrs,
                    const FlowValue  *inputs,
                    guint             n_inputs,
                    GArray           *outputs,
                    GError          **error)
{
  g_auto (Execution) x = { NULL };

  if (!prepare_signature (&x, node_name, type, attrs, n_inputs, error))
    return FALSE;
  x.inputs = new_values (n_inputs);
  x.outputs = new_values (x.output_dtypes->len);
  x.input_values = g_ptr_array_new ();
  x.input_shapes = g_ptr_array_new ();
  x.input_handles = g_new0 (FlowHandleData, n_inputs + 1);
  x.output_handles = g_new0 (FlowHandleData, x.output_dtypes->len + 1);
  x.output_shapes = g_new0 (FlowShape *, x.output_dtypes->len + 1);
  if (!construct (&x, node_name, error))
    return FALSE;
  for (guint i = 0; i < n_inputs; i++)
    if (!prepare_input (self, &x, i, &inputs[i], error))
      return FALSE;
  if (!infer (&x, node_name, error) || !compute (self, &x, node_name, error))
    return FALSE;
  if (outputs != NULL && self->waiting == NULL && x.outputs->len > 0)
    {
      g_array_append_vals (outputs, x.outputs->data, x.outputs->len);
      memset (x.outputs->data, 0, sizeof (FlowValue) * x.outputs->len);
    }
  return TRUE;
}
