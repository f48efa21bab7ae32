/* flow-search.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-search.h"

#include <string.h>

#include "flow-format.h"

/*
 * Search over all nodes in slices of the main loop: a slice ends after SLICE_US, so typing stays
 * smooth in a graph of any size.
 *
 * The text is a list of terms that must all hold. A term is part of a name or op type (a regular
 * expression if it has characters of one), or `type:`, `state:`, `collection:`, `dtype:`, `scope:`,
 * `device:` and what that must contain, `shape:32x?` (? is what nobody knows, * anything) or
 * `attr:padding=SAME` (also `attr:padding` alone). Where no name has the words, names that differ from
 * them by a letter or two are found, those with the fewest errors first.
 */
#define SLICE_US 4000

/* Shorter words are like too many others. */
#define SHORTEST_SIMILAR 4
#define MAX_ERRORS 2
/* Of an attr's value so many characters are looked at: a constant's may have millions. */
#define ATTR_CHARS 256

typedef enum {
  TERM_ANY,
  TERM_TYPE,
  TERM_STATE,
  TERM_COLLECTION,
  TERM_DTYPE,
  TERM_SCOPE,
  TERM_DEVICE,
  TERM_SHAPE,
  TERM_ATTR,
} TermKind;

typedef struct {
  TermKind kind;
  char *text;            /* folded to lower case */
  GRegex *regex;         /* nullable */
  char *literal;         /* letters that every match of the regular expression holds, folded; nullable */
  guint64 masks[256];    /* by letter of either case: at which of the text's first 64 places it stands */
  gboolean is_anchored;  /* the regular expression asks for the beginning of a name or a leaf */
  GHashTable *types;     /* op type (interned) -> whether it holds, + 1 */
} Term;

typedef struct {
  guint32 node;
  guint32 rank;          /* smaller is better */
} Hit;

struct _FlowSearch
{
  FlowUiSession *session;
  FlowGraph *graph;
  GArray *terms;
  GArray *hits;
  guint32 next;
  guint source;
  gboolean similar;      /* nothing has the words themselves */
  FlowSearchFunc func;
  gpointer data;
};

static void
term_clear (gpointer data)
{
  Term *term = data;

  g_free (term->text);
  g_free (term->literal);
  g_clear_pointer (&term->regex, g_regex_unref);
  g_clear_pointer (&term->types, g_hash_table_unref);
}

/*
 * The longest run of letters that a name must have for the pattern to match: looking for it is ten times as fast as
 * matching. Patterns with groups or alternatives are not taken apart.
 *
 * Returns: (transfer full) (nullable): the letters, folded to lower case
 */
static char *
find_literal (const char *pattern)
{
  g_autofree char *best = NULL;
  g_autoptr(GString) run = g_string_new (NULL);

  if (strpbrk (pattern, "(|") != NULL)
    return NULL;
  for (const char *p = pattern;; p++)
    {
      gboolean is_letter = g_ascii_isalnum (*p) || (*p != '\0' && strchr ("/_-:", *p) != NULL);

      if (is_letter)
        g_string_append_c (run, g_ascii_tolower (*p));
      /* What may be left out, or may not stand as it is written, is no part of it. */
      else if (*p != '\0' && strchr ("*?{", *p) != NULL && run->len > 0)
        g_string_truncate (run, run->len - 1);
      if (is_letter)
        continue;
      if (run->len > (best != NULL ? strlen (best) : 0))
        {
          g_free (best);
          best = g_strdup (run->str);
        }
      g_string_truncate (run, 0);
      if (*p == '\0')
        return g_steal_pointer (&best);
      /* A class, a count and an escape are passed over whole; what is not plain is not taken apart either. */
      if (*p == '\\' && g_ascii_isalnum (p[1]) && strchr ("dDwWsSbB", p[1]) == NULL)
        return NULL;
      if (*p == '\\' && p[1] != '\0')
        p++;
      else if (*p == '[' || *p == '{')
        {
          gsize length = strcspn (p + 1, *p == '[' ? "[]\\" : "}");

          if (p[1 + length] != (*p == '[' ? ']' : '}') || length == 0 || (p[1] == '^' && length == 1))
            return NULL;
          p += 1 + length;
        }
    }
}

