/* http/auth/netrc.c: looks a host up in a netrc file, and keeps the answer (http/auth/netrc.h). */
#include "http/auth/netrc.h"

#include <string.h>

#include "base/digest/base64.h"
#include "base/report.h"
#include "codec/files/netrc.h"
#include "codec/url/percent.h"
#include "http/request.h"
#include "port/env.h"
#include "port/file.h"

#define PATH_ROOM 1024 /* bytes of the path of the home folder's netrc */
#define READ_ROOM 512  /* bytes read at once */

/* What is asked, and its answer, which is kept as it is with the texts after it: the path with a NUL, host
 * and user, login and password, and the value of the field with the room that it needs. */
struct answer {
  int64_t mtime; /* of the file */
  int64_t size;  /* of the file, bytes */
  uint64_t number; /* of the file (port/file.h) */
  uint32_t path, host, user, login, password; /* bytes of the texts; of the path without its NUL */
  uint32_t field_room; /* bytes */
  uint32_t field;      /* bytes of the value, 0: none was kept */
  uint8_t scheme; /* the value's CURLAUTH_* bit */
  bool at_home;   /* the path follows from the environment, $NETRC or $HOME */
  bool any;       /* no user is asked for */
  bool found;
  bool same;      /* this request asks what the one before has asked, and has the same field */
};

struct question {
  struct answer head;
  struct mote_slice path;
  struct mote_slice host;
  struct mote_slice user; /* ptr NULL: any */
  char home[PATH_ROOM];   /* room for the path */
};

/* ---- what is asked ---- */

/* Writes the user of the URL, whose password is asked for, to *user, percent-decoded into `room`. False: the
 * request has its credentials. A user of the options is preferred to the file, even without a password. */
static bool auth_netrc_asks(const struct mote_transfer *t, struct mote_slice *user, struct mote_buf *room,
                            CURLcode *rc)
{
  bool allowed = mote_transfer_may_log_in(t);
  const char *named = allowed ? mote_opt_str(&t->options, CURLOPT_USERNAME) : NULL;
  struct mote_slice from_url = {NULL, 0}, password = {NULL, 0};
  size_t n = 0;
  user->ptr = NULL;
  user->len = 0;
  if(named && *named)
    return false;
  (void)mote_url_packed_login(&t->run->request.url, &from_url, &password);
  if(!from_url.len)
    return true;
  if(password.len && mote_opt_long(&t->options, CURLOPT_NETRC) != CURL_NETRC_REQUIRED)
    return false;
  *rc = mote_buf_reserve(room, from_url.len);
  if(!*rc)
    *rc = mote_percent_decode(from_url, 0, room->ptr, from_url.len, &n);
  user->ptr = room->ptr;
  user->len = n;
  return true;
}

/* Names the file: the option's, that of $NETRC, or the one in the home folder. False: there is no such
 * folder, or its path is too long. */
static bool auth_netrc_find_path(const struct mote_transfer *t, struct question *q)
{
  static const char name[] = "/.netrc";
  const char *named = mote_opt_str(&t->options, CURLOPT_NETRC_FILE), *home;
  size_t len;
  if(!named) {
    named = mote_port_getenv("NETRC");
    q->head.at_home = true;
    if(named && !*named)
      named = NULL;
  }
  if(named) {
    q->path = mote_slice_of(named);
    return true;
  }
  home = mote_port_getenv("HOME");
  len = home ? strlen(home) : PATH_ROOM;
  if(len > sizeof q->home - sizeof name)
    return false;
  memcpy(q->home, home, len);
  memcpy(q->home + len, name, sizeof name);
  q->path.ptr = q->home;
  q->path.len = len + sizeof name - 1;
  return true;
}

/* ---- the answer that is kept ---- */

static struct answer *auth_netrc_answer_of(const struct mote_transfer *t)
{
  return mote_opt_find_ptr(&t->options, MOTE_OPT_NETRC);
}

static char *path_of(struct answer *a)
{
  return (char *)(a + 1);
}

static char *auth_netrc_host_of(struct answer *a)
{
  return path_of(a) + a->path + 1;
}

static char *login_of(struct answer *a)
{
  return auth_netrc_host_of(a) + a->host + a->user;
}

static char *field_of(struct answer *a)
{
  return login_of(a) + a->login + a->password;
}

static bool auth_netrc_is_same(const char *kept, struct mote_slice s)
{
  return !s.len || !memcmp(kept, s.ptr, s.len);
}

static bool is_file(const struct answer *a, const struct mote_file_info *info)
{
  return info->regular && a->mtime == info->mtime && a->size == info->size && a->number == info->number;
}

