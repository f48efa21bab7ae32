/* flow-kernels-nn_ctc_beam.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-nn-ctc-private.h"

/* Beam search over label sequences. An entry is a prefix; the beam holds the most likely ones. TF's
 * search in its precision (that of the scores), so that near ties fall alike. */

#define NO_CHANCE (-INFINITY)

typedef struct {
  double total;
  double blank;                /* of the paths that end in a blank */
  double label;                /* of those that end in the label */
} Chance;

typedef struct _Entry Entry;

struct _Entry
{
  Entry *parent;               /* borrowed; NULL: the empty prefix */
  GHashTable *children;        /* label to Entry, owned by the search; NULL until there is one */
  int label;
  Chance old_chance;
  Chance new_chance;
};

typedef struct {
  FlowKernelContext *c;
  GPtrArray *entries;          /* all that were ever made, owned */
  GSequence *leaves;           /* the beam, borrowed entries, best first */
  gint64 width;
  int n_classes;
  gboolean is_float;           /* each step is rounded to float */
  gsize reserved;              /* of the budget: a wide beam grows with each step */
  gboolean exhausted;
} Search;

/* An entry, its place in the beam and in its parent's table, roughly. */
#define ENTRY_BYTES (sizeof (Entry) + 160)

static const Chance none = { NO_CHANCE, NO_CHANCE, NO_CHANCE };

static inline double
narrow (const Search *search,
        double        x)
{
  return search->is_float ? (double) (float) x : x;
}

static void
entry_free (gpointer data)
{
  Entry *self = data;

  g_clear_pointer (&self->children, g_hash_table_unref);
  g_free (self);
}

static void
search_clear (Search *self)
{
  flow_budget_release (self->c->budget, self->reserved);
  g_clear_pointer (&self->leaves, g_sequence_free);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, search_clear)

/* NULL where the budget ends. */
static Entry *
new_entry (Search *search,
           Entry  *parent,
           int     label)
{
  Entry *entry;

  if (!flow_budget_reserve (search->c->budget, ENTRY_BYTES))
    {
      search->exhausted = TRUE;
      return NULL;
    }
  search->reserved += ENTRY_BYTES;
  entry = g_new0 (Entry, 1);
  entry->parent = parent;
  entry->label = label;
  entry->old_chance = none;
  entry->new_chance = none;
  g_ptr_array_add (search->entries, entry);
  return entry;
}

static Entry *
get_child (Search *search,
           Entry  *entry,
           int     label)
{
  Entry *child;

  if (entry->children == NULL)
    entry->children = g_hash_table_new (NULL, NULL);
  child = g_hash_table_lookup (entry->children, GINT_TO_POINTER (label));
  if (child == NULL && (child = new_entry (search, entry, label)) != NULL)
    g_hash_table_insert (entry->children, GINT_TO_POINTER (label), child);
  return child;
}

static int
compare_chances (gconstpointer a,
                 gconstpointer b,
                 gpointer      data)
{
  const double x = ((const Entry *) a)->new_chance.total;
  const double y = ((const Entry *) b)->new_chance.total;

  return x > y ? -1 : x < y;
}

static Entry *
last_leaf (const Search *search)
{
  return g_sequence_get (g_sequence_iter_prev (g_sequence_get_end_iter (search->leaves)));
}

static gboolean
is_full (const Search *search)
{
  return g_sequence_get_length (search->leaves) >= search->width;
}

static gboolean
is_candidate (const Search *search,
              const Chance *chance)
{
  return chance->total > NO_CHANCE && (!is_full (search) || chance->total > last_leaf (search)->new_chance.total);
}

/* The beam's own entries one step on. */
static void
advance_entry (const Search *search,
               Entry        *entry,
               const double *input)
{
  if (entry->parent != NULL)
    {
      if (entry->parent->new_chance.total != NO_CHANCE)
        entry->new_chance.label = narrow (search, flow_ctc_log_add (entry->new_chance.label,
                                                                    entry->label == entry->parent->label
                                                                    ? entry->parent->old_chance.blank
                                                                    : entry->parent->old_chance.total));
      entry->new_chance.label = narrow (search, entry->new_chance.label + input[entry->label]);
    }
  entry->new_chance.blank = narrow (search, entry->old_chance.total + input[search->n_classes - 1]);
  entry->new_chance.total = narrow (search, flow_ctc_log_add (entry->new_chance.blank, entry->new_chance.label));
}