static void
parse_term (GArray     *terms,
            const char *word)
{
  static const struct {
    const char *prefix;
    TermKind kind;
  } prefixes[] = {
    { "type:", TERM_TYPE },
    { "state:", TERM_STATE },
    { "collection:", TERM_COLLECTION },
    { "dtype:", TERM_DTYPE },
    { "scope:", TERM_SCOPE },
    { "device:", TERM_DEVICE },
    { "shape:", TERM_SHAPE },
    { "attr:", TERM_ATTR },
  };
  Term term = { .kind = TERM_ANY };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (word, prefixes[i].prefix))
      {
        term.kind = prefixes[i].kind;
        word += strlen (prefixes[i].prefix);
        break;
      }
  if (word[0] == '\0')
    return;
  term.text = g_ascii_strdown (word, -1);
  if (term.kind != TERM_SHAPE && strpbrk (word, "*+?[](){}|^$\\") != NULL)
    term.regex = g_regex_new (word, G_REGEX_CASELESS | G_REGEX_OPTIMIZE, 0, NULL);
  if (term.regex != NULL)
    term.literal = find_literal (word);
  for (gsize i = 0; term.text[i] != '\0' && i < 64; i++)
    {
      term.masks[(guchar) term.text[i]] |= G_GUINT64_CONSTANT (1) << i;
      term.masks[(guchar) g_ascii_toupper (term.text[i])] |= G_GUINT64_CONSTANT (1) << i;
    }
  term.is_anchored = term.regex != NULL && strpbrk (word, "^\\(") != NULL;
  term.types = g_hash_table_new (NULL, NULL);
  g_array_append_val (terms, term);
}

