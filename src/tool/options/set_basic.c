/* Handlers of options that set one thing: a switch, a number, a text. See options.h. */
#include "tool/memory.h"
#include "tool/options/numbers.h"
#include "tool/options/options.h"
#include "tool/show/messages.h"

#include <string.h>
#include <strings.h>

#define UNUSED(p, row, arg, on) ((void)(p), (void)(row), (void)(arg), (void)(on))

static enum param number_or_none(struct parse *p, const struct option_row *row, int target, long n, bool on)
{
  if(on)
    return mote_cli_stored(mote_cli_op_number(p->op, row, target, n));
  mote_cli_op_remove(p->op, target);
  return PARAM_OK;
}

MOTE_SETTER(none)
{
  UNUSED(p, row, arg, on);
  return PARAM_OK;
}

MOTE_SETTER(flag)
{
  (void)arg;
  mote_cli_op_set_flag(p->op, (enum op_flag)row->target, on);
  return PARAM_OK;
}

/* A long 1 or 0. Nothing is set if it is row.value, the library's default. */
MOTE_SETTER(bool)
{
  (void)arg;
  return number_or_none(p, row, row->target, on ? 1 : 0, (on ? 1 : 0) != row->value);
}

/* A long 0 or 1, the library's default. */
MOTE_SETTER(not)
{
  (void)arg;
  return number_or_none(p, row, row->target, 0, on);
}

/* Takes back what another option has set. */
MOTE_SETTER(clear)
{
  UNUSED(p, row, arg, on);
  mote_cli_op_remove(p->op, row->target);
  return PARAM_OK;
}

MOTE_SETTER(const)
{
  (void)arg;
  return number_or_none(p, row, row->target, row->value, on);
}

MOTE_SETTER(bit)
{
  long bits = (long)mote_cli_op_get_number(p->op, row->target, 0);
  (void)arg;
  bits = on ? bits | row->value : bits & ~row->value;
  return number_or_none(p, row, row->target, bits, bits != 0);
}

MOTE_SETTER(insecure)
{
  enum param rc = number_or_none(p, row, row->target, 0, on);
  (void)arg;
  return rc ? rc : number_or_none(p, row, (int)row->value, 0, on);
}

MOTE_SETTER(raw)
{
  return mote_set_insecure(p, row, arg, on);
}

/* --location and --follow are two ways to follow: the last one counts. */
static enum param set_following(struct parse *p, const struct option_row *row, long way, bool on)
{
  long other = (long)mote_cli_op_get_number(p->op, CURLOPT_FOLLOWLOCATION, way);
  const char *const names[] = { "--location", "--follow" };
  if(other != way)
    mote_cli_warn(CURL_SAYS_FOLLOW, names[way != 1], names[way == 1]);
  return number_or_none(p, row, CURLOPT_FOLLOWLOCATION, way, on);
}

MOTE_SETTER(follow)
{
  (void)arg;
  return set_following(p, row, row->value, on);
}

MOTE_SETTER(location)
{
  enum param rc = set_following(p, row, 1, on);
  (void)arg;
  return rc ? rc : number_or_none(p, row, row->target, 1, on);
}

/* --fail and --fail-with-body are two ways to fail: the last one counts. */
MOTE_SETTER(fail)
{
  const char *const names[] = { "--fail", "--fail-with-body" };
  bool body = row->target == FLAG_FAIL_BODY;
  (void)arg;
  if(on && mote_cli_op_flag(p->op, (enum op_flag)row->value))
    mote_cli_warn(CURL_SAYS_FAIL, names[body], names[!body]);
  mote_cli_op_set_flag(p->op, (enum op_flag)row->value, false);
  mote_cli_op_set_flag(p->op, (enum op_flag)row->target, on);
  return PARAM_OK;
}

MOTE_SETTER(head)
{
  mote_cli_op_set_flag(p->op, FLAG_SHOW_HEADERS, on);
  return mote_set_flag(p, row, arg, on);
}

MOTE_SETTER(clobber)
{
  UNUSED(p, row, arg, on);
  mote_cli_op_set_flag(p->op, FLAG_CLOBBER, on);
  mote_cli_op_set_flag(p->op, FLAG_NO_CLOBBER, !on);
  return PARAM_OK;
}

MOTE_SETTER(str)
{
  (void)on;
  return mote_cli_stored(mote_cli_op_text(p->op, row, row->target, arg));
}

/* A text of row.value characters. */
MOTE_SETTER(exact)
{
  return strlen(arg) == (size_t)row->value ? mote_set_str(p, row, arg, on) : PARAM_BAD_USE;
}

