/* flow-kernels-dataset_shuffle.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Datasets that keep elements of others: shuffled, cached, told apart.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-dataset-private.h"
#include "flow-random-private.h"
#include "flow-step-private.h"
#include "flow-string-private.h"

#include <string.h>

/* Passes through an input that gave nothing, one after the other, before it is said to be empty. */
#define MAX_EMPTY_PASSES 1000000

/* --- shuffle -------------------------------------------------------------------------------------------------- */

enum { SHUFFLE_BUFFER, SHUFFLE_COUNT, SHUFFLE_SEED, SHUFFLE_SEED2, SHUFFLE_RESHUFFLES, SHUFFLE_RESTARTS };
/* Of a position: its seeds, numbers drawn, elements buffered, passes done, and whether its input is open
 * or done. Its list: start and end of each slice of the buffer, one a pass: elements of different passes
 * are never mixed. */
enum { AT_SEED, AT_SEED2, AT_DRAWS, AT_BUFFERED, AT_EPOCH, AT_INPUT };
enum { INPUT_FRESH, INPUT_OPEN, INPUT_DONE };

static guint32
draw (guint64 seed,
      guint64 seed2,
      guint64 n)
{
  FlowPhilox generator;
  guint32 numbers[4];

  flow_philox_init (&generator, seed, seed2);
  flow_philox_skip (&generator, n / 4);
  flow_philox_next (&generator, numbers);
  return numbers[n % 4];
}

/* TF: with reshuffling each pass has seeds of its own, drawn by a generator that the iterator keeps. */
static void
begin_draws (FlowPosition *self,
             FlowPull     *pull)
{
  const gint64 *n = self->dataset->numbers;

  self->numbers[AT_DRAWS] = 0;
  self->numbers[AT_SEED] = n[SHUFFLE_SEED];
  self->numbers[AT_SEED2] = n[SHUFFLE_SEED2];
  if (n[SHUFFLE_RESHUFFLES])
    {
      FlowMemoryEntry *entry = _flow_memory_own (pull, self);

      self->numbers[AT_SEED] = draw ((guint64) n[SHUFFLE_SEED], (guint64) n[SHUFFLE_SEED2], (guint64) entry->n_draws++);
      self->numbers[AT_SEED2] = draw ((guint64) n[SHUFFLE_SEED], (guint64) n[SHUFFLE_SEED2], (guint64) entry->n_draws++);
    }
}

static gboolean
shuffle_start (FlowPosition  *self,
               FlowPull      *pull,
               GError       **error)
{
  begin_draws (self, pull);
  self->list = g_array_new (FALSE, TRUE, sizeof (gint64));
  g_array_set_size (self->list, 2);
  return TRUE;
}

static gint64 *
slice_at (FlowPosition *self,
          guint         i)
{
  return &g_array_index (self->list, gint64, 2 * i);
}

/* TF: when a pass ends input @i is begun anew, even behind the last pass. Nothing is taken of it then, but a shuffle in
 * it that reshuffles has drawn the seeds of one pass more. */
static void
begin_unused (FlowPosition *self,
              guint         i,
              FlowPull     *pull)
{
  FlowDataset *input = self->dataset->inputs[i];
  const gboolean begins_one = g_str_equal (input->kind->name, "ConcatenateDataset");
  FlowPosition *child;

  if (!_flow_position_open (self, i, input, 0, NULL))
    return;
  child = self->children->pdata[i];
  if (input->kind->start == shuffle_start)
    begin_draws (child, pull);
  else
    for (guint k = 0; k < (begins_one ? 1 : input->n_inputs); k++)
      begin_unused (child, k, pull);
}

