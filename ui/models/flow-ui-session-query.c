/* flow-ui-session-query.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-ui-session-private.h"

/*
 * Asking a debugger without ever waiting and without ever showing a stale answer.
 *
 * For each owner and tag at most one question is under way. A question asked meanwhile replaces one
 * that has not been sent; when the answer of the old one comes it is dropped if the question was
 * another one, and shown if it was the same (else a fast run would starve a view of answers).
 */
typedef struct {
  char *method;
  GVariant *arguments;
  FlowQueryFunc func;
  gpointer data;
  FlowDigestFunc digest;        /* nullable: then @func is given what it made, instead of @data */
  GDestroyNotify digest_free;
} Question;

typedef struct {
  gatomicrefcount ref_count;
  GWeakRef session;
  GWeakRef owner;
  gboolean is_asking;    /* a question is under way */
  Question *next;        /* to be asked when the answer is there */
} Channel;

/* A question under way, and what came back for it. */
typedef struct {
  Channel *channel;
  Question *question;
  FlowDebugger *debugger;      /* that is asked */
  FlowDebuggerReply *reply;    /* nullable */
  GError *error;               /* nullable */
  gpointer digest;             /* nullable: made of @reply */
} Inquiry;

static void
question_free (Question *question)
{
  if (question == NULL)
    return;
  g_free (question->method);
  g_clear_pointer (&question->arguments, g_variant_unref);
  g_free (question);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Question, question_free)

static gboolean
question_equal (const Question *a,
                const Question *b)
{
  if (g_strcmp0 (a->method, b->method) != 0 || a->func != b->func || a->data != b->data ||
      a->digest != b->digest)
    return FALSE;
  return a->arguments == b->arguments ||
         (a->arguments != NULL && b->arguments != NULL &&
          g_variant_equal (a->arguments, b->arguments));
}

static void
channel_unref (Channel *channel)
{
  if (!g_atomic_ref_count_dec (&channel->ref_count))
    return;
  g_weak_ref_clear (&channel->session);
  g_weak_ref_clear (&channel->owner);
  question_free (channel->next);
  g_free (channel);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Channel, channel_unref)

static Channel *
get_channel (FlowUiSession *self,
             GObject       *owner,
             const char    *tag)
{
  g_autofree char *key = g_strconcat ("flow-query-", tag, NULL);
  Channel *channel = g_object_get_data (owner, key);

  if (channel != NULL)
    {
      g_autoptr(GObject) session = g_weak_ref_get (&channel->session);

      if (session == G_OBJECT (self))
        return channel;
    }
  channel = g_new0 (Channel, 1);
  g_atomic_ref_count_init (&channel->ref_count);
  g_weak_ref_init (&channel->session, self);
  g_weak_ref_init (&channel->owner, owner);
  g_object_set_data_full (owner, key, channel, (GDestroyNotify) channel_unref);
  return channel;
}

static void
inquiry_free (Inquiry *inquiry)
{
  if (inquiry->digest != NULL && inquiry->question->digest_free != NULL)
    inquiry->question->digest_free (inquiry->digest);
  question_free (inquiry->question);
  channel_unref (inquiry->channel);
  g_object_unref (inquiry->debugger);
  g_clear_pointer (&inquiry->reply, flow_debugger_reply_free);
  g_clear_error (&inquiry->error);
  g_free (inquiry);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Inquiry, inquiry_free)

static void send_next (FlowUiSession *self,
                       Channel       *channel);

/* Whether who asked is still there and wants to hear this. */
static gboolean
is_awaited (const Inquiry *inquiry,
            FlowUiSession *session,
            GObject       *owner)
{
  const Channel *channel = inquiry->channel;

  return owner != NULL && session->debugger == inquiry->debugger &&
         !g_error_matches (inquiry->error, G_IO_ERROR, G_IO_ERROR_CANCELLED) &&
         (channel->next == NULL || question_equal (channel->next, inquiry->question));
}

/* @taken: (transfer full) */
static void
deliver (Inquiry *taken)
{
  g_autoptr(Inquiry) inquiry = taken;
  const Question *question = inquiry->question;
  Channel *channel = inquiry->channel;
  g_autoptr(FlowUiSession) self = g_weak_ref_get (&channel->session);
  g_autoptr(GObject) owner = g_weak_ref_get (&channel->owner);

  channel->is_asking = FALSE;
  if (self == NULL)
    return;
  if (is_awaited (inquiry, self, owner))
    question->func (owner, inquiry->reply, inquiry->error,
                    question->digest != NULL ? inquiry->digest : question->data);
  if (channel->next != NULL && owner != NULL && !channel->is_asking)
    send_next (self, channel);
  flow_ui_session_release_pending (self);
}

static void
digest_worker (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  Inquiry *inquiry = data;

  inquiry->digest = inquiry->question->digest (inquiry->reply->value);
  g_task_return_boolean (task, TRUE);
}

static void
digested_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  deliver (data);
}

static void
answer_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      data)
{
  Inquiry *inquiry = data;

  inquiry->reply = flow_debugger_call_finish (FLOW_DEBUGGER (object), result, &inquiry->error);
  g_debug ("answer to %s%s%s", inquiry->question->method, inquiry->error != NULL ? ": " : "",
           inquiry->error != NULL ? inquiry->error->message : "");
  if (inquiry->reply != NULL && inquiry->question->digest != NULL)
    {
      g_autoptr(GTask) task = g_task_new (NULL, NULL, digested_cb, inquiry);

      g_task_set_task_data (task, inquiry, NULL);
      g_task_run_in_thread (task, digest_worker);
    }
  else
    {
      deliver (inquiry);
    }
}

