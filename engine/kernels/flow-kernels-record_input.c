/* flow-kernels-record_input.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Records of many files in an order of chance, each once an epoch. TensorFlow's order follows from its threads; ours
 * from the seed: files are shuffled, read one after the other into a buffer, and taken from it by lot.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-files-private.h"
#include "flow-random-private.h"
#include "flow-stream-private.h"
#include "flow-util.h"

#include <math.h>
#include <string.h>

/* A buffer or batch beyond this is a mistake. */
#define MAX_RECORDS (1 << 24)

/* --- attrs ------------------------------------------------------------------------------------------------------ */

typedef struct {
  char *pattern;
  char *compression;
  guint64 seed;
  double shift;
  gint64 buffer_size;
  gint64 batch_size;
} Options;

static void
options_free (gpointer data)
{
  Options *self = data;

  g_free (self->pattern);
  g_free (self->compression);
  g_free (self);
}

static gpointer
options_construct (FlowKernelConstruction  *c,
                   GError                 **error)
{
  Options *self = g_new0 (Options, 1);

  self->pattern = g_strdup (flow_attr_get_string (flow_construction_attr (c, "file_pattern"), NULL));
  self->compression = g_strdup (flow_attr_get_string (flow_construction_attr (c, "compression_type"), NULL));
  self->seed = (guint64) flow_attr_get_int (flow_construction_attr (c, "file_random_seed"));
  self->shift = (double) flow_attr_get_float (flow_construction_attr (c, "file_shuffle_shift_ratio"));
  self->buffer_size = flow_attr_get_int (flow_construction_attr (c, "file_buffer_size"));
  self->batch_size = flow_attr_get_int (flow_construction_attr (c, "batch_size"));
  if (self->batch_size < 0 || self->batch_size > MAX_RECORDS)
    _flow_refuse (error, "batch_size must not be negative and not beyond %d, got %" G_GINT64_FORMAT, MAX_RECORDS,
                  self->batch_size);
  else if (self->buffer_size < 1 || self->buffer_size > MAX_RECORDS)
    _flow_refuse (error, "file_buffer_size must be positive and not beyond %d, got %" G_GINT64_FORMAT, MAX_RECORDS,
                  self->buffer_size);
  else if (!g_str_equal (self->compression, "") && !g_str_equal (self->compression, "GZIP") &&
           !g_str_equal (self->compression, "ZLIB"))
    _flow_refuse (error, "Unsupported compression_type: %s.", self->compression);
  else
    return self;
  options_free (self);
  return NULL;
}

/* --- the state ---------------------------------------------------------------------------------------------------- */

/* How far it is. The files of an epoch and the buffer are never written once somebody else holds them. */
typedef struct {
  guint64 epoch;
  guint64 n_draws;
  guint file;
  gint64 offset;
  gint64 n_yielded;            /* in this epoch */
  GPtrArray *files;            /* of char *, in this epoch's order; nullable before the first */
  GPtrArray *buffer;           /* of GBytes */
} Place;

typedef struct {
  FlowResource parent;
  Place now;
  FlowStream *stream;          /* cached (nullable): of the file, at the offset */
} Input;

static void
place_clear (Place *self)
{
  g_clear_pointer (&self->files, g_ptr_array_unref);
  g_clear_pointer (&self->buffer, g_ptr_array_unref);
}

static void
place_copy (const Place *self,
            Place       *to)
{
  *to = *self;
  to->files = self->files != NULL ? g_ptr_array_ref (self->files) : NULL;
  g_ptr_array_ref (to->buffer);
}

static void
input_finalize (FlowResource *resource)
{
  Input *self = (Input *) resource;

  place_clear (&self->now);
  g_clear_pointer (&self->stream, _flow_stream_free);
}

static gpointer
input_save (FlowResource *resource)
{
  Place *saved = g_new (Place, 1);

  place_copy (&((Input *) resource)->now, saved);
  return saved;
}

static void
input_restore (FlowResource  *resource,
               gconstpointer  saved)
{
  Input *self = (Input *) resource;

  place_clear (&self->now);
  place_copy (saved, &self->now);
  g_clear_pointer (&self->stream, _flow_stream_free);
}

static void
saved_free (gpointer saved)
{
  place_clear (saved);
  g_free (saved);
}

