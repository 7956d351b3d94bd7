/* Sets the options of an operation on an easy handle. Those that have the library's default are not set. */
#include "tool/c_program.h"
#include "tool/memory.h"
#include "tool/options/data.h"
#include "tool/options/options.h"
#include "tool/show/graph.h"
#include "tool/show/messages.h"
#include "tool/system/system.h"
#include "tool/transfers/transfer.h"

#include <errno.h>
#include <limits.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define RECEIVE_BUFFER 102400L
#define MULTIPATH_TCP 262 /* Linux's number (RFC 8684); not every <netinet/in.h> has a name for it */

/* Report a refusal, even with --silent, with the name of the option that caused it. For an option that is
 * not built in the exit code is 2, whatever the library returns, as if the command had known this
 * beforehand. */
static CURLcode setup_refused(const struct option_row *row, CURLcode code)
{
  if(!code || code == CURLE_OUT_OF_MEMORY)
    return code;
  if(mote_cli_not_built(row, code)) {
    mote_cli_help("option --%s: not built into the library", row->name);
    return CURLE_FAILED_INIT;
  }
  if(row)
    mote_cli_help("option --%s: %s", row->name, curl_easy_strerror(code));
  return code;
}

static bool list_target(int target)
{
  return target == CURLOPT_HTTPHEADER || target == CURLOPT_PROXYHEADER || target == CURLOPT_RESOLVE ||
         target == CURLOPT_CONNECT_TO || target == CURLOPT_QUOTE || target == CURLOPT_PREQUOTE ||
         target == CURLOPT_POSTQUOTE || target == CURLOPT_MAIL_RCPT || target == CURLOPT_TELNETOPTIONS;
}

static CURLcode apply_value(struct transfer *t, const struct value *v)
{
  CURLoption option = (CURLoption)v->target;
  if(v->target == CURLOPT_HTTP_VERSION && mote_cli_lacks_version((long)v->u.number))
    return CURLE_UNSUPPORTED_PROTOCOL;
  if(list_target(v->target)) {
    if(mote_cli_op_find(t->op, v->target) != v || v->target == CURLOPT_HTTPHEADER)
      return CURLE_OK; /* the first one sets the whole list; request headers are set later */
    return mote_cli_set_list(t, option, mote_cli_op_list(t->op, v->target));
  }
  if(v->target == CURLOPT_COOKIEFILE && t->op->cookies_read)
    return mote_cli_set_text(t, option, ""); /* what servers have removed since then stays removed */
  if(v->target < CURLOPTTYPE_OBJECTPOINT)
    return mote_cli_set_long(t, option, v->u.number > LONG_MAX ? LONG_MAX : (long)v->u.number);
  if(v->target >= CURLOPTTYPE_OFF_T)
    return mote_cli_set_size(t, option, v->u.number);
  return mote_cli_set_text(t, option, v->u.text);
}

static CURLcode apply_values(struct transfer *t)
{
  CURLcode rc = CURLE_OK;
  for(unsigned i = 0; i < t->op->count && !rc; i++)
    if(t->op->values[i].target > 0)
      rc = setup_refused(t->op->values[i].row, apply_value(t, &t->op->values[i]));
  return rc;
}

static CURLcode setup_blame(struct transfer *t, int slot, CURLcode code)
{
  const struct value *v = mote_cli_op_find(t->op, slot);
  return setup_refused(v ? v->row : NULL, code);
}

static CURLcode setup_set_headers(struct transfer *t)
{
  struct curl_slist *list = mote_cli_op_list(t->op, CURLOPT_HTTPHEADER);
  if(t->retry.resume && t->retry.validator[0]) {
    t->extra.data = t->retry.validator;
    t->extra.next = list;
    list = &t->extra;
  }
  return list ? mote_cli_set_list(t, CURLOPT_HTTPHEADER, list) : CURLE_OK;
}

static CURLcode set_post(struct transfer *t)
{
  const struct post *post = &t->op->post;
  if(post->file) {
    CURLcode rc = mote_cli_set_long(t, CURLOPT_POST, 1);
    return rc ? rc : mote_cli_upload_open(t);
  }
  return mote_cli_set_body(t, post->data, post->len);
}

/* --request with the method that the request has anyway, or with one whose response the library would not
 * understand. */
