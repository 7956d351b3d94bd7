/* Handlers of options about protocols, addresses, proxies and certificates. See options.h. */
#include "tool/memory.h"
#include "tool/options/numbers.h"
#include "tool/options/options.h"
#include "tool/show/messages.h"
#include "tool/system/system.h"

#include <string.h>
#include <strings.h>

MOTE_SETTER(proxy)
{
  bool h2 = mote_cli_op_get_number(p->op, CURLOPT_PROXYTYPE, 0) == CURLPROXY_HTTPS2; /* by --proxy-http2 */
  (void)on;
  if(!(h2 && row->value == CURLPROXY_HTTP) &&
     !mote_cli_op_number(p->op, row, CURLOPT_PROXYTYPE, row->value))
    return PARAM_NO_MEMORY;
  return mote_cli_stored(mote_cli_op_text(p->op, row, row->target, arg));
}

/* The library's number for a scheme name; -1: it does not know the name. */
static int scheme_index(const char *name, size_t len)
{
  const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
  for(int i = 0; info->protocols[i] && i < 64; i++)
    if(strlen(info->protocols[i]) == len && !strncasecmp(info->protocols[i], name, len))
      return i;
  return -1;
}

/* The schemes of curl, of which a build may lack some. */
static const char *const schemes[] = {
  "dict", "file", "ftp", "ftps", "gopher", "gophers", "http", "https", "imap", "imaps", "ldap", "ldaps",
  "mqtt", "mqtts", "pop3", "pop3s", "rtmp", "rtmpe", "rtmps", "rtmpt", "rtmpte", "rtmpts", "rtsp", "scp",
  "sftp", "smb", "smbs", "smtp", "smtps", "telnet", "tftp", "ws", "wss"
};