/* The next element for the buffer, from as many passes as there are; NULL after the last. */
static gboolean
shuffle_pull (FlowPosition  *self,
              FlowPull      *pull,
              FlowTuple    **out,
              GError       **error)
{
  gint64 count = self->dataset->numbers[SHUFFLE_COUNT];
  gint64 n_empty = 0;

  while ((count == -1 || self->numbers[AT_EPOCH] < count) && n_empty < MAX_EMPTY_PASSES)
    {
      gint64 begin[2];

      if (_flow_pull_is_cancelled (pull, error) || !_flow_position_pull (self, 0, pull, out, error))
        return FALSE;
      if (*out != NULL)
        {
          self->numbers[AT_INPUT] = INPUT_OPEN;
          return TRUE;
        }
      /* TF: passes without end end where the first gives nothing. */
      if (self->numbers[AT_INPUT] == INPUT_FRESH && count == -1)
        return TRUE;
      n_empty++;
      self->numbers[AT_EPOCH]++;
      begin[0] = begin[1] = slice_at (self, self->list->len / 2 - 1)[1];
      if (slice_at (self, self->list->len / 2 - 1)[0] != begin[0])
        g_array_append_vals (self->list, begin, 2);
      _flow_position_close (self, 0);
      if (self->numbers[AT_EPOCH] == count)
        begin_unused (self, 0, pull);
    }
  return TRUE;
}

static gboolean
shuffle_fill (FlowPosition  *self,
              FlowPull      *pull,
              GError       **error)
{
  gint64 size = self->dataset->numbers[SHUFFLE_BUFFER];

  while (self->numbers[AT_INPUT] != INPUT_DONE && self->numbers[AT_BUFFERED] < size)
    {
      FlowTuple *tuple = NULL;
      gint64 *last;

      if (!shuffle_pull (self, pull, &tuple, error))
        return FALSE;
      if (tuple == NULL)
        {
          self->numbers[AT_INPUT] = INPUT_DONE;
          break;
        }
      last = slice_at (self, self->list->len / 2 - 1);
      _flow_position_put (self, (guint) (last[1]++ % size), tuple);
      self->numbers[AT_BUFFERED]++;
    }
  return TRUE;
}

static gboolean
shuffle_next (FlowPosition  *self,
              FlowPull      *pull,
              FlowTuple    **out,
              GError       **error)
{
  gint64 size = self->dataset->numbers[SHUFFLE_BUFFER];
  gint64 *first;
  guint from;
  guint to;

  if (!shuffle_fill (self, pull, error))
    return FALSE;
  if (self->numbers[AT_BUFFERED] == 0)
    return TRUE;
  while (slice_at (self, 0)[0] == slice_at (self, 0)[1])
    {
      g_array_remove_range (self->list, 0, 2);
      if (self->dataset->numbers[SHUFFLE_RESTARTS])
        begin_draws (self, pull);
    }
  first = slice_at (self, 0);
  from = (guint) ((first[0] + draw ((guint64) self->numbers[AT_SEED], (guint64) self->numbers[AT_SEED2],
                                    (guint64) self->numbers[AT_DRAWS]++) % (first[1] - first[0])) % size);
  to = (guint) (first[0]++ % size);
  *out = _flow_position_take (self, from);
  if (from != to)
    _flow_position_put (self, from, _flow_position_take (self, to));
  self->numbers[AT_BUFFERED]--;
  return TRUE;
}

static gint64
shuffle_count (FlowDataset *dataset)
{
  gint64 n = _flow_dataset_count_input (dataset);
  gint64 count = dataset->numbers[SHUFFLE_COUNT];
  gint64 product;

  if (count < 0)
    return n == 0 ? 0 : FLOW_CARDINALITY_INFINITE;
  if (n < 0)
    return n;
  return flow_mul_int64 (n, count, &product) ? product : G_MAXINT64;
}

static const FlowDatasetKind shuffle_kind = { "ShuffleDataset", shuffle_start, shuffle_next, shuffle_count };
static const FlowDatasetKind shuffle_repeat_kind = {
  "ShuffleAndRepeatDataset", shuffle_start, shuffle_next, shuffle_count,
};