static void look_at_method(const struct transfer *t)
{
  const char *custom = mote_cli_op_get_text(t->op, CURLOPT_CUSTOMREQUEST), *inferred = "GET";
  if(!custom || t->retry.count)
    return;
  if(mote_cli_op_flag(t->op, FLAG_HEAD))
    inferred = "HEAD";
  else if(t->in_name)
    inferred = "PUT";
  else if(mote_cli_op_find(t->op, SLOT_FORM) || (t->op->post.set && !mote_cli_op_flag(t->op, FLAG_GET)))
    inferred = "POST";
  if(!strcasecmp(custom, inferred))
    mote_cli_note(CURL_SAYS_INFERRED, inferred);
  else if(!strcasecmp(custom, "HEAD"))
    mote_cli_warn(CURL_SAYS_CUSTOM_HEAD);
}

/* The request: what is sent, and with which method. */
static CURLcode setup_set_request(struct transfer *t)
{
  const struct operation *op = t->op;
  CURLcode rc = setup_set_headers(t);
  look_at_method(t);
  if(!rc && !mote_cli_op_find(op, CURLOPT_USERAGENT))
    rc = mote_cli_set_text(t, CURLOPT_USERAGENT,
                           mote_cli_on(GLOBAL_AS_CURL) ? "curl/" LIBCURL_VERSION : "mote/" MOTE_VERSION);
  if(!rc && mote_cli_op_flag(op, FLAG_REFERER_AUTO))
    rc = mote_cli_set_long(t, CURLOPT_AUTOREFERER, 1);
  if(!rc && mote_cli_op_flag(op, FLAG_COMPRESSED))
    rc = mote_cli_set_text(t, CURLOPT_ACCEPT_ENCODING, "");
  if(rc)
    return rc;
  if(mote_cli_op_flag(op, FLAG_HEAD)) {
    rc = mote_cli_set_long(t, CURLOPT_FILETIME, 1); /* FTP servers are asked for it */
    return rc ? rc : mote_cli_set_long(t, CURLOPT_NOBODY, 1);
  }
  if(t->in_name) {
    rc = mote_cli_set_long(t, CURLOPT_UPLOAD, 1);
    return rc ? rc : mote_cli_upload_open(t);
  }
  if(mote_cli_op_find(op, SLOT_FORM)) { /* what is wrong with an argument was reported where it was read */
    rc = mote_cli_form(t);
    return rc == CURLE_NOT_BUILT_IN || rc == CURLE_UNKNOWN_OPTION ? setup_blame(t, SLOT_FORM, rc) : rc;
  }
  if(op->post.set && !mote_cli_op_flag(op, FLAG_GET))
    return set_post(t);
  return CURLE_OK;
}

/* The transfer will never use TLS, so that its options need not be copied into the library. */
static bool never_tls(const struct transfer *t)
{
  return !strncasecmp(t->url, "http://", 7) && !mote_cli_op_find(t->op, CURLOPT_FOLLOWLOCATION) &&
         !mote_cli_op_find(t->op, CURLOPT_PROXY) && !mote_cli_op_find(t->op, CURLOPT_DOH_URL) &&
         !mote_cli_op_find(t->op, CURLOPT_HSTS);
}

static CURLcode set_tls(struct transfer *t)
{
  const struct operation *op = t->op;
  long least = (long)mote_cli_op_get_number(op, SLOT_TLS_MIN, 0);
  long most = (long)mote_cli_op_get_number(op, SLOT_TLS_MAX, 0);
  const char *file, *dir;
  CURLcode rc = CURLE_OK;
  if(least || most)
    rc = setup_blame(t, least ? SLOT_TLS_MIN : SLOT_TLS_MAX,
                     mote_cli_set_long(t, CURLOPT_SSLVERSION, least | most));
  if(rc || mote_cli_op_find(op, CURLOPT_CAINFO) || mote_cli_op_find(op, CURLOPT_CAPATH) ||
     mote_cli_op_find(op, CURLOPT_SSL_VERIFYPEER) || never_tls(t))
    return rc;
  file = getenv("CURL_CA_BUNDLE");
  if(file && *file)
    return mote_cli_set_text(t, CURLOPT_CAINFO, file);
  dir = getenv("SSL_CERT_DIR");
  file = getenv("SSL_CERT_FILE");
  if(dir && *dir)
    rc = mote_cli_set_text(t, CURLOPT_CAPATH, dir);
  if(!rc && file && *file)
    rc = mote_cli_set_text(t, CURLOPT_CAINFO, file);
  return rc;
}

