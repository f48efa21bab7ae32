/* flow-test-graph.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-graph.h"
#include "flow-kernel.h"

G_BEGIN_DECLS

/* A graph from a line a node: `NAME OP INPUT... ATTR=VALUE...`. Values: `float`, `int32`, ... (types),
 * `f:1.5` `i:3` `b:1` `s:text` (scalar tensors), `n:5` (ints), `t:1` (bools), `"text"`, `[2,3]` (shapes),
 * `v:1,2,3` (float vectors), `@name` (functions), `types:float,int32`, `funcs:a,b`, `shapes:[2],[3]`. A function stands between
 * `function NAME ARG:TYPE ... -> RET:TYPE=NODE:OUTPUT:0 ...` and `end`; `gradient F G` says that G is F's. */
FlowGraph *flow_test_graph         (const char *text);

/* Ops of the tests' own: a queue that makes ops wait, and an op with an effect outside. */
void       flow_test_register_ops  (void);
guint      flow_test_get_n_effects (void);

G_END_DECLS
