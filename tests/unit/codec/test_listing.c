/* tests/unit/codec/test_listing.c: listings of FTP servers (codec/ftp/listing.h). The rows were compared with
 * libcurl 8.23, and differ from it where the header says so.
 * needs: src/codec/ftp/listing.c */
#include "codec/ftp/listing.h"

#include <curl/curl.h>

#include "test.h"

#define DASH CURLFILETYPE_FILE
#define DIR CURLFILETYPE_DIRECTORY
#define LINK CURLFILETYPE_SYMLINK
#define PERM CURLFINFOFLAG_KNOWN_PERM
#define UID CURLFINFOFLAG_KNOWN_UID
#define GID CURLFINFOFLAG_KNOWN_GID
#define SIZE CURLFINFOFLAG_KNOWN_SIZE
#define LINKS CURLFINFOFLAG_KNOWN_HLINKCOUNT
#define ALL (PERM | SIZE | LINKS)

#define U "-rw-r--r-- 1 u g 5 Mar 4 05:06 "
#define D "01-02-10  05:06PM "

static const struct {
  const char *line;
  const char *name;
  int type;
  int known;
  unsigned mode;
  long long size;
  long long links;
  const char *permissions, *user, *group, *time, *target;
} files[] = {
  {"-rw-r--r--   1 1001     100          12 Jan 01  2010 a b", "a b", DASH, ALL, 0644, 12, 1,
   "rw-r--r--", "1001", "100", "Jan 01  2010", NULL},
  {"drwxr-xr-x   2 root root 4096 Feb  3 12:34 dir", "dir", DIR, ALL, 0755, 4096, 2, "rwxr-xr-x", "root",
   "root", "Feb  3 12:34", NULL},
  {"lrwxrwxrwx 1 u g 3 Mar 4 05:06 link -> to here", "link", LINK, ALL, 0777, 3, 1, "rwxrwxrwx", "u",
   "g", "Mar 4 05:06", "to here"},
  {"-rw-r--r-- 1 u\\x g@d 5 4. Mar 2010 \xe4\t ", "\xe4\t ", DASH, ALL, 0644, 5, 1, "rw-r--r--", "u\\x",
   "g@d", "4. Mar 2010", NULL},
  {"-rw-r--r-- 99999999999999999999999 u g 9223372036854775807 Mar 4 05:06:07  a", "a", DASH,
   PERM | SIZE, 0644, INT64_MAX, 0, "rw-r--r--", "u", "g", "Mar 4 05:06:07", NULL},
  {"brw-r----- 1 u g 8, 1 Mar 4 05:06 a", "a", CURLFILETYPE_DEVICE_BLOCK, PERM | LINKS, 0640, 0, 1,
   "rw-r-----", "u", "g", "Mar 4 05:06", NULL},
  {"crw-r----- 1 u g 5 Mar 4 05:06 a", "a", CURLFILETYPE_DEVICE_CHAR, ALL, 0640, 5, 1, "rw-r-----", "u",
   "g", "Mar 4 05:06", NULL},
  {"prw-r----- 1 u g 5 Mar 4 05:06 a", "a", CURLFILETYPE_NAMEDPIPE, ALL, 0640, 5, 1, "rw-r-----", "u",
   "g", "Mar 4 05:06", NULL},
  {"srw-r----- 1 u g 5 Mar 4 05:06 a", "a", CURLFILETYPE_SOCKET, ALL, 0640, 5, 1, "rw-r-----", "u", "g",
   "Mar 4 05:06", NULL},
  {"Drw-r----- 1 u g 5 Mar 4 05:06 a", "a", CURLFILETYPE_DOOR, ALL, 0640, 5, 1, "rw-r-----", "u", "g",
   "Mar 4 05:06", NULL},
  {"-rwsr-sr-t 1 u g 5 Mar 4 05:06 a", "a", DASH, ALL, 07755, 5, 1, "rwsr-sr-t", "u", "g", "Mar 4 05:06",
   NULL},
  {"-rwSr-Sr-T 1 u g 5 Mar 4 05:06 a", "a", DASH, ALL, 07644, 5, 1, "rwSr-Sr-T", "u", "g", "Mar 4 05:06",
   NULL},
  {"-rwxrwxrwx+ 1 u g 5 Mar 4 05:06 a", "a", DASH, ALL, 0777, 5, 1, "rwxrwxrwx", "u", "g", "Mar 4 05:06",
   NULL},
  {"-rwxrwxrwx. 1 u g 5 Mar 4 05:06 a", "a", DASH, ALL, 0777, 5, 1, "rwxrwxrwx", "u", "g", "Mar 4 05:06",
   NULL},
  {"-rwxrwxrwx@ 1 u g 5 Mar 4 05:06 a", "a", DASH, ALL, 0777, 5, 1, "rwxrwxrwx", "u", "g", "Mar 4 05:06",
   NULL},
  {"drwxr-xr-x 1 u g 5 Mar 4 05:06 ..", "..", DIR, ALL, 0755, 5, 1, "rwxr-xr-x", "u", "g", "Mar 4 05:06",
   NULL},
  /* DOS */
  {"01-02-10  05:06PM       <DIR>          a dir", "a dir", DIR, SIZE, 0, 0, 0, NULL, NULL, NULL,
   "01-02-10  05:06PM", NULL},
  {"01-02-10  05:06AM               1234   file", "file", DASH, SIZE, 0, 1234, 0, NULL, NULL, NULL,
   "01-02-10  05:06AM", NULL},
  {"99-99-99 99:99 5 a ", "a ", DASH, SIZE, 0, 5, 0, NULL, NULL, NULL, "99-99-99 99:99", NULL},
  {"01-02-2010  05:06PM 5 a", "a", DASH, SIZE, 0, 5, 0, NULL, NULL, NULL, "01-02-2010  05:06PM", NULL},
  /* MLSD */
  {"type=file;size=5;modify=20100102030405;UNIX.mode=0644;UNIX.owner=0;UNIX.group=100;unique=1Ug3; a b",
   "a b", DASH, PERM | SIZE | UID | GID, 0644, 5, 0, "0644", "0", "100", "20100102030405", NULL},
  {"Type=dir;UNIX.ownername=u;UNIX.owner=5;UNIX.groupname=g;UNIX.group=x; d", "d", DIR, UID, 0, 0, 0,
   NULL, "u", "g", NULL, NULL},
  {"type=cdir; .", ".", DIR, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL},
  {"type=OS.unix=slink:/a/b; c", "c", LINK, 0, 0, 0, 0, NULL, NULL, NULL, NULL, "/a/b"},
  {"type=OS.unix=symlink;UNIX.uid=1;UNIX.gid=2; c", "c", LINK, UID | GID, 0, 0, 0, NULL, "1", "2", NULL,
   NULL},
  {"type=x; c", "c", CURLFILETYPE_UNKNOWN, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL},
  {"type=OS.unix=chr-1/3; c", "c", CURLFILETYPE_UNKNOWN, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL},
  {"x=;  c", " c", CURLFILETYPE_UNKNOWN, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL},
  {"type=file;UNIX.mode=7777; a", "a", DASH, PERM, 07777, 0, 0, "7777", NULL, NULL, NULL, NULL},
};

