/* flow-kernels-skipgram.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Pairs of near words of a text file, as tutorials of 2015 learned vectors of words from them.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-candidates-private.h"
#include "flow-files-private.h"

#include <math.h>
#include <string.h>

/* --- the text ------------------------------------------------------------------------------------------------------ */

/* TF: so many words are a sentence, and so many pairs are made ahead. */
#define SENTENCE_SIZE 1000
#define N_AHEAD 3000
/* A batch beyond this is a mistake. */
#define MAX_BATCH (1 << 26)

/* A text as numbers of words; never changes. */
typedef struct {
  gatomicrefcount ref_count;
  FlowTensor *words;           /* string [n], the first of which stands for all rare ones */
  FlowTensor *counts;          /* int32 [n] */
  GArray *text;                /* of gint32 */
} Corpus;

typedef struct {
  gint32 word;
  gint32 label;
} Pair;

/* Where in the text one is. */
typedef struct {
  FlowPhiloxStream stream;
  gint32 epoch;
  gint64 n_processed;
  gint64 text_at;
  gint64 sentence_at;
  gint64 label_at;
  gint64 label_end;
  gint64 pair_at;
  gint32 sentence[SENTENCE_SIZE];
  Pair pairs[N_AHEAD];
} Place;

typedef struct {
  FlowResource parent;
  Corpus *corpus;
  Place place;
} Reader;

static void
corpus_unref (Corpus *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->words, flow_tensor_unref);
  g_clear_pointer (&self->counts, flow_tensor_unref);
  g_array_unref (self->text);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Corpus, corpus_unref)

static void
reader_finalize (FlowResource *resource)
{
  g_clear_pointer (&((Reader *) resource)->corpus, corpus_unref);
}

static gpointer
reader_save (FlowResource *resource)
{
  return g_memdup2 (&((Reader *) resource)->place, sizeof (Place));
}

static void
reader_restore (FlowResource  *resource,
                gconstpointer  saved)
{
  memcpy (&((Reader *) resource)->place, saved, sizeof (Place));
}

static gsize
saved_bytes (gconstpointer saved)
{
  return sizeof (Place);
}

static void
reader_visit (FlowResource        *resource,
              FlowResourceVisitor  visitor,
              gpointer             data)
{
  const Place *place = &((Reader *) resource)->place;
  g_autoptr (FlowTensor) epoch = flow_tensor_new_int32 (place->epoch);
  g_autoptr (FlowTensor) n_processed = flow_tensor_new_int64 (place->n_processed);
  g_autoptr (FlowTensor) pair = flow_tensor_new_int64 (place->pair_at);

  visitor ("epoch", epoch, data);
  visitor ("words", n_processed, data);
  visitor ("pair", pair, data);
}

static char *
reader_describe (FlowResource *resource)
{
  const Reader *self = (const Reader *) resource;

  return g_strdup_printf ("%u words, epoch %d", self->corpus->text->len, self->place.epoch);
}

static const FlowResourceClass reader_class = {
  .type_name = "Skipgram",
  .finalize = reader_finalize,
  .save = reader_save,
  .restore = reader_restore,
  .saved_free = g_free,
  .saved_bytes = saved_bytes,
  .visit = reader_visit,
  .describe = reader_describe,
};

/* --- reading it ---------------------------------------------------------------------------------------------------- */

typedef struct {
  char *word;
  gint32 first;                /* which of the different words it is, as they come */
  gint32 count;
  gint32 id;
} Word;

static void
word_free (gpointer data)
{
  g_free (((Word *) data)->word);
  g_free (data);
}

static gint
compare_words (gconstpointer a,
               gconstpointer b)
{
  const Word *x = *(Word *const *) a;
  const Word *y = *(Word *const *) b;

  return x->count != y->count ? (x->count < y->count ? 1 : -1) : (x->first < y->first ? -1 : 1);
}

/* The words of @bytes: every word of the text as its place in @words, the different ones. */
static gboolean
read_words (GBytes     *bytes,
            GPtrArray  *words,
            GArray     *text,
            GError    **error)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  gsize size;
  const char *at = g_bytes_get_data (bytes, &size);
  const char *end = at + size;

  while (TRUE)
    {
      const char *begin;
      g_autofree char *name = NULL;
      Word *word;

      while (at < end && g_ascii_isspace (*at))
        at++;
      begin = at;
      while (at < end && !g_ascii_isspace (*at))
        at++;
      if (at == begin)
        return TRUE;
      FLOW_REQUIRE (text->len < G_MAXINT32, error, INVALID_ARGUMENT, "The text has too many words");
      name = g_strndup (begin, (gsize) (at - begin));
      word = g_hash_table_lookup (known, name);
      if (word == NULL)
        {
          word = g_new0 (Word, 1);
          word->word = g_steal_pointer (&name);
          word->first = (gint32) words->len;
          g_ptr_array_add (words, word);
          g_hash_table_insert (known, word->word, word);
        }
      word->count++;
      g_array_append_val (text, word->first);
    }
}

