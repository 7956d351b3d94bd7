#include "tool/newer.h"

#include "tool/memory.h"
#include "tool/show/messages.h"
#include "tool/system/system.h"
#include "tool/transfers/files.h"
#include "tool/transfers/out.h"

#include <errno.h>
#include <mote/mote.h>
#include <stdio.h>
#include <string.h>

CURLcode mote_cli_trace_config(const char *parts)
{
  return curl_global_trace(parts);
}

bool mote_cli_memory_figures(size_t *peak, size_t *allocs)
{
  struct mote_part_info info;
  *peak = *allocs = 0;
  for(int i = 0; mote_part_info(i, NULL, &info); i++) {
    *peak += info.peak;
    *allocs += info.calls;
  }
  return true;
}

bool mote_cli_part(int index, struct part_figures *part)
{
  struct mote_part_info info;
  if(!mote_part_info(index, &part->name, &info))
    return false;
  part->live = info.live;
  part->peak = info.peak;
  part->calls = info.calls;
  return true;
}

/* One session on a line: base64 of the salted hash, a colon, base64 of the session. */
static void newer_put_base64(struct out *o, const unsigned char *p, size_t len)
{
  static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for(size_t i = 0; i < len; i += 3) {
    unsigned n = (unsigned)p[i] << 16;
    if(i + 1 < len)
      n |= (unsigned)p[i + 1] << 8;
    if(i + 2 < len)
      n |= p[i + 2];
    mote_cli_out_char(o, alphabet[n >> 18]);
    mote_cli_out_char(o, alphabet[n >> 12 & 63]);
    mote_cli_out_char(o, i + 1 < len ? alphabet[n >> 6 & 63] : '=');
    mote_cli_out_char(o, i + 2 < len ? alphabet[n & 63] : '=');
  }
}

static CURLcode save_one(CURL *handle, void *writer, const char *key, const unsigned char *shmac,
                         size_t shmac_len, const unsigned char *sdata, size_t sdata_len,
                         curl_off_t valid_until, int tls_id, const char *alpn, size_t earlydata)
{
  struct out *o = writer;
  (void)handle;
  (void)key;
  (void)valid_until;
  (void)tls_id;
  (void)alpn;
  (void)earlydata;
  if(!shmac)
    return CURLE_OK;
  newer_put_base64(o, shmac, shmac_len);
  mote_cli_out_char(o, ':');
  newer_put_base64(o, sdata, sdata_len);
  mote_cli_out_char(o, '\n');
  return CURLE_OK;
}

CURLcode mote_cli_sessions_save(CURL *handle, const char *path)
{
  static const char head[] = "# TLS sessions of mote. Readers of this file can take over connections.\n";
  struct out o;
  int fd = mote_cli_system_open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  CURLcode rc;
  if(fd < 0) {
    mote_cli_error("(%d) cannot write %s: %s", (int)CURLE_WRITE_ERROR, path, strerror(errno));
    return CURLE_WRITE_ERROR;
  }
  mote_cli_out_init(&o, fd, false);
  mote_cli_out_str(&o, head);
  rc = curl_easy_ssls_export(handle, save_one, &o);
  mote_cli_out_flush(&o);
  if(close(fd) || o.failed)
    rc = CURLE_WRITE_ERROR;
  if(rc)
    mote_cli_error("--ssl-sessions: %s", curl_easy_strerror(rc));
  return rc;
}

static int newer_digit(char c)
{
  if(c >= 'A' && c <= 'Z')
    return c - 'A';
  if(c >= 'a' && c <= 'z')
    return c - 'a' + 26;
  if(c >= '0' && c <= '9')
    return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Decodes in place. Returns the length; 0: not base64. */
static size_t newer_decode(char *text)
{
  unsigned bits = 0, have = 0;
  size_t len = 0;
  const char *p;
  for(p = text; newer_digit(*p) >= 0; p++) {
    bits = bits << 6 | (unsigned)newer_digit(*p);
    have += 6;
    if(have >= 8) {
      have -= 8;
      text[len++] = (char)(bits >> have & 0xff);
    }
  }
  return p[strspn(p, "=")] ? 0 : len;
}

CURLcode mote_cli_sessions_load(CURL *handle, const char *path)
{
  char *text;
  size_t size;
  CURLcode rc;
  if(mote_cli_system_access(path, R_OK))
    return CURLE_OK;
  rc = mote_cli_read_file(path, &text, &size);
  for(char *line = rc ? NULL : strtok(text, "\r\n"); line && !rc; line = strtok(NULL, "\r\n")) {
    char *data = strchr(line, ':');
    size_t shmac_len, len;
    if(*line == '#' || !data)
      continue;
    *data++ = 0;
    shmac_len = newer_decode(line);
    len = newer_decode(data);
    if(!shmac_len || !len) {
      mote_cli_warn("%s has a line that is not a TLS session", path);
      continue;
    }
    rc = curl_easy_ssls_import(handle, NULL, (unsigned char *)line, shmac_len, (unsigned char *)data, len);
    if(rc == CURLE_BAD_FUNCTION_ARGUMENT)
      rc = CURLE_OK; /* the session is of another version */
  }
  if(rc)
    mote_cli_error("--ssl-sessions: %s", curl_easy_strerror(rc));
  return rc;
}