static void
send_next (FlowUiSession *self,
           Channel       *channel)
{
  Inquiry *inquiry = g_new0 (Inquiry, 1);

  g_debug ("asking %s", channel->next->method);
  channel->is_asking = TRUE;
  g_atomic_ref_count_inc (&channel->ref_count);
  inquiry->channel = channel;
  inquiry->question = g_steal_pointer (&channel->next);
  inquiry->debugger = g_object_ref (self->debugger);
  flow_ui_session_hold_pending (self);
  flow_debugger_call_async (self->debugger, inquiry->question->method, inquiry->question->arguments,
                            NULL, self->cancellable, answer_cb, inquiry);
}

/* @taken: (transfer full) */
static void
ask (FlowUiSession *self,
     gpointer       owner,
     const char    *tag,
     Question      *taken)
{
  g_autoptr(Question) question = taken;
  Channel *channel = NULL;

  if (self->debugger == NULL)
    return;
  channel = get_channel (self, owner, tag);
  g_clear_pointer (&channel->next, question_free);
  channel->next = g_steal_pointer (&question);
  if (!channel->is_asking)
    send_next (self, channel);
}

static Question *
question_new (const char    *method,
              GVariant      *arguments,
              FlowQueryFunc  func)
{
  Question *question = g_new0 (Question, 1);

  question->method = g_strdup (method);
  question->arguments = g_variant_ref_sink (arguments != NULL ? arguments
                                                              : g_variant_new ("()"));
  question->func = func;
  return question;
}

/**
 * flow_ui_session_query:
 * @owner: the object that wants to know; nothing is called after it is gone
 * @tag: what the answer is for: a later question with the same tag replaces an earlier one
 * @arguments: (nullable): a tuple, sunk
 * @func: called on the main context with the answer or the error, unless cancelled or stale
 *
 * Asks the debugger.
 */
void
flow_ui_session_query (FlowUiSession *self,
                       gpointer       owner,
                       const char    *tag,
                       const char    *method,
                       GVariant      *arguments,
                       FlowQueryFunc  func,
                       gpointer       data)
{
  Question *question = NULL;

  g_return_if_fail (FLOW_IS_UI_SESSION (self));
  g_return_if_fail (G_IS_OBJECT (owner));

  question = question_new (method, arguments, func);
  question->data = data;
  ask (self, owner, tag, question);
}

/**
 * flow_ui_session_query_digested:
 * @owner: as for flow_ui_session_query()
 * @arguments: (nullable): a tuple, sunk
 * @digest: called on another thread with the value of an answer: returns what @func needs of it; it
 *   must look at nothing else
 * @digest_free: (nullable): frees what @digest returned
 * @func: called on the main context; its data is what @digest returned, %NULL with an error
 *
 * Asks the debugger for an answer that may be long: an answer about each variable of a large graph
 * takes longer to read than a person at the window should wait.
 */
void
flow_ui_session_query_digested (FlowUiSession  *self,
                                gpointer        owner,
                                const char     *tag,
                                const char     *method,
                                GVariant       *arguments,
                                FlowDigestFunc  digest,
                                GDestroyNotify  digest_free,
                                FlowQueryFunc   func)
{
  Question *question = NULL;

  g_return_if_fail (FLOW_IS_UI_SESSION (self));
  g_return_if_fail (G_IS_OBJECT (owner));
  g_return_if_fail (digest != NULL);

  question = question_new (method, arguments, func);
  question->digest = digest;
  question->digest_free = digest_free;
  ask (self, owner, tag, question);
}

typedef struct {
  FlowUiSession *session;
  GWeakRef owner;
  char *title;
  FlowQueryFunc func;
  gpointer data;
  gboolean has_owner;
} Command;

static void
command_cb (GObject      *object,
            GAsyncResult *result,
            gpointer      data)
{
  Command *command = data;
  g_autoptr(FlowUiSession) self = command->session;
  g_autoptr(GObject) owner = g_weak_ref_get (&command->owner);
  g_autoptr(GError) error = NULL;
  g_autoptr(FlowDebuggerReply) reply =
    flow_debugger_call_finish (FLOW_DEBUGGER (object), result, &error);

  if (self->debugger == FLOW_DEBUGGER (object) &&
      !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      if (error != NULL && command->title != NULL)
        flow_ui_session_report (self, command->title, error);
      if (command->func != NULL && owner != NULL)
        command->func (owner, reply, error, command->data);
    }
  flow_ui_session_release_pending (self);
  g_weak_ref_clear (&command->owner);
  g_free (command->title);
  g_free (command);
}

/**
 * flow_ui_session_command:
 * @title: (nullable): how a failure is announced ("Could not save"); without it @func tells
 * @tensors: (nullable): values that go with it
 * @owner: (nullable): @func is not called after it is gone
 * @func: (nullable): called with the answer or the error
 *
 * Tells the debugger to do something. Unlike a query, none is ever left out.
 */
void
flow_ui_session_command (FlowUiSession *self,
                         const char    *title,
                         const char    *method,
                         GVariant      *arguments,
                         GPtrArray     *tensors,
                         gpointer       owner,
                         FlowQueryFunc  func,
                         gpointer       data)
{
  g_autoptr(GVariant) sunk = NULL;
  Command *command = NULL;

  g_return_if_fail (FLOW_IS_UI_SESSION (self));

  sunk = g_variant_ref_sink (arguments != NULL ? arguments : g_variant_new ("()"));
  if (self->debugger == NULL)
    return;
  command = g_new0 (Command, 1);
  command->session = g_object_ref (self);
  g_weak_ref_init (&command->owner, owner);
  command->title = g_strdup (title);
  command->func = func;
  command->data = data;
  flow_ui_session_hold_pending (self);
  flow_debugger_call_async (self->debugger, method, sunk, tensors, self->cancellable, command_cb,
                            command);
}
