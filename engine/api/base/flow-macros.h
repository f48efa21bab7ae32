/* flow-macros.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <glib-object.h>
#include <gio/gio.h>

/**
 * FLOW_API: (skip)
 *
 * Marks what libflow exports; everything else is hidden. It stands before
 * G_DECLARE_FINAL_TYPE() as well.
 */
#define FLOW_API __attribute__ ((visibility ("default")))
