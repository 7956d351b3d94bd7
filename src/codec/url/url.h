/* codec/url/url.h: parses, resolves and prints URLs (RFC 3986, with the leniency that curl_url_set(3)
 * documents).
 *
 * A parsed URL is its normal form, the text that CURLINFO_EFFECTIVE_URL and curl_url_get(CURLUPART_URL) show:
 *
 *   scheme "://" [ user [ ":" password ] [ ";" options ] "@" ] host [ ":" port ]
 *     path [ "?" query ] [ "#" fragment ]
 *
 * The scheme is in lower case, the host percent-decoded, IPv4 in dotted form, a longer IPv6 form shortened,
 * the port without leading zeros, the path never empty and without dot segments. Empty queries and fragments
 * are left out of the text (their bits in `has` stay). When the input is in normal form, the parts point into
 * the caller's string and nothing is allocated; otherwise one block holds the normal form.
 *
 * Invariants: every span lies within the text or, for MOTE_URL_ACE, in the block after it; spans are in the
 *             order of the text; an absent part has length 0. text[len] == 0 only when block != 0.
 * Ownership:  the struct is the caller's. The text is the caller's (block == 0) and must outlive the
 *             struct, or the struct's until mote_url_close().
 * Failure:    a CURLUcode; the struct is then all zero bytes (mote_url_close() may be called, need not be).
 * Tests:      tests/unit/codec/test_url.c, test_url_resolve.c; fuzz/fuzz_url.c */
#ifndef MOTE_CODEC_URL_URL_H
#define MOTE_CODEC_URL_URL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/text.h"
#include "parts.h"

/* Longest input, in bytes (curl_url_set(3)); a longer one is CURLUE_TOO_LARGE. */
#ifndef MOTE_URL_MAX_INPUT
#define MOTE_URL_MAX_INPUT 8000000
#endif

/* Longest scheme that CURLU_NON_SUPPORT_SCHEME takes, in bytes (curl_url_set(3)). */
#define MOTE_URL_MAX_SCHEME 40

/* Longest zone id of an IPv6 literal, in bytes: an interface name with room to spare. */
#define MOTE_URL_MAX_ZONE 15

/* Parts; 1 to 10 are the numbers of CURLUPART_*. */
enum mote_url_part {
  MOTE_URL_WHOLE,    /* the text: always there */
  MOTE_URL_SCHEME,   /* lower case */
  MOTE_URL_USER,     /* percent-encoded as given */
  MOTE_URL_PASSWORD, /* percent-encoded as given */
  MOTE_URL_OPTIONS,  /* login options after ";", only for schemes that have them (imap, pop3, smtp) */
  MOTE_URL_HOST,     /* name or address; an IPv6 literal without its brackets and zone id */
  MOTE_URL_PORT,     /* decimal digits; only when the URL states one. As a number: u->port */
  MOTE_URL_PATH,     /* begins with "/" */
  MOTE_URL_QUERY,    /* without "?" */
  MOTE_URL_FRAGMENT, /* without "#" */
  MOTE_URL_ZONEID,   /* zone id of an IPv6 literal, without "%25" */
  MOTE_URL_ACE,      /* with MOTE_URL_IDN: the host as DNS, TLS and Host: have it; the host itself when it
                        is ASCII */
  MOTE_URL_PARTS
};

enum mote_host_kind {
  MOTE_HOST_NONE, /* no host (file, or CURLU_NO_AUTHORITY) */
  MOTE_HOST_NAME,
  MOTE_HOST_IPV4, /* dotted decimal */
  MOTE_HOST_IPV6
};

/* A stretch of mote_url.text. */
struct mote_url_span {
  uint32_t off; /* bytes from text */
  uint32_t len; /* bytes */
};

