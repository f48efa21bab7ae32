/* flow-colouring.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-colouring.h"

#include <math.h>
#include <string.h>

/* What is a millionth of the most is as good as nothing. */
#define LOG_SPAN 1e6
/* Numbers farther apart than this are told apart by their size, not by their difference. */
#define LOG_FROM 1e3
/* Tags of so many classes stand at one box. */
#define TAGS_MAX 3

/* --- making one ------------------------------------------------------------------------------- */

static void
class_clear (gpointer data)
{
  FlowColourClass *klass = data;

  g_free (klass->tag);
  g_free (klass->label);
}

/**
 * flow_colouring_new_classes:
 * @n_nodes: of the graph
 *
 * Returns: (transfer full): a colouring in which no node has a class yet
 */
FlowColouring *
flow_colouring_new_classes (guint n_nodes)
{
  FlowColouring *self = g_new0 (FlowColouring, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->kind = FLOW_COLOURING_CLASSES;
  self->n_nodes = n_nodes;
  self->class_of = g_malloc ((gsize) n_nodes + 1);
  memset (self->class_of, FLOW_COLOUR_NONE, (gsize) n_nodes + 1);
  self->classes = g_array_new (FALSE, TRUE, sizeof (FlowColourClass));
  g_array_set_clear_func (self->classes, class_clear);
  return self;
}

/**
 * flow_colouring_add_class:
 * @tag: (nullable): a letter or a word, so that the colour does not carry the meaning alone
 *
 * Returns: its index; %FLOW_COLOUR_NONE when there are too many
 */
guint8
flow_colouring_add_class (FlowColouring *self,
                          FlowColor      color,
                          const char    *tag,
                          const char    *label)
{
  FlowColourClass klass = { color, NULL, NULL, 0 };

  if (self->classes->len >= FLOW_COLOUR_CLASSES_MAX)
    return FLOW_COLOUR_NONE;
  klass.tag = g_strdup (tag);
  klass.label = g_strdup (label);
  g_array_append_val (self->classes, klass);
  return (guint8) (self->classes->len - 1);
}

void
flow_colouring_set_class (FlowColouring *self,
                          guint32        node,
                          guint8         klass)
{
  if (node >= self->n_nodes || klass >= self->classes->len)
    return;
  if (self->class_of[node] < self->classes->len)
    g_array_index (self->classes, FlowColourClass, self->class_of[node]).n_ops--;
  self->class_of[node] = klass;
  g_array_index (self->classes, FlowColourClass, klass).n_ops++;
}

/**
 * flow_colouring_new_amounts:
 * @kind: %FLOW_COLOURING_SUM or %FLOW_COLOURING_GREATEST
 * @format: how an amount is written
 *
 * Returns: (transfer full): a colouring in which no node has an amount yet; end it with
 *   flow_colouring_seal()
 */
FlowColouring *
flow_colouring_new_amounts (FlowColouringKind kind,
                            guint             n_nodes,
                            FlowAmountFormat  format)
{
  FlowColouring *self = flow_colouring_new_classes (n_nodes);

  self->kind = kind;
  self->format = format;
  self->amounts = g_new (double, (gsize) n_nodes + 1);
  for (guint i = 0; i < n_nodes; i++)
    self->amounts[i] = NAN;
  return self;
}

void
flow_colouring_set_amount (FlowColouring *self,
                           guint32        node,
                           double         amount)
{
  if (node < self->n_nodes)
    self->amounts[node] = amount;
}

void
flow_colouring_set_scope_amount (FlowColouring *self,
                                 const char    *path,
                                 double         amount)
{
  if (self->scope_amounts == NULL)
    self->scope_amounts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_replace (self->scope_amounts, g_strdup (path), g_memdup2 (&amount, sizeof amount));
}

static void
take_range (FlowColouring *self,
            double         amount)
{
  if (!isfinite (amount) || (self->kind == FLOW_COLOURING_SUM && amount <= 0.0))
    return;
  self->low = MIN (self->low, amount);
  self->high = MAX (self->high, amount);
}

static void
find_range (FlowColouring *self)
{
  double sum = 0.0;

  self->low = INFINITY;
  self->high = -INFINITY;
  for (guint i = 0; i < self->n_nodes; i++)
    {
      take_range (self, self->amounts[i]);
      if (isfinite (self->amounts[i]))
        sum += self->amounts[i];
    }
  if (self->scope_amounts != NULL)
    {
      GHashTableIter iter;
      gpointer amount = NULL;

      g_hash_table_iter_init (&iter, self->scope_amounts);
      while (g_hash_table_iter_next (&iter, NULL, &amount))
        take_range (self, *(double *) amount);
    }
  if (self->low > self->high)
    self->low = self->high = 0.0;
  /* The scopes have a place in the same scale. */
  if (self->kind == FLOW_COLOURING_SUM)
    self->high = MAX (self->high, sum);
  self->is_log = self->low > 0.0
                 && (self->kind == FLOW_COLOURING_SUM || self->high / self->low > LOG_FROM);
  if (self->is_log)
    self->low = MAX (self->low, self->high / LOG_SPAN);
}

/* From where the step of the ramp reaches. */
static double
step_begin (const FlowColouring *self,
            guint                step)
{
  double part = step / (double) FLOW_RAMP_STEPS;

  return self->is_log ? self->low * pow (self->high / self->low, part)
                      : self->low + (self->high - self->low) * part;
}

static guint8
step_of (const FlowColouring *self,
         double               amount)
{
  double part = 0.5;

  if (!isfinite (amount) || (self->kind == FLOW_COLOURING_SUM && amount <= 0.0))
    return FLOW_COLOUR_NONE;
  if (self->is_log && self->high > self->low)
    part = amount <= self->low ? 0.0 : log (amount / self->low) / log (self->high / self->low);
  else if (self->high > self->low)
    part = (amount - self->low) / (self->high - self->low);
  return (guint8) CLAMP ((int) floor (part * FLOW_RAMP_STEPS), 0, FLOW_RAMP_STEPS - 1);
}

/**
 * flow_colouring_seal:
 *
 * Every amount is set: finds the scale and writes the legend. What is only of one size has one
 * step, the middle one.
 */
void
flow_colouring_seal (FlowColouring *self)
{
  if (self->amounts == NULL)
    return;
  find_range (self);
  for (guint step = 0; step < FLOW_RAMP_STEPS; step++)
    {
      g_autofree char *from = self->format (step_begin (self, step));
      g_autofree char *to = self->format (step_begin (self, step + 1));
      g_autofree char *label = g_strcmp0 (from, to) == 0 ? g_strdup (from)
                                                         : g_strdup_printf ("%s – %s", from, to);

      flow_colouring_add_class (self, FLOW_COLOR_RAMP_1 + step, NULL, label);
    }
  for (guint i = 0; i < self->n_nodes; i++)
    flow_colouring_set_class (self, i, step_of (self, self->amounts[i]));
  if (self->scope_amounts != NULL)
    {
      GHashTableIter iter;
      gpointer amount = NULL;

      g_hash_table_iter_init (&iter, self->scope_amounts);
      while (g_hash_table_iter_next (&iter, NULL, &amount))
        if (step_of (self, *(double *) amount) != FLOW_COLOUR_NONE)
          g_array_index (self->classes, FlowColourClass, step_of (self, *(double *) amount)).n_ops++;
    }
}

FlowColouring *
flow_colouring_ref (FlowColouring *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
flow_colouring_unref (FlowColouring *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->class_of);
  g_free (self->amounts);
  g_clear_pointer (&self->scope_amounts, g_hash_table_unref);
  g_array_unref (self->classes);
  g_free (self->number_of);
  g_free (self);
}

/**
 * flow_colouring_hue:
 * @i: which one
 *
 * Returns: one of eight colours that differ for every kind of sight, over and over
 */
FlowColor
flow_colouring_hue (guint i)
{
  static const FlowColor hues[] = {
    FLOW_COLOR_FAMILY_MATH, FLOW_COLOR_FAMILY_STATE, FLOW_COLOR_FAMILY_LINEAR, FLOW_COLOR_FAMILY_ARRAY,
    FLOW_COLOR_FAMILY_GRADIENT, FLOW_COLOR_FAMILY_CONTROL, FLOW_COLOR_FAMILY_IO, FLOW_COLOR_FAMILY_OTHER,
  };

  return hues[i % G_N_ELEMENTS (hues)];
}

/* --- what it makes of a picture ----------------------------------------------------------------- */

/* What the ops of a closed group add up to. */
typedef struct {
  guint32 *counts;               /* per class */
  double amount;
  gboolean has_amount;
} Sum;

typedef struct {
  const FlowColouring *colouring;
  const FlowScene *scene;
  FlowTints *tints;
  guint32 *slot_of;              /* per group: its box among the items + 1 */
  guint32 *shown_in;             /* per group: the closed group it can be seen as, or itself; NONE: not known */
  Sum *sums;                     /* per item */
} Adder;

static void
take_op (Adder   *self,
         guint32  op,
         Sum     *sum)
{
  const FlowColouring *colouring = self->colouring;

  if (colouring->amounts != NULL)
    {
      double amount = colouring->amounts[op];

      if (!isfinite (amount))
        return;
      sum->amount = !sum->has_amount ? amount
                    : colouring->kind == FLOW_COLOURING_SUM ? sum->amount + amount : MAX (sum->amount, amount);
      sum->has_amount = TRUE;
    }
  else if (colouring->class_of[op] < colouring->classes->len)
    {
      if (sum->counts == NULL)
        sum->counts = g_new0 (guint32, colouring->classes->len);
      sum->counts[colouring->class_of[op]]++;
    }
}

/* The group whose closed box stands for what is directly in @group; FLOW_GROUP_NONE: it is open to see. */
static guint32
closed_group (Adder   *self,
              guint32  group)
{
  FlowItem item = FLOW_ITEM_NONE;

  if (self->shown_in[group] == FLOW_GROUP_NONE)
    {
      item = flow_scene_visible_item (self->scene, flow_item_of_group (group));
      self->shown_in[group] = flow_item_get_group (item);
    }
  group = self->shown_in[group];
  return flow_scene_group (self->scene, group)->is_open ? FLOW_GROUP_NONE : group;
}

static void
add_up (Adder *self)
{
  guint n = MIN (self->scene->n_ops, self->colouring->n_nodes);

  for (guint32 op = 0; op < n; op++)
    {
      guint32 group = closed_group (self, self->scene->op_group[op]);
      guint32 slot = group != FLOW_GROUP_NONE ? self->slot_of[group] : 0;

      if (slot > 0)
        take_op (self, op, &self->sums[slot - 1]);
    }
}

static void
set_tag (Adder      *self,
         FlowTint   *tint,
         const char *tag)
{
  if (tag != NULL && tag[0] != '\0')
    tint->tag = g_string_chunk_insert_const (self->tints->strings, tag);
}

static void
tint_amount (Adder    *self,
             FlowTint *tint,
             double    amount)
{
  guint8 step = step_of (self->colouring, amount);
  g_autofree char *text = NULL;

  if (step == FLOW_COLOUR_NONE)
    return;
  text = self->colouring->format (amount);
  tint->n_parts = 1;
  tint->part[0] = 255;
  tint->color[0] = (guint8) (FLOW_COLOR_RAMP_1 + step);
  set_tag (self, tint, text);
}

static void
tint_class (Adder    *self,
            FlowTint *tint,
            guint8    klass)
{
  const FlowColourClass *entry = NULL;

  if (klass >= self->colouring->classes->len)
    return;
  entry = &g_array_index (self->colouring->classes, FlowColourClass, klass);
  tint->n_parts = 1;
  tint->part[0] = 255;
  tint->color[0] = (guint8) entry->color;
  set_tag (self, tint, entry->tag);
}

/* The classes that most ops are of, in the legend's order so that boxes can be compared. */
static void
tint_counts (Adder         *self,
             FlowTint      *tint,
             const guint32 *counts,
             guint          n_ops)
{
  const GArray *classes = self->colouring->classes;
  guint32 least = 0;
  guint n_tags = 0;
  g_autoptr(GString) tags = g_string_new (NULL);

  for (;;)
    {
      guint n_over = 0;
      guint32 next = G_MAXUINT32;

      for (guint k = 0; k < classes->len; k++)
        if (counts[k] > least)
          {
            n_over++;
            next = MIN (next, counts[k]);
          }
      if (n_over <= FLOW_TINT_PARTS)
        break;
      least = next;
    }
  for (guint k = 0; k < classes->len && tint->n_parts < FLOW_TINT_PARTS; k++)
    {
      const FlowColourClass *entry = &g_array_index (classes, FlowColourClass, k);

      if (counts[k] <= least)
        continue;
      tint->color[tint->n_parts] = (guint8) entry->color;
      tint->part[tint->n_parts++] = (guint8) MAX (1, counts[k] * G_GUINT64_CONSTANT (255) / MAX (n_ops, 1));
      if (entry->tag == NULL || n_tags++ >= TAGS_MAX)
        continue;
      g_string_append_printf (tags, "%s%s", tags->len > 0 ? " " : "", entry->tag);
    }
  if (n_tags > TAGS_MAX)
    g_string_append (tags, " …");
  set_tag (self, tint, tags->str);
}

static void
tint_structure (Adder    *self,
                FlowTint *tint,
                guint32   group)
{
  guint32 number = group < self->colouring->n_groups ? self->colouring->number_of[group] : 0;
  g_autofree char *tag = NULL;

  if (number == 0)
    return;
  tag = g_strdup_printf ("%u", number);
  tint->n_parts = 1;
  tint->part[0] = 255;
  tint->color[0] = (guint8) flow_colouring_hue (number - 1);
  set_tag (self, tint, tag);
}

static void
tint_group (Adder   *self,
            guint    i,
            guint32  g)
{
  const FlowSceneGroup *group = flow_scene_group (self->scene, g);
  const Sum *sum = &self->sums[i];
  FlowTint *tint = &self->tints->boxes[i];
  const double *said = NULL;

  if (self->colouring->kind == FLOW_COLOURING_STRUCTURE)
    {
      tint_structure (self, tint, g);
      return;
    }
  /* A series has no name of its own in the graph. */
  if (self->colouring->scope_amounts != NULL && group->kind == FLOW_GROUP_SCOPE && group->scope != FLOW_SCOPE_NONE)
    said = g_hash_table_lookup (self->colouring->scope_amounts,
                                flow_graph_get_scope_path (self->scene->graph, group->scope));
  if (said != NULL)
    tint_amount (self, tint, *said);
  else if (group->is_open)
    return;
  else if (sum->has_amount)
    tint_amount (self, tint, sum->amount);
  else if (sum->counts != NULL)
    tint_counts (self, tint, sum->counts, group->n_ops);
}

/**
 * flow_tints_new:
 * @colouring: sealed
 * @scene: whose items they are
 * @items: (array length=n_items): of the boxes, in their order
 *
 * In time linear in the graph's ops: once for a picture or a colouring, not once a frame.
 *
 * Returns: (transfer full): what each box is coloured with
 */
FlowTints *
flow_tints_new (const FlowColouring *colouring,
                const FlowScene     *scene,
                const FlowItem      *items,
                guint                n_items)
{
  FlowTints *self = g_new0 (FlowTints, 1);
  guint n_groups = scene->groups->len;
  Adder adder = { .colouring = colouring, .scene = scene, .tints = self };

  g_atomic_ref_count_init (&self->ref_count);
  self->n_boxes = n_items;
  self->boxes = g_new0 (FlowTint, (gsize) n_items + 1);
  self->strings = g_string_chunk_new (1024);
  adder.slot_of = g_new0 (guint32, n_groups);
  adder.shown_in = g_new (guint32, n_groups);
  memset (adder.shown_in, 0xff, sizeof *adder.shown_in * n_groups);
  adder.sums = g_new0 (Sum, (gsize) n_items + 1);
  for (guint i = 0; i < n_items; i++)
    if (flow_item_is_group (items[i]) && flow_item_get_group (items[i]) < n_groups)
      adder.slot_of[flow_item_get_group (items[i])] = i + 1;
  if (colouring->kind != FLOW_COLOURING_STRUCTURE)
    add_up (&adder);
  for (guint i = 0; i < n_items; i++)
    {
      if (flow_item_is_group (items[i]))
        {
          if (flow_item_get_group (items[i]) != FLOW_GROUP_ROOT)
            tint_group (&adder, i, flow_item_get_group (items[i]));
        }
      else if (items[i] >= colouring->n_nodes || colouring->kind == FLOW_COLOURING_STRUCTURE)
        continue;
      else if (colouring->amounts != NULL)
        tint_amount (&adder, &self->boxes[i], colouring->amounts[items[i]]);
      else
        tint_class (&adder, &self->boxes[i], colouring->class_of[items[i]]);
    }
  for (guint i = 0; i < n_items; i++)
    g_free (adder.sums[i].counts);
  g_free (adder.sums);
  g_free (adder.slot_of);
  g_free (adder.shown_in);
  return self;
}

FlowTints *
flow_tints_ref (FlowTints *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
flow_tints_unref (FlowTints *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->boxes);
  g_string_chunk_free (self->strings);
  g_free (self);
}
