/* http/cookies/cookie_jar.h: the cookies of a handle or a share, found by host (RFC 6265bis section 5.7).
 *
 * A cookie is one block and a node of a tree. Its key begins with its domain, so that a request visits those
 * of its host and of each domain above it, and goes on with name and path, so that the one that a new cookie
 * replaces is found without a look at the others of its domain. The cost follows the cookies that are found
 * and not those that are stored.
 *
 * Invariants: no two cookies have the same name, domain, path and `tail`.
 * Ownership:  the jar owns its cookies, and its account pays for them. A cookie that a call returns is valid
 *             until the next call that adds or removes one.
 * Errors:     CURLE_OUT_OF_MEMORY; the jar is as it was.
 * Threads:    the jar of a share is used under CURL_LOCK_DATA_COOKIE.
 * Tests:      tests/unit/http/test_cookie_jar.c, tests/e2e/test_cookies.py */
#ifndef MOTE_HTTP_COOKIES_COOKIE_JAR_H
#define MOTE_HTTP_COOKIES_COOKIE_JAR_H

#include <curl/curl.h>

#include "base/containers/trie.h"
#include "base/text.h"

struct mote_account;
struct mote_cookie_text;

enum {
  MOTE_JAR_MAX = 100000,     /* cookies of a jar: 10 MB of usual ones */
  MOTE_JAR_HOST_MAX = 300,   /* cookies of a domain, where a server adds one; RFC 6265bis asks for 50 */
  MOTE_JAR_DOMAIN_MAX = 255, /* bytes of a domain (RFC 1035) */
  MOTE_JAR_PATH_MAX = 5000,  /* bytes of a path: a Set-Cookie field has no longer one */
  MOTE_JAR_SENT_MAX = 150    /* cookies of a request; libcurl's limit */
};

struct mote_jar {
  struct mote_trie_node *cookies; /* by domain, name and path */
  struct mote_trie_node *secure;  /* those that are `secure`, by name and the end of the domain */
  struct mote_account *account; /* pays */
  uint32_t count;               /* cookies */
  uint32_t born;                /* cookies ever added, from 0 again after UINT32_MAX */
  bool in_use;                  /* a request has looked for cookies */
  bool again;                   /* `born` has begun again: some cookies may have higher numbers */
};

/* In front of one that is `secure`, in its block, lies a node of jar->secure. */
struct mote_cookie {
  struct mote_trie_node node;
  int64_t expires;      /* Unix time in seconds; 0: with the session */
  uint32_t born;        /* jar->born when its name, domain and path were first added */
  uint16_t name_len;
  uint16_t value_len;
  uint16_t path_len;
  uint8_t domain_len;   /* 0: a line of the application named none. Sent to IP addresses, and not listed */
  bool tail : 1;
  bool secure : 1;
  bool http_only : 1;
  bool live : 1;        /* a server has set it, or the application after the first request */
  char text[];          /* domain, path, "; ", name, "=", value */
};

/* What a request is for, as far as cookies care. */
struct mote_cookie_place {
  struct mote_slice host;
  struct mote_slice path;
  bool address; /* the host is an IP address */
  bool secure;  /* over TLS, or to this machine by its name */
};

enum mote_jar_source {
  MOTE_JAR_APPLICATION, /* CURLOPT_COOKIELIST */
  MOTE_JAR_FILE,        /* does not replace a cookie that is `live` */
  MOTE_JAR_SERVER
};

static inline struct mote_slice mote_cookie_domain(const struct mote_cookie *c)
{
  struct mote_slice s = {c->text, c->domain_len};
  return s;
}

static inline struct mote_slice mote_cookie_path(const struct mote_cookie *c)
{
  struct mote_slice s = {c->text + c->domain_len, c->path_len};
  return s;
}

static inline struct mote_slice mote_cookie_name(const struct mote_cookie *c)
{
  struct mote_slice s = {c->text + c->domain_len + c->path_len + 2, c->name_len};
  return s;
}

static inline struct mote_slice mote_cookie_value(const struct mote_cookie *c)
{
  struct mote_slice s = {mote_cookie_name(c).ptr + c->name_len + 1, c->value_len};
  return s;
}

/* The cookie as a request has it after another one, "; name=value". */
static inline struct mote_slice mote_cookie_pair(const struct mote_cookie *c)
{
  struct mote_slice s = {c->text + c->domain_len + c->path_len, c->name_len + c->value_len + (size_t)3};
  return s;
}

void mote_jar_init(struct mote_jar *j, struct mote_account *account);
/* Removes all cookies. The jar stays usable. */
void mote_jar_clear(struct mote_jar *j);
/* Removes those that end with the session. */
void mote_jar_clear_session(struct mote_jar *j);

/* Fills in domain and path from the request whose response set the cookie, and checks that it may set it.
 * Returns why not, or NULL. */
const char *mote_jar_judge(struct mote_cookie_text *c, const struct mote_cookie_place *from);
/* The same for a cookie that no server has set. */
const char *mote_jar_judge_line(struct mote_cookie_text *c);

/* Adds a cookie that was judged, or removes the one that it replaces if it has expired. *why: NULL, or why it
 * was refused. secure: it comes from a secure place. A file's cookie for a public suffix is for that host
 * alone. */
CURLcode mote_jar_add(struct mote_jar *j, const struct mote_cookie_text *text, enum mote_jar_source source,
                      bool secure, const char **why);

/* Finds the cookies of a request, in the order in which they are sent. Removes those that have expired. */
unsigned mote_jar_match(struct mote_jar *j, const struct mote_cookie_place *to, int64_t now,
                        const struct mote_cookie *found[MOTE_JAR_SENT_MAX]);

/* All cookies of a jar. */
struct mote_jar_list {
  const struct mote_cookie **list; /* the oldest first; NULL: there are none */
  unsigned count;
  unsigned room;                   /* entries of the block, which the jar's account pays for */
};

/* Lists all cookies, and removes those that have expired. CURLE_OUT_OF_MEMORY. The caller gives the list back
 * by mote_jar_free_list(), also after an error. */
CURLcode mote_jar_list(struct mote_jar *j, int64_t now, struct mote_jar_list *l);
void mote_jar_free_list(struct mote_jar *j, const struct mote_jar_list *l);

/* Bytes for the line of a cookie and a NUL, and hardly one too many, so that an allocator's small blocks hold
 * most lines. */
static inline size_t mote_cookie_line_room(const struct mote_cookie *c)
{
  size_t time = c->expires < INT64_C(10000000000) ? 10 : 20;
  return 17u + time + (c->http_only ? 10u : 0u) + c->domain_len + c->path_len + c->name_len + c->value_len;
}

/* Writes the line without a line feed, NUL-terminated. Returns its length. */
size_t mote_cookie_print(const struct mote_cookie *c, char *out);

#endif
