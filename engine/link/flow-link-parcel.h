/* flow-link-parcel.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-tensor.h"

#include <gio/gunixfdlist.h>

G_BEGIN_DECLS

/* A value and its tensors as they cross the process border. */
typedef struct {
  GVariant *head;              /* "(ta(iaxtt))": bytes of the value; dtype, dims, offset, size of each tensor */
  GVariant *inline_bytes;      /* "ay", empty when there is a file */
  GUnixFDList *fds;            /* nullable: one sealed memfd */
} FlowLinkParcel;

gboolean   _flow_link_parcel_pack   (GVariant        *value,
                                     GPtrArray       *tensors,
                                     FlowLinkParcel  *parcel,
                                     GError         **error);
void       _flow_link_parcel_clear  (FlowLinkParcel  *parcel);
/* Trusts nothing of what it is given: another process wrote it. */
gboolean   _flow_link_parcel_unpack (GVariant        *head,
                                     GVariant        *inline_bytes,
                                     GUnixFDList     *fds,
                                     GVariant       **value,
                                     GPtrArray      **tensors,
                                     GError         **error);

/* Bytes as a memfd that nobody can change any more, and back without a copy. */
int        _flow_link_seal_bytes    (GBytes          *bytes,
                                     GError         **error);
GBytes    *_flow_link_map_sealed    (int              fd,
                                     GError         **error);

G_END_DECLS
