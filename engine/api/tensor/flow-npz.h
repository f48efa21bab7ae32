/* flow-npz.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-tensor.h"

G_BEGIN_DECLS

/**
 * FlowNpz:
 *
 * An open `.npz` file: arrays by key, read when asked for. May be used from one thread at a time.
 */
typedef struct _FlowNpz FlowNpz;

#define FLOW_TYPE_NPZ (flow_npz_get_type ())

FLOW_API GType       flow_npz_get_type  (void);
FLOW_API FlowNpz    *flow_npz_open      (const char        *path,
                                         GError           **error);
FLOW_API FlowNpz    *flow_npz_ref       (FlowNpz           *self);
FLOW_API void        flow_npz_unref     (FlowNpz           *self);
FLOW_API char      **flow_npz_list_keys (FlowNpz           *self);
FLOW_API gboolean    flow_npz_has_key   (FlowNpz           *self,
                                         const char        *key);
FLOW_API FlowTensor *flow_npz_read      (FlowNpz           *self,
                                         const char        *key,
                                         FlowBudget        *budget,
                                         GError           **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowNpz, flow_npz_unref)

/**
 * FlowNpzWriter:
 *
 * An `.npz` file in the making. It stands under its name only once flow_npz_writer_finish() said so;
 * until then, and if it is never called, what stood there stays.
 */
typedef struct _FlowNpzWriter FlowNpzWriter;

#define FLOW_TYPE_NPZ_WRITER (flow_npz_writer_get_type ())

FLOW_API GType          flow_npz_writer_get_type (void);
FLOW_API FlowNpzWriter *flow_npz_writer_new      (const char        *path,
                                                  GError           **error);
FLOW_API FlowNpzWriter *flow_npz_writer_ref      (FlowNpzWriter     *self);
FLOW_API void           flow_npz_writer_unref    (FlowNpzWriter     *self);
FLOW_API gboolean       flow_npz_writer_add      (FlowNpzWriter     *self,
                                                  const char        *key,
                                                  const FlowTensor  *tensor,
                                                  GError           **error);
FLOW_API gboolean       flow_npz_writer_finish   (FlowNpzWriter     *self,
                                                  GError           **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowNpzWriter, flow_npz_writer_unref)

G_END_DECLS