static gsize
saved_bytes (gconstpointer saved)
{
  return sizeof (Place) + ((const Place *) saved)->buffer->len * sizeof (gpointer);
}

static void
show_number (const char          *label,
             guint64              value,
             FlowResourceVisitor  visitor,
             gpointer             data)
{
  g_autoptr (FlowTensor) tensor = flow_tensor_new_int64 ((gint64) value);

  visitor (label, tensor, data);
}

static void
input_visit (FlowResource        *resource,
             FlowResourceVisitor  visitor,
             gpointer             data)
{
  const Place *now = &((Input *) resource)->now;

  show_number ("epoch", now->epoch, visitor, data);
  show_number ("file", now->file, visitor, data);
  show_number ("offset", (guint64) now->offset, visitor, data);
  show_number ("draws", now->n_draws, visitor, data);
  for (guint i = 0; i < now->buffer->len; i++)
    {
      gsize length;
      const char *bytes = g_bytes_get_data (now->buffer->pdata[i], &length);
      g_autoptr (FlowTensor) record = flow_tensor_new_string (bytes, (gssize) length);

      visitor ("record", record, data);
    }
}

static char *
input_describe (FlowResource *resource)
{
  const Place *now = &((Input *) resource)->now;

  return g_strdup_printf ("epoch %" G_GUINT64_FORMAT ", %u records waiting", now->epoch, now->buffer->len);
}

static const FlowResourceClass input_class = {
  .type_name = "RecordYielder",
  .finalize = input_finalize,
  .save = input_save,
  .restore = input_restore,
  .saved_free = saved_free,
  .saved_bytes = saved_bytes,
  .visit = input_visit,
  .describe = input_describe,
};

static gpointer
make_input (FlowKernelContext  *c,
            GError            **error)
{
  Input *self = flow_resource_alloc (&input_class, sizeof (Input), "", c->node_name);

  self->now.buffer = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  return self;
}

/* --- reading ------------------------------------------------------------------------------------------------------- */

static guint32
draw (guint64 seed,
      guint64 stream,
      guint64 n)
{
  FlowPhilox generator;
  guint32 numbers[4];

  flow_philox_init (&generator, seed, stream);
  flow_philox_skip (&generator, n / 4);
  flow_philox_next (&generator, numbers);
  return numbers[n % 4];
}

/* The files in the order of @epoch. */
static GPtrArray *
list_files (FlowKernelContext  *c,
            const Options      *options,
            guint64             epoch,
            GError            **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) turned = g_ptr_array_new_with_free_func (g_free);
  gint64 shift;

  if (!_flow_match_files (c, options->pattern, names, error))
    return NULL;
  if (names->len == 0)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "Found no files at %s", options->pattern);
      return NULL;
    }
  g_ptr_array_sort (names, flow_compare_texts);
  for (guint i = names->len - 1; i > 0; i--)
    {
      guint k = draw (options->seed, epoch, i) % (i + 1);
      gpointer other = names->pdata[k];

      names->pdata[k] = names->pdata[i];
      names->pdata[i] = other;
    }
  shift = isfinite (options->shift) ? (gint64) fmod (options->shift * names->len, names->len) : 0;
  shift = shift < 0 ? shift + names->len : shift;
  for (guint i = 0; i < names->len; i++)
    g_ptr_array_add (turned, g_strdup (names->pdata[(i + (guint64) shift) % names->len]));
  return g_steal_pointer (&turned);
}

/* The next record of this epoch; NULL without an error after its last. */
static gboolean
read_record (FlowKernelContext  *c,
             const Options      *options,
             Input              *self,
             GBytes            **record,
             GError            **error)
{
  Place *now = &self->now;

  for (*record = NULL; now->file < now->files->len; now->file++, now->offset = 0)
    {
      const char *name = now->files->pdata[now->file];
      GError *failure = NULL;

      FLOW_REQUIRE (!flow_kernel_is_cancelled (c), error, CANCELLED, "RecordInput was cancelled");
      if (self->stream == NULL)
        {
          g_autofree char *path = flow_kernel_find_file (c, name, FLOW_PATH_READ, error);

          self->stream = path != NULL ? _flow_stream_open (path, name, options->compression, c->budget, error) : NULL;
          if (self->stream == NULL)
            return FALSE;
          if (now->offset > 0 && !_flow_stream_seek (self->stream, now->offset, &failure) && failure == NULL)
            failure = g_error_new (FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "%s has become shorter", name);
        }
      if (failure == NULL)
        *record = _flow_stream_read_record (self->stream, &failure);
      if (failure != NULL)
        {
          g_clear_pointer (&self->stream, _flow_stream_free);
          g_propagate_error (error, failure);
          return FALSE;
        }
      if (*record != NULL)
        {
          now->offset = _flow_stream_tell (self->stream);
          return TRUE;
        }
      g_clear_pointer (&self->stream, _flow_stream_free);
    }
  return TRUE;
}