/* Prefixes that are longer by one label. */
static void
grow_entry (Search       *search,
            Entry        *entry,
            const double *input)
{
  if (!is_candidate (search, &entry->old_chance))
    return;
  for (int label = 0; label < search->n_classes - 1 && !search->exhausted; label++)
    {
      Entry *child = get_child (search, entry, label);

      if (child == NULL || child->new_chance.total != NO_CHANCE)
        continue;
      child->new_chance.blank = NO_CHANCE;
      child->new_chance.label = narrow (search, input[label] + (label == entry->label ? entry->old_chance.blank
                                                                : entry->old_chance.total));
      child->new_chance.total = child->new_chance.label;
      if (!is_candidate (search, &child->new_chance))
        {
          child->old_chance = none;
          child->new_chance = none;
          continue;
        }
      if (is_full (search))
        {
          last_leaf (search)->new_chance = none;
          g_sequence_remove (g_sequence_iter_prev (g_sequence_get_end_iter (search->leaves)));
        }
      g_sequence_insert_sorted (search->leaves, child, compare_chances, NULL);
    }
}

static void
step (Search       *search,
      const double *input)
{
  g_autoptr (GPtrArray) before = g_ptr_array_new ();

  for (GSequenceIter *i = g_sequence_get_begin_iter (search->leaves); !g_sequence_iter_is_end (i);
       i = g_sequence_iter_next (i))
    {
      Entry *entry = g_sequence_get (i);

      entry->old_chance = entry->new_chance;
      g_ptr_array_add (before, entry);
    }
  g_sequence_free (search->leaves);
  search->leaves = g_sequence_new (NULL);
  for (guint i = 0; i < before->len; i++)
    {
      advance_entry (search, before->pdata[i], input);
      g_sequence_insert_sorted (search->leaves, before->pdata[i], compare_chances, NULL);
    }
  for (guint i = 0; i < before->len && !search->exhausted && !flow_kernel_is_cancelled (search->c); i++)
    grow_entry (search, before->pdata[i], input);
}

static GArray *
labels_of (const Entry *entry,
           gboolean     merge)
{
  GArray *labels = g_array_new (FALSE, FALSE, sizeof (gint64));
  int previous = -1;

  for (; entry->parent != NULL; entry = entry->parent)
    {
      gint64 label = entry->label;

      if (!merge || entry->label != previous)
        g_array_prepend_val (labels, label);
      previous = entry->label;
    }
  return labels;
}

/* Log probabilities of the classes at one step. */
static void
normalize (const Search     *search,
           const FlowTensor *inputs,
           gint64            row,
           double           *out)
{
  double max = NO_CHANCE;
  double sum = 0;

  for (int k = 0; k < search->n_classes; k++)
    {
      out[k] = flow_tensor_get_double (inputs, row + k);
      max = MAX (max, out[k]);
    }
  for (int k = 0; k < search->n_classes; k++)
    sum = narrow (search, sum + (search->is_float ? (double) expf ((float) (out[k] - max)) : exp (out[k] - max)));
  sum = narrow (search, max + (search->is_float ? (double) logf ((float) sum) : log (sum)));
  for (int k = 0; k < search->n_classes; k++)
    out[k] = narrow (search, out[k] - sum);
}

