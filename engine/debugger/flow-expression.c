/* flow-expression.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-expression-private.h"

#include "flow-error.h"

#include <math.h>
#include <string.h>

/* Reading an expression: recursive descent, one function a level of precedence. */

/* Deeper ones nobody writes; the C stack bounds it. */
#define MAX_DEPTH 100
#define MAX_LENGTH 4096
/* What is evaluated one inside the other is bounded by what there is at all. */
#define MAX_PARTS 400

typedef struct {
  const char *text;
  const char *at;
  guint depth;
  guint n_parts;
  GError **error;
} Parser;

static FlowExpression *parse_or (Parser *parser);
static FlowExpression *parse_unary (Parser *parser);

void
_flow_expression_free (FlowExpression *self)
{
  if (self == NULL)
    return;
  g_free (self->text);
  g_clear_pointer (&self->children, g_ptr_array_unref);
  g_free (self);
}

static void
free_child (gpointer data)
{
  _flow_expression_free (data);
}

/* Takes the children; NULL, with them freed, when one that must be there is missing. */
static FlowExpression *
make (FlowExpressionKind  kind,
      const char         *text,
      FlowExpression     *a,
      FlowExpression     *b)
{
  FlowExpression *self = g_new0 (FlowExpression, 1);

  self->kind = kind;
  self->text = g_strdup (text);
  self->children = g_ptr_array_new_with_free_func (free_child);
  if (a != NULL)
    g_ptr_array_add (self->children, a);
  if (b != NULL)
    g_ptr_array_add (self->children, b);
  return self;
}

static FlowExpression *
refuse (Parser     *parser,
        const char *what)
{
  if (parser->error != NULL && *parser->error == NULL)
    g_set_error (parser->error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "expression: %s at \"%s\"", what,
                 *parser->at != '\0' ? parser->at : "the end");
  return NULL;
}

static void
skip_blanks (Parser *parser)
{
  while (g_ascii_isspace (*parser->at))
    parser->at++;
}

static gboolean
take (Parser     *parser,
      const char *word)
{
  skip_blanks (parser);
  if (!g_str_has_prefix (parser->at, word))
    return FALSE;
  /* A word ends where it ends. */
  if (g_ascii_isalpha (*word) && (g_ascii_isalnum (parser->at[strlen (word)]) || strchr ("_/.:", parser->at[strlen (word)]) != NULL)
      && parser->at[strlen (word)] != '\0')
    return FALSE;
  parser->at += strlen (word);
  return TRUE;
}

/* --- atoms ------------------------------------------------------------------------------------------ */

static gboolean
is_name_char (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '.';
}

/* A slash inside a name has no blank after it. */
static const char *
end_of_name (const char *at)
{
  while (is_name_char (*at) || (*at == '/' && is_name_char (at[1])))
    at++;
  return at;
}

/* `var:NAME`, `a/b:0`, `a/b:0@pin-1`. */
static const char *
end_of_reference (const char *at)
{
  const char *end = end_of_name (at);

  if (g_str_has_prefix (at, "var:") && end == at + 3)
    end = end_of_name (end + 1);
  else if (*end == ':' && g_ascii_isdigit (end[1]))
    for (end++; g_ascii_isdigit (*end); end++)
      ;
  if (*end == '@' && g_ascii_isalnum (end[1]))
    for (end++; g_ascii_isalnum (*end) || *end == '-'; end++)
      ;
  return end;
}

static FlowExpression *
parse_call (Parser *parser,
            char   *name)
{
  g_autoptr(FlowExpression) call = make (FLOW_EXPRESSION_CALL, name, NULL, NULL);

  if (!_flow_expression_is_function (name))
    return refuse (parser, "there is no such function");
  parser->at += strlen (name);
  if (!take (parser, "("))
    return refuse (parser, "( is wanted");
  while (!take (parser, ")"))
    {
      FlowExpression *argument = NULL;

      if (call->children->len > 0 && !take (parser, ","))
        return refuse (parser, ", or ) is wanted");
      argument = parse_or (parser);
      if (argument == NULL)
        return NULL;
      g_ptr_array_add (call->children, argument);
    }
  return g_steal_pointer (&call);
}