static const char *const none[] = {
  "total 5",
  U "../etc/passwd",
  U "/a",
  "lrwxrwxrwx 1 u g 3 Mar 4 05:06 a/b -> c",
  "lrwxrwxrwx 1 u g 3 Mar 4 05:06 a -> b -> c",
  D "5 a/b",
  "type=pdir; /a",
};

static const char *const bad[] = {
  "lrwxrwxrwx 1 u g 3 Mar 4 05:06 link",
  "lrwxrwxrwx 1 u g 3 Mar 4 05:06 link ->",
  "lrwxrwxrwx 1 u g 3 Mar 4 05:06 link -> ",
  "lrwxrwxrwx 1 u g 3 Mar 4 05:06  -> c",
  "xrw-r--r-- 1 u g 5 Mar 4 05:06 a",
  "brw-r--r-- 1 u g x, 1 Mar 4 05:06 a",
  "-rw-r--r-- 1 u g 8, 1 Mar 4 05:06 a",
  "brw-r--r-- 1 u g 8, ",
  "brw-r--r-- 1 u g 8, x Mar 4 05:06 a",
  "-rw-r--r-- 1",
  "-rw-r--r-- 1 ",
  "-rw-r--r-- 1 u ",
  "01-02-10 ",
  "type=file;UNIX.mode=06/4; a",
  "a;b=c; x",
  "total; x",
  "-rwzrwxrwx 1 u g 5 Mar 4 05:06 a",
  "-rwtrwxrwx 1 u g 5 Mar 4 05:06 a",
  "-rwxrwxrws 1 u g 5 Mar 4 05:06 a",
  "-xxxxxxxxx 1 u g 5 Mar 4 05:06 a",
  "-rw-r--r-- u g 5 Mar 4 05:06 a",
  "-rw-r--r-- 1 g 5 Mar 4 05:06 a",
  "-rw-r--r--1 u g 5 Mar 4 05:06 a",
  "-rw-r--r-- 1x u g 5 Mar 4 05:06 a",
  "-rw-r--r-- 1 u g 5x Mar 4 05:06 a",
  "-rw-r--r-- 1 u g -5 Mar 4 05:06 a",
  "-rw-r--r-- 1 u g 9223372036854775808 Mar 4 05:06 a",
  "-rw-r--r-- 1 u g 5 2010-01-02 05:06 a",
  "-rw-r--r-- 1 u g 5 Mar, 4 05/06 a",
  "-rw-r--r-- 1 a user g 5 Mar 4 05:06 a",
  "-rw-r--r--\t1 u g 5 Mar 4 05:06 a",
  " -rw-r--r-- 1 u g 5 Mar 4 05:06 a",
  U "a\rb",
  "-rw-r--r-- 1 u g 5 Mar 4 05:06 ",
  "-rw-r--r-- 1 u g 5 Mar 4 05:06",
  "-rw-r--r-- 1 u g 5",
  "-rw-r--r--",
  "-rw-r--r",
  "-",
  "",
  "total",
  "total x",
  "TOTAL 0",
  "+i8388621.29609,m824255902,/,\tdev",
  "a.txt",
  D "<dir> a",
  D "<JUNCTION> a",
  D "x a",
  D "5x a",
  D "1,234 a",
  D "9223372036854775808 a",
  D "5",
  D "5 ",
  D,
  "01/02/10  05:06PM 5 a",
  "2010-01-02  05:06PM 5 a",
  "1-2-10  5:06PM 5 a",
  "01-02-10  05:06pm 5 a",
  "01-02-10  05:06 PM 5 a",
  "01-02-10  05:06XM 5 a",
  "01-02-10\t05:06PM 5 a",
  "5",
  "type=file;size=x; a",
  "type=file;size=9223372036854775808; a",
  "type=file;UNIX.mode=0648; a",
  "type=file;UNIX.mode=10000; a",
  "type=file;UNIX.mode=; a",
  "type=file;x; a",
  "type=file;",
  "type=file; ",
  " a",
};