/* @word: in lower case */
static gboolean
has_word (const char *text,
          const char *word)
{
  char lower = word[0];
  char upper = g_ascii_toupper (lower);
  gsize length = strlen (word);

  for (const char *p = text; *p != '\0'; p++)
    if ((*p == lower || *p == upper) && g_ascii_strncasecmp (p, word, length) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
contains (const Term *term,
          const char *text)
{
  if (text == NULL)
    return FALSE;
  if (term->regex != NULL)
    return (term->literal == NULL || has_word (text, term->literal)) && g_regex_match (term->regex, text, 0, NULL);
  return has_word (text, term->text);
}

/* A graph has many nodes and few op types. */
static gboolean
type_holds (FlowSearch *self,
            const Term *term,
            guint32     node)
{
  const char *type = flow_graph_get_node_type (self->graph, node);
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (term->types, type));

  if (known == 0)
    {
      known = contains (term, type) ? 2 : 1;
      g_hash_table_insert (term->types, (gpointer) type, GUINT_TO_POINTER (known));
    }
  return known == 2;
}

/*
 * Whether one of @n pieces that @length letters of a term are cut into stands in @text as it is. With fewer errors than
 * pieces one of them has none; to look for that first takes a fifth of the time. All pieces at once, a bit for each
 * letter that could come next.
 */
static gboolean
has_piece (const Term *term,
           gsize       length,
           guint       n,
           const char *text)
{
  guint64 first = 0;
  guint64 last = 0;
  guint64 state = 0;

  for (guint i = 0; i < n; i++)
    {
      first |= G_GUINT64_CONSTANT (1) << (length * i / n);
      last |= G_GUINT64_CONSTANT (1) << (length * (i + 1) / n - 1);
    }
  for (const char *p = text; *p != '\0'; p++)
    {
      state = ((state << 1) | first) & term->masks[(guchar) *p];
      if ((state & last) != 0)
        return TRUE;
    }
  return FALSE;
}

/*
 * How many letters must be changed, left out or put in for the term to stand somewhere in @text, at most
 * MAX_ERRORS; -1 if more. All positions at once, a bit each: S. Wu, U. Manber, "Fast text searching
 * allowing errors", Communications of the ACM 35 (10), 1992.
 */
static int
count_errors (const Term *term,
              const char *text)
{
  gsize length = strlen (term->text);
  int limit = length < SHORTEST_SIMILAR + 2 ? 1 : MAX_ERRORS;
  guint64 states[MAX_ERRORS + 1] = { 0 };
  guint64 last = 0;
  int best = limit + 1;

  if (length < SHORTEST_SIMILAR || length > 64 || !has_piece (term, length, (guint) limit + 1, text))
    return -1;
  last = G_GUINT64_CONSTANT (1) << (length - 1);
  /* i letters of the term left out before the text begins. */
  for (int e = 0; e <= limit; e++)
    states[e] = (G_GUINT64_CONSTANT (1) << e) - 1;
  for (const char *p = text; *p != '\0' && best > 0; p++)
    {
      guint64 mask = term->masks[(guchar) *p];
      guint64 before = states[0];

      states[0] = ((states[0] << 1) | 1) & mask;
      for (int e = 1; e <= limit; e++)
        {
          guint64 old = states[e];

          states[e] = (((old << 1) | 1) & mask)             /* it stands as it should */
                      | (before << 1)                       /* another letter in its place */
                      | before                              /* a letter too many */
                      | (states[e - 1] << 1)                /* a letter left out */
                      | ((G_GUINT64_CONSTANT (1) << e) - 1);
          before = old;
        }
      for (int e = 0; e < best; e++)
        if ((states[e] & last) != 0)
          best = e;
    }
  return best <= limit ? best : -1;
}

/* 0 the leaf itself, 1 the leaf begins so, 2 in the leaf, 3 in the path, 4 the type; -1 not at all. */
static int
rank_any (FlowSearch *self,
          const Term *term,
          guint32     node)
{
  const char *name = flow_graph_get_node_name (self->graph, node);
  const char *leaf = NULL;
  int errors = 0;

  if (self->similar)
    {
      errors = count_errors (term, name);
      return errors < 0 ? -1 : 5 + errors;
    }
  /* What stands in the leaf stands in the name, so that most nodes are read but once. */
  if (!contains (term, name) &&
      (!term->is_anchored || !contains (term, flow_graph_get_node_leaf (self->graph, node))))
    return type_holds (self, term, node) ? 4 : -1;
  leaf = flow_graph_get_node_leaf (self->graph, node);
  if (g_ascii_strcasecmp (leaf, term->text) == 0)
    return 0;
  if (g_ascii_strncasecmp (leaf, term->text, strlen (term->text)) == 0)
    return 1;
  return contains (term, leaf) ? 2 : 3;
}

static gboolean
collection_holds (FlowSearch *self,
                  const Term *term,
                  guint32     node)
{
  GPtrArray *keys = flow_ui_session_get_node_collections (self->session, node);

  for (guint i = 0; keys != NULL && i < keys->len; i++)
    if (contains (term, g_ptr_array_index (keys, i)))
      return TRUE;
  return FALSE;
}

static gboolean
dtype_holds (FlowSearch *self,
             const Term *term,
             guint32     node)
{
  guint n = flow_graph_get_n_outputs (self->graph, node);

  for (guint i = 0; i < n; i++)
    if (contains (term, flow_dtype_name (flow_graph_get_output_dtype (self->graph, node, i))))
      return TRUE;
  return FALSE;
}

/* Whether an output has these dimensions: `32x?x*`, with or without brackets, nothing or `scalar` for none. */
static gboolean
dims_hold (const char *wanted,
           FlowShape  *shape)
{
  g_auto(GStrv) dims = NULL;
  g_autofree char *list = NULL;
  int rank = flow_shape_get_rank (shape);
  gsize length = strlen (wanted);

  if (length >= 2 && wanted[0] == '[' && wanted[length - 1] == ']')
    list = g_strndup (wanted + 1, length - 2);
  else
    list = g_strdup (g_strcmp0 (wanted, "scalar") == 0 ? "" : wanted);
  dims = g_strsplit_set (g_strdelimit (list, "x", ','), ",", -1);
  if (rank < 0 || (guint) rank != g_strv_length (dims))
    return FALSE;
  for (int i = 0; i < rank; i++)
    {
      gint64 dim = flow_shape_get_dim (shape, i);
      gint64 number = 0;

      if (g_strcmp0 (dims[i], "*") == 0)
        continue;
      if (g_strcmp0 (dims[i], "?") == 0 || g_strcmp0 (dims[i], "-1") == 0)
        number = -1;
      else if (!g_ascii_string_to_signed (dims[i], 10, 0, G_MAXINT64, &number, NULL))
        return FALSE;
      if (number != dim)
        return FALSE;
    }
  return TRUE;
}

static gboolean
shape_holds (FlowSearch *self,
             const Term *term,
             guint32     node)
{
  guint n = flow_graph_get_n_outputs (self->graph, node);

  for (guint i = 0; i < n; i++)
    if (dims_hold (term->text, flow_graph_get_output_shape (self->graph, node, i)))
      return TRUE;
  return FALSE;
}

/* `padding=SAME`: the attr's value has that in it; `padding`: the node has such an attr. */
static gboolean
attr_holds (FlowSearch *self,
            const Term *term,
            guint32     node)
{
  FlowAttrList *attrs = flow_graph_get_node_attrs (self->graph, node);
  const char *equals = strchr (term->text, '=');
  gsize length = equals != NULL ? (gsize) (equals - term->text) : strlen (term->text);

  for (guint i = 0; attrs != NULL && i < flow_attr_list_get_length (attrs); i++)
    {
      const char *name = flow_attr_list_get_name (attrs, i);
      g_autofree char *value = NULL;
      g_autofree char *folded = NULL;

      if (strlen (name) != length || g_ascii_strncasecmp (name, term->text, length) != 0)
        continue;
      if (equals == NULL)
        return TRUE;
      value = flow_attr_to_text (flow_attr_list_get (attrs, name), ATTR_CHARS);
      folded = g_ascii_strdown (value, -1);
      return strstr (folded, equals + 1) != NULL;
    }
  return FALSE;
}

static int
rank_term (FlowSearch *self,
           const Term *term,
           guint32     node)
{
  switch (term->kind)
    {
    case TERM_TYPE:
      return type_holds (self, term, node) ? 0 : -1;
    case TERM_STATE:
      return contains (term, flow_node_state_title (
                               flow_ui_session_get_node_state (self->session, node))) ? 0 : -1;
    case TERM_COLLECTION:
      return collection_holds (self, term, node) ? 0 : -1;
    case TERM_DTYPE:
      return dtype_holds (self, term, node) ? 0 : -1;
    case TERM_SCOPE:
      return g_ascii_strncasecmp (flow_graph_get_node_name (self->graph, node), term->text,
                                  strlen (term->text)) == 0 ? 0 : -1;
    case TERM_DEVICE:
      return contains (term, flow_graph_get_node_device (self->graph, node)) ? 0 : -1;
    case TERM_SHAPE:
      return shape_holds (self, term, node) ? 0 : -1;
    case TERM_ATTR:
      return attr_holds (self, term, node) ? 0 : -1;
    case TERM_ANY:
    default:
      return rank_any (self, term, node);
    }
}

static int
compare_hits (gconstpointer a,
              gconstpointer b)
{
  const Hit *x = a;
  const Hit *y = b;

  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return x->node < y->node ? -1 : x->node > y->node;
}

static void
finish (FlowSearch *self)
{
  g_autofree guint32 *nodes = g_new (guint32, MAX (1, self->hits->len));

  g_array_sort (self->hits, compare_hits);
  for (guint i = 0; i < self->hits->len; i++)
    nodes[i] = g_array_index (self->hits, Hit, i).node;
  self->func (nodes, self->hits->len, self->data);
}

/* Whether there are words that may have been mistyped. */
static gboolean
can_be_similar (FlowSearch *self)
{
  for (guint i = 0; i < self->terms->len; i++)
    {
      const Term *term = &g_array_index (self->terms, Term, i);

      if (term->kind == TERM_ANY && term->regex == NULL && strlen (term->text) >= SHORTEST_SIMILAR)
        return TRUE;
    }
  return FALSE;
}

static gboolean
slice_cb (gpointer data)
{
  FlowSearch *self = data;
  gint64 end = g_get_monotonic_time () + SLICE_US;
  guint n = flow_graph_get_n_nodes (self->graph);

  while (self->next < n)
    {
      guint32 node = self->next++;
      Hit hit = { node, 0 };
      gboolean holds = TRUE;

      for (guint i = 0; holds && i < self->terms->len; i++)
        {
          int rank = rank_term (self, &g_array_index (self->terms, Term, i), node);

          holds = rank >= 0;
          hit.rank += MAX (rank, 0);
        }
      if (holds)
        g_array_append_val (self->hits, hit);
      if (node % 64 == 0 && g_get_monotonic_time () > end)
        return G_SOURCE_CONTINUE;
    }
  if (self->hits->len == 0 && !self->similar && can_be_similar (self))
    {
      self->similar = TRUE;
      self->next = 0;
      return G_SOURCE_CONTINUE;
    }
  self->source = 0;
  finish (self);
  return G_SOURCE_REMOVE;
}

/**
 * flow_search_start:
 *
 * Returns: (transfer full): a search; end it with flow_search_cancel() whether @func was called or not
 */
FlowSearch *
flow_search_start (FlowUiSession  *session,
                   const char     *text,
                   FlowSearchFunc  func,
                   gpointer        data)
{
  FlowSearch *self = g_new0 (FlowSearch, 1);
  g_auto(GStrv) words = g_strsplit_set (text, " \t\n", -1);

  self->session = g_object_ref (session);
  self->graph = g_object_ref (flow_ui_session_get_graph (session));
  self->terms = g_array_new (FALSE, FALSE, sizeof (Term));
  g_array_set_clear_func (self->terms, term_clear);
  self->hits = g_array_new (FALSE, FALSE, sizeof (Hit));
  self->func = func;
  self->data = data;
  for (guint i = 0; words[i] != NULL; i++)
    parse_term (self->terms, words[i]);
  self->source = g_idle_add (slice_cb, self);
  return self;
}

/* Returns: whether the hits are only like what was asked for */
gboolean
flow_search_is_similar (FlowSearch *self)
{
  return self->similar;
}

void
flow_search_cancel (FlowSearch *self)
{
  if (self == NULL)
    return;
  g_clear_handle_id (&self->source, g_source_remove);
  g_array_unref (self->terms);
  g_array_unref (self->hits);
  g_object_unref (self->graph);
  g_object_unref (self->session);
  g_free (self);
}
