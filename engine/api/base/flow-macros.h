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

/* A boxed type for what is immutable and reference-counted: its ref and unref take const pointers. */
#define FLOW_DEFINE_SHARED_BOXED_TYPE(TypeName, type_name)                                   \
  static TypeName *type_name##_boxed_copy (TypeName *self) { return type_name##_ref (self); } \
  static void type_name##_boxed_free (TypeName *self) { type_name##_unref (self); }           \
  G_DEFINE_BOXED_TYPE (TypeName, type_name, type_name##_boxed_copy, type_name##_boxed_free)