static FlowExpression *
parse_quoted (Parser *parser)
{
  const char *end = strchr (parser->at + 1, '`');
  FlowExpression *self = NULL;
  g_autofree char *name = NULL;

  if (end == NULL || end == parser->at + 1)
    return refuse (parser, "a name ends with a backtick");
  name = g_strndup (parser->at + 1, (gsize) (end - parser->at - 1));
  self = make (FLOW_EXPRESSION_NAME, name, NULL, NULL);
  parser->at = end + 1;
  return self;
}

static FlowExpression *
parse_atom (Parser *parser)
{
  static const struct {
    const char *name;
    double value;
  } constants[] = {
    { "pi", G_PI }, { "e", G_E }, { "inf", INFINITY }, { "nan", NAN }, { "True", 1 }, { "False", 0 },
    { "true", 1 }, { "false", 0 },
  };
  const char *end = NULL;
  g_autofree char *name = NULL;
  FlowExpression *self = NULL;
  char *rest = NULL;

  skip_blanks (parser);
  if (++parser->n_parts > MAX_PARTS)
    return refuse (parser, "too long");
  if (*parser->at == '`')
    return parse_quoted (parser);
  if (take (parser, "("))
    {
      self = parse_or (parser);
      if (self != NULL && !take (parser, ")"))
        {
          _flow_expression_free (self);
          return refuse (parser, ") is wanted");
        }
      return self;
    }
  end = end_of_reference (parser->at);
  if (g_ascii_isdigit (*parser->at) || (*parser->at == '.' && g_ascii_isdigit (parser->at[1])))
    {
      self = make (FLOW_EXPRESSION_NUMBER, NULL, NULL, NULL);
      self->number = g_ascii_strtod (parser->at, &rest);
      parser->at = rest;
      return self;
    }
  if (end == parser->at)
    return refuse (parser, "a value is wanted");
  name = g_strndup (parser->at, (gsize) (end - parser->at));
  if (*end == '(')
    return parse_call (parser, name);
  parser->at = end;
  for (guint i = 0; i < G_N_ELEMENTS (constants); i++)
    if (strcmp (name, constants[i].name) == 0)
      {
        self = make (FLOW_EXPRESSION_NUMBER, NULL, NULL, NULL);
        self->number = constants[i].value;
        return self;
      }
  return make (FLOW_EXPRESSION_NAME, name, NULL, NULL);
}

/* --- slices ----------------------------------------------------------------------------------------- */

static gboolean
ends_part (Parser *parser)
{
  skip_blanks (parser);
  return *parser->at == ':' || *parser->at == ',' || *parser->at == ']';
}

/* `3`, `1:10:2`, `:`. */
static FlowExpression *
parse_subscript (Parser *parser)
{
  FlowExpression *parts[3] = { NULL, NULL, NULL };
  FlowExpression *range = NULL;
  guint n = 0;

  for (n = 0; n < 3; n++)
    {
      if (!ends_part (parser))
        {
          parts[n] = parse_or (parser);
          if (parts[n] == NULL)
            break;
        }
      if (!take (parser, ":"))
        {
          n++;
          break;
        }
    }
  if (parser->error != NULL && *parser->error != NULL)
    {
      for (guint i = 0; i < 3; i++)
        _flow_expression_free (parts[i]);
      return NULL;
    }
  if (n == 1 && parts[0] != NULL)
    return parts[0];
  range = make (FLOW_EXPRESSION_RANGE, NULL, NULL, NULL);
  for (guint i = 0; i < 3; i++)
    g_ptr_array_add (range->children, parts[i]);
  return n == 1 ? (_flow_expression_free (range), refuse (parser, "an index is wanted")) : range;
}

static FlowExpression *
parse_postfix (Parser *parser)
{
  FlowExpression *self = parse_atom (parser);

  while (self != NULL && take (parser, "["))
    {
      FlowExpression *slice = make (FLOW_EXPRESSION_SLICE, NULL, self, NULL);

      do
        {
          FlowExpression *part = parse_subscript (parser);

          if (part == NULL)
            {
              _flow_expression_free (slice);
              return NULL;
            }
          g_ptr_array_add (slice->children, part);
        }
      while (take (parser, ","));
      self = slice;
      if (!take (parser, "]"))
        {
          _flow_expression_free (slice);
          return refuse (parser, "] is wanted");
        }
    }
  return self;
}

/* --- operators -------------------------------------------------------------------------------------- */

static FlowExpression *
parse_power (Parser *parser)
{
  FlowExpression *a = parse_postfix (parser);
  FlowExpression *b = NULL;

  if (a == NULL || !take (parser, "**"))
    return a;
  b = parse_unary (parser);
  if (b != NULL)
    return make (FLOW_EXPRESSION_BINARY, "**", a, b);
  _flow_expression_free (a);
  return NULL;
}

