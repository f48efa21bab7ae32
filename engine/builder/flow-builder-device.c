/* flow-builder-device.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

#include <string.h>

/* Device names, "/job:ps/replica:0/task:1/device:CPU:0": every field may be left out. */

enum {
  JOB,
  REPLICA,
  TASK,
  TYPE,
  INDEX,
  N_FIELDS,
};

typedef struct {
  char *fields[N_FIELDS];      /* NULL where it is left out */
} Device;

static void
device_clear (Device *self)
{
  for (guint i = 0; i < N_FIELDS; i++)
    g_clear_pointer (&self->fields[i], g_free);
}

/* TF writes these two large, and others as they are given. */
static char *
copy_type (const char *type)
{
  return strcmp (type, "cpu") == 0 || strcmp (type, "gpu") == 0 ? g_ascii_strup (type, -1) : g_strdup (type);
}

static gboolean
take_field (Device      *self,
            const char  *part,
            const char  *whole,
            GError     **error)
{
  g_auto (GStrv) words = g_strsplit (part, ":", -1);
  guint n = g_strv_length (words);
  gboolean is_type;

  if (n == 2 && strcmp (words[0], "job") == 0)
    self->fields[JOB] = g_strdup (words[1]);
  else if (n == 2 && strcmp (words[0], "replica") == 0)
    self->fields[REPLICA] = g_strdup (words[1]);
  else if (n == 2 && strcmp (words[0], "task") == 0)
    self->fields[TASK] = g_strdup (words[1]);
  else
    {
      is_type = (n == 1 || n == 2) && (g_ascii_strcasecmp (words[0], "cpu") == 0 || g_ascii_strcasecmp (words[0], "gpu") == 0);
      FLOW_REQUIRE (is_type || (n == 3 && strcmp (words[0], "device") == 0), error, INVALID_ARGUMENT,
                    "Unknown attribute: '%s' in '%s'", words[0], whole);
      FLOW_REQUIRE (self->fields[TYPE] == NULL, error, INVALID_ARGUMENT, "Cannot specify multiple device types: %s", whole);
      self->fields[TYPE] = is_type ? g_ascii_strup (words[0], -1) : copy_type (words[1]);
      if (n > 1 && strcmp (words[n - 1], "*") != 0)
        self->fields[INDEX] = g_strdup (words[n - 1]);
    }
  return TRUE;
}

static gboolean
device_parse (Device      *self,
              const char  *text,
              GError     **error)
{
  g_auto (GStrv) parts = g_strsplit (text, "/", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] != '\0' && !take_field (self, parts[i], text, error))
      return FALSE;
  return TRUE;
}

static char *
device_to_string (const Device *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (self->fields[JOB] != NULL)
    g_string_append_printf (text, "/job:%s", self->fields[JOB]);
  if (self->fields[REPLICA] != NULL)
    g_string_append_printf (text, "/replica:%s", self->fields[REPLICA]);
  if (self->fields[TASK] != NULL)
    g_string_append_printf (text, "/task:%s", self->fields[TASK]);
  if (self->fields[TYPE] != NULL)
    g_string_append_printf (text, "/device:%s:%s", self->fields[TYPE],
                            self->fields[INDEX] != NULL ? self->fields[INDEX] : "*");
  return g_strdup (text->str);
}

char *
_flow_builder_canonical_device (const char  *text,
                                GError     **error)
{
  Device device = { { NULL } };
  char *canonical = NULL;

  if (device_parse (&device, text, error))
    canonical = device_to_string (&device);
  device_clear (&device);
  return canonical;
}

char *
_flow_builder_merge_devices (const char *inner,
                             const char *outer)
{
  Device merged = { { NULL } };
  Device rest = { { NULL } };
  char *text;

  device_parse (&merged, inner, NULL);
  device_parse (&rest, outer, NULL);
  for (guint i = 0; i < N_FIELDS; i++)
    if (merged.fields[i] == NULL)
      merged.fields[i] = g_steal_pointer (&rest.fields[i]);
  text = device_to_string (&merged);
  device_clear (&merged);
  device_clear (&rest);
  return text;
}

char *
_flow_builder_device_here (FlowBuilder *self,
                           const char  *own)
{
  char *device = g_strdup (own);

  for (FlowChain *link = self->now.devices; link != NULL && link->name != NULL; link = link->outer)
    {
      char *merged = _flow_builder_merge_devices (device, link->name);

      g_free (device);
      device = merged;
    }
  return device;
}

/**
 * flow_builder_get_device:
 * @self: a builder
 *
 * Returns: (transfer full): the device that an op made now would ask for, often empty
 */
char *
flow_builder_get_device (FlowBuilder *self)
{
  g_return_val_if_fail (FLOW_IS_BUILDER (self), NULL);

  return _flow_builder_device_here (self, "");
}