static gboolean
decode (FlowKernelContext  *c,
        gint64              b,
        double             *input,
        guint               n_paths,
        GPtrArray         **sequences,
        FlowTensor         *scores,
        GError            **error)
{
  FlowTensor *inputs = flow_kernel_input (c, 0);
  gint64 n_steps = FLOW_DATA (gint32, flow_kernel_input (c, 1))[b];
  gboolean merge = flow_kernel_attr_bool (c, "merge_repeated");
  g_auto (Search) search = {
    .c = c,
    .entries = g_ptr_array_new_with_free_func (entry_free),
    .leaves = g_sequence_new (NULL),
    .width = flow_kernel_attr_int (c, "beam_width"),
    .n_classes = (int) FLOW_DIMS (inputs)[2],
    .is_float = scores->dtype == FLOW_DTYPE_FLOAT,
  };
  Entry *root = new_entry (&search, NULL, -1);
  GSequenceIter *leaf;

  if (root != NULL)
    {
      root->new_chance = (Chance) { 0, 0, NO_CHANCE };
      g_sequence_append (search.leaves, root);
    }
  for (gint64 t = 0; t < n_steps && !search.exhausted && !flow_kernel_is_cancelled (c); t++)
    {
      normalize (&search, inputs, (t * FLOW_DIMS (inputs)[1] + b) * search.n_classes, input);
      step (&search, input);
    }
  if (g_cancellable_set_error_if_cancelled (c->cancellable, error))
    return FALSE;
  FLOW_REQUIRE (!search.exhausted, error, RESOURCE_EXHAUSTED, "OOM when searching with a beam of %" G_GINT64_FORMAT,
                search.width);
  FLOW_REQUIRE (g_sequence_get_length (search.leaves) >= (int) n_paths, error, INVALID_ARGUMENT,
                "Less leaves in the beam search than requested.");
  leaf = g_sequence_get_begin_iter (search.leaves);
  for (guint p = 0; p < n_paths; p++)
    {
      const Entry *entry = g_sequence_get (leaf);
      gint64 at = b * n_paths + p;

      leaf = g_sequence_iter_next (leaf);
      g_ptr_array_add (sequences[p], labels_of (entry, merge));
      if (scores->dtype == FLOW_DTYPE_DOUBLE)
        FLOW_WRITABLE (double, scores)[at] = entry->new_chance.total;
      else
        FLOW_WRITABLE (float, scores)[at] = (float) entry->new_chance.total;
    }
  return TRUE;
}

static gboolean
infer_beam (FlowInferContext  *c,
            GError           **error)
{
  gint64 n_paths = flow_infer_attr_int (c, "top_paths");

  FLOW_REQUIRE (n_paths >= 1 && (guint) (3 * n_paths + 1) == c->n_outputs, error, INVALID_ARGUMENT,
                "top_paths must be at least 1, got %" G_GINT64_FORMAT, n_paths);
  return flow_ctc_infer_decoder (c, (guint) n_paths, error);
}

static gboolean
beam_compute (FlowKernelContext  *c,
              GError            **error)
{
  FlowTensor *inputs = flow_kernel_input (c, 0);
  gint64 n_batch = FLOW_DIMS (inputs)[1];
  guint n_paths = (guint) flow_kernel_attr_int (c, "top_paths");
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowTensor) input = NULL;
  FlowTensor *scores;

  if (!flow_ctc_check_sequence (c, 1, FALSE, error) || !flow_ctc_check_classes (inputs, error))
    return FALSE;
  /* TF: asks for the paths of each sequence; where there is none, nothing is wrong. */
  FLOW_REQUIRE ((gint64) n_paths <= flow_kernel_attr_int (c, "beam_width") || n_batch == 0, error, INVALID_ARGUMENT,
                "requested more paths than the beam width.");
  if ((scores = flow_kernel_allocate_inferred (c, 3 * n_paths, error)) == NULL)
    return FALSE;
  shape = flow_shape_new_vector (FLOW_DIMS (inputs)[2]);
  if ((input = flow_kernel_allocate_temp (c, FLOW_DTYPE_DOUBLE, shape, error)) == NULL)
    return FALSE;
  for (guint p = 0; p < n_paths; p++)
    g_ptr_array_add (paths, g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref));
  for (gint64 b = 0; b < n_batch; b++)
    if (!decode (c, b, input->data, n_paths, (GPtrArray **) paths->pdata, scores, error))
      return FALSE;
  for (guint p = 0; p < n_paths; p++)
    {
      GPtrArray *sequences = paths->pdata[p];

      if (!flow_ctc_set_decoded (c, p, n_paths, (GArray **) sequences->pdata, n_batch, error))
        return FALSE;
    }
  return TRUE;
}

static const FlowKernelDef beam_kernels[] = { { "T: double float", beam_compute }, { NULL } };

static const FlowOpDef ops[] = {
  {
    .name = "CTCBeamSearchDecoder",
    .inputs = "inputs: T; sequence_length: int32",
    .outputs = "decoded_indices: top_paths * int64; decoded_values: top_paths * int64; "
               "decoded_shape: top_paths * int64; log_probability: T",
    .attrs = "beam_width: int >= 1; top_paths: int >= 1; merge_repeated: bool = true; "
             "T: {float, double} = DT_FLOAT",
    .summary = "The most likely label sequences, by beam search",
    .infer = infer_beam,
    .kernels = beam_kernels,
  },
};

FLOW_DEFINE_OP_FAMILY (nn_ctc_beam, ops)
