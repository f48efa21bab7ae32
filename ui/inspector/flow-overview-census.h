/* flow-overview-census.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <flowstep.h>

G_BEGIN_DECLS

/* What a graph is made of. */
typedef struct {
  guint n_variables;
  guint n_unknown;             /* of them, of no known size */
  guint64 n_parameters;
  GArray *inputs;              /* guint32: placeholders */
  GArray *results;             /* likewise: what nobody reads */
  GHashTable *types;           /* op type, of the graph -> how many */
  /* FlowEndpoint, of a scope only: what it reads from outside, what is read of it outside, its variables */
  GArray *entering;
  GArray *leaving;
  GArray *variables;
} FlowCensus;

FlowCensus *flow_census_take           (FlowGraph        *graph);
FlowCensus *flow_census_take_scope     (FlowGraph        *graph,
                                        guint32           scope);
void        flow_census_free           (FlowCensus       *self);
char       *flow_census_describe_types (const FlowCensus *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowCensus, flow_census_free)

G_END_DECLS