/* TF: two zeros ask for seeds of chance. */
#define BAD_COUNT "count must be greater than zero or equal to -1."

static gboolean
make_shuffle (FlowKernelContext     *c,
              const FlowDatasetKind *kind,
              gboolean               repeats,
              gboolean               reshuffles,
              gboolean               restarts,
              GError               **error)
{
  gint64 buffer_size;
  gint64 seeds[2];
  gint64 count = 1;
  FlowDataset *dataset;

  if (!_flow_dataset_read_int (c, 1, "buffer_size", &buffer_size, error))
    return FALSE;
  if (buffer_size <= 0)
    return _flow_refuse (error, "buffer_size must be greater than zero.");
  if (!_flow_dataset_read_int (c, 2, "seed", &seeds[0], error)
      || !_flow_dataset_read_int (c, 3, "seed2", &seeds[1], error)
      || (repeats && !_flow_dataset_read_int (c, 4, "count", &count, error)))
    return FALSE;
  if (count < -1 || count == 0)
    return _flow_refuse (error, BAD_COUNT);
  if (!_flow_dataset_new_on_input (c, kind, &dataset, error))
    return FALSE;
  dataset->is_by_chance = seeds[0] == 0 && seeds[1] == 0;
  if (dataset->is_by_chance)
    c->host->draw_seed (c->host_data, c->node_name, (guint64 *) seeds);
  dataset->numbers[SHUFFLE_BUFFER] = buffer_size;
  dataset->numbers[SHUFFLE_COUNT] = count;
  dataset->numbers[SHUFFLE_SEED] = seeds[0];
  dataset->numbers[SHUFFLE_SEED2] = seeds[1];
  dataset->numbers[SHUFFLE_RESHUFFLES] = reshuffles;
  dataset->numbers[SHUFFLE_RESTARTS] = restarts;
  return _flow_dataset_put (c, dataset, error);
}

static gboolean
shuffle_compute (FlowKernelContext *c,
                 GError           **error)
{
  return make_shuffle (c, &shuffle_kind, FALSE, flow_kernel_attr_bool (c, "reshuffle_each_iteration"), FALSE, error);
}

static gboolean
shuffle_repeat_compute (FlowKernelContext *c,
                        GError           **error)
{
  /* TF 2: says whether it reshuffles; each pass begins with seeds of its own then, which 1.15 has one pair of. */
  FlowAttr *reshuffles = flow_kernel_attr (c, "reshuffle_each_iteration");

  return make_shuffle (c, &shuffle_repeat_kind, TRUE, reshuffles != NULL && flow_attr_get_bool (reshuffles),
                       reshuffles != NULL, error);
}

/* --- rewriting ------------------------------------------------------------------------------------------------ */

/* Datasets looked at: what is there twice, and in it something twice, and so on, has no end. */
#define MAX_FUSED 4096

typedef struct {
  gboolean noops;
  gboolean shuffles;
  gboolean batches;
  GHashTable *functions;       /* names of functions that datasets call, borrowed from them */
  guint n_seen;
} Rewrite;

/* Those that end for good where what they take from may go on are not the same without. */
static gboolean
is_noop (const FlowDataset *self)
{
  const gint64 count = self->numbers[0];

  return (self->kind == &_flow_repeat_kind && count == 1) || (self->kind == &_flow_take_kind && count < 0)
         || (self->kind == &_flow_skip_kind && count == 0);
}

/* TF: what its Python asks for unless told otherwise, as far as it is seen in the elements. A repeated
 * shuffle that reshuffles becomes one op, in which the passes share a generator and a buffer; a batch of
 * mapped elements becomes one op, with other words for those that do not fit. */
