/* flow-watchdog.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* For tests that hand broken input to kernels: what runs too long is told to stop, for an op that has much to do is
 * no hang; what does not stop then ends the test by SIGALRM. */
void flow_watchdog_begin (GCancellable *cancellable);
void flow_watchdog_end   (void);

G_END_DECLS
