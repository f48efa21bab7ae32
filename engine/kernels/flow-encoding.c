/* flow-encoding.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-encoding-private.h"

#include <errno.h>
#include <string.h>

/* What encodings of text there are, by the names that TensorFlow's converters know, and one character of each. The tables of
 * the national ones are those of the C library; TensorFlow's own differ from them in some characters for private use. */

typedef enum {
  UTF8,
  UTF16,                       /* the order of bytes is told by the text, or is big endian */
  UTF16_BE,
  UTF16_LE,
  UTF32,
  UTF32_BE,
  UTF32_LE,
  ASCII,
  LATIN1,
  TABLE,                       /* of the C library */
  WINDOWS,                     /* likewise; a byte of 0x80 to 0x9f that is no character there stands for itself */
} Kind;

struct _FlowEncoding
{
  Kind kind;
  GIConv converter;            /* of the last two kinds */
};

/* No character of a table takes more bytes. */
#define MAX_BYTES 4

/* Names as normal_name() has them; where there is no table's name, it is the first of them. */
static const struct {
  const char *names;
  Kind kind;
  const char *table;
} encodings[] = {
  { "utf8 ibm1208 cp1208", UTF8 },
  { "utf16 iso10646ucs2 csunicode unicode ucs2", UTF16 },
  { "utf16be unicodebigunmarked", UTF16_BE },
  { "utf16le unicodelittleunmarked", UTF16_LE },
  { "utf32 iso10646ucs4 csucs4 ucs4", UTF32 },
  { "utf32be", UTF32_BE },
  { "utf32le", UTF32_LE },
  { "usascii ascii ansix341968 ansix341986 iso646irv1991 isoir6 csascii iso646us 646 us cp367 ibm367", ASCII },
  { "iso88591 latin1 isolatin1 iso885911987 isoir100 l1 cp819 ibm819 csisolatin1 88591", LATIN1 },
  { "iso88592 latin2 iso885921987 isoir101 l2 csisolatin2 88592 cp912 ibm912", TABLE, "ISO-8859-2" },
  { "iso88593 latin3 iso885931988 isoir109 l3 csisolatin3 88593", TABLE, "ISO-8859-3" },
  { "iso88594 latin4 iso885941988 isoir110 l4 csisolatin4 88594", TABLE, "ISO-8859-4" },
  { "iso88595 cyrillic iso885951988 isoir144 csisolatincyrillic 88595 cp915 ibm915", TABLE, "ISO-8859-5" },
  { "iso88596 arabic iso885961987 isoir127 csisolatinarabic ecma114 asmo708 88596 cp1089 ibm1089", TABLE, "ISO-8859-6" },
  { "iso88597 greek iso885971987 isoir126 csisolatingreek greek8 ecma118 elot928 88597", TABLE, "ISO-8859-7" },
  { "iso88598 hebrew iso885981988 isoir138 csisolatinhebrew 88598", TABLE, "ISO-8859-8" },
  { "iso88599 latin5 iso885991989 isoir148 l5 csisolatin5 ecma128 turkish8 88599 cp920 ibm920", TABLE, "ISO-8859-9" },
  { "iso885910 latin6 iso8859101992 isoir157 l6 csisolatin6", TABLE, "ISO-8859-10" },
  { "iso885911 iso8859112001 thai8", TABLE, "ISO-8859-11" },
  { "iso885913", TABLE, "ISO-8859-13" },
  { "iso885915 latin9 l9", TABLE, "ISO-8859-15" },
  { "windows1250 cp1250", WINDOWS, "CP1250" },
  { "windows1251 cp1251", WINDOWS, "CP1251" },
  { "windows1252 cp1252", WINDOWS, "CP1252" },
  { "windows1253 cp1253", WINDOWS, "CP1253" },
  { "windows1254 cp1254", WINDOWS, "CP1254" },
  { "windows1255 cp1255", WINDOWS, "CP1255" },
  { "windows1256 cp1256", WINDOWS, "CP1256" },
  { "windows1257 cp1257", WINDOWS, "CP1257" },
  { "koi8r koi8 cskoi8r", TABLE, "KOI8-R" },
  { "koi8u", TABLE, "KOI8-U" },
  { "shiftjis sjis csshiftjis mskanji windows31j cswindows31j cp932 ms932", TABLE, "IBM943" },
  { "eucjp ujis cseucpkdfmtjapanese", TABLE, "EUC-JP" },
  { "euckr cseuckr", TABLE, "EUC-KR" },
  { "gbk cp936 ms936 windows936", TABLE, "GBK" },
  { "gb18030", TABLE, "GB18030" },
  { "gb2312 euccn csgb2312", TABLE, "GB2312" },
  { "big5 csbig5 ms950", TABLE, "BIG5" },
  { "big5hkscs", TABLE, "BIG5-HKSCS" },
};

