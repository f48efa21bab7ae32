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
 * `device:` and what that must contain.
 */
#define SLICE_US 4000

typedef enum {
  TERM_ANY,
  TERM_TYPE,
  TERM_STATE,
  TERM_COLLECTION,
  TERM_DTYPE,
  TERM_SCOPE,
  TERM_DEVICE,
} TermKind;

typedef struct {
  TermKind kind;
  char *text;            /* folded to lower case */
  GRegex *regex;         /* nullable */
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
  FlowSearchFunc func;
  gpointer data;
};

static void
term_clear (gpointer data)
{
  Term *term = data;

  g_free (term->text);
  g_clear_pointer (&term->regex, g_regex_unref);
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
  };
  Term term = { TERM_ANY, NULL, NULL };

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
  if (strpbrk (word, "*+?[](){}|^$\\") != NULL)
    term.regex = g_regex_new (word, G_REGEX_CASELESS | G_REGEX_OPTIMIZE, 0, NULL);
  g_array_append_val (terms, term);
}

static gboolean
contains (const Term *term,
          const char *text)
{
  gsize length = strlen (term->text);

  if (text == NULL)
    return FALSE;
  if (term->regex != NULL)
    return g_regex_match (term->regex, text, 0, NULL);
  for (const char *p = text; *p != '\0'; p++)
    if (g_ascii_tolower (*p) == term->text[0] && g_ascii_strncasecmp (p, term->text, length) == 0)
      return TRUE;
  return FALSE;
}

/* 0 the leaf itself, 1 the leaf begins so, 2 in the leaf, 3 in the path, 4 the type; -1 not at all. */
static int
rank_any (FlowSearch *self,
          const Term *term,
          guint32     node)
{
  const char *leaf = flow_graph_get_node_leaf (self->graph, node);

  if (g_ascii_strcasecmp (leaf, term->text) == 0)
    return 0;
  if (g_ascii_strncasecmp (leaf, term->text, strlen (term->text)) == 0)
    return 1;
  if (contains (term, leaf))
    return 2;
  if (contains (term, flow_graph_get_node_name (self->graph, node)))
    return 3;
  if (contains (term, flow_graph_get_node_type (self->graph, node)))
    return 4;
  return -1;
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

static int
rank_term (FlowSearch *self,
           const Term *term,
           guint32     node)
{
  switch (term->kind)
    {
    case TERM_TYPE:
      return contains (term, flow_graph_get_node_type (self->graph, node)) ? 0 : -1;
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