static bool is(struct mote_slice s, const char *text)
{
  return text ? CHECK_MEM(s.ptr, s.len, text, strlen(text)) : CHECK(!s.ptr);
}

static bool file_is(const struct mote_listing_file *f, size_t i)
{
  bool ok = is(f->name, files[i].name);
  ok = CHECK_INT(f->type, files[i].type) && ok;
  ok = CHECK_INT(f->known, files[i].known) && ok;
  ok = CHECK_INT(f->mode, files[i].mode) && ok;
  ok = CHECK_INT(f->size, files[i].size) && ok;
  ok = CHECK_INT(f->links, files[i].links) && ok;
  ok = is(f->permissions, files[i].permissions) && ok;
  ok = is(f->user, files[i].user) && ok;
  ok = is(f->group, files[i].group) && ok;
  ok = is(f->time, files[i].time) && ok;
  return is(f->target, files[i].target) && ok;
}

static enum mote_listing first(const char *line, struct mote_listing_file *f)
{
  enum mote_listing_form form = MOTE_LISTING_ANY;
  return mote_listing_line(&form, mote_slice_of(line), f);
}

TEST(lines_of_files)
{
  size_t i;
  for(i = 0; i < sizeof files / sizeof *files; i++) {
    struct mote_listing_file f;
    if(!CHECK_INT(first(files[i].line, &f), MOTE_LISTING_FILE) || !file_is(&f, i))
      fprintf(stderr, "  %s\n", files[i].line);
  }
}

