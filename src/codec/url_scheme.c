/* codec/url_scheme.c: what is known of schemes. */
#include "codec/url.h"

/* The ports that IANA lists, but for gophers, smtps and smbs: those of libcurl. */
static const struct mote_scheme_facts schemes[] = {
  { .name = "http", .port = 80 },
  { .name = "https", .port = 443, .flags = MOTE_SCHEME_TLS },
  { .name = "ftp", .port = 21 },
  { .name = "ftps", .port = 990, .flags = MOTE_SCHEME_TLS },
  { .name = "ws", .port = 80 },
  { .name = "wss", .port = 443, .flags = MOTE_SCHEME_TLS },
  { .name = "file", .port = 0, .flags = MOTE_SCHEME_NO_HOST },
  { .name = "sftp", .port = 22 },
  { .name = "scp", .port = 22 },
  { .name = "imap", .port = 143, .flags = MOTE_SCHEME_LOGIN_OPTIONS },
  { .name = "imaps", .port = 993, .flags = MOTE_SCHEME_LOGIN_OPTIONS | MOTE_SCHEME_TLS },
  { .name = "pop3", .port = 110, .flags = MOTE_SCHEME_LOGIN_OPTIONS },
  { .name = "pop3s", .port = 995, .flags = MOTE_SCHEME_LOGIN_OPTIONS | MOTE_SCHEME_TLS },
  { .name = "smtp", .port = 25, .flags = MOTE_SCHEME_LOGIN_OPTIONS },
  { .name = "smtps", .port = 465, .flags = MOTE_SCHEME_LOGIN_OPTIONS | MOTE_SCHEME_TLS },
  { .name = "mqtt", .port = 1883 },
  { .name = "mqtts", .port = 8883, .flags = MOTE_SCHEME_TLS },
  { .name = "dict", .port = 2628 },
  { .name = "ldap", .port = 389 },
  { .name = "ldaps", .port = 636, .flags = MOTE_SCHEME_TLS },
  { .name = "tftp", .port = 69 },
  { .name = "telnet", .port = 23 },
  { .name = "gopher", .port = 70 },
  { .name = "gophers", .port = 70, .flags = MOTE_SCHEME_TLS },
  { .name = "rtsp", .port = 554 },
  { .name = "socks", .port = 1080 },
  { .name = "socks4", .port = 1080 },
  { .name = "socks4a", .port = 1080 },
  { .name = "socks5", .port = 1080 },
  { .name = "socks5h", .port = 1080 },
  { .name = "smb", .port = 445 },
  { .name = "smbs", .port = 445, .flags = MOTE_SCHEME_TLS },
};

const struct mote_scheme_facts *mote_scheme_facts(const char *name, size_t len)
{
  struct mote_slice s = { name, len };
  size_t i;
  for(i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    if(mote_slice_is(s, schemes[i].name))
      return &schemes[i];
  }
  return NULL;
}