struct mote_url {
  const char *text;             /* normal form; see Ownership. NULL: empty struct */
  struct mote_account *account; /* pays for the block; borrowed; set when block != 0 */
  struct mote_url_span part[MOTE_URL_PARTS];
  uint32_t block;               /* bytes allocated at text; 0: text is the caller's */
  uint16_t has;                 /* bit 1 << part: the part is present (it may be empty) */
  uint16_t port;                /* stated port, or the scheme's default, or 0 when neither */
  uint8_t host_kind;            /* enum mote_host_kind */
  bool guessed;                 /* the scheme is guessed, since the input has none */
};

/* How to parse. Zero is the default of each field but the account. */
struct mote_url_how {
  struct mote_account *account;     /* pays for the block (MOTE_PART_URL); not NULL */
  bool (*supported)(const char *scheme, size_t len); /* lower-case scheme; NULL: all are. Not called
                                                        with CURLU_NON_SUPPORT_SCHEME */
  struct mote_slice default_scheme; /* for CURLU_DEFAULT_SCHEME; ptr NULL: "https" */
  unsigned flags;                   /* CURLU_* as for curl_url_set(CURLUPART_URL), MOTE_URL_* from below */
  uint16_t port;                    /* of what mote_url_resolve() makes of a relative reference; 0: the
                                       base's */
};

/* Flag beyond CURLU_*: fills in MOTE_URL_ACE. A host that is not ASCII and no IDN is CURLUE_BAD_HOSTNAME. A
 * build without IDN leaves such a host as it is. */
#define MOTE_URL_IDN 0x80000000u

/* Another one: the URL is a base for references. Of its path, query and fragment any byte passes, since
 * they are judged in what a reference leaves of them. */
#define MOTE_URL_BASE 0x40000000u

static inline bool mote_url_has(const struct mote_url *u, enum mote_url_part part)
{
  return (u->has & (1u << part)) != 0;
}

/* A part's bytes; ptr is NULL when the struct is empty, len 0 when the part is absent. */
static inline struct mote_slice mote_url_get(const struct mote_url *u, enum mote_url_part part)
{
  struct mote_slice s;
  s.ptr = u->text ? u->text + u->part[part].off : NULL;
  s.len = u->part[part].len;
  return s;
}

/* Parses `len` bytes. `u` need not be initialised.
 * It honours these CURLU flags: DEFAULT_SCHEME, GUESS_SCHEME, NON_SUPPORT_SCHEME, NO_AUTHORITY, PATH_AS_IS,
 * DISALLOW_USER, ALLOW_SPACE, URLENCODE (accepts spaces and bytes above 127 in path and query, and encodes
 * them).
 * CURLUE_TOO_LARGE          more than MOTE_URL_MAX_INPUT bytes
 * CURLUE_BAD_SCHEME         no scheme and none may be guessed
 * CURLUE_UNSUPPORTED_SCHEME `supported` returned false
 * CURLUE_BAD_SLASHES        not one to three slashes after the scheme; CURLUE_BACKSLASH: a backslash there
 * CURLUE_BAD_FILE_URL       file: with another host than none, localhost or 127.0.0.1, or with a drive letter
 * CURLUE_NO_HOST, CURLUE_BAD_HOSTNAME, CURLUE_BAD_IPV6, CURLUE_BAD_PORT_NUMBER, CURLUE_USER_NOT_ALLOWED
 * CURLUE_BAD_USER, _PASSWORD, _LOGIN, _PATH, _QUERY, _FRAGMENT  control characters or spaces
 * CURLUE_OUT_OF_MEMORY      the account refused the block */
CURLUcode mote_url_parse(struct mote_url *u, const char *in, size_t len, const struct mote_url_how *how);

/* Parses separate parts. part[] is as curl_url_get() returns them, HOST with brackets, and `has` says which
 * are present. No byte of a part can be taken for the beginning of another, since user and password are
 * encoded where the text would be read otherwise. The path is taken as it is. u has a block of its own.
 * Errors as mote_url_parse(), and CURLUE_BAD_QUERY for control characters there, which no request may
 * have. */