MOTE_SETTER(list)
{
  (void)on;
  return mote_cli_stored(mote_cli_op_add(p->op, row, row->target, arg) != NULL);
}

/* A command before the transfer; "-": after it; "+": after the directory was changed. */
MOTE_SETTER(quote)
{
  int target = *arg == '-' ? (int)CURLOPT_POSTQUOTE
               : *arg == '+' ? (int)CURLOPT_PREQUOTE : (int)CURLOPT_QUOTE;
  (void)on;
  return mote_cli_stored(mote_cli_op_add(p->op, row, target, arg + (target != (int)CURLOPT_QUOTE)) != NULL);
}

/* row.value: the largest number allowed; -1: -1 is allowed too; 0: no limit. */
MOTE_SETTER(number)
{
  curl_off_t n;
  enum param rc = mote_cli_number(arg, row->value == -1 ? -1 : 0, &n);
  (void)on;
  if(rc)
    return rc;
  if(row->value > 0 && n > row->value)
    return PARAM_TOO_LARGE;
  return mote_cli_stored(mote_cli_op_number(p->op, row, row->target, n));
}

MOTE_SETTER(octal)
{
  long n = 0;
  (void)on;
  if(!*arg)
    return PARAM_NUMBER;
  for(; *arg; arg++) {
    if(*arg < '0' || *arg > '7')
      return PARAM_NUMBER;
    n = n * 8 + (*arg - '0');
    if(n > row->value)
      return PARAM_NUMBER;
  }
  return mote_cli_stored(mote_cli_op_number(p->op, row, row->target, n));
}

MOTE_SETTER(seconds)
{
  curl_off_t ms;
  enum param rc = mote_cli_seconds(arg, &ms);
  (void)on;
  return rc ? rc : mote_cli_stored(mote_cli_op_number(p->op, row, row->target, ms));
}

MOTE_SETTER(size)
{
  curl_off_t n;
  enum param rc = mote_cli_size(arg, &n);
  (void)on;
  return rc ? rc : mote_cli_stored(mote_cli_op_number(p->op, row, row->target, n));
}

MOTE_SETTER(keepalive)
{
  enum param rc = mote_set_number(p, row, arg, on);
  if(rc)
    return rc;
  return mote_cli_stored(mote_cli_op_number(p->op, row, (int)row->value,
                                             mote_cli_op_get_number(p->op, row->target, 0)));
}

struct word {
  const char *text;
  long number;
};

static const struct word delegation_words[] = {
  { "none", CURLGSSAPI_DELEGATION_NONE }, { "policy", CURLGSSAPI_DELEGATION_POLICY_FLAG },
  { "always", CURLGSSAPI_DELEGATION_FLAG }, { NULL, 0 }
};
static const struct word httpsig_words[] = {
  { "ed25519", CURLHTTPSIG_ED25519 }, { "hmac-sha256", CURLHTTPSIG_HMAC_SHA256 }, { NULL, 0 }
};
static const struct word tls_max_words[] = {
  { "default", CURL_SSLVERSION_MAX_DEFAULT }, { "1.0", CURL_SSLVERSION_MAX_TLSv1_0 },
  { "1.1", CURL_SSLVERSION_MAX_TLSv1_1 }, { "1.2", CURL_SSLVERSION_MAX_TLSv1_2 },
  { "1.3", CURL_SSLVERSION_MAX_TLSv1_3 }, { NULL, 0 }
};
static const struct word ftp_method_words[] = {
  { "multicwd", CURLFTPMETHOD_MULTICWD }, { "nocwd", CURLFTPMETHOD_NOCWD },
  { "singlecwd", CURLFTPMETHOD_SINGLECWD }, { NULL, 0 }
};
static const struct word ccc_words[] = {
  { "active", CURLFTPSSL_CCC_ACTIVE }, { "passive", CURLFTPSSL_CCC_PASSIVE }, { NULL, 0 }
};

MOTE_SETTER(word)
{
  static const struct word *const lists[] = { delegation_words, httpsig_words, tls_max_words,
                                              ftp_method_words, ccc_words };
  (void)on;
  for(const struct word *w = lists[row->value]; w->text; w++)
    if(!strcmp(w->text, arg))
      return mote_cli_stored(mote_cli_op_number(p->op, row, row->target, w->number));
  if(row->value == WORD_HTTPSIG || row->value == WORD_TLS_MAX)
    return PARAM_BAD_USE;
  mote_cli_warn("--%s: \"%s\" is none of its words, the default is used", row->name, arg);
  return PARAM_OK;
}

