/* codec/ftp/listing.c: listings of FTP servers (codec/ftp/listing.h). */
#include "codec/ftp/listing.h"

#include <curl/curl.h>
#include <limits.h>
#include <string.h>

#define SIZE_MAX_OF_FILE ((uint64_t)INT64_MAX)

bool mote_listing_next(struct mote_slice *bytes, struct mote_slice *line)
{
  const char *end = bytes->len ? memchr(bytes->ptr, '\n', bytes->len) : NULL;
  if(!end)
    return false;
  line->ptr = bytes->ptr;
  line->len = (size_t)(end - bytes->ptr);
  mote_slice_skip(bytes, line->len + 1);
  if(line->len && end[-1] == '\r')
    line->len--;
  return true;
}

/* Takes spaces. False: there are none. */
static bool listing_spaces(struct mote_slice *s)
{
  size_t n = 0;
  while(n < s->len && s->ptr[n] == ' ')
    n++;
  mote_slice_skip(s, n);
  return n != 0;
}

/* Takes a word up to a space or the end. False: it is empty. */
static bool listing_take_word(struct mote_slice *s, struct mote_slice *out)
{
  const char *end = s->len ? memchr(s->ptr, ' ', s->len) : NULL;
  out->ptr = s->ptr;
  out->len = end ? (size_t)(end - s->ptr) : s->len;
  mote_slice_skip(s, out->len);
  return out->len != 0;
}

/* Takes a word and the spaces after it. */
static bool listing_word(struct mote_slice *s, struct mote_slice *out)
{
  return listing_take_word(s, out) && listing_spaces(s);
}

static bool read_size(struct mote_slice digits, struct mote_listing_file *f)
{
  uint64_t size;
  if(!mote_parse_dec(digits, SIZE_MAX_OF_FILE, &size))
    return false;
  f->size = (int64_t)size;
  f->known |= CURLFINFOFLAG_KNOWN_SIZE;
  return true;
}

/* A name is the rest of the line. */
static enum mote_listing listing_read_name(struct mote_slice name, struct mote_listing_file *f)
{
  f->name = name;
  if(!name.len)
    return MOTE_LISTING_BAD;
  return memchr(name.ptr, '/', name.len) ? MOTE_LISTING_NONE : MOTE_LISTING_FILE;
}

/* ---------------------------------------------------------------- ls -l */

/* The file's types in the order of CURLFILETYPE_*. */
static const char types[] = "-dlbcpsD";

/* Letters of the permissions: none, the bit alone, the bit and the special one, the special one alone. */
static const char bits[9][5] = {"-r", "-w", "-xsS", "-r", "-w", "-xsS", "-r", "-w", "-xtT"};

static bool read_permissions(struct mote_slice *s, struct mote_listing_file *f)
{
  unsigned mode = 0, i;
  if(s->len < 10)
    return false;
  for(i = 0; i < 9; i++) {
    const char *letter = strchr(bits[i], s->ptr[i]);
    unsigned which = letter && *letter ? (unsigned)(letter - bits[i]) : 4;
    if(which > 3)
      return false;
    if(which == 1 || which == 2)
      mode |= 0400u >> i;
    if(which > 1)
      mode |= 04000u >> i / 3;
  }
  f->mode = (uint16_t)mode;
  f->known |= CURLFINFOFLAG_KNOWN_PERM;
  f->permissions.ptr = s->ptr;
  f->permissions.len = 9;
  mote_slice_skip(s, 9);
  if(*s->ptr == '+' || *s->ptr == '.' || *s->ptr == '@')
    mote_slice_skip(s, 1);
  return listing_spaces(s);
}

/* The size of a file, or "8, 1" of a device. */
static bool read_size_or_device(struct mote_slice *s, struct mote_listing_file *f)
{
  struct mote_slice w;
  uint64_t number;
  if(!listing_word(s, &w))
    return false;
  if((f->type != CURLFILETYPE_DEVICE_BLOCK && f->type != CURLFILETYPE_DEVICE_CHAR) || w.ptr[w.len - 1] != ',')
    return read_size(w, f);
  w.len--;
  return mote_parse_dec(w, UINT32_MAX, &number) && listing_word(s, &w) &&
    mote_parse_dec(w, UINT32_MAX, &number);
}

/* Three words, as in "Jan  1 2010", "1 Jan 12:34". */
static bool listing_read_time(struct mote_slice *s, struct mote_listing_file *f)
{
  unsigned i;
  struct mote_slice w;
  f->time.ptr = s->ptr;
  for(i = 0; i < 3; i++) {
    size_t k;
    if(!listing_word(s, &w))
      return false;
    for(k = 0; k < w.len; k++)
      if(!mote_is_alnum(w.ptr[k]) && w.ptr[k] != '.' && w.ptr[k] != ':')
        return false;
  }
  f->time.len = (size_t)(w.ptr + w.len - f->time.ptr);
  return true;
}