/* Fills the buffer, from the next epoch once this one's records are all gone. */
static gboolean
fill_buffer (FlowKernelContext  *c,
             const Options      *options,
             Input              *self,
             GError            **error)
{
  Place *now = &self->now;

  for (;;)
    {
      while (now->files != NULL && now->buffer->len < options->buffer_size)
        {
          GBytes *record;

          if (!read_record (c, options, self, &record, error))
            return FALSE;
          if (record == NULL)
            break;
          g_ptr_array_add (now->buffer, record);
          now->n_yielded++;
        }
      if (now->buffer->len > 0)
        return TRUE;
      FLOW_REQUIRE (now->files == NULL || now->n_yielded > 0, error, NOT_FOUND, "Found no records at %s", options->pattern);
      g_clear_pointer (&now->files, g_ptr_array_unref);
      now->files = list_files (c, options, now->epoch, error);
      if (now->files == NULL)
        return FALSE;
      now->epoch++;
      now->file = 0;
      now->offset = 0;
      now->n_yielded = 0;
    }
}

/* The buffer, where nobody else holds it. */
static void
own_buffer (Input *self)
{
  GPtrArray *copy = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);

  for (guint i = 0; i < self->now.buffer->len; i++)
    g_ptr_array_add (copy, g_bytes_ref (self->now.buffer->pdata[i]));
  g_ptr_array_unref (self->now.buffer);
  self->now.buffer = copy;
}

static gboolean
take_batch (FlowKernelContext  *c,
            const Options      *options,
            Input              *self,
            FlowTensor         *out,
            GError            **error)
{
  for (gint64 i = 0; i < out->n_elements; i++)
    {
      guint place;

      if (!fill_buffer (c, options, self, error))
        return FALSE;
      place = draw (options->seed, ~(guint64) 0, self->now.n_draws++) % self->now.buffer->len;
      flow_tensor_take_string (out, i, g_bytes_ref (self->now.buffer->pdata[place]));
      g_ptr_array_remove_index_fast (self->now.buffer, place);
    }
  return TRUE;
}

static gboolean
records_infer (FlowInferContext  *c,
               GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  /* TF: how many there will be is not told before they are there. */
  if (!c->running)
    return flow_infer_unknown_shape (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_vector (MAX (flow_infer_attr_int (c, "batch_size"), FLOW_DIM_UNKNOWN)));
  return TRUE;
}

static gboolean
records_compute (FlowKernelContext  *c,
                 GError            **error)
{
  const Options *options = flow_kernel_data (c);
  FlowTensor *out = flow_kernel_allocate_dims (c, 0, 1, &options->batch_size, error);
  Input *self = out != NULL ? flow_kernel_node_state (c, &input_class, make_input, error) : NULL;
  Place before;
  gboolean ok;

  if (self == NULL)
    return FALSE;
  place_copy (&self->now, &before);
  flow_kernel_will_write (c, self);
  own_buffer (self);
  ok = take_batch (c, options, self, out, error);
  /* An op that fails leaves the state as it was. */
  if (!ok)
    input_restore (&self->parent, &before);
  flow_kernel_wrote (c, self);
  place_clear (&before);
  flow_resource_unref (self);
  return ok;
}

static const FlowOpDef ops[] = {
  {
    .name = "RecordInput",
    .outputs = "records: string",
    .attrs = "file_pattern: string; file_random_seed: int = 301; file_shuffle_shift_ratio: float = 0.0; "
             "file_buffer_size: int = 10000; file_parallelism: int = 16; batch_size: int = 32; "
             "compression_type: string = \"\"",
    .summary = "A batch of records from files, in an order of chance",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = records_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, records_compute, options_construct, options_free }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (record_input, ops)
