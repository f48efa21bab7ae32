/* flow-string-hash-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * The hashes of TensorFlow's ops on strings, bit for bit.
 */

#pragma once

#include "flow-kernel.h"

G_BEGIN_DECLS

/* FarmHash's Fingerprint64: StringToHashBucketFast. */
guint64 _flow_hash_farm (gconstpointer data, gsize length);
/* FarmHash's Fingerprint128: the low word, then the high one. */
void    _flow_hash_farm_128 (gconstpointer data, gsize length, guint64 out[2]);
/* SipHash-2-4 with a key: StringToHashBucketStrong. */
guint64 _flow_hash_sip  (gconstpointer data, gsize length, const guint64 key[2]);
/* MurmurHash64A. */
guint64 _flow_hash_murmur (gconstpointer data, gsize length, guint64 seed);
/* TensorFlow's Hash64, MurmurHash64A with a seed of its own: StringToHashBucket. */
guint64 _flow_hash_old  (gconstpointer data, gsize length);

G_END_DECLS
