/* flow-op-def.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-op-def.h"

#include "flow-signature-text.h"

#include <string.h>

/* The one global: op type -> signature. It only grows, at start, under this lock. */
static GMutex registry_lock;
static GHashTable *registry;
static FlowConstEvaluator evaluator;

/**
 * flow_op_signature_new: (skip)
 * @type: op type
 * @n_inputs: number of input arguments
 * @n_outputs: number of output arguments
 * @n_attrs: number of attrs
 *
 * Returns: (transfer full): a definition whose arguments and attrs are to be filled in
 */
FlowOpSignature *
flow_op_signature_new (const char *type,
                       guint       n_inputs,
                       guint       n_outputs,
                       guint       n_attrs)
{
  FlowOpSignature *self = g_new0 (FlowOpSignature, 1);

  self->name = g_strdup (type);
  self->n_inputs = n_inputs;
  self->inputs = g_new0 (FlowArgDef, MAX (n_inputs, 1));
  self->n_outputs = n_outputs;
  self->outputs = g_new0 (FlowArgDef, MAX (n_outputs, 1));
  self->n_attrs = n_attrs;
  self->attrs = g_new0 (FlowAttrDef, MAX (n_attrs, 1));
  return self;
}

/**
 * flow_op_signature_free: (skip)
 * @self: (transfer full): a definition that is not in the registry
 */
void
flow_op_signature_free (FlowOpSignature *self)
{
  g_return_if_fail (self != NULL);

  for (guint i = 0; i < self->n_inputs; i++)
    g_free (self->inputs[i].name);
  for (guint i = 0; i < self->n_outputs; i++)
    g_free (self->outputs[i].name);
  for (guint i = 0; i < self->n_attrs; i++)
    {
      g_clear_pointer (&self->attrs[i].default_value, flow_attr_unref);
      g_strfreev (self->attrs[i].allowed_strings);
    }
  g_free (self->inputs);
  g_free (self->outputs);
  g_free (self->attrs);
  g_free (self->name);
  g_free (self);
}

/**
 * flow_op_signature_find_attr: (skip)
 * @self: a definition
 * @name: an attr's name
 *
 * Returns: (transfer none) (nullable): the attr's definition
 */
FlowAttrDef *
flow_op_signature_find_attr (const FlowOpSignature *self,
                             const char            *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, NULL);

  for (guint i = 0; i < self->n_attrs; i++)
    if (self->attrs[i].name != NULL && strcmp (self->attrs[i].name, name) == 0)
      return &self->attrs[i];
  return NULL;
}

/**
 * flow_op_registry_add: (skip)
 * @ops: (array length=n_ops): rows; they must live as long as the process
 * @n_ops: how many
 * @error: where to put an error
 *
 * Registers a family of ops.
 *
 * Returns: %FALSE with %FLOW_ERROR_INVALID_ARGUMENT for a signature text that cannot be read,
 *   %FLOW_ERROR_ALREADY_EXISTS for a type that is there; the rows before it are registered
 */
gboolean
flow_op_registry_add (const FlowOpDef  *ops,
                      guint             n_ops,
                      GError          **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&registry_lock);

  if (registry == NULL)
    registry = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < n_ops; i++)
    {
      FlowOpSignature *signature;

      FLOW_REQUIRE (!g_hash_table_contains (registry, ops[i].name), error, ALREADY_EXISTS,
                    "op %s is registered twice", ops[i].name);
      signature = _flow_signature_parse (&ops[i], error);
      if (signature == NULL)
        return FALSE;
      for (const FlowKernelDef *kernel = ops[i].kernels; kernel != NULL && kernel->compute != NULL; kernel++)
        for (guint k = 0; k < signature->n_attrs; k++)
          {
            FlowDTypeSet types;

            if (!flow_kernel_constraint_dtypes (kernel, signature->attrs[k].name, &types))
              {
                g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                             "op %s: cannot read kernel constraint '%s'", ops[i].name, kernel->constraint);
                flow_op_signature_free (signature);
                return FALSE;
              }
          }
      g_hash_table_insert (registry, signature->name, signature);
    }
  return TRUE;
}

