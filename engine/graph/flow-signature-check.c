/* flow-signature-check.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-graph-private.h"

#include <string.h>

/* More than any op has; N = 2^31 in a file must not become an array. */
#define MAX_ARGS 100000

static const char *
kind_name (FlowAttrKind kind)
{
  switch (kind)
    {
    case FLOW_ATTR_STRING: return "string";
    case FLOW_ATTR_INT: return "int";
    case FLOW_ATTR_FLOAT: return "float";
    case FLOW_ATTR_BOOL: return "bool";
    case FLOW_ATTR_TYPE: return "type";
    case FLOW_ATTR_SHAPE: return "shape";
    case FLOW_ATTR_TENSOR: return "tensor";
    case FLOW_ATTR_FUNC: return "func";
    case FLOW_ATTR_PLACEHOLDER: return "placeholder";
    case FLOW_ATTR_NONE: default: return "none";
    }
}

static char *
full_kind (FlowAttrKind kind,
           gboolean     is_list)
{
  return is_list ? g_strdup_printf ("list(%s)", kind_name (kind)) : g_strdup (kind_name (kind));
}

static gboolean
check_type (const FlowAttrDef  *def,
            const FlowAttr     *value,
            GError            **error)
{
  int dtype = flow_attr_get_dtype (value);

  FLOW_REQUIRE (flow_dtype_is_valid (dtype), error, INVALID_ARGUMENT,
                "AttrValue must not have invalid DataType enum: %d for attr '%s'", dtype, def->name);
  FLOW_REQUIRE (def->allowed_types == 0 || (def->allowed_types & FLOW_DTYPE_BIT (flow_dtype_base (dtype))) != 0,
                error, INVALID_ARGUMENT, "Value for attr '%s' of %s is not in the list of allowed values",
                def->name, flow_dtype_string (dtype));
  return TRUE;
}

static gboolean
check_string (const FlowAttrDef  *def,
              const FlowAttr     *value,
              GError            **error)
{
  g_autofree char *allowed = NULL;

  if (def->allowed_strings == NULL
      || g_strv_contains ((const char *const *) def->allowed_strings, flow_attr_get_string (value, NULL)))
    return TRUE;
  allowed = g_strjoinv ("\", \"", def->allowed_strings);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
               "Value for attr '%s' of \"%.100s\" is not in the list of allowed values: \"%s\"",
               def->name, flow_attr_get_string (value, NULL), allowed);
  return FALSE;
}

static gboolean
check_item (const FlowAttrDef  *def,
            const FlowAttr     *value,
            GError            **error)
{
  if (def->kind == FLOW_ATTR_TYPE)
    return check_type (def, value, error);
  if (def->kind == FLOW_ATTR_STRING)
    return check_string (def, value, error);
  return TRUE;
}

static gboolean
check_value (const FlowAttrDef  *def,
             const FlowAttr     *value,
             GError            **error)
{
  FlowAttrKind kind = flow_attr_get_kind (value);
  gboolean is_list = flow_attr_is_list (value);

  if (is_list != def->is_list || (kind != def->kind && !(is_list && flow_attr_get_length (value) == 0)))
    {
      g_autofree char *have = full_kind (kind, is_list);
      g_autofree char *want = full_kind (def->kind, def->is_list);

      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "AttrValue had value with type '%s' when '%s' expected for attr '%s'", have, want, def->name);
      return FALSE;
    }
  if (def->has_minimum && !is_list && def->kind == FLOW_ATTR_INT)
    FLOW_REQUIRE (flow_attr_get_int (value) >= def->minimum, error, INVALID_ARGUMENT,
                  "Value for attr '%s' of %" G_GINT64_FORMAT " must be at least minimum %" G_GINT64_FORMAT,
                  def->name, flow_attr_get_int (value), def->minimum);
  if (def->has_minimum && is_list)
    FLOW_REQUIRE ((gint64) flow_attr_get_length (value) >= def->minimum, error, INVALID_ARGUMENT,
                  "Length for attr '%s' of %" G_GSIZE_FORMAT " must be at least minimum %" G_GINT64_FORMAT,
                  def->name, flow_attr_get_length (value), def->minimum);
  if (!is_list)
    return check_item (def, value, error);
  for (gsize i = 0; i < flow_attr_get_length (value); i++)
    if (!check_item (def, flow_attr_get_item (value, i), error))
      return FALSE;
  return TRUE;
}