/* The words that are not rare get numbers, the frequent ones first; 0 is for the others. */
static gboolean
number_words (Corpus      *self,
              GPtrArray   *words,
              gint64       min_count,
              FlowBudget  *budget,
              GError     **error)
{
  g_autoptr (GPtrArray) order = g_ptr_array_new ();
  g_autoptr (FlowShape) shape = NULL;
  gint32 rare = (gint32) self->text->len;

  for (guint i = 0; i < words->len; i++)
    if (((Word *) g_ptr_array_index (words, i))->count >= min_count)
      g_ptr_array_add (order, g_ptr_array_index (words, i));
  g_ptr_array_sort (order, compare_words);
  shape = flow_shape_new_vector ((gint64) order->len + 1);
  self->words = flow_tensor_new (FLOW_DTYPE_STRING, shape, budget, error);
  self->counts = self->words != NULL ? flow_tensor_new (FLOW_DTYPE_INT32, shape, budget, error) : NULL;
  if (self->counts == NULL)
    return FALSE;
  flow_tensor_take_string (self->words, 0, g_bytes_new_static ("UNK", 3));
  for (guint i = 0; i < order->len; i++)
    {
      Word *word = g_ptr_array_index (order, i);

      word->id = (gint32) i + 1;
      rare -= word->count;
      flow_tensor_take_string (self->words, (gint64) i + 1, g_bytes_new (word->word, strlen (word->word)));
      FLOW_WRITABLE (gint32, self->counts)[i + 1] = word->count;
    }
  FLOW_WRITABLE (gint32, self->counts)[0] = rare;
  for (guint i = 0; i < self->text->len; i++)
    {
      gint32 *number = &g_array_index (self->text, gint32, i);

      *number = ((Word *) g_ptr_array_index (words, (guint) *number))->id;
    }
  return TRUE;
}