/**
 * flow_op_registry_lookup: (skip)
 * @type: op type
 *
 * Returns: (transfer none) (nullable): its definition
 */
const FlowOpSignature *
flow_op_registry_lookup (const char *type)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&registry_lock);

  g_return_val_if_fail (type != NULL, NULL);

  return registry != NULL ? g_hash_table_lookup (registry, type) : NULL;
}

/**
 * flow_op_registry_set_evaluator: (skip)
 * @new_evaluator: (nullable): computes a stateless op on constants
 *
 * Filled by the room that has the kernels, so that shape inference in this one can fold constants.
 */
void
flow_op_registry_set_evaluator (FlowConstEvaluator new_evaluator)
{
  g_atomic_pointer_set (&evaluator, new_evaluator);
}

/**
 * flow_op_registry_get_evaluator: (skip)
 *
 * Returns: (nullable): what flow_op_registry_set_evaluator() was given
 */
FlowConstEvaluator
flow_op_registry_get_evaluator (void)
{
  return g_atomic_pointer_get (&evaluator);
}

/**
 * flow_op_registry_list_types:
 *
 * Returns: (transfer full): the op types we know, sorted
 */
char **
flow_op_registry_list_types (void)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&registry_lock);
  GStrvBuilder *builder = g_strv_builder_new ();
  char **types;

  if (registry != NULL)
    {
      g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (registry), (GCompareFunc) strcmp);

      for (GList *l = keys; l != NULL; l = l->next)
        g_strv_builder_add (builder, l->data);
    }
  types = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  return types;
}

/**
 * flow_op_registry_has_type:
 * @type: op type
 *
 * Returns: whether we know it
 */
gboolean
flow_op_registry_has_type (const char *type)
{
  return flow_op_registry_lookup (type) != NULL;
}

/**
 * flow_op_registry_has_kernel:
 * @type: op type
 *
 * Returns: whether we can run it, for some dtypes at least
 */
gboolean
flow_op_registry_has_kernel (const char *type)
{
  const FlowOpSignature *signature = flow_op_registry_lookup (type);

  return signature != NULL && signature->op != NULL && signature->op->kernels != NULL
         && signature->op->kernels[0].compute != NULL;
}

static void
describe_args (GString          *text,
               const char       *what,
               const FlowArgDef *args,
               guint             n_args)
{
  for (guint i = 0; i < n_args; i++)
    g_string_append_printf (text, "%s\t%s\t%d\t%s\t%s\t%s\t%d\n", what, args[i].name, args[i].dtype,
                            args[i].type_attr != NULL ? args[i].type_attr : "",
                            args[i].number_attr != NULL ? args[i].number_attr : "",
                            args[i].type_list_attr != NULL ? args[i].type_list_attr : "", args[i].is_ref);
}

/* Of an attr's definition what stands between its braces, and its default, as they are written. */
static void
append_definition (GString         *text,
                   const FlowOpDef *op,
                   const char      *name,
                   FlowAttrKind     kind)
{
  g_auto (GStrv) attrs = op != NULL && op->attrs != NULL ? g_strsplit (op->attrs, ";", -1) : NULL;
  gsize length = strlen (name);

  for (guint i = 0; attrs != NULL && attrs[i] != NULL; i++)
    {
      const char *at = g_strchug (attrs[i]);
      /* A tensor's braces are its default's. */
      const char *open = kind != FLOW_ATTR_TENSOR ? strchr (at, '{') : NULL;
      const char *end = open != NULL ? strchr (open, '}') : NULL;
      const char *value;

      if (strncmp (at, name, length) != 0 || (at[length] != ':' && at[length] != ' '))
        continue;
      value = strstr (end != NULL ? end : at, "= ");
      if (value != NULL && value > at && value[-1] == '>')
        value = strstr (value + 1, "= ");
      if (end != NULL)
        g_string_append_len (text, open + 1, end - open - 1);
      g_string_append_printf (text, "\t%s", value != NULL ? value + 2 : "");
      return;
    }
  g_string_append_c (text, '\t');
}

