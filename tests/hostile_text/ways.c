/* tests/hostile_text/ways.c: the ways to speak protocols, and what options need (hostile.h). */
#include "hostile.h"

#include <string.h>

#define ANY_PEER "SSL_VERIFYPEER=0 SSL_VERIFYHOST=0 "
#define MAIL "UPLOAD=1 MAIL_FROM=a@b.test MAIL_RCPT=c@d.test"

const struct way ways[] = {
  {"http/1.0", "http", "http://127.0.0.1:%d/p", "HTTP_VERSION=1", true},
  {"http/1.1", "http", "http://127.0.0.1:%d/p", "HTTP_VERSION=2", true},
  {"post", "http", "http://127.0.0.1:%d/p", "HTTP_VERSION=2 COPYPOSTFIELDS=hi", true},
  {"h2c", "http", "http://127.0.0.1:%d/p", "HTTP_VERSION=3", true},
  {"http/2", "h2", "http://127.0.0.1:%d/p", "HTTP_VERSION=5", false},
  {"post/2", "h2", "http://127.0.0.1:%d/p", "HTTP_VERSION=5 COPYPOSTFIELDS=hi", false},
  {"https", "https", "https://127.0.0.1:%d/p", ANY_PEER "HTTP_VERSION=2", true},
  {"https/2", "https2", "https://127.0.0.1:%d/p", ANY_PEER, false},
  {"digest", "digest", "http://u:p@127.0.0.1:%d/p", "HTTPAUTH=2 HTTP_VERSION=2", true},
  {"forward", "http", "http://a.test/p", "PROXY=http://u:p@127.0.0.1:%d", true},
  {"forward/2", "https2", "http://a.test/p",
   "PROXY=https://127.0.0.1:%d PROXYTYPE=3 PROXY_SSL_VERIFYPEER=0 PROXY_SSL_VERIFYHOST=0", false},
  {"tunnel", "http", "http://a.test/p", "PROXY=http://u:p@127.0.0.1:%d HTTPPROXYTUNNEL=1", true},
  {"tunnel/2", "https2", "http://a.test/p",
   "PROXY=https://127.0.0.1:%d PROXYTYPE=3 HTTPPROXYTUNNEL=1 PROXY_SSL_VERIFYPEER=0 PROXY_SSL_VERIFYHOST=0",
   false},
  {"socks5", "socks", "http://a.test/p", "PROXY=socks5h://u:p@127.0.0.1:%d", true},
  {"ws", "http", "ws://127.0.0.1:%d/p", "", true},
  {"ftp", "ftp", "ftp://127.0.0.1:%d/d/f", "", false},
  {"ftp list", "ftp", "ftp://127.0.0.1:%d/d/", "", false},
  {"ftp upload", "ftp", "ftp://127.0.0.1:%d/d/f", "UPLOAD=1 FTP_CREATE_MISSING_DIRS=1", false},
  {"ftp account", "ftp account", "ftp://127.0.0.1:%d/f", "FTP_ACCOUNT=a", false},
  {"imap", "imap", "imap://u:p@127.0.0.1:%d/INBOX;UID=1", "", false},
  {"imap list", "imap", "imap://u:p@127.0.0.1:%d/", "", false},
  {"imap search", "imap", "imap://u:p@127.0.0.1:%d/INBOX?ALL", "", false},
  {"pop3", "pop3", "pop3://u:p@127.0.0.1:%d/1", "", false},
  {"pop3 list", "pop3", "pop3://u:p@127.0.0.1:%d/", "", false},
  {"smtp", "smtp", "smtp://127.0.0.1:%d/h", MAIL, false},
  {"smtp login", "smtp", "smtp://u:p@127.0.0.1:%d/h", MAIL, false},
  {"smtp verify", "smtp", "smtp://127.0.0.1:%d/h", "MAIL_RCPT=c", false},
  {"rtsp", "rtsp", "rtsp://127.0.0.1:%d/p", "RTSP_REQUEST=1", false},
  {"rtsp describe", "rtsp", "rtsp://u:p@127.0.0.1:%d/p", "RTSP_REQUEST=2", false},
  {"rtsp setup", "rtsp", "rtsp://127.0.0.1:%d/p", "RTSP_REQUEST=4 RTSP_TRANSPORT=a", false},
  {"mqtt", "mqtt", "mqtt://127.0.0.1:%d/t", "", false},
  {"mqtt publish", "mqtt", "mqtt://127.0.0.1:%d/t", "COPYPOSTFIELDS=hi", false},
  {"telnet", "telnet", "telnet://127.0.0.1:%d/", "", false},
  {"dict", "dict", "dict://127.0.0.1:%d/d:w", "", false},
  {"dict match", "dict", "dict://127.0.0.1:%d/m:w", "", false},
  {"gopher", "gopher", "gopher://127.0.0.1:%d/1p", "", false},
  {"tftp", "tftp", "tftp://127.0.0.1:%d/f", "", false},
  {"tftp upload", "tftp", "tftp://127.0.0.1:%d/f", "UPLOAD=1 INFILESIZE=2", false},
  {"ldap", "ldap", "ldap://127.0.0.1:%d/dc=a?b?sub?(c=d)", "", false},
};
const size_t way_count = sizeof ways / sizeof *ways;

