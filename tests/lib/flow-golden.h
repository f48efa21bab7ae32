/* flow-golden.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-golden-tensor.h"
#include "flow-op-runner.h"

G_BEGIN_DECLS

/* Golden files of ops: what tests/oracle/record_ops.py writes (the format stands there). */

typedef struct {
  FlowTensor *tensor;          /* or */
  int variable;                /* index into the case's variables, or -1 */
  int from_node;               /* an earlier node of the chain, or -1 */
  int from_slot;
} FlowGoldenInput;

typedef struct {
  char *op;
  FlowAttrList *attrs;
  GArray *inputs;              /* of FlowGoldenInput */
  GPtrArray *outputs;          /* of FlowTensor, entries nullable; all runs in a row */
} FlowGoldenNode;

typedef struct {
  char *name;
  gboolean is_resource;
  FlowDType dtype;
  FlowTensor *initial;         /* nullable */
  FlowTensor *final;           /* nullable */
} FlowGoldenVariable;

typedef struct {
  char *name;                  /* "Abs/3" */
  char *op;
  GArray *nodes;               /* of FlowGoldenNode */
  GArray *variables;           /* of FlowGoldenVariable */
  guint n_runs;
  int producer;                /* what the release that was asked writes into graphs */
  double tolerance;            /* negative: the dtype's own */
  double relative;             /* negative: not wanted */
  gboolean only_shapes;
  int error_code;              /* 0: none */
  char *error_message;
  gboolean error_at_build;
} FlowGoldenCase;

/* The cases of one file, .json or .json.gz. */
GPtrArray *flow_golden_load     (const char           *path,
                                 GError              **error);
/* Runs a case and compares; NULL if all agrees, else what does not. */
char      *flow_golden_check    (const FlowGoldenCase *self,
                                 gboolean              forwarding);

G_END_DECLS