/* Names are compared without case and without all that is no letter or digit; a number may begin with zeros. */
static char *
normal_name (const char *name)
{
  GString *normal = g_string_new (NULL);
  gboolean in_number = FALSE;

  for (const char *p = name; *p != '\0'; p++)
    {
      if (!g_ascii_isalnum (*p) || (*p == '0' && !in_number && g_ascii_isdigit (p[1])))
        {
          in_number &= g_ascii_isalnum (*p);
          continue;
        }
      in_number = g_ascii_isdigit (*p);
      g_string_append_c (normal, g_ascii_tolower (*p));
    }
  return g_string_free (normal, FALSE);
}

FlowEncoding *
_flow_encoding_new (const char *name)
{
  g_autofree char *normal = normal_name (name);

  for (guint i = 0; i < G_N_ELEMENTS (encodings); i++)
    {
      g_auto (GStrv) names = g_strsplit (encodings[i].names, " ", -1);
      FlowEncoding encoding = { encodings[i].kind, NULL };

      if (!g_strv_contains ((const char *const *) names, normal))
        continue;
      if (encodings[i].table != NULL && (encoding.converter = g_iconv_open ("UTF-32LE", encodings[i].table)) == (GIConv) -1)
        return NULL;
      return g_memdup2 (&encoding, sizeof encoding);
    }
  return NULL;
}

void
_flow_encoding_free (FlowEncoding *self)
{
  if (self != NULL && self->converter != NULL)
    g_iconv_close (self->converter);
  g_free (self);
}

gsize
_flow_utf8_next (const guint8 *p,
                 gsize         left,
                 gunichar     *c,
                 gboolean     *bad)
{
  guint8 lead = p[0];
  guint8 low = 0x80;
  guint8 high = 0xbf;
  gsize length = lead < 0x80 ? 1 : lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;

  *bad = length == 0;
  *c = length <= 1 ? lead : lead & (0x7f >> length);
  if (length <= 1)
    return 1;
  /* The second byte may not make the character longer than need be, half of a pair, or too large. */
  if (lead == 0xe0)
    low = 0xa0;
  else if (lead == 0xed)
    high = 0x9f;
  else if (lead == 0xf0)
    low = 0x90;
  else if (lead == 0xf4)
    high = 0x8f;
  for (gsize i = 1; i < length; i++)
    {
      if (i >= left || p[i] < low || p[i] > high)
        {
          *bad = TRUE;
          return i;
        }
      *c = *c << 6 | (p[i] & 0x3f);
      low = 0x80;
      high = 0xbf;
    }
  return length;
}

gsize
_flow_utf8_span (Text text)
{
  gsize at = 0;

  while (at < text.length)
    {
      gunichar c;
      gboolean bad;
      gsize n = _flow_utf8_next ((const guint8 *) text.bytes + at, text.length - at, &c, &bad);

      if (bad)
        break;
      at += n;
    }
  return at;
}

static guint
unit16 (const guint8 *p,
        gboolean      big)
{
  return big ? (guint) p[0] << 8 | p[1] : (guint) p[1] << 8 | p[0];
}

static gsize
next_utf16 (const guint8 *p,
            gsize         left,
            gboolean      big,
            gunichar     *c,
            gboolean     *bad)
{
  *bad = left < 2;
  if (left < 2)
    return left;
  *c = unit16 (p, big);
  if (*c < 0xd800 || *c >= 0xe000)
    return 2;
  if (*c < 0xdc00 && left >= 4)
    {
      guint second = unit16 (p + 2, big);

      if (second >= 0xdc00 && second < 0xe000)
        {
          *c = 0x10000 + ((*c - 0xd800) << 10) + (second - 0xdc00);
          return 4;
        }
    }
  *bad = TRUE;
  return *c < 0xdc00 && left < 4 ? left : 2;
}

static gsize
next_utf32 (const guint8 *p,
            gsize         left,
            gboolean      big,
            gunichar     *c,
            gboolean     *bad)
{
  *bad = left < 4;
  if (left < 4)
    return left;
  if (big)
    *c = (guint32) p[0] << 24 | (guint32) p[1] << 16 | (guint32) p[2] << 8 | p[3];
  else
    *c = (guint32) p[3] << 24 | (guint32) p[2] << 16 | (guint32) p[1] << 8 | p[0];
  *bad = *c > 0x10ffff || (*c >= 0xd800 && *c < 0xe000);
  return 4;
}

