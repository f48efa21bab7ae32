/* flow-script-policy.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-script-private.h"

#include "flow-util.h"

#include <string.h>

/* Which runs of a script stop. */

static gboolean
set_policy (FlowScriptDebugger *self,
            const char         *words,
            GError            **error)
{
  FlowScriptPolicy policy = { .every = 1 };
  g_auto (GStrv) list = g_strsplit_set (words, " \t", -1);
  g_autofree char *fetch = NULL;

  for (guint i = 0; list[i] != NULL; i++)
    {
      const char *word = list[i];

      if (strcmp (word, "start") == 0)
        policy.at_start = TRUE;
      else if (strcmp (word, "end") == 0)
        policy.at_end = TRUE;
      else if (g_str_has_prefix (word, "skip=") && g_ascii_string_to_unsigned (word + 5, 10, 0, G_MAXINT64, &policy.skip, NULL))
        continue;
      else if (g_str_has_prefix (word, "every=") && g_ascii_string_to_unsigned (word + 6, 10, 1, G_MAXINT64, &policy.every, NULL))
        continue;
      else if (g_str_has_prefix (word, "fetch=") && word[6] != '\0')
        flow_set_str (&fetch, word + 6);
      else if (*word != '\0' && strcmp (word, "never") != 0)
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                       "runs stop at \"start\", \"end\", \"never\", with \"skip=N\", \"every=K\", \"fetch=NAME\"; not \"%s\"", word);
          return FALSE;
        }
    }
  g_free (self->policy.fetch);
  self->policy = policy;
  self->policy.fetch = g_steal_pointer (&fetch);
  return TRUE;
}

/* `a/b` means the op and each of its outputs. */
static gboolean
names (char       **list,
       const char  *name)
{
  gsize length = strlen (name);

  for (guint i = 0; list[i] != NULL; i++)
    if (strncmp (list[i], name, length) == 0 && (list[i][length] == '\0' || list[i][length] == ':'))
      return TRUE;
  return FALSE;
}

gboolean
_flow_script_is_wanted (FlowScriptDebugger *self,
                        FlowScriptRun      *run)
{
  FlowScriptPolicy *policy = &self->policy;

  if (self->is_detached || (run->flags & FLOW_SCRIPT_RUN_CONSOLE) != 0)
    return FALSE;
  if (self->n_skips > 0)
    {
      self->stop_next = --self->n_skips == 0;
      return FALSE;
    }
  if (self->stop_next)
    return TRUE;
  if (!policy->at_start && !policy->at_end)
    return FALSE;
  if (policy->fetch != NULL && !names (run->fetches, policy->fetch) && !names (run->targets, policy->fetch))
    return FALSE;
  if (policy->skip > 0)
    {
      policy->skip--;
      return FALSE;
    }
  return policy->n_seen++ % policy->every == 0;
}

void
_flow_script_policy_job (FlowScriptDebugger *self,
                         gpointer            data)
{
  const char *words = NULL;
  GError *error = NULL;

  g_variant_get (g_task_get_task_data (data), "(&s)", &words);
  if (set_policy (self, words, &error))
    {
      _flow_script_reply (data, NULL);
      return;
    }
  g_task_return_error (data, error);
  g_object_unref (data);
}