static void all_are(const char *const *lines, size_t count, enum mote_listing want)
{
  size_t i;
  for(i = 0; i < count; i++) {
    struct mote_listing_file f;
    if(!CHECK_INT(first(lines[i], &f), want))
      fprintf(stderr, "  %s\n", lines[i]);
  }
}

TEST(lines_of_none)
{
  all_are(none, sizeof none / sizeof *none, MOTE_LISTING_NONE);
}

TEST(lines_that_are_bad)
{
  all_are(bad, sizeof bad / sizeof *bad, MOTE_LISTING_BAD);
}

static enum mote_listing second(const char *before, const char *line)
{
  enum mote_listing_form form = MOTE_LISTING_ANY;
  struct mote_listing_file f;
  CHECK(mote_listing_line(&form, mote_slice_of(before), &f) != MOTE_LISTING_BAD);
  return mote_listing_line(&form, mote_slice_of(line), &f);
}

TEST(one_form)
{
  CHECK_INT(second("total 5", U "a"), MOTE_LISTING_FILE);
  CHECK_INT(second("total 5", D "5 a"), MOTE_LISTING_BAD);
  CHECK_INT(second(U "a", U "a"), MOTE_LISTING_FILE);
  CHECK_INT(second("type=file; a", " a"), MOTE_LISTING_BAD);
  CHECK_INT(second("type=file; a", "type=file a"), MOTE_LISTING_BAD);
  CHECK_INT(second(U "a", "total 5"), MOTE_LISTING_BAD);
  CHECK_INT(second(U "a", D "5 a"), MOTE_LISTING_BAD);
  CHECK_INT(second(D "5 a", U "a"), MOTE_LISTING_BAD);
  CHECK_INT(second("type=file; a", U "a"), MOTE_LISTING_BAD);
}

TEST(nul_in_a_name)
{
  static const char line[] = U "a\0b";
  struct mote_slice s = {line, sizeof line - 1};
  enum mote_listing_form form = MOTE_LISTING_ANY;
  struct mote_listing_file f;
  CHECK_INT(mote_listing_line(&form, s, &f), MOTE_LISTING_BAD);
}

TEST(ends_of_lines)
{
  struct mote_slice bytes = mote_slice_of("a\r\nb\n\r\n\nc\r\rd\r\ne"), line;
  static const char *const lines[] = {"a", "b", "", "", "c\r\rd"};
  size_t i;
  for(i = 0; i < sizeof lines / sizeof *lines; i++) {
    CHECK(mote_listing_next(&bytes, &line));
    is(line, lines[i]);
  }
  CHECK(!mote_listing_next(&bytes, &line));
  is(bytes, "e");
  bytes.len = 0;
  CHECK(!mote_listing_next(&bytes, &line));
}

int main(void)
{
  TEST_RUN(lines_of_files);
  TEST_RUN(lines_of_none);
  TEST_RUN(lines_that_are_bad);
  TEST_RUN(one_form);
  TEST_RUN(nul_in_a_name);
  TEST_RUN(ends_of_lines);
  return test_end();
}
