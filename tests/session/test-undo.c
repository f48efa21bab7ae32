/* test-undo.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-undo.h"

#include <string.h>

#define N_CELLS 64
/* More than the log keeps in one piece, several times. */
#define N_MOVES 9000

typedef struct {
  guint64 words[N_CELLS];
  guint32 halves[N_CELLS];
} Cells;

/* What was at each mark, kept whole: the other way of going back. */
typedef struct {
  guint64 mark;
  Cells cells;
} Moment;

static void
scribble (FlowUndo *undo,
          Cells    *cells,
          GRand    *rand)
{
  guint i = (guint) g_rand_int_range (rand, 0, N_CELLS);

  if (g_rand_boolean (rand))
    {
      flow_undo_word (undo, &cells->words[i]);
      cells->words[i] = g_rand_int (rand);
    }
  else
    {
      flow_undo_word32 (undo, &cells->halves[i]);
      cells->halves[i] = g_rand_int (rand);
    }
}

/* Writes, goes back to marks by chance and forgets the past by chance: the cells are always what they were. */
static void
test_marks (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (20261122);
  g_autoptr(GArray) moments = g_array_new (FALSE, FALSE, sizeof (Moment));
  FlowUndo *undo = flow_undo_new ();
  Cells cells = { { 0 }, { 0 } };
  guint n_back = 0;
  guint n_forgotten = 0;

  for (guint i = 0; i < N_MOVES; i++)
    {
      Moment moment = { flow_undo_mark (undo), cells };

      if (i % 8 == 0)
        g_array_append_val (moments, moment);
      scribble (undo, &cells, rand);
      if (i % 701 == 700)
        {
          guint k = (guint) g_rand_int_range (rand, (gint32) (moments->len / 3), (gint32) moments->len);

          moment = g_array_index (moments, Moment, k);
          flow_undo_rollback (undo, moment.mark);
          g_assert_cmpmem (&cells, sizeof cells, &moment.cells, sizeof cells);
          g_assert_cmpuint (flow_undo_mark (undo), ==, moment.mark);
          g_array_set_size (moments, k + 1);
          n_back++;
        }
      if (i % 1999 == 1998)
        {
          guint k = (guint) g_rand_int_range (rand, 0, (gint32) (moments->len / 3));

          flow_undo_discard_before (undo, g_array_index (moments, Moment, k).mark);
          g_assert_cmpuint (flow_undo_get_first (undo), ==, g_array_index (moments, Moment, k).mark);
          g_array_remove_range (moments, 0, k);
          n_forgotten++;
        }
    }
  flow_undo_rollback (undo, flow_undo_get_first (undo));
  g_assert_cmpmem (&cells, sizeof cells, &g_array_index (moments, Moment, 0).cells, sizeof cells);
  g_assert_cmpuint (flow_undo_get_bytes (undo), ==, 0);
  g_assert_cmpuint (n_back, >, 10);
  g_assert_cmpuint (n_forgotten, >=, 4);
  flow_undo_free (undo);
}

static guint n_freed;

static void
count_free (gpointer data)
{
  n_freed++;
  g_free (data);
}

/* What the log owns is freed once: when it is forgotten, gone back over, or at the end. */
static void
test_owned (void)
{
  FlowUndo *undo = flow_undo_new ();
  gpointer place = g_strdup ("0");
  guint n = 3000;

  n_freed = 0;
  for (guint i = 1; i <= n; i++)
    {
      flow_undo_pointer (undo, &place, count_free, 10);
      g_assert_null (place);
      place = g_strdup_printf ("%u", i);
    }
  g_assert_cmpuint (flow_undo_get_bytes (undo), >=, 10 * n);
  flow_undo_discard_before (undo, 1500);
  g_assert_cmpuint (n_freed, ==, 1500);
  flow_undo_rollback (undo, 2500);
  g_assert_cmpuint (n_freed, ==, 2000);
  g_assert_cmpstr (place, ==, "2500");
  flow_undo_free (undo);
  g_assert_cmpuint (n_freed, ==, n);
  g_free (place);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/undo/marks", test_marks);
  g_test_add_func ("/session/undo/owned", test_owned);
  return g_test_run ();
}
