/* flow-kernels-candidates_unigram.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Candidates as likely as they are in a vocabulary: one that is given, or one that is learned while
 * sampling.
 */

#include "config.h"

#include "flow-candidates-private.h"
#include "flow-util.h"

#include <math.h>
#include <string.h>

/* A vocabulary file of more bytes than this is none. */
#define MAX_VOCABULARY_BYTES ((gsize) 1 << 30)
/* Classes that a sampler may know. */
#define MAX_RANGE (G_GINT64_CONSTANT (1) << 28)

static gboolean
check_range (gint64   range,
             GError **error)
{
  FLOW_REQUIRE (range >= 1 && range <= MAX_RANGE, error, INVALID_ARGUMENT, "range_max is out of range: %" G_GINT64_FORMAT,
                range);
  return TRUE;
}

/* --- FixedUnigramCandidateSampler: an alias table ------------------------------------------------------------- */

typedef struct {
  GArray *weights;             /* of float */
  double total;
  FlowAliases aliases;         /* nothing until made */
} Table;

static void
table_clear (Table *self)
{
  g_clear_pointer (&self->weights, g_array_unref);
  _flow_aliases_clear (&self->aliases);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Table, table_clear)

/* TF: class i is in this shard if i mod num_shards is the shard. */
typedef struct {
  gint64 n_shards;
  gint64 shard;
  float distortion;
} Sharing;

static void
add_weight (Table         *self,
            const Sharing *sharing,
            gint64         word,
            float          weight)
{
  float distorted;

  if (word % sharing->n_shards != sharing->shard)
    return;
  distorted = powf (weight, sharing->distortion);
  self->total += (double) distorted;
  g_array_append_val (self->weights, distorted);
}

/* One line per class, its weight the last of fields parted by commas. */
static gboolean
read_vocabulary (FlowKernelContext  *c,
                 Table              *self,
                 const Sharing      *sharing,
                 const char         *name,
                 GError            **error)
{
  g_autofree char *path = flow_kernel_find_file (c, name, FLOW_PATH_READ, error);
  g_autoptr (GBytes) bytes = path != NULL ? flow_read_file (path, MAX_VOCABULARY_BYTES, error) : NULL;
  gint64 word = self->weights->len;
  const char *at;
  const char *end;
  gsize n;

  if (bytes == NULL)
    return FALSE;
  at = g_bytes_get_data (bytes, &n);
  for (end = at + n; at < end; word++)
    {
      const char *stop = memchr (at, '\n', (gsize) (end - at));
      g_autofree char *line = g_strndup (at, (gsize) ((stop != NULL ? stop : end) - at));
      const char *field = strrchr (line, ',');
      char *rest;
      double weight;

      g_strchomp (line);
      field = field != NULL ? field + 1 : line;
      weight = g_ascii_strtod (field, &rest);
      FLOW_REQUIRE (rest != field && *rest == '\0' && isfinite (weight) && weight >= 0, error, INVALID_ARGUMENT,
                    "Wrong vocabulary format at line: %s", line);
      FLOW_REQUIRE (word < MAX_RANGE, error, INVALID_ARGUMENT, "The vocabulary has too many lines");
      add_weight (self, sharing, word, (float) weight);
      at = stop != NULL ? stop + 1 : end;
    }
  return TRUE;
}

static gboolean
read_weights (FlowKernelContext  *c,
              Table              *self,
              GError            **error)
{
  const Sharing sharing = { MAX (flow_kernel_attr_int (c, "num_shards"), 1), flow_kernel_attr_int (c, "shard"),
                            flow_kernel_attr_float (c, "distortion") };
  const gint64 n_reserved = flow_kernel_attr_int (c, "num_reserved_ids");
  const gint64 range = flow_kernel_attr_int (c, "range_max");
  const char *vocabulary = flow_kernel_attr_string (c, "vocab_file");
  FlowAttr *unigrams = flow_kernel_attr (c, "unigrams");
  const float none = 0;

  if (!check_range (range, error))
    return FALSE;
  /* TF: less than none are none. */
  FLOW_REQUIRE (n_reserved <= MAX_RANGE, error, INVALID_ARGUMENT, "num_reserved_ids is out of range: %"
                G_GINT64_FORMAT, n_reserved);
  self->weights = g_array_new (FALSE, FALSE, sizeof (float));
  for (gint64 i = 0; i < n_reserved; i++)
    if (i % sharing.n_shards == sharing.shard)
      g_array_append_val (self->weights, none);
  if (*vocabulary != '\0' && !read_vocabulary (c, self, &sharing, vocabulary, error))
    return FALSE;
  if (*vocabulary == '\0')
    {
      const gint64 first = self->weights->len;

      for (gsize i = 0; i < flow_attr_get_length (unigrams); i++)
        add_weight (self, &sharing, first + (gint64) i, flow_attr_get_float (flow_attr_get_item (unigrams, i)));
    }
  FLOW_REQUIRE (range == self->weights->len, error, INVALID_ARGUMENT, "range is %" G_GINT64_FORMAT
                " must be equal to weights size  %u", range, self->weights->len);
  FLOW_REQUIRE (self->total > 0 && isfinite (self->total), error, INVALID_ARGUMENT,
                "the weights of a vocabulary must have a sum above zero");
  return TRUE;
}

