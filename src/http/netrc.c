/* http/netrc.c: looks a host up in a netrc file, and keeps the answer (http/netrc.h). */
#include "http/netrc.h"

#include <string.h>

#include "base/report.h"
#include "codec/netrc.h"
#include "codec/percent.h"
#include "codec/url_pack.h"
#include "http/request.h"
#include "port/env.h"
#include "port/file.h"

#define PATH_ROOM 1024 /* bytes of the path of the home folder's netrc */
#define READ_ROOM 512  /* bytes read at once */

/* What is asked, and its answer, which is kept as it is with the texts after it. */
struct answer {
  int64_t mtime; /* of the file */
  int64_t size;  /* of the file, bytes */
  uint32_t path, host, user, login, password; /* bytes of the texts, in this order */
  bool any;      /* no user is asked for */
  bool found;
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
static bool asks(const struct mote_transfer *t, struct mote_slice *user, struct mote_buf *room, CURLcode *rc)
{
  bool allowed = mote_http_auth_allowed(t);
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

/* Names the file. False: there is no home folder, or its path is too long. */
static bool find_path(const struct mote_transfer *t, struct question *q)
{
  static const char name[] = "/.netrc";
  const char *named = mote_opt_str(&t->options, CURLOPT_NETRC_FILE), *home;
  size_t len;
  if(named && *named) {
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

static const char *texts_of(const struct mote_option *o)
{
  return (const char *)o->v.ptr + sizeof(struct answer);
}

static bool is_same(const char *kept, struct mote_slice s)
{
  return !s.len || !memcmp(kept, s.ptr, s.len);
}

/* Reports whether the kept answer is one to this question. */
static bool is_kept(const struct mote_transfer *t, const struct question *q)
{
  const struct mote_option *o = mote_option_find(&t->options, MOTE_OPT_NETRC);
  struct answer a;
  const char *p;
  if(!o)
    return false;
  memcpy(&a, o->v.ptr, sizeof a);
  p = texts_of(o);
  return a.mtime == q->head.mtime && a.size == q->head.size && a.any == q->head.any &&
         a.path == q->head.path && a.host == q->head.host && a.user == q->head.user && is_same(p, q->path) &&
         is_same(p + a.path, q->host) && is_same(p + a.path + a.host, q->user);
}

static CURLcode keep(struct mote_transfer *t, struct question *q, const struct mote_netrc *n)
{
  bool changed = t->options.changed;
  struct mote_buf b;
  CURLcode rc;
  q->head.found = n->found;
  q->head.login = (uint32_t)(n->found ? n->login.len : 0);
  q->head.password = (uint32_t)(n->found ? n->password.len : 0);
  mote_buf_init(&b, &t->account, MOTE_PART_TRANSFER, SIZE_MAX / 2);
  rc = mote_buf_reserve(&b, sizeof q->head + q->path.len + q->host.len + q->user.len + q->head.login +
                        q->head.password);
  rc = rc ? rc : mote_buf_add(&b, &q->head, sizeof q->head);
  rc = rc ? rc : mote_buf_add(&b, q->path.ptr, q->path.len);
  rc = rc ? rc : mote_buf_add(&b, q->host.ptr, q->host.len);
  if(!rc && q->user.len)
    rc = mote_buf_add(&b, q->user.ptr, q->user.len);
  if(!rc && q->head.login)
    rc = mote_buf_add(&b, n->login.ptr, n->login.len);
  if(!rc && q->head.password)
    rc = mote_buf_add(&b, n->password.ptr, n->password.len);
  rc = rc ? rc : mote_option_set_blob(&t->options, MOTE_OPT_NETRC, b.ptr, b.len, true);
  t->options.changed = changed;
  mote_buf_close(&b);
  return rc;
}

static void forget(struct mote_transfer *t)
{
  bool changed = t->options.changed;
  if(mote_option_find(&t->options, MOTE_OPT_NETRC))
    mote_option_unset(&t->options, MOTE_OPT_NETRC);
  t->options.changed = changed;
}

bool mote_netrc_login(const struct mote_transfer *t, struct mote_slice *login, struct mote_slice *password)
{
  const struct mote_option *o = mote_option_find(&t->options, MOTE_OPT_NETRC);
  struct answer a;
  const char *p;
  if(!o || mote_opt_long(&t->options, CURLOPT_NETRC) == CURL_NETRC_IGNORED)
    return false;
  memcpy(&a, o->v.ptr, sizeof a);
  p = texts_of(o) + a.path + a.host + a.user;
  if(a.found && a.any) {
    login->ptr = p;
    login->len = a.login;
  }
  if(a.found) {
    password->ptr = p + a.login;
    password->len = a.password;
  }
  return a.found;
}

/* ---- the file ---- */

static CURLcode read_file(struct mote_netrc *n, int file)
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
static CURLcode unread(struct mote_transfer *t, const char *path, CURLcode rc)
{
  forget(t);
  if(rc == CURLE_OUT_OF_MEMORY || mote_opt_long(&t->options, CURLOPT_NETRC) != CURL_NETRC_REQUIRED)
    return rc == CURLE_OUT_OF_MEMORY ? rc : CURLE_OK;
  mote_fail(&t->report, "The netrc file \"%s\" is required, and cannot be read", path);
  return CURLE_READ_ERROR;
}

static CURLcode look_up(struct mote_transfer *t, struct question *q)
{
  struct mote_netrc n;
  CURLcode rc = CURLE_READ_ERROR;
  int file;
  if(mote_port_file_open(q->path.ptr, MOTE_FILE_READ, 0, &file))
    return rc;
  mote_netrc_init(&n, &t->account, q->host, q->user);
  rc = read_file(&n, file);
  (void)mote_port_file_close(file);
  if(!rc)
    rc = keep(t, q, &n);
  mote_netrc_close(&n);
  return rc;
}

static CURLcode answer(struct mote_transfer *t, struct question *q)
{
  struct mote_file_info info;
  CURLcode rc;
  if(!find_path(t, q))
    return unread(t, "~/.netrc", CURLE_READ_ERROR);
  if(mote_port_path_info(q->path.ptr, &info))
    return unread(t, q->path.ptr, CURLE_READ_ERROR);
  q->host = mote_url_packed_host(&t->run->request.url);
  q->head.mtime = info.mtime;
  q->head.size = info.size;
  q->head.any = !q->user.ptr;
  q->head.path = (uint32_t)q->path.len;
  q->head.host = (uint32_t)q->host.len;
  q->head.user = (uint32_t)q->user.len;
  if(info.regular && is_kept(t, q))
    return CURLE_OK;
  rc = look_up(t, q);
  return rc ? unread(t, q->path.ptr, rc) : CURLE_OK;
}

CURLcode mote_netrc_find(struct mote_transfer *t)
{
  struct question q;
  struct mote_buf user;
  CURLcode rc = CURLE_OK;
  bool needed = mote_opt_long(&t->options, CURLOPT_NETRC) != CURL_NETRC_IGNORED;
  mote_buf_init(&user, &t->account, MOTE_PART_TRANSFER, SIZE_MAX / 2);
  memset(&q.head, 0, sizeof q.head);
  needed = needed && asks(t, &q.user, &user, &rc);
  if(!needed)
    forget(t);
  else if(!rc)
    rc = answer(t, &q);
  mote_buf_close(&user);
  return rc;
}