static const struct place places[] = {
  {"CUSTOMREQUEST", "GET", "", "", true},
  {"REQUEST_TARGET", "/a", "", "", true},
  {"USERAGENT", "a", "", "", true},
  {"REFERER", "a", "", "", true},
  {"COOKIE", "a=b", "", "", true},
  {"COOKIELIST", "Set-Cookie: a=b", "", "", false},
  {"ACCEPT_ENCODING", "a", "", "", true},
  {"RANGE", "1-2", "", "", true},
  {"HTTPHEADER", "X-Own: a", "", "", true},
  {"PROXYHEADER", "X-Own: a", "", "HEADEROPT=1", true},
  {"XOAUTH2_BEARER", "a", "", "HTTPAUTH=64", true},
  {"AWS_SIGV4", "a:b:c:d", "", "USERPWD=u:p", true},
  {"HTTPSIG_KEYID", "a", "", "HTTPSIG_ALGORITHM=1 HTTPSIG_KEY=00", false},
  {"USERPWD", "u", ":p", "", false},
  {"PROXYUSERPWD", "u", ":p", "", false},
  {"PASSWORD", "p", "", "USERNAME=u", false},
  {"PROXYPASSWORD", "p", "", "PROXYUSERNAME=u", false},
  {"PROXY", "http://127.0.0.1:1", "", "", false},
  {"PRE_PROXY", "socks5://127.0.0.1:1", "", "", false},
  {"CONNECT_TO", "a.test:1:127.0.0.1:1", "", "", false},
  {"RESOLVE", "a:1:127.0.0.1", "", "", false},
  {"DOH_URL", "http://127.0.0.1:1/", "", "", false},
  {"HAPROXY_CLIENT_IP", "127.0.0.1", "", "", false},
  {"FTPPORT", "127.0.0.1", "", "", false},
  {"QUOTE", "NOOP", "", "", false},
  {"PREQUOTE", "NOOP", "", "", false},
  {"POSTQUOTE", "NOOP", "", "", false},
  {"FTP_ACCOUNT", "a", "", "", false},
  {"TELNETOPTIONS", "TTYPE=a", "", "", false},
  {"RTSP_STREAM_URI", "rtsp://a/b", "", "", false},
  {"MAIL_FROM", "a@b.test", "", "", false},
  {"MAIL_RCPT", "a@b.test", "", "", false},
  {"MAIL_AUTH", "a@b.test", "", "", false},
  {NULL, "a", "", "", false},
};

/* The URL is a way's, with the text after that piece of it. */
const struct place url_places[] = {
  {"URL end", "", "", "", false},
  {"URL path", "/", "", "", false},
  {"URL user", "u", ":p@", "", false},
  {"URL password", "u:p", "@", "", false},
  {"URL login options", "u;AUTH=PLAIN", "@", "", false},
  {"URL query", "?", "", "", false},
  {"URL type", ";type=", "", "", false},
};
const size_t url_place_count = sizeof url_places / sizeof *url_places;

const struct place *place_of(const char *option)
{
  const struct place *p = places;
  while(p->name && strcmp(p->name, option))
    p++;
  return p;
}