static const struct word upload_flag_words[] = {
  { "answered", CURLULFLAG_ANSWERED }, { "deleted", CURLULFLAG_DELETED }, { "draft", CURLULFLAG_DRAFT },
  { "flagged", CURLULFLAG_FLAGGED }, { "seen", CURLULFLAG_SEEN }, { NULL, 0 }
};

/* Changes the default, with words after commas; '-' takes a flag away. */
MOTE_SETTER(upload_flags)
{
  long flags = CURLULFLAG_SEEN;
  (void)on;
  for(const char *at = arg, *end; at; at = *end ? end + 1 : NULL) {
    bool off = *at == '-';
    const struct word *w = upload_flag_words;
    at += off;
    end = at + strcspn(at, ",");
    while(w->text && (strlen(w->text) != (size_t)(end - at) || memcmp(w->text, at, (size_t)(end - at))))
      w++;
    if(!w->text)
      return PARAM_BAD_USE;
    flags = off ? flags & ~w->number : flags | w->number;
  }
  return mote_cli_stored(mote_cli_op_number(p->op, row, row->target, flags));
}

MOTE_SETTER(ignored)
{
  UNUSED(p, row, arg, on);
  mote_cli_warn("--%s has no effect", row->name);
  return PARAM_OK;
}

MOTE_SETTER(refused)
{
  static const char *const what[] = {
    [NEEDS_IPFS] = "IPFS", [NEEDS_METALINK] = "metalink"
  };
  (void)arg;
  if(!on)
    return PARAM_OK;
  mote_cli_help("option %s: %s is not built in", p->name ? p->name : row->name, what[row->target]);
  return PARAM_REFUSED;
}

MOTE_SETTER(global)
{
  UNUSED(p, row, arg, on);
  if(on)
    mote_cli.flags |= 1UL << row->target;
  else
    mote_cli.flags &= ~(1UL << row->target);
  return PARAM_OK;
}

MOTE_SETTER(gstr)
{
  UNUSED(p, row, arg, on);
  mote_cli.texts[row->target] = arg;
  return PARAM_OK;
}

/* "ids" and "time" among the parts of --trace-config stand for --trace-ids and --trace-time. The library
 * passes over them. Source: curl(1), --trace-config. */
static void take_trace_words(const char *words)
{
  for(size_t len; *words; words += len + strspn(words + len, ", ")) {
    len = strcspn(words, ", ");
    if(len == 3 && !strncasecmp(words, "ids", len))
      mote_cli.flags |= 1UL << GLOBAL_TRACE_IDS;
    else if(len == 4 && !strncasecmp(words, "time", len))
      mote_cli.flags |= 1UL << GLOBAL_TRACE_TIME;
  }
}

MOTE_SETTER(traceconfig)
{
  const char *old = mote_cli.texts[row->target];
  UNUSED(p, row, arg, on);
  take_trace_words(arg);
  if(old) {
    size_t len = strlen(old);
    char *both = mote_cli_keep(len + strlen(arg) + 2);
    if(!both)
      return PARAM_NO_MEMORY;
    memcpy(both, old, len);
    both[len] = ',';
    strcpy(both + len + 1, arg);
    arg = both;
  }
  mote_cli.texts[row->target] = arg;
  return PARAM_OK;
}

MOTE_SETTER(gnumber)
{
  curl_off_t n;
  enum param rc = mote_cli_number(arg, 0, &n);
  (void)p;
  (void)on;
  if(rc)
    return rc;
  if(n > row->value)
    n = row->value;
  if(row->target == GNUM_PARALLEL_MAX && !n)
    n = 50;
  mote_cli.numbers[row->target] = n;
  return PARAM_OK;
}

MOTE_SETTER(trace)
{
  static const char *const names[] = { "", "--verbose", "--trace-ascii", "--trace" };
  (void)p;
  if(!on) {
    mote_cli.trace = TRACE_NONE;
    return PARAM_OK;
  }
  if(mote_cli.trace != TRACE_NONE && mote_cli.trace != (enum trace_kind)row->target)
    mote_cli_warn("%s overrides an earlier --trace or --verbose", names[row->target]);
  mote_cli.trace = (enum trace_kind)row->target;
  mote_cli.trace_file = arg ? arg : "%";
  return PARAM_OK;
}

MOTE_SETTER(show)
{
  (void)on;
  if(p->depth)
    return PARAM_OK; /* in a config file it would end every command */
  p->show = (enum show)row->target;
  p->subject = arg;
  return PARAM_DONE;
}

MOTE_SETTER(engine)
{
  (void)on;
  if(!strcmp(arg, "list")) {
    p->show = SHOW_ENGINES;
    return PARAM_DONE;
  }
  return mote_cli_op_text(p->op, row, row->target, arg) ? PARAM_OK : PARAM_NO_MEMORY;
}