/* The first character of a text that tells the order of its bytes begins with what tells it. */
static gsize
next_in_told_order (const FlowEncoding *self,
                    Text                text,
                    gsize               at,
                    gunichar           *c,
                    gboolean           *bad)
{
  const guint8 *p = (const guint8 *) text.bytes;
  const gsize size = self->kind == UTF16 ? 2 : 4;
  static const guint8 little_mark[] = { 0xff, 0xfe, 0, 0 };
  static const guint8 big_mark[] = { 0, 0, 0xfe, 0xff };
  const gboolean is_little = text.length >= size && memcmp (p, little_mark, size) == 0;
  const gboolean is_big = text.length >= size && memcmp (p, big_mark + 4 - size, size) == 0;
  const gsize mark = at == 0 && (is_little || is_big) ? size : 0;

  if (mark > 0 && text.length == mark)
    {
      /* TF: nothing but the mark is this character. */
      *c = 0xffff;
      *bad = FALSE;
      return mark;
    }
  return mark + (self->kind == UTF16 ? next_utf16 (p + at + mark, text.length - at - mark, !is_little, c, bad)
                 : next_utf32 (p + at + mark, text.length - at - mark, !is_little, c, bad));
}

/* The fewest bytes that the table has a character for. */
static gsize
next_of_table (const FlowEncoding *self,
               const guint8       *p,
               gsize               left,
               gunichar           *c,
               gboolean           *bad)
{
  gsize n;

  *bad = FALSE;
  g_iconv (self->converter, NULL, NULL, NULL, NULL);
  for (n = 1; n <= MIN (left, MAX_BYTES); n++)
    {
      guint32 out[4];
      char *from = (char *) (gpointer) p;
      char *to = (char *) out;
      gsize n_from = n;
      gsize n_to = sizeof out;

      if (g_iconv (self->converter, &from, &n_from, &to, &n_to) != (gsize) -1)
        {
          *c = out[0];
          if (n_to < sizeof out)
            return n;
        }
      else if (errno != EINVAL)
        {
          break;
        }
      g_iconv (self->converter, NULL, NULL, NULL, NULL);
    }
  *c = p[0];
  *bad = !(self->kind == WINDOWS && p[0] >= 0x80 && p[0] < 0xa0);
  /* The byte that does not go on with what was begun may begin another. */
  return *bad && n > left ? left : MAX (n - 1, 1);
}

gsize
_flow_encoding_next (const FlowEncoding *self,
                     Text                text,
                     gsize               at,
                     gunichar           *c,
                     gboolean           *bad)
{
  const guint8 *p = (const guint8 *) text.bytes + at;
  const gsize left = text.length - at;

  switch (self->kind)
    {
    case UTF8:
      return _flow_utf8_next (p, left, c, bad);
    case UTF16:
    case UTF32:
      return next_in_told_order (self, text, at, c, bad);
    case UTF16_BE:
    case UTF16_LE:
      return next_utf16 (p, left, self->kind == UTF16_BE, c, bad);
    case UTF32_BE:
    case UTF32_LE:
      return next_utf32 (p, left, self->kind == UTF32_BE, c, bad);
    case TABLE:
    case WINDOWS:
      return next_of_table (self, p, left, c, bad);
    case ASCII:
    case LATIN1:
    default:
      *c = p[0];
      *bad = self->kind == ASCII && p[0] >= 0x80;
      return 1;
    }
}

void
_flow_encoding_append (const FlowEncoding *self,
                       GString            *text,
                       gunichar            c)
{
  if (self->kind == UTF8)
    {
      /* TF: half of a pair has no form here; the other encodings keep it as it is. */
      g_string_append_unichar (text, c >= 0xd800 && c < 0xe000 ? 0xfffd : c);
      return;
    }
  if (self->kind == UTF32_BE)
    {
      g_string_append_c (text, 0);
      g_string_append_c (text, (char) (c >> 16));
    }
  else if (c >= 0x10000)
    {
      guint high = 0xd800 + ((c - 0x10000) >> 10);

      g_string_append_c (text, (char) (high >> 8));
      g_string_append_c (text, (char) high);
      c = 0xdc00 + ((c - 0x10000) & 0x3ff);
    }
  g_string_append_c (text, (char) (c >> 8));
  g_string_append_c (text, (char) c);
}