/* Reports whether reading the file again would give what was read. A pipe has given all that it has to the
 * first request of a chain, so that the others take the same answer. */
static bool is_unread_since(const struct mote_transfer *t, const struct answer *a,
                            const struct mote_file_info *info)
{
  return is_file(a, info) || (!info->regular && t->run->request.redirects && a->number == info->number);
}

/* Reports whether the kept answer is one to this question. */
static bool is_kept(struct answer *a, const struct question *q)
{
  return a && a->any == q->head.any && a->path == q->head.path && a->host == q->head.host &&
         a->user == q->head.user && auth_netrc_is_same(path_of(a), q->path) &&
           auth_netrc_is_same(auth_netrc_host_of(a), q->host) &&
         auth_netrc_is_same(auth_netrc_host_of(a) + a->host, q->user);
}

/* Reports whether the kept answer is one to this request since the one before has asked the same, so that
 * only the file needs to be looked at. */
static bool is_same_question(const struct mote_transfer *t, struct answer *a)
{
  struct mote_file_info info;
  return a && t->run->request.same_url && !t->run->request.redirects && !t->options.changed && !a->at_home &&
         !mote_port_path_info(path_of(a), &info) && is_file(a, &info);
}

static CURLcode auth_netrc_add(struct mote_buf *b, struct mote_slice s)
{
  return s.len ? mote_buf_add(b, s.ptr, s.len) : CURLE_OK;
}

static CURLcode auth_netrc_keep(struct mote_transfer *t, struct question *q, const struct mote_netrc *n)
{
  const struct mote_slice none = {NULL, 0};
  struct mote_slice login = n->found ? (struct mote_slice){n->login.ptr, n->login.len} : none;
  struct mote_slice password = n->found ? (struct mote_slice){n->password.ptr, n->password.len} : none;
  size_t user = login.len > q->user.len ? login.len : q->user.len;
  bool changed = t->options.changed;
  struct mote_buf b;
  CURLcode rc;
  q->head.found = n->found;
  q->head.login = (uint32_t)login.len;
  q->head.password = (uint32_t)password.len;
  if(n->found)
    q->head.field_room = (uint32_t)(sizeof " Basic " + MOTE_BASE64_SIZE(user + 1 + password.len));
  mote_buf_init(&b, &t->account, MOTE_PART_TRANSFER, SIZE_MAX / 2);
  rc = mote_buf_reserve(&b, sizeof q->head + q->path.len + 1 + q->host.len + q->user.len + login.len +
                        password.len + q->head.field_room);
  rc = rc ? rc : mote_buf_add(&b, &q->head, sizeof q->head);
  rc = rc ? rc : mote_buf_add(&b, q->path.ptr, q->path.len + 1);
  rc = rc ? rc : auth_netrc_add(&b, q->host);
  rc = rc ? rc : auth_netrc_add(&b, q->user);
  rc = rc ? rc : auth_netrc_add(&b, login);
  rc = rc ? rc : auth_netrc_add(&b, password);
  if(!rc) {
    memset(b.ptr + b.len, 0, q->head.field_room);
    rc = mote_option_set_blob(&t->options, MOTE_OPT_NETRC, b.ptr, b.len + q->head.field_room, true);
  }
  t->options.changed = changed;
  mote_buf_close(&b);
  return rc;
}

static void auth_netrc_forget(struct mote_transfer *t)
{
  bool changed = t->options.changed;
  if(mote_option_has(&t->options, MOTE_OPT_NETRC))
    mote_option_unset(&t->options, MOTE_OPT_NETRC);
  t->options.changed = changed;
}

bool mote_netrc_login(const struct mote_transfer *t, struct mote_slice *login, struct mote_slice *password)
{
  struct answer *a = auth_netrc_answer_of(t);
  if(!a || mote_opt_long(&t->options, CURLOPT_NETRC) == CURL_NETRC_IGNORED)
    return false;
  if(a->found && a->any) {
    login->ptr = login_of(a);
    login->len = a->login;
  }
  if(a->found) {
    password->ptr = login_of(a) + a->login;
    password->len = a->password;
  }
  return a->found;
}

void mote_netrc_keep_field(struct mote_transfer *t, struct mote_slice value, uint8_t scheme)
{
  struct answer *a = auth_netrc_answer_of(t);
  if(!a || !a->found || t->run->request.redirects || value.len > a->field_room)
    return;
  memcpy(field_of(a), value.ptr, value.len);
  a->field = (uint32_t)value.len;
  a->scheme = scheme;
}