/**
 * flow_op_registry_describe:
 * @type: an op type
 *
 * The definition for bindings that make wrappers from it: one line an argument or attr, fields divided
 * by tabs. `input` and `output`: name, dtype, type attr, number attr, type list attr, whether it is a
 * reference. `attr`: name, #FlowAttrKind, whether it is a list, whether it has a default, the dtypes
 * allowed as bits (0 all), the dtype that is the default (0 none), whether it has a minimum, that, and
 * what stands between the braces of its definition, what is allowed, in order; and the text of its default.
 *
 * Returns: (transfer full) (nullable): the text, %NULL for a type we do not know
 */
char *
flow_op_registry_describe (const char *type)
{
  const FlowOpSignature *signature = flow_op_registry_lookup (type);
  g_autoptr (GString) text = NULL;

  if (signature == NULL)
    return NULL;
  text = g_string_new (NULL);
  describe_args (text, "input", signature->inputs, signature->n_inputs);
  describe_args (text, "output", signature->outputs, signature->n_outputs);
  for (guint i = 0; i < signature->n_attrs; i++)
    {
      const FlowAttrDef *attr = &signature->attrs[i];
      const FlowAttr *value = attr->default_value;
      gboolean is_type = value != NULL && attr->kind == FLOW_ATTR_TYPE && !attr->is_list;

      g_string_append_printf (text, "attr\t%s\t%d\t%d\t%d\t%" G_GUINT64_FORMAT "\t%d\t%d\t%" G_GINT64_FORMAT "\t",
                              attr->name, attr->kind, attr->is_list, value != NULL, (guint64) attr->allowed_types,
                              is_type ? flow_attr_get_dtype (value) : 0, attr->has_minimum, attr->minimum);
      append_definition (text, signature->op, attr->name, attr->kind);
      g_string_append_c (text, '\n');
    }
  return g_strdup (text->str);
}

/**
 * flow_op_registry_get_summary:
 * @type: op type
 *
 * Returns: (transfer none) (nullable): what it does, in a line
 */
const char *
flow_op_registry_get_summary (const char *type)
{
  const FlowOpSignature *signature = flow_op_registry_lookup (type);

  return signature != NULL && signature->op != NULL ? signature->op->summary : NULL;
}

/**
 * flow_op_registry_get_family:
 * @type: op type
 *
 * Returns: its family, %FLOW_OP_FAMILY_OTHER for a type we do not know
 */
FlowOpFamily
flow_op_registry_get_family (const char *type)
{
  const FlowOpSignature *signature = flow_op_registry_lookup (type);

  return signature != NULL ? signature->family : FLOW_OP_FAMILY_OTHER;
}

/**
 * flow_op_registry_get_flags:
 * @type: op type
 *
 * Returns: its #FlowOpFlags, 0 for a type we do not know
 */
guint
flow_op_registry_get_flags (const char *type)
{
  const FlowOpSignature *signature = flow_op_registry_lookup (type);

  return signature != NULL ? signature->flags : 0;
}

/**
 * flow_kernel_constraint_dtypes: (skip)
 * @kernel: a kernel of a row
 * @attr: a type attr
 * @dtypes: (out): the dtypes it serves for that attr; 0 when it serves all
 *
 * Returns: whether the constraint's text can be read
 */
gboolean
flow_kernel_constraint_dtypes (const FlowKernelDef *kernel,
                               const char          *attr,
                               FlowDTypeSet        *dtypes)
{
  gsize length = strlen (attr);

  *dtypes = 0;
  for (const char *p = kernel->constraint; p != NULL && *p != '\0';)
    {
      const char *end = strchrnul (p, ';');

      while (*p == ' ' || *p == '\n')
        p++;
      if (strncmp (p, attr, length) == 0 && p[length] == ':')
        {
          g_autofree char *types = g_strndup (p + length + 1, (gsize) (end - (p + length + 1)));

          return _flow_signature_parse_types (types, dtypes);
        }
      p = *end == ';' ? end + 1 : end;
    }
  return TRUE;
}

