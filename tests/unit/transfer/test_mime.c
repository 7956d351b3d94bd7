/* tests/unit/transfer/test_mime.c: the tree of a form, its bytes in rooms of every size, its size, rewinding,
 * and copies. */
#include "transfer/upload/mime.h"

#include "subject.h"
#include "transfer/upload/source.h"

#define MOST 8000

static const struct mote_mime_reading how = {.t = NULL};

struct reading {
  const char *bytes;
  size_t len;
  size_t at;
  int freed;
};

static size_t give(char *to, size_t size, size_t n, void *arg)
{
  struct reading *r = arg;
  size_t some = size * n < 3 ? size * n : 3;
  some = some < r->len - r->at ? some : r->len - r->at;
  memcpy(to, r->bytes + r->at, some);
  r->at += some;
  return some;
}

static int go_back(void *arg, curl_off_t offset, int origin)
{
  (void)origin;
  ((struct reading *)arg)->at = (size_t)offset;
  return CURL_SEEKFUNC_OK;
}

static void note_freed(void *arg)
{
  ((struct reading *)arg)->freed++;
}

static bool put(struct curl_mimepart *p, struct mote_mime_string *s, const char *text)
{
  return !mote_mime_keep(p, s, text, strlen(text));
}

static bool put_data(struct curl_mimepart *p, const char *text)
{
  if(!put(p, &p->text, text))
    return false;
  p->kind = MOTE_MIME_DATA;
  p->size = (curl_off_t)strlen(text);
  return true;
}

static struct curl_mimepart *add(struct curl_mime *m, const char *name)
{
  struct curl_mimepart *p = mote_mime_add(m);
  return p && put(p, &p->name, name) ? p : NULL;
}

static bool add_inner(struct curl_mimepart *p)
{
  struct curl_mime *inner = mote_mime_new();
  struct curl_mimepart *one = inner ? add(inner, "i") : NULL;
  bool ok = one && put_data(one, "inner") && !mote_mime_set_form(p, inner);
  if(!ok)
    mote_mime_close(inner);
  return ok;
}

/* A part of each kind. False: out of memory. */
static bool fill(struct curl_mime *m, struct reading *r)
{
  const struct mote_mime_callback call = {.read = give, .seek = go_back, .free = note_freed, .arg = r};
  struct curl_mimepart *p = add(m, "a\"b");
  if(!p || !put_data(p, "some text that is longer than what fits into the tail of a part: 0123456789"
                        "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789"))
    return false;
  p->coding = mote_mime_coding_find("base64");
  p = add(m, "c");
  if(!p)
    return false;
  *r = (struct reading){.bytes = "from a callback", .len = 15};
  mote_mime_set_callback(p, 15, &call);
  p = add(m, "f");
  if(!p || !add_inner(p))
    return false;
  p = add(m, "n");
  return p && put(p, &p->filename, "x.png") && put(p, &p->type, "q/r") && put_data(p, "");
}

static char bytes[MOST + 1], first[MOST + 1];

static size_t read_all(struct curl_mime *m, size_t room, CURLcode expected)
{
  size_t len = 0;
  struct mote_piece p;
  CURLcode rc;
  do {
    memset(&p, 0, sizeof p);
    p.room = bytes + len;
    p.most = room < MOST - len ? room : MOST - len;
    rc = mote_mime_read(&how, m, true, &p);
    CHECK(p.len <= p.most && p.len);
    len += p.len;
  } while(!rc && !p.end && len < MOST);
  CHECK_INT(rc, expected);
  bytes[len] = 0;
  return len;
}

static void scenario(void)
{
  struct reading r = {.freed = 0};
  struct curl_mime *m = mote_mime_new(), *copy;
  bool refused = false;
  size_t len, room;
  if(!CHECK(m || test_mem.failed) || !m)
    return;
  if(!fill(m, &r)) {
    CHECK(test_mem.failed);
    mote_mime_close(m);
    return;
  }
  len = read_all(m, MOST, CURLE_OK);
  memcpy(first, bytes, len);
  CHECK_INT(mote_mime_size(&how, m, true, &refused), (long)len);
  CHECK(!refused);
  for(room = 1; room < 200; room += room < 60 ? 1 : 37) {
    CHECK_INT(mote_mime_rewind(&how, m), CURLE_OK);
    CHECK_INT((long)read_all(m, room, CURLE_OK), (long)len);
    CHECK(!memcmp(bytes, first, len));
  }
  r.at = 0;
  copy = mote_mime_dup(m);
  CHECK(copy || test_mem.failed);
  if(copy) {
    CHECK_INT((long)read_all(copy, 100, CURLE_OK), (long)len);
    mote_mime_close(copy);
    CHECK_INT(r.freed, 1);
  }
  mote_mime_close(m);
  CHECK(copy ? r.freed == 2 : r.freed <= 2); /* a copy that was given up has freed its content */
}

TEST(bytes_in_rooms_of_every_size)
{
  scenario();
}

TEST(survives)
{
  run_with_failures(scenario);
}

TEST(no_part)
{
  struct curl_mime *m = mote_mime_new();
  size_t len = read_all(m, 7, CURLE_OK);
  CHECK_INT((long)len, 2 + MOTE_MIME_BOUNDARY + 4);
  CHECK(!memcmp(bytes, "--------------------------", 26));
  CHECK(!strcmp(bytes + len - 4, "--\r\n"));
  mote_mime_close(m);
}