uint8_t mote_netrc_field(const struct mote_transfer *t, struct mote_slice *value)
{
  struct answer *a = auth_netrc_answer_of(t);
  if(!a || !a->same || !a->field || t->run->request.redirects || t->options.changed)
    return 0;
  value->ptr = field_of(a);
  value->len = a->field;
  return a->scheme;
}

/* ---- the file ---- */

static CURLcode auth_netrc_read_file(struct mote_netrc *n, int file)
{
  char room[READ_ROOM];
  size_t len = 0;
  CURLcode rc = CURLE_OK;
  do {
    if(mote_port_file_read(file, room, sizeof room, &len))
      return CURLE_READ_ERROR;
    rc = mote_netrc_feed(n, room, len);
  } while(!rc && len && !n->found);
  return rc ? rc : mote_netrc_end(n);
}

/* What cannot be read has no credentials, unless it is required. */
static CURLcode auth_netrc_unread(struct mote_transfer *t, const char *path, CURLcode rc)
{
  auth_netrc_forget(t);
  if(rc == CURLE_OUT_OF_MEMORY || mote_opt_long(&t->options, CURLOPT_NETRC) != CURL_NETRC_REQUIRED)
    return rc == CURLE_OUT_OF_MEMORY ? rc : CURLE_OK;
  return mote_fail_as(CURLE_READ_ERROR, &t->report, "The netrc file \"%s\" is required, and cannot be read",
                      path);
}

static CURLcode auth_netrc_look_up(struct mote_transfer *t, struct question *q)
{
  struct mote_netrc n;
  CURLcode rc = CURLE_READ_ERROR;
  int file;
  if(mote_port_file_open(q->path.ptr, MOTE_FILE_READ, 0, &file))
    return rc;
  mote_netrc_init(&n, &t->account, q->host, q->user);
  rc = auth_netrc_read_file(&n, file);
  (void)mote_port_file_close(file);
  if(!rc)
    rc = auth_netrc_keep(t, q, &n);
  mote_netrc_close(&n);
  return rc;
}

static CURLcode auth_netrc_answer(struct mote_transfer *t, struct question *q)
{
  struct answer *kept = auth_netrc_answer_of(t);
  struct mote_file_info info;
  CURLcode rc;
  if(!auth_netrc_find_path(t, q))
    return auth_netrc_unread(t, "~/.netrc", CURLE_READ_ERROR);
  if(mote_port_path_info(q->path.ptr, &info))
    return auth_netrc_unread(t, q->path.ptr, CURLE_READ_ERROR);
  q->host = mote_url_packed_host(&t->run->request.url);
  q->head.mtime = info.mtime;
  q->head.size = info.size;
  q->head.number = info.number;
  q->head.any = !q->user.ptr;
  q->head.path = (uint32_t)q->path.len;
  q->head.host = (uint32_t)q->host.len;
  q->head.user = (uint32_t)q->user.len;
  if(kept && is_unread_since(t, kept, &info) && is_kept(kept, q)) {
    kept->same = false;
    kept->field = 0;
    return CURLE_OK;
  }
  rc = auth_netrc_look_up(t, q);
  return rc ? auth_netrc_unread(t, q->path.ptr, rc) : CURLE_OK;
}

CURLcode mote_netrc_find(struct mote_transfer *t)
{
  struct answer *kept = auth_netrc_answer_of(t);
  struct question q;
  struct mote_buf user;
  CURLcode rc = CURLE_OK;
  bool needed;
  if(is_same_question(t, kept)) {
    kept->same = true;
    return CURLE_OK;
  }
  needed = mote_opt_long(&t->options, CURLOPT_NETRC) != CURL_NETRC_IGNORED;
  mote_buf_init(&user, &t->account, MOTE_PART_TRANSFER, SIZE_MAX / 2);
  memset(&q.head, 0, sizeof q.head);
  needed = needed && auth_netrc_asks(t, &q.user, &user, &rc);
  if(!needed)
    auth_netrc_forget(t);
  else if(!rc)
    rc = auth_netrc_answer(t, &q);
  mote_buf_close(&user);
  return rc;
}

CURLcode mote_netrc_find_printable(struct mote_transfer *t)
{
  struct mote_slice login = {NULL, 0}, password = {NULL, 0};
  CURLcode rc = mote_netrc_find(t);
  if(rc || !mote_netrc_login(t, &login, &password) ||
     !(mote_percent_has_control(login, false) || mote_percent_has_control(password, false)))
    return rc;
  return mote_fail_as(CURLE_READ_ERROR, &t->report, "The netrc file's credentials have a control character");
}