static FlowExpression *
parse_unary (Parser *parser)
{
  FlowExpression *a = NULL;

  if (++parser->depth > MAX_DEPTH)
    {
      parser->depth--;
      return refuse (parser, "too deep");
    }
  if (take (parser, "-"))
    {
      a = parse_unary (parser);
      a = a != NULL ? make (FLOW_EXPRESSION_UNARY, "-", a, NULL) : NULL;
    }
  else
    a = parse_power (parser);
  parser->depth--;
  return a;
}

typedef FlowExpression *(*ParseFunc) (Parser *parser);

/* Operators of one level, from left to right; longer ones stand first in the list. */
static FlowExpression *
parse_level (Parser            *parser,
             ParseFunc          next,
             const char *const *operators,
             gboolean           once)
{
  FlowExpression *a = next (parser);

  for (guint i = 0; a != NULL && operators[i] != NULL;)
    {
      const char *before = parser->at;
      FlowExpression *b = NULL;

      if (!take (parser, operators[i]) || (strcmp (operators[i], "*") == 0 && *parser->at == '*'))
        {
          parser->at = before;
          i++;
          continue;
        }
      b = next (parser);
      if (b == NULL)
        {
          _flow_expression_free (a);
          return NULL;
        }
      a = make (FLOW_EXPRESSION_BINARY, operators[i], a, b);
      if (once)
        return a;
      i = 0;
    }
  return a;
}

static FlowExpression *
parse_product (Parser *parser)
{
  static const char *const operators[] = { "*", "//", "/", "%", NULL };

  return parse_level (parser, parse_unary, operators, FALSE);
}

static FlowExpression *
parse_sum (Parser *parser)
{
  static const char *const operators[] = { "+", "-", NULL };

  return parse_level (parser, parse_product, operators, FALSE);
}

static FlowExpression *
parse_comparison (Parser *parser)
{
  static const char *const operators[] = { "<=", ">=", "==", "!=", "<", ">", NULL };

  return parse_level (parser, parse_sum, operators, TRUE);
}

static FlowExpression *
parse_not (Parser *parser)
{
  FlowExpression *a = NULL;

  if (!take (parser, "not"))
    return parse_comparison (parser);
  if (++parser->depth > MAX_DEPTH)
    return refuse (parser, "too deep");
  a = parse_not (parser);
  parser->depth--;
  return a != NULL ? make (FLOW_EXPRESSION_UNARY, "not", a, NULL) : NULL;
}

static FlowExpression *
parse_and (Parser *parser)
{
  static const char *const operators[] = { "and", NULL };

  return parse_level (parser, parse_not, operators, FALSE);
}

static FlowExpression *
parse_or (Parser *parser)
{
  static const char *const operators[] = { "or", NULL };
  FlowExpression *self = NULL;

  if (++parser->depth > MAX_DEPTH)
    {
      parser->depth--;
      return refuse (parser, "too deep");
    }
  self = parse_level (parser, parse_and, operators, FALSE);
  parser->depth--;
  return self;
}

static FlowExpression *
parse_with (ParseFunc    func,
            const char  *text,
            const char **end,
            GError     **error)
{
  g_autoptr(GError) failure = NULL;
  Parser parser = { text, text, 0, 0, &failure };
  FlowExpression *self = NULL;

  if (strlen (text) > MAX_LENGTH)
    refuse (&parser, "too long");
  else
    self = func (&parser);
  if (self == NULL && failure == NULL)
    refuse (&parser, "a value is wanted");
  if (self == NULL)
    g_propagate_error (error, g_steal_pointer (&failure));
  skip_blanks (&parser);
  *end = parser.at;
  return self;
}

FlowExpression *
_flow_expression_parse_bracketed (const char  *text,
                                  const char **end,
                                  GError     **error)
{
  return parse_with (parse_atom, text, end, error);
}

FlowExpression *
_flow_expression_parse (const char *text,
                        GError    **error)
{
  const char *end = NULL;
  g_autoptr(FlowExpression) self = parse_with (parse_or, text, &end, error);

  if (self == NULL)
    return NULL;
  FLOW_REQUIRE (*end == '\0', error, INVALID_ARGUMENT, "expression: an operator is wanted at \"%s\"", end);
  return g_steal_pointer (&self);
}