static gint64
draw_fixed (gconstpointer     data,
            FlowPhiloxStream *stream)
{
  return _flow_aliases_draw (&((const Table *) data)->aliases, stream);
}

static float
fixed_probability (gconstpointer data,
                   gint64        value)
{
  const Table *self = data;

  if (value < 0 || value >= self->weights->len)
    return 0;
  return (float) ((double) g_array_index (self->weights, float, value) / self->total);
}

/* TF: where the weights come from is looked at when the kernel is made. */
static gboolean
fixed_infer (FlowInferContext  *c,
             GError           **error)
{
  const gboolean from_file = *flow_infer_attr_string (c, "vocab_file") != '\0';
  const gboolean given = flow_attr_get_length (flow_infer_attr (c, "unigrams")) > 0;

  FLOW_REQUIRE (!c->running || from_file || given, error, INVALID_ARGUMENT, "Must provide either vocab_file or unigrams.");
  FLOW_REQUIRE (!c->running || !from_file || !given, error, INVALID_ARGUMENT,
                "Must only provide one of vocab_file and unigrams.");
  return _flow_candidates_infer (c, error);
}

static gboolean
fixed_compute (FlowKernelContext  *c,
               GError            **error)
{
  g_auto (Table) table = { 0 };
  const FlowSampler sampler = { flow_kernel_attr_int (c, "range_max"), draw_fixed, fixed_probability, &table };

  return read_weights (c, &table, error)
         && _flow_aliases_init (&table.aliases, (const float *) (gpointer) table.weights->data, (gint32) table.weights->len, error)
         && _flow_candidates_run (c, &sampler, error);
}

/* --- LearnedUnigramCandidateSampler: what was a true class once is likelier ---------------------------------------- */

/* How often each class was seen, and once more. */
typedef struct {
  FlowResource parent;
  FlowTensor *weights;         /* int32 [range] */
} Learned;

static void
learned_finalize (FlowResource *resource)
{
  flow_tensor_unref (((Learned *) resource)->weights);
}

static gpointer
learned_save (FlowResource *resource)
{
  return flow_tensor_ref (((Learned *) resource)->weights);
}

static void
learned_restore (FlowResource  *resource,
                 gconstpointer  saved)
{
  Learned *self = (Learned *) resource;

  flow_tensor_unref (self->weights);
  self->weights = flow_tensor_ref (saved);
}

static void
learned_saved_free (gpointer saved)
{
  flow_tensor_unref (saved);
}

static gsize
learned_saved_bytes (gconstpointer saved)
{
  return ((const FlowTensor *) saved)->n_bytes;
}

static void
learned_visit (FlowResource        *resource,
               FlowResourceVisitor  visitor,
               gpointer             data)
{
  visitor ("weights", ((Learned *) resource)->weights, data);
}

static char *
learned_describe (FlowResource *resource)
{
  return g_strdup_printf ("weights of %" G_GINT64_FORMAT " classes", ((Learned *) resource)->weights->n_elements);
}

static const FlowResourceClass learned_class = {
  .type_name = "UnigramSampler",
  .finalize = learned_finalize,
  .save = learned_save,
  .restore = learned_restore,
  .saved_free = learned_saved_free,
  .saved_bytes = learned_saved_bytes,
  .visit = learned_visit,
  .describe = learned_describe,
};

static Learned *
make_learned (FlowKernelContext  *c,
              const char         *name,
              GError            **error)
{
  const gint64 range = flow_kernel_attr_int (c, "range_max");
  g_autoptr (FlowShape) shape = flow_shape_new_vector (range);
  FlowTensor *weights;
  Learned *self;

  if (!check_range (range, error) || (weights = flow_tensor_new (FLOW_DTYPE_INT32, shape, c->budget, error)) == NULL)
    return NULL;
  for (gint64 i = 0; i < range; i++)
    FLOW_WRITABLE (gint32, weights)[i] = 1;
  self = flow_resource_alloc (&learned_class, sizeof (Learned), "", name);
  self->weights = weights;
  return self;
}

/* The weights of this execution, and their running sums. */
typedef struct {
  const gint32 *weights;
  gint64 *sums;
  gint64 n;
} Running;