static FlowDataset *
fuse (FlowDataset  *self,
      Rewrite      *rewrite,
      GError      **error)
{
  g_autoptr (FlowDataset) copy = NULL;
  gint64 count = self->numbers[0];

  /* TF: this comes first, and a shuffle that is not repeated stays one. */
  if (rewrite->noops && is_noop (self) && rewrite->n_seen++ < MAX_FUSED)
    return fuse (self->inputs[0], rewrite, error);
  if (rewrite->shuffles && self->kind == &_flow_repeat_kind && self->inputs[0]->kind == &shuffle_kind
      && self->inputs[0]->numbers[SHUFFLE_RESHUFFLES])
    {
      FlowDataset *fused;

      if (count < -1 || count == 0)
        {
          _flow_refuse (error, BAD_COUNT);
          return NULL;
        }
      fused = fuse (self->inputs[0], rewrite, error);

      if (fused != NULL && fused == self->inputs[0])
        {
          g_object_unref (fused);
          fused = _flow_dataset_copy (self->inputs[0]);
        }
      if (fused == NULL)
        return NULL;
      fused->kind = &shuffle_repeat_kind;
      fused->numbers[SHUFFLE_COUNT] = count;
      fused->numbers[SHUFFLE_RESHUFFLES] = FALSE;
      return fused;
    }
  if (rewrite->batches && self->kind == &_flow_batch_kind && self->inputs[0]->kind == &_flow_map_kind)
    {
      copy = _flow_dataset_copy (self);
      copy->numbers[FLOW_BATCH_MAPPED] = TRUE;
    }
  if (rewrite->n_seen++ > MAX_FUSED)
    return copy != NULL ? g_steal_pointer (&copy) : g_object_ref (self);
  /* TF: a function that is there twice becomes two. */
  if (self->funcs[0].func != NULL && self->data == NULL &&
      !g_hash_table_add (rewrite->functions, (gpointer) flow_attr_get_func_name (self->funcs[0].func)))
    {
      if (copy == NULL)
        copy = _flow_dataset_copy (self);
      copy->twin = rewrite->n_seen;
    }
  for (guint i = 0; i < self->n_inputs; i++)
    {
      g_autoptr (FlowDataset) input = fuse (self->inputs[i], rewrite, error);

      if (input == NULL)
        return NULL;
      if (input == self->inputs[i])
        continue;
      if (copy == NULL)
        copy = _flow_dataset_copy (self);
      g_set_object (&copy->inputs[i], input);
    }
  return copy != NULL ? g_steal_pointer (&copy) : g_object_ref (self);
}

static gboolean
is_named (Text        text,
          const char *name)
{
  return text.length == strlen (name) && memcmp (text.bytes, name, text.length) == 0;
}

/* The functions of what stands below are optimized, too. */
static gboolean
optimized_next (FlowPosition  *self,
                FlowPull      *pull,
                FlowTuple    **out,
                GError       **error)
{
  const gboolean is_optimized = pull->is_optimized;
  gboolean ok;

  pull->is_optimized = TRUE;
  ok = _flow_position_pull (self, 0, pull, out, error);
  pull->is_optimized = is_optimized;
  return ok;
}

static const FlowDatasetKind optimized_kind = { "OptimizeDataset", NULL, optimized_next, _flow_dataset_count_input, .goes_on = TRUE };

static gboolean
optimize_compute (FlowKernelContext *c,
                  GError           **error)
{
  FlowDataset *dataset = NULL;
  g_autoptr (FlowDataset) rewritten = NULL;
  const FlowTensor *names = flow_kernel_input (c, 1);
  g_autoptr (GHashTable) functions = g_hash_table_new (g_str_hash, g_str_equal);
  Rewrite rewrite = { .functions = functions };

  if (!_flow_dataset_new_on_input (c, &optimized_kind, &dataset, error))
    return FALSE;
  for (gint64 i = 0; i < names->n_elements; i++)
    {
      Text name = text_at (names, i);

      rewrite.noops = rewrite.noops || is_named (name, "noop_elimination");
      rewrite.shuffles = rewrite.shuffles || is_named (name, "shuffle_and_repeat_fusion");
      rewrite.batches = rewrite.batches || is_named (name, "map_and_batch_fusion");
    }
  rewritten = fuse (dataset->inputs[0], &rewrite, error);
  if (rewritten == NULL)
    {
      g_object_unref (dataset);
      return FALSE;
    }
  g_set_object (&dataset->inputs[0], rewritten);
  return _flow_dataset_put (c, dataset, error);
}