enum ssh_use {
  SSH_NEVER,
  SSH_PERHAPS, /* by a default for URLs without a scheme, or after a redirect */
  SSH_SURELY
};

static enum ssh_use ssh_use_of(const struct transfer *t)
{
  const char *url = t->url + strspn(t->url, " \t\r\n");
  if(!strncasecmp(url, "sftp:", 5) || !strncasecmp(url, "scp:", 4))
    return SSH_SURELY;
  if(mote_cli_op_find(t->op, CURLOPT_DEFAULT_PROTOCOL) ||
     mote_cli_op_find(t->op, CURLOPT_REDIR_PROTOCOLS_STR))
    return SSH_PERHAPS;
  return SSH_NEVER;
}

/* Writes the path of OpenSSH's file, in the first home directory that has one. */
static bool find_known_hosts(char *path, size_t size)
{
  static const char *const homes[] = { "CURL_HOME", "XDG_CONFIG_HOME", "HOME" };
  for(size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
    const char *home = getenv(homes[i]);
    if(home && *home && snprintf(path, size, "%s/.ssh/known_hosts", home) < (int)size &&
       !mote_cli_system_access(path, R_OK))
      return true;
  }
  return false;
}

/* The default is OpenSSH's file. Without it the command demands another way to know the server; where it is
 * not sure that SSH is spoken, any server of it is unknown. */
static CURLcode set_known_hosts(struct transfer *t, enum ssh_use use)
{
  static const int others[] = {
    CURLOPT_SSH_KNOWNHOSTS, CURLOPT_SSL_VERIFYPEER, CURLOPT_SSH_HOST_PUBLIC_KEY_MD5,
    CURLOPT_SSH_HOST_PUBLIC_KEY_SHA256
  };
  char path[1024];
  for(size_t i = 0; i < sizeof others / sizeof *others; i++)
    if(mote_cli_op_find(t->op, others[i]))
      return CURLE_OK;
  if(find_known_hosts(path, sizeof path))
    return mote_cli_set_text(t, CURLOPT_SSH_KNOWNHOSTS, path);
  if(use != SSH_SURELY)
    return mote_cli_set_text(t, CURLOPT_SSH_KNOWNHOSTS, MOTE_SYSTEM_NULL);
  mote_cli_error("there is no ~/.ssh/known_hosts: see --knownhosts, --hostpubsha256 and --insecure");
  return CURLE_FAILED_INIT;
}

/* The library was built without what the option belongs to. */
static bool is_absent(CURLcode rc)
{
  return rc == CURLE_NOT_BUILT_IN || rc == CURLE_UNKNOWN_OPTION;
}

static CURLcode set_ssh(struct transfer *t)
{
  const char *key = mote_cli_op_get_text(t->op, CURLOPT_SSLKEY);
  enum ssh_use use = ssh_use_of(t);
  CURLcode rc = CURLE_OK;
  if(use == SSH_NEVER)
    return CURLE_OK;
  if(key)
    rc = mote_cli_set_text(t, CURLOPT_SSH_PRIVATE_KEYFILE, key);
  rc = rc ? rc : set_known_hosts(t, use);
  return use == SSH_PERHAPS && is_absent(rc) ? CURLE_OK : rc;
}

/* Options that have a meaning only together with another one. */
static CURLcode set_pairs(struct transfer *t)
{
  const struct operation *op = t->op;
  bool limit = mote_cli_op_find(op, CURLOPT_LOW_SPEED_LIMIT) != NULL;
  bool period = mote_cli_op_find(op, CURLOPT_LOW_SPEED_TIME) != NULL;
  CURLcode rc = CURLE_OK;
  if(limit && !period)
    rc = mote_cli_set_long(t, CURLOPT_LOW_SPEED_TIME, 30);
  else if(period && !limit)
    rc = mote_cli_set_long(t, CURLOPT_LOW_SPEED_LIMIT, 1);
  if(!rc && mote_cli_op_find(op, CURLOPT_FOLLOWLOCATION) && !mote_cli_op_find(op, CURLOPT_MAXREDIRS))
    rc = mote_cli_set_long(t, CURLOPT_MAXREDIRS, 50);
  if(!rc && mote_cli_op_find(op, SLOT_TIME_COND))
    rc = mote_cli_set_long(t, CURLOPT_TIMECONDITION, (long)mote_cli_op_get_number(op, SLOT_TIME_COND, 0));
  if(!rc && mote_cli_op_find(op, CURLOPT_HTTPSIG_KEY) && !mote_cli_op_find(op, CURLOPT_HTTPSIG_ALGORITHM))
    rc = mote_cli_set_long(t, CURLOPT_HTTPSIG_ALGORITHM, CURLHTTPSIG_ED25519);
  return rc;
}

