/* flow-format.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <flowstep.h>

G_BEGIN_DECLS

char       *flow_format_number         (double        value);
char       *flow_format_number_compact (double        value);
char       *flow_format_bytes          (guint64       bytes);
char       *flow_format_count          (guint64       count);
char       *flow_format_shape          (GVariant     *shape);
char       *flow_format_type           (GVariant     *info);
char       *flow_format_range          (GVariant     *info);
char       *flow_format_duration       (guint64       ns);
char       *flow_format_dims           (FlowShape    *shape);
const char *flow_node_state_title      (guint8        state);
const char *flow_node_state_css        (guint8        state);
const char *flow_stop_reason_title     (FlowStopReason reason);

double      flow_lookup_double         (GVariant     *dict,
                                        const char   *key,
                                        double        fallback);
gint64      flow_lookup_int            (GVariant     *dict,
                                        const char   *key,
                                        gint64        fallback);
gboolean    flow_lookup_bool           (GVariant     *dict,
                                        const char   *key);
const char *flow_lookup_string         (GVariant     *dict,
                                        const char   *key);
char      **flow_lookup_strv           (GVariant     *dict,
                                        const char   *key);
gboolean    flow_lookup_has            (GVariant     *dict,
                                        const char   *key);

/* Whether ops of that type are variables. */
gboolean    flow_is_variable_type      (const char   *type);

G_END_DECLS