/* --- cache ---------------------------------------------------------------------------------------------------- */

enum { CACHE_AT, CACHE_READS };

/* What others may hold longer already is copied, so that a shorter past stays what it was. */
static void
remember (FlowMemoryEntry *entry,
          FlowTuple       *tuple)
{
  if (entry->tuples == NULL || entry->tuples->len > entry->n_tuples)
    {
      GPtrArray *copy = g_ptr_array_new_with_free_func (_flow_tuple_unref);

      for (guint i = 0; i < entry->n_tuples; i++)
        g_ptr_array_add (copy, _flow_tuple_ref (entry->tuples->pdata[i]));
      g_clear_pointer (&entry->tuples, g_ptr_array_unref);
      entry->tuples = copy;
    }
  g_ptr_array_add (entry->tuples, _flow_tuple_ref (tuple));
  entry->n_tuples++;
}

/* TF: a pass that did not come to the end leaves nothing; later ones read what a whole one has kept. */
static gboolean
cache_start (FlowPosition  *self,
             FlowPull      *pull,
             GError       **error)
{
  FlowMemoryEntry *entry = _flow_memory_own (pull, self);

  self->numbers[CACHE_READS] = entry->is_complete;
  if (!entry->is_complete)
    {
      g_clear_pointer (&entry->tuples, g_ptr_array_unref);
      entry->n_tuples = 0;
    }
  return TRUE;
}

static gboolean
cache_next (FlowPosition  *self,
            FlowPull      *pull,
            FlowTuple    **out,
            GError       **error)
{
  FlowMemoryEntry *entry;

  if (self->numbers[CACHE_READS])
    {
      gint64 i = self->numbers[CACHE_AT];

      entry = _flow_memory_own (pull, self);
      if (i < entry->n_tuples)
        {
          *out = _flow_tuple_ref (entry->tuples->pdata[i]);
          self->numbers[CACHE_AT]++;
        }
      return TRUE;
    }
  if (!_flow_position_pull (self, 0, pull, out, error))
    return FALSE;
  entry = _flow_memory_own (pull, self);
  /* TF: what the input has after its end, if it goes on, is passed on and not kept. */
  if (*out == NULL)
    entry->is_complete = TRUE;
  else if (!entry->is_complete)
    remember (entry, *out);
  return TRUE;
}

static const FlowDatasetKind cache_kind = {
  "CacheDataset", cache_start, cache_next, _flow_dataset_count_input, .goes_on = TRUE,
};

static gboolean
cache_compute (FlowKernelContext *c,
               GError           **error)
{
  FlowTensor *filename = flow_kernel_input (c, 1);
  FlowDataset *dataset;

  if (!flow_is_scalar (filename))
    return _flow_refuse (error, "filename must be a scalar");
  /* A file beside the session would outlive every step back; what it would hold is kept in memory. */
  return _flow_dataset_new_on_input (c, &cache_kind, &dataset, error) && _flow_dataset_put (c, dataset, error);
}

/* Graphs name what a dataset shares from pass to pass by a resource. Those made without eager execution
 * name one that is nothing: the iterator keeps what is needed. */
static gboolean
dummy_compute (FlowKernelContext *c,
               GError           **error)
{
  g_autoptr (FlowHandle) handle = flow_handle_new ("localhost", c->signature->name, c->signature->name,
                                                   FLOW_DTYPE_INVALID, NULL);

  flow_kernel_take_output (c, 0, flow_tensor_new_handle (handle));
  return TRUE;
}

