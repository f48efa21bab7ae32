/* flow-restored-table.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkColumnView *flow_restored_table_new    (GListStore *rows);
guint          flow_restored_count_changed (GVariant  *rows);

G_END_DECLS
