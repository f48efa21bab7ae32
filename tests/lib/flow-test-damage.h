/* flow-test-damage.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Reads bytes that were damaged: returns whether they were accepted. It must come back either way; what
 * it must not do (crash, leak, hang) the run itself shows. */
typedef gboolean (*FlowTestReadFunc) (GBytes   *bytes,
                                      gpointer  data);

typedef struct {
  guint n_cases;
  guint n_accepted;
  guint n_prefixes;
  guint n_prefixes_accepted;
} FlowTestDamage;

/* Every prefix of @good and every byte of it changed in several ways; in the ordinary run a fixed
 * sample of @sample cases, with FLOW_TEST_FUZZ=1 all. */
FlowTestDamage flow_test_damage   (GBytes           *good,
                                   guint             sample,
                                   FlowTestReadFunc  read,
                                   gpointer          data);
gboolean       flow_test_is_fuzz  (void);
/* A committed file below tests/, such as "golden/models/xor.meta". */
char          *flow_test_path     (const char       *name);
GBytes        *flow_test_read     (const char       *name);

G_END_DECLS
