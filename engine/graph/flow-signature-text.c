/* flow-signature-text.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-signature-text.h"

#include <string.h>

#define BIT(name) FLOW_DTYPE_BIT (FLOW_DTYPE_##name)

/* TensorFlow's named sets. */
#define REAL_NUMBERS                                                                        \
  (BIT (FLOAT) | BIT (DOUBLE) | BIT (INT32) | BIT (INT64) | BIT (UINT8) | BIT (INT16)       \
   | BIT (INT8) | BIT (UINT16) | BIT (HALF) | BIT (BFLOAT16) | BIT (UINT32) | BIT (UINT64))
#define QUANTIZED (BIT (QINT8) | BIT (QUINT8) | BIT (QINT32) | BIT (QINT16) | BIT (QUINT16))
#define NUMBERS                                                                             \
  (REAL_NUMBERS | BIT (COMPLEX64) | BIT (COMPLEX128) | BIT (QINT8) | BIT (QUINT8) | BIT (QINT32))

static const struct {
  const char *name;
  FlowDTypeSet types;
} type_sets[] = {
  { "numbertype", NUMBERS },
  { "realnumbertype", REAL_NUMBERS },
  { "quantizedtype", QUANTIZED },
};

static const struct {
  const char *name;
  FlowAttrKind kind;
} kinds[] = {
  { "string", FLOW_ATTR_STRING },
  { "int", FLOW_ATTR_INT },
  { "float", FLOW_ATTR_FLOAT },
  { "bool", FLOW_ATTR_BOOL },
  { "type", FLOW_ATTR_TYPE },
  { "shape", FLOW_ATTR_SHAPE },
  { "tensor", FLOW_ATTR_TENSOR },
  { "func", FLOW_ATTR_FUNC },
};

/* Cuts at ';' and line ends, but not inside quotes, braces or brackets. Trims each piece. */
static GPtrArray *
split_entries (const char *text)
{
  GPtrArray *entries = g_ptr_array_new_with_free_func (g_free);
  int depth = 0;
  char quote = '\0';
  const char *start = text != NULL ? text : "";

  for (const char *p = start;; p++)
    {
      if (quote != '\0')
        {
          if (*p == quote || *p == '\0')
            quote = '\0';
        }
      else if (*p == '\'' || *p == '"')
        quote = *p;
      else if (*p == '{' || *p == '[' || *p == '(')
        depth++;
      else if (*p == '}' || *p == ']' || *p == ')')
        depth--;
      if (*p == '\0' || (quote == '\0' && depth <= 0 && (*p == ';' || *p == '\n')))
        {
          char *entry = g_strstrip (g_strndup (start, (gsize) (p - start)));

          if (*entry != '\0')
            g_ptr_array_add (entries, entry);
          else
            g_free (entry);
          start = p + 1;
        }
      if (*p == '\0')
        return entries;
    }
}

gboolean
_flow_signature_parse_types (const char   *text,
                             FlowDTypeSet *types)
{
  g_auto (GStrv) words = g_strsplit_set (text, " ,{}\t\n", -1);

  *types = 0;
  for (guint i = 0; words[i] != NULL; i++)
    {
      gboolean found = FALSE;
      int dtype;

      if (*words[i] == '\0')
        continue;
      for (guint k = 0; k < G_N_ELEMENTS (type_sets); k++)
        if (strcmp (words[i], type_sets[k].name) == 0)
          {
            *types |= type_sets[k].types;
            found = TRUE;
          }
      if (found)
        continue;
      dtype = flow_dtype_from_string (words[i]);
      if (dtype == FLOW_DTYPE_INVALID || flow_dtype_is_ref (dtype))
        return FALSE;
      *types |= FLOW_DTYPE_BIT (dtype);
    }
  return *types != 0;
}

static char *
unquote (const char *text)
{
  gsize length = strlen (text);

  if (length >= 2 && (text[0] == '\'' || text[0] == '"') && text[length - 1] == text[0])
    {
      g_autofree char *inner = g_strndup (text + 1, length - 2);

      return g_strcompress (inner);
    }
  return NULL;
}

/* A vector of whole numbers, the one form in which tensors stand as defaults:
 * "{ dtype: DT_UINT8 tensor_shape { dim { size: 2 } } int_val: 255 int_val: 0 }". */
static FlowAttr *
parse_tensor (const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \n", -1);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowTensor) tensor = NULL;
  int dtype = FLOW_DTYPE_INVALID;

  for (guint i = 0; words[i] != NULL && words[i + 1] != NULL; i++)
    {
      if (strcmp (words[i], "dtype:") == 0)
        dtype = flow_dtype_from_string (words[i + 1]);
      else if (strcmp (words[i], "int_val:") == 0)
        {
          gint64 value = g_ascii_strtoll (words[i + 1], NULL, 10);

          g_array_append_val (values, value);
        }
    }
  if (dtype != FLOW_DTYPE_UINT8)
    return NULL;
  shape = flow_shape_new_vector (values->len);
  tensor = flow_tensor_new (FLOW_DTYPE_UINT8, shape, NULL, NULL);
  for (guint i = 0; i < values->len; i++)
    FLOW_WRITABLE (guint8, tensor)[i] = (guint8) g_array_index (values, gint64, i);
  return flow_attr_new_tensor (tensor);
}