CURLUcode mote_url_compose(struct mote_url *u, const struct mote_slice part[MOTE_URL_PARTS], unsigned has,
                           const struct mote_url_how *how);

/* True when the input begins with a scheme, so that mote_url_resolve() would ignore the base. */
bool mote_url_is_absolute(const char *in, size_t len);

/* Resolves a reference against `base` (RFC 3986 section 5.2; of Location:, RFC 9110 section 10.2.2). An
 * absolute reference is parsed alone. The caller trims blanks around the reference. With CURLU_URLENCODE,
 * which redirects set, spaces become %20 in the path and "+" after "?", and bytes above 127 become %xx.
 * keep_credentials: a reference with no authority of its own takes user, password and options of the base
 *                   too.
 * The result always has a block of its own, so that `base` may be closed and the reference freed. out may not
 * be base. A reference without a fragment does not inherit the base's. Errors as mote_url_parse(). */
CURLUcode mote_url_resolve(struct mote_url *out, const struct mote_url *base, struct mote_slice ref,
                           const struct mote_url_how *how, bool keep_credentials);

/* Frees the block; u is all zero bytes then. */
void mote_url_close(struct mote_url *u);

/* Makes a copy with a block of its own, charged to `account`. CURLUE_OUT_OF_MEMORY. */
CURLUcode mote_url_copy(struct mote_url *out, const struct mote_url *u, struct mote_account *account);

/* What to leave out in mote_url_print(), or to add, or'ed. */
#define MOTE_URL_NO_CREDENTIALS 1u /* user, password, options (Referer:, the request to a proxy) */
#define MOTE_URL_NO_FRAGMENT    2u
#define MOTE_URL_WITH_ACE       4u /* the host as MOTE_URL_ACE has it */
#define MOTE_URL_NO_TAIL       16u /* nothing after the authority */
#define MOTE_URL_NO_ZONEID      8u /* without "%25zone" (Host:, RFC 6874 section 4) */
#define MOTE_URL_WITH_EMPTY    32u /* "?" and "#" of an empty query and fragment too */

/* Prints the URL without some parts, at most `cap` bytes and no NUL. Returns the length of the whole. */
size_t mote_url_print(const struct mote_url *u, unsigned leave_out, char *out, size_t cap);

/* Prints the same into a block of its own, with a NUL, which is as long as the text. NULL: out of memory. */
char *mote_url_text(const struct mote_url *u, unsigned leave_out, struct mote_account *account,
                    enum mote_part part);

/* Prints the request target in origin form (RFC 9112 section 3.2.1): path ["?" query], path bytes above 127
 * as %xx, and "?" even with an empty query. As mote_url_print() otherwise. */
size_t mote_url_target(const struct mote_url *u, char *out, size_t cap);

/* Prints host[:port] for Host: and CONNECT, IPv6 in brackets without zone id, the ACE form where there is
 * one. with_port: 0 never, 1 when it is not the scheme's default, 2 always. As mote_url_print() otherwise. */
size_t mote_url_authority(const struct mote_url *u, int with_port, char *out, size_t cap);

/* True for the same scheme, host (in any case of letters) and port, so that the client may send credentials
 * to both (RFC 6454 section 5). */
bool mote_url_same_origin(const struct mote_url *a, const struct mote_url *b);

/* What is known of a scheme, whether this build can use it or not. */
#define MOTE_SCHEME_LOGIN_OPTIONS 0x01u /* ";" after user or password begins login options */
#define MOTE_SCHEME_NO_HOST       0x02u /* file */

struct mote_scheme_facts {
  char name[8];   /* lower case, NUL-terminated */
  uint16_t port;  /* default port; 0: has none */
  uint8_t flags;  /* MOTE_SCHEME_* */
};

/* Finds a scheme that libcurl has, in any case of letters; NULL for any other. */
const struct mote_scheme_facts *mote_scheme_facts(const char *name, size_t len);

#endif
