/* flow-cli-variables.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-cli.h"

G_BEGIN_DECLS

/* A variable of a graph, with what its collections say of it. */
typedef struct {
  char *name;
  FlowDType dtype;
  FlowShape *shape;            /* nullable */
  gboolean trainable;
  char *initializer;           /* nullable */
  char *slots_of;              /* nullable: the variable that an optimizer keeps this one for */
  GPtrArray *collections;      /* of names */
  char *key;                   /* in a checkpoint; a part of a partitioned variable has the whole's */
  char *spec;                  /* which part, as Save ops have it; "" for a whole one */
} FlowCliVariable;

/* In the order of the nodes. */
GPtrArray *flow_cli_list_variables     (FlowGraph             *graph);
void       flow_cli_json_tensor_stats  (JsonBuilder           *builder,
                                        const FlowTensorStats *stats);
void       flow_cli_print_tensor_stats (const FlowTensorStats *stats);

G_END_DECLS