/* .netrc, and keepalive, which is on by default in the command but off in the library. */
static CURLcode set_defaults(struct transfer *t)
{
  long bits = (long)mote_cli_op_get_number(t->op, SLOT_NETRC, 0);
  CURLcode rc = CURLE_OK;
  if(mote_cli_op_flag(t->op, FLAG_KEEPALIVE))
    rc = mote_cli_set_long(t, CURLOPT_TCP_KEEPALIVE, 1);
  if(!rc && bits)
    rc = setup_blame(t, SLOT_NETRC,
                     mote_cli_set_long(t, CURLOPT_NETRC, bits & 1 ? CURL_NETRC_OPTIONAL
                                       : CURL_NETRC_REQUIRED));
  return rc;
}

static CURLcode set_limits(struct transfer *t)
{
  curl_off_t rate = mote_cli_op_get_number(t->op, SLOT_LIMIT_RATE, 0);
  long room = rate && rate < RECEIVE_BUFFER ? (long)rate : RECEIVE_BUFFER;
  CURLcode rc = CURLE_OK;
  if(rate) {
    rc = mote_cli_set_size(t, CURLOPT_MAX_RECV_SPEED_LARGE, rate);
    if(!rc)
      rc = mote_cli_set_size(t, CURLOPT_MAX_SEND_SPEED_LARGE, rate);
  }
  if(!rc && !mote_cli_op_flag(t->op, FLAG_HEAD))
    rc = mote_cli_set_long(t, CURLOPT_BUFFERSIZE, room);
  return rc;
}

static CURLcode setup_set_callbacks(struct transfer *t)
{
  curl_write_callback body = mote_cli_graph() ? mote_cli_graph_body : mote_cli_body;
  CURLcode rc = curl_easy_setopt(t->handle, CURLOPT_WRITEFUNCTION, body);
  if(!rc)
    rc = curl_easy_setopt(t->handle, CURLOPT_WRITEDATA, t);
  if(!rc && mote_cli_header_wanted(t)) {
    rc = curl_easy_setopt(t->handle, CURLOPT_HEADERFUNCTION, mote_cli_header);
    if(!rc)
      rc = curl_easy_setopt(t->handle, CURLOPT_HEADERDATA, t);
  }
  t->meter.on = mote_cli_meter_wanted(t);
  if(!rc && t->meter.on) {
    rc = curl_easy_setopt(t->handle, CURLOPT_XFERINFOFUNCTION, mote_cli_progress);
    if(!rc)
      rc = curl_easy_setopt(t->handle, CURLOPT_XFERINFODATA, t);
    if(!rc)
      rc = curl_easy_setopt(t->handle, CURLOPT_NOPROGRESS, 0L);
  }
  return rc;
}

static CURLcode set_rest(struct transfer *t)
{
  const char *format = mote_cli_op_get_text(t->op, SLOT_WRITE_OUT);
  CURLcode rc = CURLE_OK;
  if(format && (strstr(format, "certs}") || strstr(format, "%{json}")))
    rc = mote_cli_set_long(t, CURLOPT_CERTINFO, 1);
  if(rc == CURLE_NOT_BUILT_IN || rc == CURLE_UNKNOWN_OPTION)
    rc = CURLE_OK; /* then the variable is empty */
  if(!rc && t->resume_from)
    rc = mote_cli_set_size(t, CURLOPT_RESUME_FROM_LARGE, t->resume_from);
  if(!rc && mote_cli_op_flag(t->op, FLAG_FAIL))
    rc = mote_cli_set_long(t, CURLOPT_FAILONERROR, 1);
  if(!rc && (mote_cli_op_flag(t->op, FLAG_REMOTE_TIME) || mote_cli_op_flag(t->op, FLAG_HEAD)))
    rc = mote_cli_set_long(t, CURLOPT_FILETIME, 1);
  if(!rc && mote_cli.share)
    rc = curl_easy_setopt(t->handle, CURLOPT_SHARE, mote_cli.share);
  if(!rc && !t->op->cookies_read && mote_cli_op_find(t->op, CURLOPT_COOKIEFILE)) {
    rc = curl_easy_setopt(t->handle, CURLOPT_COOKIELIST, "RELOAD");
    t->op->cookies_read = true;
  }
  return rc;
}