/* --- unique --------------------------------------------------------------------------------------------------- */

/* What was given stays in the buffer: few elements are asked for by their value. */
static gboolean
seen_before (FlowPosition     *self,
             const FlowTensor *tensor)
{
  for (guint i = 0; self->tuples != NULL && i < self->tuples->len; i++)
    if (flow_tensor_identical (((FlowTuple *) self->tuples->pdata[i])->tensors[0], tensor))
      return TRUE;
  return FALSE;
}

static gboolean
unique_next (FlowPosition  *self,
             FlowPull      *pull,
             FlowTuple    **out,
             GError       **error)
{
  for (;;)
    {
      if (_flow_pull_is_cancelled (pull, error) || !_flow_position_pull (self, 0, pull, out, error))
        return FALSE;
      if (*out == NULL)
        return TRUE;
      if ((*out)->n > 0 && !seen_before (self, (*out)->tensors[0]))
        {
          _flow_position_put (self, self->tuples != NULL ? self->tuples->len : 0, _flow_tuple_ref (*out));
          return TRUE;
        }
      g_clear_pointer (out, _flow_tuple_unref);
    }
}

static const FlowDatasetKind unique_kind = { "UniqueDataset", NULL, unique_next, NULL };

static gboolean
unique_compute (FlowKernelContext *c,
                GError           **error)
{
  FlowDataset *dataset;

  if (!_flow_dataset_new_on_input (c, &unique_kind, &dataset, error))
    return FALSE;
  if (dataset->n_components == 1 && (dataset->dtypes[0] == FLOW_DTYPE_INT32 || dataset->dtypes[0] == FLOW_DTYPE_INT64
                                     || dataset->dtypes[0] == FLOW_DTYPE_STRING))
    return _flow_dataset_put (c, dataset, error);
  if (dataset->n_components != 1)
    _flow_refuse (error, "UniqueDataset only supports inputs with a single component.");
  else
    _flow_refuse (error, "UniqueDataset only supports inputs with a single `tf.int32`, `tf.int64`, or `tf.string` "
                  "component.");
  g_object_unref (dataset);
  return FALSE;
}

/* --- how many there are --------------------------------------------------------------------------------------- */

static gboolean
cardinality_compute (FlowKernelContext *c,
                     GError           **error)
{
  FlowDataset *dataset = _flow_dataset_from_tensor (flow_kernel_input (c, 0), error);

  if (dataset == NULL)
    return FALSE;
  flow_kernel_take_output (c, 0, flow_tensor_new_int64 (_flow_dataset_count (dataset)));
  return TRUE;
}

static gboolean
single_element_compute (FlowKernelContext *c,
                        GError           **error)
{
  FlowDataset *dataset = _flow_dataset_from_tensor (flow_kernel_input (c, 0), error);
  FlowMemory *memory = dataset != NULL ? _flow_memory_new () : NULL;
  FlowPosition *position = dataset != NULL ? _flow_position_new (dataset) : NULL;
  FlowPull pull = { c, &memory };
  g_autofree char *state_handle = NULL;
  FlowTuple *first = NULL;
  FlowTuple *second = NULL;
  gboolean ok;

  if (dataset == NULL)
    return FALSE;
  pull.state_handle = state_handle = _flow_name_execution (c, error);
  ok = state_handle != NULL && _flow_position_next (&position, &pull, &first, error);
  if (ok && first == NULL)
    ok = _flow_refuse (error, "Dataset was empty.");
  ok = ok && _flow_position_next (&position, &pull, &second, error);
  if (ok && second != NULL)
    ok = _flow_refuse (error, "Dataset had more than one element.");
  if (ok && first->n != c->n_outputs)
    ok = _flow_refuse (error, "Number of components does not match: expected %u types but got %u.", c->n_outputs,
                       first->n);
  for (guint i = 0; ok && i < first->n; i++)
    flow_kernel_set_output (c, i, first->tensors[i]);
  _flow_tuple_unref (first);
  _flow_tuple_unref (second);
  _flow_position_unref (position);
  _flow_memory_unref (memory);
  return ok;
}