/* Splits "name -> target". A line with two arrows does not say where the name ends, and is passed over. */
static enum mote_listing read_link(struct mote_slice s, struct mote_listing_file *f)
{
  static const char arrow[4] = {' ', '-', '>', ' '};
  const char *at = s.ptr, *end = s.ptr + s.len, *found = NULL;
  while((at = memchr(at, ' ', (size_t)(end - at))) != NULL && (size_t)(end - at) > sizeof arrow) {
    if(!memcmp(at, arrow, sizeof arrow)) {
      if(found)
        return MOTE_LISTING_NONE;
      found = at;
    }
    at++;
  }
  if(!found)
    return MOTE_LISTING_BAD;
  f->target.ptr = found + sizeof arrow;
  f->target.len = (size_t)(end - f->target.ptr);
  s.len = (size_t)(found - s.ptr);
  return listing_read_name(s, f);
}

/* "total N" is the first line, with the number of blocks. */
static bool is_total(struct mote_slice s)
{
  static const char text[] = "total ";
  uint64_t blocks;
  if(s.len < sizeof text || memcmp(s.ptr, text, sizeof text - 1) != 0)
    return false;
  mote_slice_skip(&s, sizeof text - 1);
  return mote_parse_dec(s, UINT64_MAX, &blocks);
}

static enum mote_listing read_unix(struct mote_slice s, struct mote_listing_file *f)
{
  const char *type = s.len ? strchr(types, *s.ptr) : NULL;
  struct mote_slice w;
  uint64_t links;
  size_t digits = 0;
  if(!type || !*type)
    return MOTE_LISTING_BAD;
  f->type = (uint8_t)(type - types);
  mote_slice_skip(&s, 1);
  if(!read_permissions(&s, f) || !listing_word(&s, &w))
    return MOTE_LISTING_BAD;
  while(digits < w.len && mote_is_digit(w.ptr[digits]))
    digits++;
  if(digits < w.len)
    return MOTE_LISTING_BAD;
  if(mote_parse_dec(w, LONG_MAX, &links)) {
    f->links = (int64_t)links;
    f->known |= CURLFINFOFLAG_KNOWN_HLINKCOUNT;
  }
  if(!listing_word(&s, &f->user) || !listing_word(&s, &f->group) || !read_size_or_device(&s, f) ||
     !listing_read_time(&s, f))
    return MOTE_LISTING_BAD;
  return f->type == CURLFILETYPE_SYMLINK ? read_link(s, f) : listing_read_name(s, f);
}

/* ---------------------------------------------------------------- DOS */

/* Reports whether s has the shape, in which 0 stands for a digit. */
static bool has_shape(struct mote_slice s, const char *shape)
{
  size_t i;
  for(i = 0; i < s.len && shape[i]; i++)
    if(shape[i] == '0' ? !mote_is_digit(s.ptr[i]) : s.ptr[i] != shape[i])
      return false;
  return i == s.len && !shape[i];
}

static enum mote_listing read_dos(struct mote_slice s, struct mote_listing_file *f)
{
  struct mote_slice w;
  f->time.ptr = s.ptr;
  if(!listing_word(&s, &w) || (!has_shape(w, "00-00-00") && !has_shape(w, "00-00-0000")))
    return MOTE_LISTING_BAD;
  if(!listing_word(&s, &w) ||
     (!has_shape(w, "00:00AM") && !has_shape(w, "00:00PM") && !has_shape(w, "00:00")))
    return MOTE_LISTING_BAD;
  f->time.len = (size_t)(w.ptr + w.len - f->time.ptr);
  if(!listing_word(&s, &w))
    return MOTE_LISTING_BAD;
  if(w.len == 5 && !memcmp(w.ptr, "<DIR>", 5)) {
    f->type = CURLFILETYPE_DIRECTORY;
    f->known = CURLFINFOFLAG_KNOWN_SIZE; /* 0, as libcurl has it */
  }
  else if(!read_size(w, f))
    return MOTE_LISTING_BAD;
  return listing_read_name(s, f);
}

/* ---------------------------------------------------------------- MLSD */

static bool listing_read_mode(struct mote_slice v, struct mote_listing_file *f)
{
  unsigned mode = 0;
  size_t i;
  for(i = 0; i < v.len; i++) {
    if(v.ptr[i] < '0' || v.ptr[i] > '7' || mode > 0777)
      return false;
    mode = mode * 8 + (unsigned)(v.ptr[i] - '0');
  }
  f->permissions = v;
  f->mode = (uint16_t)mode;
  f->known |= CURLFINFOFLAG_KNOWN_PERM;
  return v.len != 0;
}

