/* fuzz-events.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-crc32c.h"
#include "flow-event-file.h"
#include "flow-model.h"
#include "fuzz-driver.h"

#include <string.h>

/* Reads bytes as an event file, as they are and with the checksums of all records made right, and looks at
 * all that it holds. */

const char *const fuzz_seeds[] = { "golden/events/events.out.tfevents.1700000000.recorded", NULL };

static void
look_at (FlowEventFile *events)
{
  GPtrArray *all = flow_event_file_get_series (events);

  for (guint i = 0; i < all->len; i++)
    {
      FlowEventSeries *series = all->pdata[i];

      for (guint k = 0; k < series->points->len; k++)
        {
          g_autoptr (GBytes) payload = flow_event_file_dup_payload (events, series, k);
          g_autoptr (FlowEventHistogram) histogram = NULL;

          if (series->kind == FLOW_EVENT_HISTOGRAM)
            histogram = flow_event_file_dup_histogram (events, series, k, NULL);
        }
    }
}

static void
read_events (const guint8 *data,
             gsize         size)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (FlowBudget) budget = flow_budget_new (1 << 26);
  FlowLoadOptions options = { .budget = budget };
  g_autoptr (FlowModel) model = flow_model_load_bytes (bytes, "events.out.tfevents.1.x", &options, NULL);
  g_autoptr (GBytes) converted = flow_model_convert_bytes (bytes, "events.out.tfevents.1.x", FLOW_MODEL_GRAPH_DEF, TRUE,
                                                           NULL);

  if (model != NULL && flow_model_get_events (model) != NULL)
    look_at (flow_model_get_events (model));
}

static void
put_crc (guint8 *where,
         guint8 *data,
         gsize   size)
{
  guint32 crc = GUINT32_TO_LE (flow_crc32c_mask (flow_crc32c (data, size)));

  memcpy (where, &crc, sizeof crc);
}

/* Of every record as far as lengths go. */
static void
repair (guint8 *data,
        gsize   size)
{
  gsize at = 0;

  while (size - at >= 16)
    {
      guint64 length;

      memcpy (&length, data + at, sizeof length);
      length = GUINT64_FROM_LE (length);
      put_crc (data + at + 8, data + at, 8);
      if (length > size - at - 16)
        return;
      put_crc (data + at + 12 + length, data + at + 12, (gsize) length);
      at += 16 + (gsize) length;
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autofree guint8 *copy = g_memdup2 (data, size);

  read_events (data, size);
  if (size >= 16)
    {
      repair (copy, size);
      read_events (copy, size);
    }
  return 0;
}