gboolean
flow_op_signature_check_attrs (const FlowOpSignature *signature,
                             FlowAttrList          *attrs,
                             GError               **error)
{
  for (guint i = 0; i < signature->n_attrs; i++)
    {
      const FlowAttrDef *def = &signature->attrs[i];
      FlowAttr *value = flow_attr_list_get (attrs, def->name);

      if (value == NULL)
        {
          FLOW_REQUIRE (def->default_value != NULL, error, INVALID_ARGUMENT,
                        "NodeDef missing attr '%s' from Op<name=%s>", def->name, signature->name);
          continue;
        }
      FLOW_REQUIRE (flow_attr_get_kind (value) != FLOW_ATTR_PLACEHOLDER, error, INVALID_ARGUMENT,
                    "AttrValue had value with unexpected type 'placeholder' for attr '%s'", def->name);
      if (!check_value (def, value, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
append_dtypes (GArray  *dtypes,
               guint    first,
               int      dtype,
               gint64   count,
               gboolean is_ref,
               GError **error)
{
  FLOW_REQUIRE (count <= MAX_ARGS && dtypes->len - first + count <= MAX_ARGS, error, INVALID_ARGUMENT,
                "Number of outputs is too big: %" G_GINT64_FORMAT, count);
  if (is_ref && !flow_dtype_is_ref (dtype))
    dtype += FLOW_DTYPE_REF;
  for (gint64 i = 0; i < count; i++)
    g_array_append_val (dtypes, dtype);
  return TRUE;
}

static FlowAttr *
attr_or_default (const FlowOpSignature *signature,
                 FlowAttrList          *attrs,
                 const char            *name)
{
  FlowAttr *value = flow_attr_list_get (attrs, name);

  if (value == NULL)
    {
      FlowAttrDef *def = flow_op_signature_find_attr (signature, name);

      value = def != NULL ? def->default_value : NULL;
    }
  return value;
}

gboolean
flow_op_signature_expand (const FlowOpSignature  *signature,
                        const FlowArgDef       *args,
                        guint                   n_args,
                        FlowAttrList           *attrs,
                        GArray                 *dtypes,
                        GError                **error)
{
  guint first = dtypes->len;

  for (guint i = 0; i < n_args; i++)
    {
      const FlowArgDef *arg = &args[i];
      FlowAttr *value;
      gint64 count = 1;
      int dtype = arg->dtype;

      if (arg->type_list_attr != NULL)
        {
          value = attr_or_default (signature, attrs, arg->type_list_attr);
          for (gsize k = 0; value != NULL && k < flow_attr_get_length (value); k++)
            if (!append_dtypes (dtypes, first, flow_attr_get_dtype (flow_attr_get_item (value, k)), 1, arg->is_ref, error))
              return FALSE;
          continue;
        }
      if (arg->number_attr != NULL)
        {
          value = attr_or_default (signature, attrs, arg->number_attr);
          count = value != NULL ? flow_attr_get_int (value) : 0;
          FLOW_REQUIRE (count >= 0, error, INVALID_ARGUMENT, "Value for number_attr() %" G_GINT64_FORMAT " < 0", count);
        }
      if (arg->type_attr != NULL)
        {
          value = attr_or_default (signature, attrs, arg->type_attr);
          dtype = value != NULL ? flow_attr_get_dtype (value) : FLOW_DTYPE_INVALID;
        }
      if (!append_dtypes (dtypes, first, dtype, count, arg->is_ref, error))
        return FALSE;
    }
  return TRUE;
}
