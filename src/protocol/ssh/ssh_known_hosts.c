/* protocol/ssh/ssh_known_hosts.c: reads and writes files of known hosts (protocol/ssh/ssh_known_hosts.h). */
#include "protocol/ssh/ssh_known_hosts.h"

#include <string.h>

#include "base/digest/base64.h"
#include "base/text/format.h"
#include "port/file.h"
#include "protocol/ssh/ssh.h"

#define HALF_TYPES 8u /* types of keys: the numbers of both kinds of constants are below it */

/* ---- looking ---- */

/* The bit of a key's type, LIBSSH2_HOSTKEY_TYPE_*, whose order known hosts share, beginning with 2. */
static unsigned ssh_known_hosts_bit_of(int typemask)
{
  int n = (typemask & LIBSSH2_KNOWNHOST_KEY_MASK) >> LIBSSH2_KNOWNHOST_KEY_SHIFT;
  return n >= 2 && n < (int)HALF_TYPES ? 1u << (n - 1) : 0;
}

static void ssh_known_hosts_note(struct mote_known_hosts *k, int verdict,
                                 const struct libssh2_knownhost *found)
{
  if(k->verdict == LIBSSH2_KNOWNHOST_CHECK_MATCH)
    return;
  k->verdict = verdict;
  k->known[0] = 0;
  if(!found || !found->key)
    return;
  k->known_type = found->typemask & LIBSSH2_KNOWNHOST_KEY_MASK;
  if(strlen(found->key) < sizeof k->known)
    memcpy(k->known, found->key, strlen(found->key) + 1);
}

/* Returns whether the line has another key of the server. libssh2 looks for the host with its port, and then
 * for the host alone; a copy loses only the name that will be added. */
static bool ssh_known_hosts_look_at(struct mote_known_hosts *k, LIBSSH2_KNOWNHOSTS *hosts, const char *line,
                                    size_t len)
{
  struct libssh2_knownhost *found = NULL;
  bool exact = k->copy >= 0;
  int type = k->key ? k->type : 0, verdict;
  if(libssh2_knownhost_readline(hosts, line, len, LIBSSH2_KNOWNHOST_FILE_OPENSSH))
    return false;
  verdict = libssh2_knownhost_checkp(hosts, exact ? k->name : k->host, exact ? -1 : k->port,
                                     k->key ? k->key : "?", k->key ? k->key_len : 1,
                                     LIBSSH2_KNOWNHOST_TYPE_PLAIN | LIBSSH2_KNOWNHOST_KEYENC_RAW | type,
                                     &found);
  if(verdict == LIBSSH2_KNOWNHOST_CHECK_MATCH || verdict == LIBSSH2_KNOWNHOST_CHECK_MISMATCH) {
    if(found)
      k->types |= ssh_known_hosts_bit_of(found->typemask);
    ssh_known_hosts_note(k, verdict, found);
  }
  while(!libssh2_knownhost_get(hosts, &found, NULL))
    if(libssh2_knownhost_del(hosts, found))
      break;
  return verdict == LIBSSH2_KNOWNHOST_CHECK_MISMATCH;
}

static void ssh_known_hosts_copy(struct mote_known_hosts *k, const char *bytes, size_t len)
{
  if(k->copy >= 0 && !k->err)
    k->err = mote_port_file_write(k->copy, bytes, len);
}

/* Copies a line without the server's name. The others keep the key; with none left, as of a hashed one, the
 * line goes. */
static void copy_other_names(struct mote_known_hosts *k, const char *line, size_t len)
{
  struct mote_slice rest = {line, len}, name;
  bool some = false, more = true;
  mote_slice_skip_blanks(&rest);
  while(more && *rest.ptr != '|') {
    name.ptr = rest.ptr;
    while(rest.len > 1 && *rest.ptr != ',' && !mote_is_blank(*rest.ptr))
      mote_slice_skip(&rest, 1);
    name.len = (size_t)(rest.ptr - name.ptr);
    more = *rest.ptr == ',';
    if(more)
      mote_slice_skip(&rest, 1);
    if(!name.len || mote_slice_is(name, k->name))
      continue;
    ssh_known_hosts_copy(k, ",", some ? 1 : 0);
    ssh_known_hosts_copy(k, name.ptr, name.len);
    some = true;
  }
  if(some)
    ssh_known_hosts_copy(k, rest.ptr, rest.len);
}

/* len counts the end of the line, which libssh2 relies on. */
static void ssh_known_hosts_take_line(struct mote_known_hosts *k, LIBSSH2_KNOWNHOSTS *hosts, const char *line,
                                      size_t len)
{
  if(ssh_known_hosts_look_at(k, hosts, line, len))
    copy_other_names(k, line, len);
  else
    ssh_known_hosts_copy(k, line, len);
}