static FlowAttr *
parse_scalar (FlowAttrKind kind,
              const char  *text)
{
  char *end = NULL;

  switch (kind)
    {
    case FLOW_ATTR_STRING:
      {
        g_autofree char *value = unquote (text);

        return value != NULL ? flow_attr_new_string (value, -1) : NULL;
      }
    case FLOW_ATTR_INT:
      {
        gint64 value = g_ascii_strtoll (text, &end, 0);

        return *text != '\0' && *end == '\0' ? flow_attr_new_int (value) : NULL;
      }
    case FLOW_ATTR_FLOAT:
      {
        double value = g_ascii_strtod (text, &end);

        return *text != '\0' && (*end == '\0' || strcmp (end, "f") == 0) ? flow_attr_new_float ((float) value) : NULL;
      }
    case FLOW_ATTR_BOOL:
      if (strcmp (text, "true") == 0)
        return flow_attr_new_bool (TRUE);
      return strcmp (text, "false") == 0 ? flow_attr_new_bool (FALSE) : NULL;
    case FLOW_ATTR_TYPE:
      {
        int dtype = flow_dtype_from_string (text);

        return dtype != FLOW_DTYPE_INVALID ? flow_attr_new_type (dtype) : NULL;
      }
    case FLOW_ATTR_SHAPE:
      {
        g_autoptr (FlowShape) shape = NULL;

        if (strstr (text, "unknown_rank") != NULL)
          shape = flow_shape_new_unknown ();
        else if (text[0] == '{' || strcmp (text, "[]") == 0)
          shape = flow_shape_new_scalar ();
        return shape != NULL ? flow_attr_new_shape (shape) : NULL;
      }
    case FLOW_ATTR_TENSOR:
      return parse_tensor (text);
    case FLOW_ATTR_NONE: case FLOW_ATTR_FUNC: case FLOW_ATTR_PLACEHOLDER:
    default:
      return NULL;
    }
}

static FlowAttr *
parse_default (FlowAttrKind  kind,
               gboolean      is_list,
               const char   *text)
{
  g_autofree char *inner = NULL;
  g_autoptr (GPtrArray) items = NULL;
  gsize length = strlen (text);
  char *start;
  int depth = 0;

  if (!is_list)
    return parse_scalar (kind, text);
  if (length < 2 || text[0] != '[' || text[length - 1] != ']')
    return NULL;
  inner = g_strndup (text + 1, length - 2);
  items = g_ptr_array_new ();
  start = inner;
  for (char *p = inner;; p++)
    {
      gboolean last = *p == '\0';

      depth += *p == '{' ? 1 : *p == '}' ? -1 : 0;
      if (!last && (*p != ',' || depth > 0))
        continue;
      *p = '\0';
      start = g_strstrip (start);
      if (*start != '\0')
        {
          FlowAttr *item = parse_scalar (kind, start);

          if (item == NULL)
            {
              g_ptr_array_foreach (items, (GFunc) (void (*) (void)) flow_attr_unref, NULL);
              return NULL;
            }
          g_ptr_array_add (items, item);
        }
      start = p + 1;
      if (last)
        break;
    }
  return flow_attr_new_list (kind, (FlowAttr **) items->pdata, items->len);
}

/* "int", "{float, double}", "{'SAME', 'VALID'}", "list(type)", "list({int32, int64})", "numbertype" */
static gboolean
parse_attr_type (FlowAttrDef *def,
                 char        *text)
{
  gsize length;

  text = g_strstrip (text);
  length = strlen (text);
  if (g_str_has_prefix (text, "list(") && text[length - 1] == ')')
    {
      def->is_list = TRUE;
      text[length - 1] = '\0';
      text = g_strstrip (text + 5);
      length = strlen (text);
    }
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (text, kinds[i].name) == 0)
      {
        def->kind = kinds[i].kind;
        return TRUE;
      }
  if (text[0] == '{' && strpbrk (text, "'\"") != NULL)
    {
      g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
      g_auto (GStrv) parts = NULL;

      text[length - 1] = '\0';
      parts = g_strsplit (text + 1, ",", -1);
      for (guint i = 0; parts[i] != NULL; i++)
        {
          char *word = unquote (g_strstrip (parts[i]));

          if (word == NULL)
            return FALSE;
          g_ptr_array_add (words, word);
        }
      g_ptr_array_add (words, NULL);
      def->kind = FLOW_ATTR_STRING;
      def->allowed_strings = g_strdupv ((char **) words->pdata);
      return TRUE;
    }
  def->kind = FLOW_ATTR_TYPE;
  return _flow_signature_parse_types (text, &def->allowed_types);
}

