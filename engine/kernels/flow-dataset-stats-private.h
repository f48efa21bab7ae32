/* flow-dataset-stats-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-dataset-private.h"

G_BEGIN_DECLS

/* What datasets measure, where one around them says by whom it is kept. TensorFlow measures times as well; here
 * nothing is kept that another run would not give again. */
void _flow_pull_add_to_histogram (FlowPull   *pull,
                                  const char *name,
                                  double      value);
void _flow_pull_set_scalar       (FlowPull   *pull,
                                  const char *name,
                                  float       value);

G_END_DECLS