static const FlowOpDef ops[] = {
  {
    .name = "ShuffleDataset",
    .inputs = "input_dataset: variant; buffer_size: int64; seed: int64; seed2: int64",
    .outputs = "handle: variant",
    .attrs = "reshuffle_each_iteration: bool = true; output_types: list(type) >= 1; output_shapes: "
             "list(shape) >= 1",
    .summary = "A dataset in random order",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, shuffle_compute }, { NULL } },
  },
  {
    .name = "ShuffleAndRepeatDataset",
    .inputs = "input_dataset: variant; buffer_size: int64; seed: int64; seed2: int64; count: int64",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset in random order, several times",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, shuffle_repeat_compute }, { NULL } },
  },
  {
    .name = "CacheDataset",
    .inputs = "input_dataset: variant; filename: string",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset whose elements are kept after the first time",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, cache_compute }, { NULL } },
  },
  {
    .name = "UniqueDataset",
    .inputs = "input_dataset: variant",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset without its repetitions",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, unique_compute }, { NULL } },
  },
  {
    .name = "ExperimentalUniqueDataset",
    .inputs = "input_dataset: variant",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "A dataset without its repetitions",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, unique_compute }, { NULL } },
  },
  {
    .name = "DatasetCardinality",
    .inputs = "input_dataset: variant",
    .outputs = "cardinality: int64",
    .summary = "How many elements a dataset has",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, cardinality_compute }, { NULL } },
  },
  {
    .name = "ExperimentalDatasetCardinality",
    .inputs = "input_dataset: variant",
    .outputs = "cardinality: int64",
    .summary = "How many elements a dataset has",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, cardinality_compute }, { NULL } },
  },
  {
    .name = "DatasetToSingleElement",
    .inputs = "dataset: variant",
    .outputs = "components: output_types",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
    .summary = "The only element of a dataset",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_components_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, single_element_compute }, { NULL } },
  },
  {
    .name = "OptimizeDataset",
    .inputs = "input_dataset: variant; optimizations: string",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
             "optimization_configs: list(string) = []",
    .summary = "A dataset rewritten: what changes its order is done",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, optimize_compute }, { NULL } },
  },
  {
    .name = "OptimizeDatasetV2",
    .inputs = "input_dataset: variant; optimizations_enabled: string; optimizations_disabled: "
              "string; optimizations_default: string",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
             "optimization_configs: list(string) = []",
    .summary = "A dataset rewritten: what changes its order is done",
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, optimize_compute }, { NULL } },
  },
  {
    .name = "ShuffleDatasetV3",
    .inputs = "input_dataset: variant; buffer_size: int64; seed: int64; seed2: int64; "
              "seed_generator: resource",
    .outputs = "handle: variant",
    .attrs = "reshuffle_each_iteration: bool = true; output_types: list(type) >= 1; output_shapes: "
             "list(shape) >= 1; metadata: string = \"\"",
    .summary = "A dataset in random order",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, shuffle_compute }, { NULL } },
  },
  {
    .name = "CacheDatasetV2",
    .inputs = "input_dataset: variant; filename: string; cache: resource",
    .outputs = "handle: variant",
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; metadata: string = "
             "\"\"",
    .summary = "A dataset whose elements are kept after the first time",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, cache_compute }, { NULL } },
  },
  {
    .name = "DummySeedGenerator",
    .outputs = "handle: resource",
    .summary = "Stands for a generator of seeds; the iterator has its own",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, dummy_compute }, { NULL } },
  },
  {
    .name = "DummyMemoryCache",
    .outputs = "handle: resource",
    .summary = "Stands for a cache; the iterator has its own",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, dummy_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (dataset_shuffle, ops)