/* ---- options of the socket itself: type of service, priority, Multipath TCP ---- */

static int set_on_socket(void *transfer, curl_socket_t fd, curlsocktype purpose)
{
  struct transfer *t = transfer;
  int tos = (int)mote_cli_op_get_number(t->op, SLOT_IP_TOS, -1);
  int priority = (int)mote_cli_op_get_number(t->op, SLOT_VLAN, -1);
  int rc = 0;
  if(purpose != CURLSOCKTYPE_IPCXN)
    return CURL_SOCKOPT_OK;
  if(tos >= 0) {
    rc = mote_cli_system_type_of_service(fd, tos);
    if(rc)
      mote_cli_warn("cannot set the type of service to %d: %s", tos, strerror(rc));
  }
  if(priority >= 0) {
    rc = mote_cli_system_priority(fd, priority);
    if(rc)
      mote_cli_warn("cannot set the VLAN priority to %d: %s", priority, strerror(rc));
  }
  return CURL_SOCKOPT_OK;
}

/* A Multipath TCP socket where the system has them, a plain one where it has not. */
static curl_socket_t open_mptcp(void *transfer, curlsocktype purpose, struct curl_sockaddr *address)
{
  curl_socket_t fd = CURL_SOCKET_BAD;
  (void)transfer;
  (void)purpose;
  if(address->protocol == IPPROTO_TCP || (!address->protocol && address->socktype == SOCK_STREAM))
    fd = mote_cli_system_socket(address->family, address->socktype, MULTIPATH_TCP);
  if(fd == CURL_SOCKET_BAD)
    fd = mote_cli_system_socket(address->family, address->socktype, address->protocol);
  return fd;
}

static CURLcode set_socket(struct transfer *t)
{
  CURLcode rc = CURLE_OK;
  if(mote_cli_op_find(t->op, SLOT_IP_TOS) || mote_cli_op_find(t->op, SLOT_VLAN)) {
    rc = curl_easy_setopt(t->handle, CURLOPT_SOCKOPTFUNCTION, set_on_socket);
    if(!rc)
      rc = curl_easy_setopt(t->handle, CURLOPT_SOCKOPTDATA, t);
  }
  if(!rc && mote_cli_op_flag(t->op, FLAG_MPTCP))
    rc = curl_easy_setopt(t->handle, CURLOPT_OPENSOCKETFUNCTION, open_mptcp);
  return rc;
}

static CURLcode setup_set_url(struct transfer *t)
{
  CURLcode rc = curl_easy_setopt(t->handle, CURLOPT_ERRORBUFFER, t->error);
  return rc ? rc : mote_cli_set_text(t, CURLOPT_URL, t->url);
}

CURLcode mote_cli_setup(struct transfer *t)
{
  static CURLcode (*const steps[])(struct transfer *) = {
    setup_set_url, apply_values, setup_set_callbacks, set_limits, setup_set_request, set_tls, set_ssh,
    set_pairs, set_defaults,
    set_rest, mote_cli_trace_setup, set_socket
  };
  CURLcode rc = CURLE_OK;
  t->error[0] = 0;
  t->failed = CURLE_OK;
  t->out_bytes = 0;
  t->out_body = false;
  t->out_kept_back = false;
  t->head_final = t->head_over = false; /* a name that the server gave holds for a retry */
  t->trouble.what = NULL;
  t->held_len = 0;
  t->skipped = false;
  mote_cli_program_transfer(t);
  if(mote_cli.cookies)
    curl_easy_setopt(t->handle, CURLOPT_COOKIEFILE, NULL); /* those of the last transfer are its own */
  for(size_t i = 0; i < sizeof steps / sizeof steps[0] && !rc; i++)
    rc = steps[i](t);
  mote_cli_program_perform(t);
  return rc;
}
