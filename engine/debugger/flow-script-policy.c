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

void
_flow_script_policy_clear (FlowScriptPolicy *self)
{
  g_clear_pointer (&self->fetch, g_free);
  g_clear_pointer (&self->session, g_free);
  g_clear_pointer (&self->thread, g_free);
}

/* Whether @word is `@key=VALUE`; the value's blanks are written as in an address. */
static gboolean
take_name (const char  *word,
           const char  *key,
           char       **name)
{
  gsize length = strlen (key);

  if (strncmp (word, key, length) != 0 || word[length] != '=' || word[length + 1] == '\0')
    return FALSE;
  g_free (*name);
  *name = g_uri_unescape_string (word + length + 1, NULL);
  return *name != NULL;
}

static gboolean
take_number (const char *word,
             const char *key,
             guint64     min,
             guint64    *number)
{
  gsize length = strlen (key);

  return strncmp (word, key, length) == 0 && word[length] == '='
         && g_ascii_string_to_unsigned (word + length + 1, 10, min, G_MAXINT64, number, NULL);
}

static gboolean
set_policy (FlowScriptDebugger *self,
            const char         *words,
            GError            **error)
{
  FlowScriptPolicy policy = { .every = 1 };
  g_auto (GStrv) list = g_strsplit_set (words, " \t", -1);

  for (guint i = 0; list[i] != NULL; i++)
    {
      const char *word = list[i];

      if (strcmp (word, "start") == 0)
        policy.at_start = TRUE;
      else if (strcmp (word, "end") == 0)
        policy.at_end = TRUE;
      else if (*word != '\0' && strcmp (word, "never") != 0
               && !take_number (word, "skip", 0, &policy.skip) && !take_number (word, "every", 1, &policy.every)
               && !take_name (word, "fetch", &policy.fetch) && !take_name (word, "session", &policy.session)
               && !take_name (word, "thread", &policy.thread))
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                       "runs stop at \"start\", \"end\", \"never\", with \"skip=N\", \"every=K\", \"fetch=NAME\", "
                       "\"session=NAME\", \"thread=NAME\"; not \"%s\"", word);
          _flow_script_policy_clear (&policy);
          return FALSE;
        }
    }
  _flow_script_policy_clear (&self->policy);
  self->policy = policy;
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

  if (self->is_detached || run->is_console)
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
  if (policy->session != NULL && strcmp (policy->session, run->session_name) != 0)
    return FALSE;
  if (policy->thread != NULL && strcmp (policy->thread, run->thread) != 0)
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