/* Takes the lines of `len` bytes. Returns how many bytes of the last one are still to be kept. */
static size_t ssh_known_hosts_take_lines(struct mote_known_hosts *k, LIBSSH2_KNOWNHOSTS *hosts, char *room,
                                         size_t len,
                                         bool *skip)
{
  char *at = room, *end = room + len, *next;
  while((next = memchr(at, '\n', (size_t)(end - at))) != NULL) {
    if(*skip)
      ssh_known_hosts_copy(k, at, (size_t)(next - at) + 1);
    else
      ssh_known_hosts_take_line(k, hosts, at, (size_t)(next - at) + 1);
    *skip = false;
    at = next + 1;
  }
  memmove(room, at, (size_t)(end - at));
  return (size_t)(end - at);
}

CURLcode mote_known_hosts_look(struct mote_ssh *s, struct mote_known_hosts *k, char *room, size_t size)
{
  LIBSSH2_KNOWNHOSTS *hosts;
  size_t kept = 0, n = 0;
  bool skip = false;
  int file;
  k->verdict = LIBSSH2_KNOWNHOST_CHECK_NOTFOUND;
  k->types = 0;
  k->unended = false;
  k->known[0] = 0;
  s->starved = false;
  k->err = mote_port_file_open(k->file, MOTE_FILE_READ, 0, &file);
  if(k->err)
    return CURLE_OK;
  hosts = libssh2_knownhost_init(s->session);
  while(hosts && !k->err && !(k->err = mote_port_file_read(file, room + kept, size - kept, &n)) && n) {
    kept = ssh_known_hosts_take_lines(k, hosts, room, kept + n, &skip);
    if(kept == size) {
      ssh_known_hosts_copy(k, room, kept);
      skip = true;
      kept = 0;
    }
  }
  k->unended = kept || skip;
  if(k->unended) {
    room[kept++] = '\n';
    if(skip)
      ssh_known_hosts_copy(k, room, kept);
    else if(hosts)
      ssh_known_hosts_take_line(k, hosts, room, kept);
  }
  (void)mote_port_file_close(file);
  if(hosts)
    libssh2_knownhost_free(hosts);
  return hosts && !s->starved ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

/* ---- writing ---- */

static const char *ssh_known_hosts_name_of(int type)
{
  switch(type) {
  case LIBSSH2_KNOWNHOST_KEY_SSHRSA:
    return "ssh-rsa";
  case LIBSSH2_KNOWNHOST_KEY_SSHDSS:
    return "ssh-dss";
  case LIBSSH2_KNOWNHOST_KEY_ECDSA_256:
    return "ecdsa-sha2-nistp256";
  case LIBSSH2_KNOWNHOST_KEY_ECDSA_384:
    return "ecdsa-sha2-nistp384";
  case LIBSSH2_KNOWNHOST_KEY_ECDSA_521:
    return "ecdsa-sha2-nistp521";
  default:
    return "ssh-ed25519";
  }
}

int mote_known_hosts_add(const struct mote_known_hosts *k, int file)
{
  char text[MOTE_BASE64_SIZE(3072)], line[sizeof text + 400];
  int n;
  if(k->key_len > 3072)
    return 1;
  (void)mote_base64_encode(text, k->key, k->key_len);
  n = mote_snprintf(line, sizeof line, "%s %s %s\n", k->name, ssh_known_hosts_name_of(k->type), text);
  if(k->unended && file != k->copy && mote_port_file_write(file, "\n", 1))
    return 1;
  return mote_port_file_write(file, line, (size_t)n);
}

CURLcode mote_known_hosts_replace(struct mote_ssh *s, struct mote_known_hosts *k, char *room, size_t size,
                                  int *err)
{
  char name[1024];
  struct mote_file_info info = {.perms = 0600};
  bool exists = !mote_port_path_info(k->file, &info);
  CURLcode rc;
  int closed;
  *err = mote_snprintf(name, sizeof name, "%s.mote", k->file) >= (int)sizeof name;
  if(!*err)
    *err = mote_port_file_open(name, MOTE_FILE_WRITE, info.perms & 0777u, &k->copy);
  if(*err)
    return CURLE_OK;
  rc = mote_known_hosts_look(s, k, room, size);
  *err = exists && k->err ? k->err : mote_known_hosts_add(k, k->copy);
  closed = mote_port_file_close(k->copy);
  k->copy = -1;
  if(!*err)
    *err = closed ? closed : rc ? 1 : mote_port_file_rename(name, k->file);
  if(*err)
    (void)mote_port_file_remove(name);
  return rc;
}
