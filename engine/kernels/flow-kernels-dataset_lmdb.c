/* flow-kernels-dataset_lmdb.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Datasets of the keys and values of LMDB files. Where an iterator stands is which file and which entry.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-dataset-private.h"
#include "flow-lmdb-private.h"
#include "flow-string-private.h"

enum { AT_FILE, AT_ENTRY };

/* The open file, kept beside where iterators stand. */
typedef struct {
  FlowLmdb *lmdb;              /* nullable */
  gint64 file;
} Open;

static void
open_close (Open *self)
{
  g_clear_pointer (&self->lmdb, _flow_lmdb_free);
}

static void
open_free (gpointer open)
{
  open_close (open);
  g_free (open);
}

static FlowLmdb *
find_file (FlowPosition  *self,
           FlowPull      *pull,
           GError       **error)
{
  Open *open = self->dataset->data;
  g_autofree char *name = NULL;
  g_autofree char *path = NULL;

  /* Another file may stand under that name by the time that one begins anew. */
  if (open->file != self->numbers[AT_FILE] || self->numbers[AT_ENTRY] == 0)
    open_close (open);
  if (open->lmdb != NULL)
    return open->lmdb;
  name = _flow_dup_string (self->dataset->tensors[0], self->numbers[AT_FILE]);
  path = pull->c->host->resolve_path (pull->c->host_data, name, FLOW_PATH_READ, error);
  open->file = self->numbers[AT_FILE];
  open->lmdb = path != NULL ? _flow_lmdb_open (path, name, error) : NULL;
  return open->lmdb;
}

static FlowTensor *
text_of (GBytes *bytes)
{
  FlowTensor *tensor = flow_tensor_new_string ("", 0);

  if (g_bytes_get_size (bytes) > 0)
    flow_tensor_take_string (tensor, 0, g_bytes_ref (bytes));
  return tensor;
}

static gboolean
lmdb_next (FlowPosition  *self,
           FlowPull      *pull,
           FlowTuple    **out,
           GError       **error)
{
  while (self->numbers[AT_FILE] < self->dataset->tensors[0]->n_elements)
    {
      FlowLmdb *lmdb = find_file (self, pull, error);
      g_autoptr (GBytes) key = NULL;
      g_autoptr (GBytes) value = NULL;

      if (lmdb == NULL || !_flow_lmdb_read (lmdb, self->numbers[AT_ENTRY], pull->c->budget, &key, &value, error))
        return FALSE;
      if (key != NULL)
        {
          FlowTensor *tensors[2] = { text_of (key), text_of (value) };

          self->numbers[AT_ENTRY]++;
          *out = _flow_element_new (pull, tensors, 2, error);
          return *out != NULL;
        }
      self->numbers[AT_FILE]++;
      self->numbers[AT_ENTRY] = 0;
    }
  open_close (self->dataset->data);
  return TRUE;
}

static const FlowDatasetKind lmdb_kind = { "LMDBDataset", NULL, lmdb_next, NULL };

static gboolean
lmdb_compute (FlowKernelContext  *c,
              GError            **error)
{
  const FlowTensor *filenames = flow_kernel_input (c, 0);
  FlowDataset *dataset;

  if (FLOW_RANK (filenames) > 1)
    return _flow_refuse (error, "`filenames` must be a scalar or a vector.");
  dataset = _flow_dataset_new (c, &lmdb_kind);
  _flow_dataset_add_tensor (dataset, filenames);
  dataset->data = g_new0 (Open, 1);
  dataset->data_free = open_free;
  return _flow_dataset_put (c, dataset, error);
}

#define LMDB(op)                                                                                          \
  { .name = op, .inputs = "filenames: string", .outputs = "handle: variant",                              \
    .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",                            \
    .summary = "A dataset of the keys and values of LMDB files", .flags = FLOW_OP_STATEFUL,               \
    .family = FLOW_OP_FAMILY_IO, .infer = _flow_dataset_infer,                                            \
    .kernels = (const FlowKernelDef[]) { { NULL, lmdb_compute }, { NULL } } }

static const FlowOpDef ops[] = {
  LMDB ("LMDBDataset"),
  LMDB ("ExperimentalLMDBDataset"),
};

FLOW_DEFINE_OP_FAMILY (dataset_lmdb, ops)