TEST(boundaries_differ)
{
  struct curl_mime *a = mote_mime_new(), *b = mote_mime_new();
  CHECK_INT((long)strlen(a->boundary), MOTE_MIME_BOUNDARY);
  CHECK(strcmp(a->boundary, b->boundary));
  mote_mime_close(a);
  mote_mime_close(b);
}

TEST(a_usual_part_is_one_block)
{
  struct curl_mime *m = mote_mime_new();
  size_t blocks = test_mem.blocks;
  struct curl_mimepart *p = add(m, "name");
  CHECK(put_data(p, "a value of some length") && put(p, &p->type, "text/plain"));
  CHECK_INT((long)(test_mem.blocks - blocks), 1);
  mote_mime_close(m);
}

/* A text may be replaced by a piece of itself. */
TEST(texts_are_replaced)
{
  struct curl_mime *m = mote_mime_new();
  struct curl_mimepart *p = add(m, "0123456789");
  int i;
  CHECK_INT(mote_mime_keep(p, &p->name, p->name.ptr + 5, 5), CURLE_OK);
  CHECK_STR(p->name.ptr, "56789");
  for(i = 0; i < 50; i++)
    CHECK(put(p, &p->name, i % 2 ? "one" : "another name"));
  CHECK_STR(p->name.ptr, "one");
  CHECK_INT(mote_mime_keep(p, &p->name, NULL, 0), CURLE_OK);
  CHECK(!p->name.ptr);
  mote_mime_close(m);
}

TEST(depth_is_bounded)
{
  struct curl_mime *top = mote_mime_new(), *m = top;
  int level;
  for(level = 1; level <= MOTE_MIME_DEPTH; level++) {
    struct curl_mime *inner = mote_mime_new();
    CURLcode rc = mote_mime_set_form(add(m, "x"), inner);
    CHECK_INT(rc, level < MOTE_MIME_DEPTH ? CURLE_OK : CURLE_BAD_FUNCTION_ARGUMENT);
    if(rc)
      mote_mime_close(inner);
    else
      m = inner;
  }
  CHECK_INT(mote_mime_set_form(add(m, "y"), top), CURLE_BAD_FUNCTION_ARGUMENT);
  mote_mime_close(top);
}

TEST(content_that_ends_early)
{
  struct reading r = {.bytes = "abc", .len = 3};
  const struct mote_mime_callback call = {.read = give, .arg = &r};
  struct curl_mime *m = mote_mime_new();
  mote_mime_set_callback(add(m, "a"), 4, &call);
  read_all(m, MOST, CURLE_READ_ERROR);
  CHECK_INT(mote_mime_rewind(&how, m), CURLE_SEND_FAIL_REWIND);
  mote_mime_close(m);
}

TEST(sizes_that_are_unknown)
{
  struct reading r = {.bytes = "abc", .len = 3};
  const struct mote_mime_callback call = {.read = give, .arg = &r};
  struct curl_mime *m = mote_mime_new();
  struct curl_mimepart *p = add(m, "a");
  bool refused = false;
  mote_mime_set_callback(p, -1, &call);
  CHECK_INT(mote_mime_size(&how, m, true, &refused), -1);
  mote_mime_set_callback(p, INT64_MAX / 2, &call);
  CHECK_INT(mote_mime_size(&how, m, true, &refused), -1);
  CHECK(!mote_mime_at_hand(m));
  CHECK(put(p, &p->name, "a\nb"));
  (void)mote_mime_size(&(struct mote_mime_reading){.backslash = true}, m, true, &refused);
  CHECK(refused);
  mote_mime_close(m);
}

TEST(files)
{
  bool refused = false;
  char path[] = "/tmp/test_mime-XXXXXX";
  int file = mkstemp(path);
  struct curl_mime *m = mote_mime_new();
  struct curl_mimepart *p = add(m, "a");
  CHECK(file >= 0 && write(file, "text", 4) == 4 && !close(file));
  CHECK_INT(mote_mime_set_file(p, "/tmp/none/none"), CURLE_READ_ERROR);
  CHECK(!p->filename.ptr);
  CHECK_INT(mote_mime_set_file(p, path), CURLE_OK);
  CHECK_STR(p->filename.ptr, path + 5);
  CHECK_INT(p->size, 4);
  CHECK_INT((long)read_all(m, 1, CURLE_OK), (long)mote_mime_size(&how, m, true, &refused));
  CHECK(strstr(bytes, "\r\n\r\ntext\r\n--") != NULL);
  unlink(path);
  CHECK_INT(mote_mime_rewind(&how, m), CURLE_OK);
  read_all(m, MOST, CURLE_READ_ERROR);
  mote_mime_close(m);
}

int main(void)
{
  TEST_RUN(bytes_in_rooms_of_every_size);
  TEST_RUN(survives);
  TEST_RUN(no_part);
  TEST_RUN(boundaries_differ);
  TEST_RUN(a_usual_part_is_one_block);
  TEST_RUN(texts_are_replaced);
  TEST_RUN(depth_is_bounded);
  TEST_RUN(content_that_ends_early);
  TEST_RUN(sizes_that_are_unknown);
  TEST_RUN(files);
  return test_end();
}