static gint64
draw_learned (gconstpointer     data,
              FlowPhiloxStream *stream)
{
  const Running *self = data;
  const gint64 place = _flow_draw_below (stream, (guint32) self->sums[self->n - 1]);
  gint64 low = 0;
  gint64 high = self->n - 1;

  while (low < high)
    {
      const gint64 middle = (low + high) / 2;

      if (self->sums[middle] > place)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

static float
learned_probability (gconstpointer data,
                     gint64        value)
{
  const Running *self = data;

  return value < 0 || value >= self->n ? 0 : (float) self->weights[value] / (float) self->sums[self->n - 1];
}

/* The classes that are true now count from the next execution on. */
static gboolean
learn (FlowKernelContext  *c,
       Learned            *self,
       gint64              total,
       GError            **error)
{
  const FlowTensor *classes = flow_kernel_input (c, 0);
  const gint64 n = MIN (classes->n_elements, G_MAXINT32 - total);
  FlowTensor *weights = flow_tensor_copy (self->weights, c->budget, error);

  if (weights == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    FLOW_WRITABLE (gint32, weights)[FLOW_DATA (gint64, classes)[i]]++;
  flow_kernel_will_write (c, self);
  flow_tensor_unref (self->weights);
  self->weights = weights;
  flow_kernel_wrote (c, self);
  return TRUE;
}

static gboolean
run_learned (FlowKernelContext  *c,
             Learned            *self,
             GError            **error)
{
  const FlowTensor *classes = flow_kernel_input (c, 0);
  const gint64 n = self->weights->n_elements;
  g_autofree gint64 *sums = g_try_new (gint64, (gsize) n);
  Running running = { self->weights->data, sums, n };
  const FlowSampler sampler = { n, draw_learned, learned_probability, &running };

  FLOW_REQUIRE (sums != NULL, error, RESOURCE_EXHAUSTED, "OOM when preparing a sampler");
  for (gint64 i = 0; i < classes->n_elements; i++)
    FLOW_REQUIRE (FLOW_DATA (gint64, classes)[i] >= 0 && FLOW_DATA (gint64, classes)[i] < n, error, INVALID_ARGUMENT,
                  "a true class is %" G_GINT64_FORMAT ", outside [0, %" G_GINT64_FORMAT ")", FLOW_DATA (gint64, classes)[i], n);
  for (gint64 i = 0; i < n; i++)
    sums[i] = running.weights[i] + (i > 0 ? sums[i - 1] : 0);
  return _flow_candidates_run (c, &sampler, error) && learn (c, self, sums[n - 1], error);
}

static gboolean
learned_compute (FlowKernelContext  *c,
                 GError            **error)
{
  /* The node's own name is its generator's; no node has a colon in its name. */
  g_autofree char *name = g_strconcat (c->node_name, ":weights", NULL);
  Learned *self = flow_kernel_lookup (c, "", name, &learned_class, NULL);
  gboolean ok;

  if (self == NULL)
    {
      if ((self = make_learned (c, name, error)) == NULL)
        return FALSE;
      if (!flow_kernel_publish (c, self, error))
        {
          flow_resource_unref (self);
          return FALSE;
        }
    }
  ok = run_learned (c, self, error);
  flow_resource_unref (self);
  return ok;
}

/* --- the table -------------------------------------------------------------------------------------------------------- */

static const FlowKernelDef fixed_kernels[] = { { NULL, fixed_compute }, { NULL } };
static const FlowKernelDef learned_kernels[] = { { NULL, learned_compute }, { NULL } };

static const FlowOpDef ops[] = {
  { .name = "FixedUnigramCandidateSampler", .inputs = "true_classes: int64", .outputs = FLOW_SAMPLER_OUTPUTS,
    .attrs = FLOW_SAMPLER_ATTRS "range_max: int >= 1; vocab_file: string = ''; distortion: float = 1; "
             "num_reserved_ids: int = 0; num_shards: int >= 1 = 1; shard: int >= 0 = 0; unigrams: list(float) = []; "
             FLOW_SAMPLER_SEEDS,
    .summary = "Candidates as likely as a vocabulary says", .flags = FLOW_SAMPLER_FLAGS,
    .infer = fixed_infer, .kernels = fixed_kernels },
  { .name = "LearnedUnigramCandidateSampler", .inputs = "true_classes: int64", .outputs = FLOW_SAMPLER_OUTPUTS,
    .attrs = FLOW_SAMPLER_ATTRS "range_max: int >= 1; " FLOW_SAMPLER_SEEDS,
    .summary = "Candidates as likely as they were true before", .flags = FLOW_SAMPLER_FLAGS,
    .infer = _flow_candidates_infer, .kernels = learned_kernels },
  { .name = "ThreadUnsafeUnigramCandidateSampler", .inputs = "true_classes: int64", .outputs = FLOW_SAMPLER_OUTPUTS,
    .attrs = FLOW_SAMPLER_ATTRS "range_max: int >= 1; " FLOW_SAMPLER_SEEDS,
    .summary = "Candidates as likely as they were true before", .flags = FLOW_SAMPLER_FLAGS,
    .infer = _flow_candidates_infer, .kernels = learned_kernels },
};

FLOW_DEFINE_OP_FAMILY (candidates_unigram, ops)