static bool is_scheme_of_curl(const char *name, size_t len)
{
  for(size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
    if(strlen(schemes[i]) == len && !strncasecmp(schemes[i], name, len))
      return true;
  return false;
}

/* One item of --proto: modifiers and a name. Denying a protocol that the library lacks has no effect, so
 * that scripts can deny it everywhere (curl(1)). A name that curl does not know either is a slip. */
static enum param set_connection_permit(const char *item, size_t len, unsigned long long *set)
{
  char mode = '+';
  int index;
  unsigned long long bits;
  while(len && strchr("+-=", *item)) {
    mode = *item++;
    len--;
  }
  if(len == 3 && !strncasecmp(item, "all", 3))
    bits = ~0ULL;
  else {
    index = scheme_index(item, len);
    if(index < 0 && mode == '-' && is_scheme_of_curl(item, len))
      return PARAM_OK;
    if(index < 0) {
      mote_cli_help("the library does not have the protocol \"%.*s\"", (int)len, item);
      return PARAM_BAD_USE;
    }
    bits = 1ULL << index;
  }
  if(mode == '=')
    *set = bits;
  else if(mode == '-')
    *set &= ~bits;
  else
    *set |= bits;
  return PARAM_OK;
}

/* The names of the set as the library takes them: "http,https". */
static char *scheme_list(unsigned long long set)
{
  const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
  size_t len = 1;
  char *text, *to;
  for(int i = 0; info->protocols[i] && i < 64; i++)
    len += strlen(info->protocols[i]) + 1;
  to = text = mote_cli_keep(len);
  for(int i = 0; text && info->protocols[i] && i < 64; i++)
    if(set >> i & 1) {
      if(to != text)
        *to++ = ',';
      to = stpcpy(to, info->protocols[i]);
    }
  return text;
}

MOTE_SETTER(proto)
{
  unsigned long long set = ~0ULL;
  const char *old = mote_cli_op_get_text(p->op, row->target);
  char *list;
  enum param rc = PARAM_OK;
  (void)on;
  if(row->target == CURLOPT_REDIR_PROTOCOLS_STR)
    old = old ? old : "http,https,ftp,ftps";
  if(old) {
    set = 0;
    while(*old) {
      size_t len = strcspn(old, ",");
      int index = scheme_index(old, len);
      if(index >= 0)
        set |= 1ULL << index;
      old += len + (old[len] == ',');
    }
  }
  while(*arg && !rc) {
    size_t len = strcspn(arg, ",");
    if(len)
      rc = set_connection_permit(arg, len, &set);
    arg += len + (arg[len] == ',');
  }
  list = rc ? NULL : scheme_list(set);
  if(rc || (list && !*list)) /* what allows nothing can transfer nothing */
    return rc ? rc : PARAM_BAD_USE;
  return mote_cli_stored(list && mote_cli_op_text(p->op, row, row->target, list));
}

MOTE_SETTER(protodefault)
{
  (void)on;
  if(scheme_index(arg, strlen(arg)) < 0)
    return PARAM_PROTOCOL;
  return mote_cli_stored(mote_cli_op_text(p->op, row, row->target, arg));
}

MOTE_SETTER(localport)
{
  curl_off_t low, high;
  char first[8];
  size_t len = strcspn(arg, "-");
  (void)on;
  if(len >= sizeof first)
    return PARAM_BAD_USE;
  memcpy(first, arg, len);
  first[len] = 0;
  if(mote_cli_number(first, 0, &low) || low > 65535)
    return PARAM_BAD_USE;
  high = low;
  if(arg[len] && (mote_cli_number(arg + len + 1 + strspn(arg + len + 1, " "), 0, &high) || high > 65535 ||
                  high < low))
    return PARAM_BAD_USE;
  if(!mote_cli_op_number(p->op, row, row->target, low))
    return PARAM_NO_MEMORY;
  return mote_cli_stored(mote_cli_op_number(p->op, row, (int)row->value, high - low + 1));
}

struct tos_name {
  const char *name;
  int value;
};

/* RFC 2474, 2597, 3246, 5865, 8622, 3168; the last five RFC 1349. */
static const struct tos_name tos_names[] = {
  { "CS0", 0x00 }, { "CS1", 0x20 }, { "CS2", 0x40 }, { "CS3", 0x60 }, { "CS4", 0x80 }, { "CS5", 0xa0 },
  { "CS6", 0xc0 }, { "CS7", 0xe0 }, { "AF11", 0x28 }, { "AF12", 0x30 }, { "AF13", 0x38 }, { "AF21", 0x48 },
  { "AF22", 0x50 }, { "AF23", 0x58 }, { "AF31", 0x68 }, { "AF32", 0x70 }, { "AF33", 0x78 }, { "AF41", 0x88 },
  { "AF42", 0x90 }, { "AF43", 0x98 }, { "EF", 0xb8 }, { "VOICE-ADMIT", 0xb0 }, { "LE", 0x04 },
  { "ECT1", 0x01 }, { "ECT0", 0x02 }, { "CE", 0x03 }, { "LOWCOST", 0x02 }, { "LOWDELAY", 0x10 },
  { "THROUGHPUT", 0x08 }, { "RELIABILITY", 0x04 }, { "MINCOST", 0x02 }, { NULL, 0 }
};

MOTE_SETTER(tos)
{
  curl_off_t n;
  enum param rc = PARAM_OK;
  const struct tos_name *name = tos_names;
  (void)on;
  while(name->name && strcasecmp(name->name, arg))
    name++;
  if(name->name)
    n = name->value;
  else
    rc = mote_cli_number(arg, 0, &n);
  if(!rc && n > 255)
    rc = PARAM_TOO_LARGE;
  return rc ? rc : mote_cli_stored(mote_cli_op_number(p->op, row, row->target, n));
}

/* "file:password", where "\:" is a colon and "\\" a backslash. A pkcs11: URI is not followed by a
 * password. */
MOTE_SETTER(cert)
{
  char *from = arg, *to;
  char *copy;
  (void)on;
  if(!strncasecmp(arg, "pkcs11:", 7))
    return mote_cli_stored(mote_cli_op_text(p->op, row, row->target, arg));
  to = copy = mote_cli_keep(strlen(arg) + 1);
  if(!copy)
    return PARAM_NO_MEMORY;
  while(*from && *from != ':') {
    if(*from == '\\' && (from[1] == ':' || from[1] == '\\'))
      from++;
    *to++ = *from++;
  }
  if(*from == ':' && !mote_cli_op_text(p->op, row, (int)row->value, from + 1))
    return PARAM_NO_MEMORY;
  return mote_cli_stored(mote_cli_op_text(p->op, row, row->target, copy));
}

MOTE_SETTER(rate)
{
  (void)p;
  (void)on;
  return mote_cli_rate(arg, &mote_cli.numbers[row->target]);
}