static void read_type(struct mote_slice v, struct mote_listing_file *f)
{
  static const char slink[] = "OS.unix=slink:";
  size_t n = sizeof slink - 1;
  if(mote_slice_is(v, "file"))
    f->type = CURLFILETYPE_FILE;
  else if(mote_slice_is(v, "dir") || mote_slice_is(v, "cdir") || mote_slice_is(v, "pdir"))
    f->type = CURLFILETYPE_DIRECTORY;
  else if(v.len >= n && mote_equal_nocase_n(v.ptr, slink, n)) {
    f->type = CURLFILETYPE_SYMLINK;
    f->target.ptr = v.ptr + n;
    f->target.len = v.len - n;
  }
  else if(mote_slice_is(v, "OS.unix=symlink"))
    f->type = CURLFILETYPE_SYMLINK;
}

static void read_id(struct mote_slice v, uint32_t *id, unsigned flag, struct mote_slice *text,
                    struct mote_listing_file *f)
{
  uint64_t number;
  if(!text->ptr)
    *text = v;
  if(mote_parse_dec(v, INT32_MAX, &number)) {
    *id = (uint32_t)number;
    f->known |= (uint8_t)flag;
  }
}

/* Facts that are not known are passed over (RFC 3659 section 7.5). */
static bool read_fact(struct mote_slice name, struct mote_slice v, struct mote_listing_file *f)
{
  if(mote_slice_is(name, "size"))
    return read_size(v, f);
  if(mote_slice_is(name, "UNIX.mode"))
    return listing_read_mode(v, f);
  if(mote_slice_is(name, "type"))
    read_type(v, f);
  else if(mote_slice_is(name, "modify"))
    f->time = v;
  else if(mote_slice_is(name, "UNIX.ownername"))
    f->user = v;
  else if(mote_slice_is(name, "UNIX.groupname"))
    f->group = v;
  else if(mote_slice_is(name, "UNIX.owner") || mote_slice_is(name, "UNIX.uid"))
    read_id(v, &f->uid, CURLFINFOFLAG_KNOWN_UID, &f->user, f);
  else if(mote_slice_is(name, "UNIX.group") || mote_slice_is(name, "UNIX.gid"))
    read_id(v, &f->gid, CURLFINFOFLAG_KNOWN_GID, &f->group, f);
  return true;
}

/* "fact=value;fact=value; name": neither has a space, and one ends the facts. */
static enum mote_listing read_facts(struct mote_slice s, struct mote_listing_file *f)
{
  struct mote_slice facts;
  f->type = CURLFILETYPE_UNKNOWN;
  if(!listing_take_word(&s, &facts) || !s.len)
    return MOTE_LISTING_BAD;
  while(facts.len) {
    const char *equals = memchr(facts.ptr, '=', facts.len);
    const char *end = memchr(facts.ptr, ';', facts.len);
    struct mote_slice name, value;
    if(!equals || !end || equals > end)
      return MOTE_LISTING_BAD;
    name.ptr = facts.ptr;
    name.len = (size_t)(equals - facts.ptr);
    value.ptr = equals + 1;
    value.len = (size_t)(end - value.ptr);
    if(!read_fact(name, value, f))
      return MOTE_LISTING_BAD;
    mote_slice_skip(&facts, (size_t)(end + 1 - facts.ptr));
  }
  mote_slice_skip(&s, 1);
  return listing_read_name(s, f);
}

/* ---------------------------------------------------------------- */

static enum mote_listing_form form_of(struct mote_slice line)
{
  struct mote_slice facts;
  if(line.len && mote_is_digit(*line.ptr))
    return MOTE_LISTING_DOS;
  if(listing_take_word(&line, &facts) && facts.ptr[facts.len - 1] == ';' && memchr(facts.ptr, '=', facts.len))
    return MOTE_LISTING_FACTS;
  return MOTE_LISTING_UNIX;
}

enum mote_listing mote_listing_line(enum mote_listing_form *form, struct mote_slice line,
                                    struct mote_listing_file *file)
{
  enum mote_listing_form before = *form;
  memset(file, 0, sizeof *file);
  if(!line.len || memchr(line.ptr, 0, line.len) || memchr(line.ptr, '\r', line.len))
    return MOTE_LISTING_BAD;
  if(!before)
    *form = form_of(line);
  switch(*form) {
  case MOTE_LISTING_DOS:
    return read_dos(line, file);
  case MOTE_LISTING_FACTS:
    return read_facts(line, file);
  default:
    if(!before && is_total(line))
      return MOTE_LISTING_NONE;
    return read_unix(line, file);
  }
}
