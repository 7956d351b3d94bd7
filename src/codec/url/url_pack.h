/* codec/url/url_pack.h: a parsed URL in a third of the room, to keep one per transfer.
 *
 * Only the lengths of the parts are kept; where they begin follows from the normal form. A URL that does not
 * fit (over 64 KB, IDN host) keeps its full struct in a block together with the text.
 *
 * Invariants: text is the packed URL's text in every case.
 * Ownership:  as struct mote_url: the text is the caller's (block == 0) or the packed URL's.
 * Failure:    CURLUE_OUT_OF_MEMORY.
 * Tests:      tests/unit/codec/test_url_pack.c */
#ifndef MOTE_CODEC_URL_URL_PACK_H
#define MOTE_CODEC_URL_URL_PACK_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct mote_account;
struct mote_ceiling;
struct mote_slice;
struct mote_url;

struct mote_url_packed {
  const char *text;        /* NULL: empty */
  uint32_t block;          /* bytes allocated at text; 0: the caller's */
  uint32_t len;            /* bytes of the text that are the URL */
  uint16_t port;           /* valid for whole ones too */
  uint16_t has;
  uint16_t query;          /* offset of the query, 0: none */
  uint16_t fragment;
  uint16_t path;
  uint16_t host;           /* offset */
  uint16_t host_len;
  uint16_t zone_len;
  uint16_t port_len;       /* digits stated */
  uint16_t user_len;
  uint16_t password_len;
  uint16_t options_len;
  uint8_t scheme_len;      /* these two are valid for whole ones too */
  uint8_t host_kind;
  bool guessed;
  bool whole;              /* not packed: a full struct mote_url lies right before the text, in one block */
  bool ace_is_host;        /* MOTE_URL_ACE is the host itself */
};

/* Becomes the owner of the URL; *u is empty afterwards. After an error its block is freed. */
CURLUcode mote_url_pack(struct mote_url_packed *p, struct mote_url *u, struct mote_account *account);

/* What packing this URL takes besides its own block. */
void mote_url_pack_ceiling(const struct mote_url *u, struct mote_ceiling *c);

/* Makes a view, which borrows the text, is not closed, and lives as long as the packed URL. */
void mote_url_unpack(const struct mote_url_packed *p, struct mote_url *u);

/* The host as MOTE_URL_ACE has it where that is present, and as MOTE_URL_HOST has it. */
struct mote_slice mote_url_packed_ace(const struct mote_url_packed *p);
struct mote_slice mote_url_packed_host(const struct mote_url_packed *p);

/* The host with its IPv6 zone id ("fe80::1%25eth0"), which is part of the address. */
struct mote_slice mote_url_packed_zoned(const struct mote_url_packed *p);

/* User and password, percent-encoded as in the URL; false: neither is there. */
bool mote_url_packed_login(const struct mote_url_packed *p, struct mote_slice *user,
                           struct mote_slice *password);

/* The path without the slash in front, percent-encoded as in the URL. */
struct mote_slice mote_url_packed_path(const struct mote_url_packed *p);

void mote_url_packed_close(struct mote_url_packed *p, struct mote_account *account);

/* Reports whether the URL has this scheme, which is in lower case, as those of URLs are here. */
static inline bool mote_url_packed_is(const struct mote_url_packed *u, const char *scheme)
{
  size_t len = strlen(scheme);
  return u->scheme_len == len && !memcmp(u->text, scheme, len);
}

#endif