static gboolean
parse_attr (FlowAttrDef *def,
            char        *entry)
{
  char *colon = strchr (entry, ':');
  char *equals = NULL;
  char *minimum;
  char quote = '\0';
  int depth = 0;

  if (colon == NULL)
    return FALSE;
  *colon = '\0';
  def->name = g_intern_string (g_strstrip (entry));
  /* The first '=' that is not inside braces or quotes and no part of ">=". */
  for (char *p = colon + 1; *p != '\0' && equals == NULL; p++)
    {
      if (quote != '\0')
        quote = *p == quote ? '\0' : quote;
      else if (*p == '\'' || *p == '"')
        quote = *p;
      else if (*p == '{' || *p == '[')
        depth++;
      else if (*p == '}' || *p == ']')
        depth--;
      else if (*p == '=' && depth == 0 && p[-1] != '>')
        equals = p;
    }
  if (equals != NULL)
    *equals = '\0';
  minimum = strstr (colon + 1, ">=");
  if (minimum != NULL)
    {
      def->has_minimum = TRUE;
      def->minimum = g_ascii_strtoll (minimum + 2, NULL, 10);
      *minimum = '\0';
    }
  if (!parse_attr_type (def, colon + 1))
    return FALSE;
  if (equals != NULL)
    {
      def->default_value = parse_default (def->kind, def->is_list, g_strstrip (equals + 1));
      return def->default_value != NULL;
    }
  return TRUE;
}

/* "x: T", "values: N * T", "ref: Ref(T)", "handle: resource", "components: Tcomponents" */
static gboolean
parse_arg (const FlowOpSignature *signature,
           FlowArgDef            *arg,
           char                  *entry)
{
  char *colon = strchr (entry, ':');
  char *type;
  char *star;
  FlowAttrDef *attr;

  if (colon == NULL)
    return FALSE;
  *colon = '\0';
  arg->name = g_strdup (g_strstrip (entry));
  type = g_strstrip (colon + 1);
  if (g_str_has_prefix (type, "Ref(") && g_str_has_suffix (type, ")"))
    {
      arg->is_ref = TRUE;
      type[strlen (type) - 1] = '\0';
      type = g_strstrip (type + 4);
    }
  star = strchr (type, '*');
  if (star != NULL)
    {
      *star = '\0';
      attr = flow_op_signature_find_attr (signature, g_strstrip (type));
      if (attr == NULL || attr->kind != FLOW_ATTR_INT)
        return FALSE;
      arg->number_attr = attr->name;
      type = g_strstrip (star + 1);
      if (g_str_has_prefix (type, "Ref(") && g_str_has_suffix (type, ")"))
        {
          arg->is_ref = TRUE;
          type[strlen (type) - 1] = '\0';
          type = g_strstrip (type + 4);
        }
    }
  attr = flow_op_signature_find_attr (signature, type);
  if (attr != NULL && attr->kind == FLOW_ATTR_TYPE)
    {
      if (attr->is_list)
        arg->type_list_attr = attr->name;
      else
        arg->type_attr = attr->name;
      return TRUE;
    }
  arg->dtype = flow_dtype_from_string (type);
  return arg->dtype != FLOW_DTYPE_INVALID;
}

static gboolean
parse_args (FlowOpSignature  *signature,
            GPtrArray        *entries,
            FlowArgDef       *args,
            const FlowOpDef  *op,
            GError          **error)
{
  for (guint i = 0; i < entries->len; i++)
    {
      g_autofree char *copy = g_strdup (entries->pdata[i]);

      FLOW_REQUIRE (parse_arg (signature, &args[i], copy), error, INVALID_ARGUMENT,
                    "op %s: cannot read argument '%s'", op->name, (char *) entries->pdata[i]);
    }
  return TRUE;
}

FlowOpSignature *
_flow_signature_parse (const FlowOpDef  *op,
                       GError          **error)
{
  g_autoptr (GPtrArray) inputs = split_entries (op->inputs);
  g_autoptr (GPtrArray) outputs = split_entries (op->outputs);
  g_autoptr (GPtrArray) attrs = split_entries (op->attrs);
  FlowOpSignature *self = flow_op_signature_new (op->name, inputs->len, outputs->len, attrs->len);

  self->op = op;
  self->flags = op->flags;
  self->family = op->family;
  for (guint i = 0; i < attrs->len; i++)
    {
      g_autofree char *copy = g_strdup (attrs->pdata[i]);

      if (!parse_attr (&self->attrs[i], copy))
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "op %s: cannot read attr '%s'",
                       op->name, (char *) attrs->pdata[i]);
          flow_op_signature_free (self);
          return NULL;
        }
    }
  if (!parse_args (self, inputs, self->inputs, op, error)
      || !parse_args (self, outputs, self->outputs, op, error))
    {
      flow_op_signature_free (self);
      return NULL;
    }
  return self;
}