/* A kernel whose constraint says `_kernel: LABEL` is only for nodes that ask for it by an attr of that name, and those
 * for no other. */
static gboolean
has_label (const FlowKernelDef *kernel,
           FlowAttrList        *attrs)
{
  static const char key[] = "_kernel: ";
  const FlowAttr *asked = flow_attr_list_get (attrs, "_kernel");
  const char *label = asked != NULL ? flow_attr_get_string (asked, NULL) : NULL;

  if (kernel->constraint == NULL || !g_str_has_prefix (kernel->constraint, key))
    return label == NULL || *label == '\0';
  return g_strcmp0 (kernel->constraint + strlen (key), label) == 0;
}

static gboolean
kernel_serves (const FlowOpSignature *self,
               const FlowKernelDef   *kernel,
               FlowAttrList          *attrs)
{
  if (!has_label (kernel, attrs))
    return FALSE;
  for (guint i = 0; i < self->n_attrs; i++)
    {
      const FlowAttrDef *def = &self->attrs[i];
      const FlowAttr *value;
      FlowDTypeSet dtypes;

      if (def->kind != FLOW_ATTR_TYPE)
        continue;
      if (!flow_kernel_constraint_dtypes (kernel, def->name, &dtypes) || dtypes == 0)
        continue;
      value = flow_attr_list_get (attrs, def->name);
      if (value == NULL)
        value = def->default_value;
      if (value == NULL)
        continue;
      if (!def->is_list)
        {
          int dtype = flow_dtype_base (flow_attr_get_dtype (value));

          if (!flow_dtype_is_valid (dtype) || (dtypes & FLOW_DTYPE_BIT (dtype)) == 0)
            return FALSE;
          continue;
        }
      for (gsize k = 0; k < flow_attr_get_length (value); k++)
        {
          int dtype = flow_dtype_base (flow_attr_get_dtype (flow_attr_get_item (value, k)));

          if (!flow_dtype_is_valid (dtype) || (dtypes & FLOW_DTYPE_BIT (dtype)) == 0)
            return FALSE;
        }
    }
  return TRUE;
}

static char *
list_kernels (const FlowOpSignature *self)
{
  GString *text = g_string_new (NULL);

  for (const FlowKernelDef *kernel = self->op->kernels; kernel != NULL && kernel->compute != NULL; kernel++)
    g_string_append_printf (text, "\n  device='CPU'; %s", kernel->constraint != NULL ? kernel->constraint : "");
  if (text->len == 0)
    g_string_append (text, "\n  <no registered kernels>");
  return g_string_free (text, FALSE);
}

/**
 * flow_op_find_kernel: (skip)
 * @self: a definition
 * @attrs: (nullable): a node's attrs
 * @error: where to put an error
 *
 * Returns: (transfer none): the kernel for these attrs; %NULL with %FLOW_ERROR_NOT_FOUND for a type
 *   we do not know, %FLOW_ERROR_UNIMPLEMENTED for one that we cannot run at all,
 *   %FLOW_ERROR_INVALID_ARGUMENT in TensorFlow's words for dtypes it has no kernel for
 */
const FlowKernelDef *
flow_op_find_kernel (const FlowOpSignature  *self,
                     FlowAttrList           *attrs,
                     GError                **error)
{
  g_autofree char *kernels = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  if (self->op == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND,
                   "Op type not registered '%s' in binary running on %s. Make sure the Op and Kernel are "
                   "registered in the binary running in this process.", self->name, g_get_host_name ());
      return NULL;
    }
  /* A list without kernels is what TensorFlow has for the CPU too: its own words below. */
  if (self->op->kernels == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED,
                   "Op '%s' is known but has no kernel here. Override its outputs to go on.", self->name);
      return NULL;
    }
  for (const FlowKernelDef *kernel = self->op->kernels; kernel->compute != NULL; kernel++)
    if (kernel_serves (self, kernel, attrs))
      return kernel;
  kernels = list_kernels (self);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
               "No OpKernel was registered to support Op '%s' with these attrs.  Registered devices: "
               "[CPU], Registered kernels:%s\n", self->name, kernels);
  return NULL;
}
