/* flow-cli-events.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-cli.h"

G_BEGIN_DECLS

/* What an event file holds beside its graph: members of the object that is open, and lines of text. */
void flow_cli_json_events  (JsonBuilder   *builder,
                            FlowEventFile *events);
void flow_cli_print_events (FlowEventFile *events);

G_END_DECLS