static Corpus *
read_corpus (FlowKernelContext  *c,
             GError            **error)
{
  const char *filename = flow_kernel_attr_string (c, "filename");
  g_autoptr (GBytes) bytes = _flow_read_named_file (c, filename, error);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (word_free);
  g_autoptr (Corpus) self = g_new0 (Corpus, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->text = g_array_new (FALSE, FALSE, sizeof (gint32));
  if (bytes == NULL || !read_words (bytes, words, self->text, error))
    return NULL;
  if (self->text->len < (gdouble) flow_kernel_attr_int (c, "window_size") * 10)
    {
      _flow_refuse (error, "The text file %s contains too little data: %u words", filename, self->text->len);
      return NULL;
    }
  if (!number_words (self, words, flow_kernel_attr_int (c, "min_count"), c->budget, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* --- pairs --------------------------------------------------------------------------------------------------------- */

/* The next words of the text, of which the frequent ones are left out by lot. */
static gboolean
read_sentence (FlowKernelContext  *c,
               const Corpus       *corpus,
               Place              *place,
               GError            **error)
{
  const float subsample = flow_kernel_attr_float (c, "subsample");
  const float expected = subsample * (float) corpus->text->len;

  for (guint n = 0; n < SENTENCE_SIZE; place->text_at++)
    {
      gint32 word;

      if (place->text_at >= corpus->text->len)
        {
          place->epoch = (gint32) ((guint32) place->epoch + 1);
          place->text_at = 0;
          if (g_cancellable_set_error_if_cancelled (c->cancellable, error))
            return FALSE;
        }
      word = g_array_index (corpus->text, gint32, place->text_at);
      if (subsample > 0)
        {
          const float count = (float) FLOW_DATA (gint32, corpus->counts)[word];
          const float keep = (sqrtf (count / expected) + 1) * expected / count;

          if (flow_random_to_float (flow_philox_stream_next (&place->stream)) > keep)
            continue;
        }
      place->sentence[n++] = word;
    }
  return TRUE;
}

static gboolean
next_pair (FlowKernelContext  *c,
           const Corpus       *corpus,
           Place              *place,
           Pair               *pair,
           GError            **error)
{
  do
    {
      if (place->label_at >= place->label_end)
        {
          gint64 skip;

          place->n_processed++;
          if (++place->sentence_at >= SENTENCE_SIZE)
            {
              place->sentence_at = 0;
              if (!read_sentence (c, corpus, place, error))
                return FALSE;
            }
          skip = 1 + _flow_draw_below (&place->stream, (guint32) flow_kernel_attr_int (c, "window_size"));
          place->label_at = MAX (0, place->sentence_at - skip);
          place->label_end = MIN (SENTENCE_SIZE, place->sentence_at + skip + 1);
        }
      if (place->sentence_at == place->label_at)
        place->label_at++;
      else
        break;
    }
  while (TRUE);
  *pair = (Pair) { place->sentence[place->sentence_at], place->sentence[place->label_at++] };
  return TRUE;
}

static gboolean
make_pairs (FlowKernelContext  *c,
            const Corpus       *corpus,
            Place              *place,
            GError            **error)
{
  for (guint i = 0; i < N_AHEAD; i++)
    if (!next_pair (c, corpus, place, &place->pairs[i], error))
      return FALSE;
  place->pair_at = 0;
  return TRUE;
}

static gpointer
make_reader (FlowKernelContext  *c,
             GError            **error)
{
  const FlowPhilox generator = { { 0 }, { 0 } };
  Corpus *corpus = read_corpus (c, error);
  Reader *self;

  if (corpus == NULL)
    return NULL;
  self = flow_resource_alloc (&reader_class, sizeof (Reader), "", c->node_name);
  self->corpus = corpus;
  self->place = (Place) { .epoch = -1, .text_at = corpus->text->len, .sentence_at = SENTENCE_SIZE };
  flow_philox_stream_init (&self->place.stream, &generator);
  if (make_pairs (c, corpus, &self->place, error))
    return self;
  flow_resource_unref (self);
  return NULL;
}

static gboolean
take_pairs (FlowKernelContext  *c,
            const Corpus       *corpus,
            Place              *place,
            gint64              n,
            GError            **error)
{
  FlowTensor *words = flow_kernel_allocate_dims (c, 5, 1, &n, error);
  FlowTensor *labels = words != NULL ? flow_kernel_allocate_dims (c, 6, 1, &n, error) : NULL;

  if (labels == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    {
      const Pair *pair = &place->pairs[place->pair_at++];

      FLOW_WRITABLE (gint32, words)[i] = pair->word;
      FLOW_WRITABLE (gint32, labels)[i] = pair->label;
      if (place->pair_at == N_AHEAD && !make_pairs (c, corpus, place, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_batch (FlowKernelContext  *c,
            Reader             *self,
            GError            **error)
{
  g_autofree Place *place = g_memdup2 (&self->place, sizeof (Place));

  if (!take_pairs (c, self->corpus, place, flow_kernel_attr_int (c, "batch_size"), error))
    return FALSE;
  flow_kernel_will_write (c, self);
  memcpy (&self->place, place, sizeof (Place));
  flow_kernel_wrote (c, self);
  flow_kernel_set_output (c, 0, self->corpus->words);
  flow_kernel_set_output (c, 1, self->corpus->counts);
  flow_kernel_take_output (c, 2, flow_tensor_new_int64 (self->corpus->text->len));
  flow_kernel_take_output (c, 3, flow_tensor_new_int32 (place->epoch));
  flow_kernel_take_output (c, 4, flow_tensor_new_int64 (place->n_processed));
  return TRUE;
}

static gboolean
skipgram_compute (FlowKernelContext  *c,
                  GError            **error)
{
  const gint64 n = flow_kernel_attr_int (c, "batch_size");
  const gint64 window = flow_kernel_attr_int (c, "window_size");
  Reader *reader;
  gboolean ok;

  /* TF: ends itself. */
  FLOW_REQUIRE (n >= 0 && n <= MAX_BATCH, error, INVALID_ARGUMENT, "batch_size is out of range: %" G_GINT64_FORMAT, n);
  FLOW_REQUIRE (window >= 1 && window <= G_MAXINT32, error, INVALID_ARGUMENT, "window_size is out of range: %"
                G_GINT64_FORMAT, window);
  reader = flow_kernel_node_state (c, &reader_class, make_reader, error);
  if (reader == NULL)
    return FALSE;
  ok = read_batch (c, reader, error);
  flow_resource_unref (reader);
  return ok;
}

/* --- the table ------------------------------------------------------------------------------------------------------ */

static const FlowOpDef ops[] = {
  { .name = "Skipgram", .inputs = "",
    .outputs = "vocab_word: string; vocab_freq: int32; words_per_epoch: int64; current_epoch: int32; "
               "total_words_processed: int64; examples: int32; labels: int32",
    .attrs = "filename: string; batch_size: int; window_size: int = 5; min_count: int = 5; subsample: float = 0.001",
    .summary = "Pairs of words that stand near each other in a text file", .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_OTHER, .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, skipgram_compute }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (skipgram, ops)
