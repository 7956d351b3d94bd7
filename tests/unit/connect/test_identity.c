/* tests/unit/connect/test_identity.c: the key of a connection: its layout, what is one connection and what
 * is two. That the options in it are those of the table's column: test_options.c.
 * Needs !plain_urls, posix. */
#include "connect/identity.h"

#include "transfer/subject.h"

/* The key as text, NULs as '|'; the 32 bytes of a digest as "#". */
static void print_key(const struct mote_identity *id, bool digest, char *out, size_t size)
{
  size_t i, len = digest ? id->len - 32 : id->len;
  for(i = 0; i < len && i < size - 2; i++)
    out[i] = id->key[i] ? id->key[i] : '|';
  if(digest)
    out[i++] = '#';
  out[i] = 0;
}

static void key_of(struct subject *s, const char *url, char *out, size_t size)
{
  struct mote_identity id;
  *out = 0;
  if(!subject_url(s, url) || !CHECK(!mote_identity_make(&s->t, &id)))
    return;
  print_key(&id, mote_opt_str(&s->t.options, CURLOPT_SSLCERT), out, size);
  mote_identity_close(&s->t, &id);
}

TEST(layout)
{
  struct subject s;
  char key[300];
  subject_begin(&s, "http");
  key_of(&s, "http://Example.COM/x", key, sizeof key);
  CHECK_STR(key, "example.com:80|http|");
  key_of(&s, "http://user:secret@example.com:80/y?z#f", key, sizeof key);
  CHECK_STR(key, "example.com:80|http|");
  key_of(&s, "http://[2001:DB8::1]:81/", key, sizeof key);
  CHECK_STR(key, "2001:db8::1:81|http|");
  CHECK(!mote_option_set_str(&s.t.options, ID(UNIX_SOCKET_PATH), "/run/x", 6));
  CHECK(!mote_option_set_str(&s.t.options, ID(INTERFACE), "eth0", 4));
  CHECK(!mote_option_set_long(&s.t.options, ID(LOCALPORT), 1000));
  CHECK(!mote_option_set_long(&s.t.options, ID(LOCALPORTRANGE), 5));
  key_of(&s, "http://a/", key, sizeof key);
  CHECK_STR(key, "a:80|http|u/run/x|62=eth0|139=1000|140=5|");
  subject_end(&s);
  subject_begin(&s, "https");
  key_of(&s, "https://a/", key, sizeof key);
  CHECK_STR(key, "a:443|https|t");
  CHECK(!mote_option_set_long(&s.t.options, ID(SSL_VERIFYPEER), 0));
  key_of(&s, "https://a/", key, sizeof key);
  CHECK_STR(key, "a:443|https|t64=0|");
  CHECK(!mote_option_set_str(&s.t.options, ID(CAINFO), "file", 4));
  key_of(&s, "https://a/", key, sizeof key);
  CHECK_STR(key, "a:443|https|t64=0|65=file|");
  CHECK(!mote_option_set_str(&s.t.options, ID(SSLCERT), "mine", 4));
  key_of(&s, "https://a/", key, sizeof key);
  CHECK_STR(key, "a:443|https|t64=0|65=file|d#");
  subject_end(&s);
}

TEST(where_it_really_goes)
{
  static struct curl_slist list = {(char *)(uintptr_t)"a:80:B.test:82", NULL};
  struct subject s;
  char key[300];
  subject_begin(&s, "http");
  CHECK(!mote_option_set_ptr(&s.t.options, ID(CONNECT_TO), &list));
  key_of(&s, "http://a/", key, sizeof key);
  CHECK_STR(key, "a:80|http|cb.test:82|");
  key_of(&s, "http://b/", key, sizeof key);
  CHECK_STR(key, "b:80|http|");
  subject_end(&s);
}

/* What has no effect does not divide connections: a default, or an option that another one replaces. */
TEST(what_makes_no_difference)
{
  struct subject s;
  char key[300];
  subject_begin(&s, "http");
  CHECK(!mote_option_set_long(&s.t.options, ID(LOCALPORT), 0));
  CHECK(!mote_option_set_long(&s.t.options, ID(LOCALPORTRANGE), 5));
  key_of(&s, "http://a/", key, sizeof key);
  CHECK_STR(key, "a:80|http|");
  CHECK(!mote_option_set_long(&s.t.options, ID(LOCALPORT), 1000));
  CHECK(!mote_option_set_long(&s.t.options, ID(LOCALPORTRANGE), 1));
  key_of(&s, "http://a/", key, sizeof key);
  CHECK_STR(key, "a:80|http|139=1000|");
  subject_end(&s);
}

static bool same_key(struct subject *s, const struct mote_identity *before)
{
  struct mote_identity id;
  bool same;
  if(!CHECK(!mote_identity_make(&s->t, &id)))
    return false;
  same = id.len == before->len && !memcmp(id.key, before->key, id.len);
  mote_identity_close(&s->t, &id);
  return same;
}

TEST(what_makes_no_difference_to_tls)
{
  struct subject s;
  struct mote_identity plain, blob;
  subject_begin(&s, "https");
  if(!subject_url(&s, "https://a/") || !CHECK(!mote_identity_make(&s.t, &plain)))
    return;
  CHECK(!mote_option_set_long(&s.t.options, ID(SSL_VERIFYHOST), 2));
  CHECK(!mote_option_set_ptr(&s.t.options, ID(SSL_CTX_DATA), &s));
  CHECK(same_key(&s, &plain));
  CHECK(!mote_option_set_str(&s.t.options, ID(SSLCERT), "x", 1));
  CHECK(!same_key(&s, &plain));
  mote_option_unset(&s.t.options, ID(SSLCERT));
  CHECK(same_key(&s, &plain));
  CHECK(!mote_option_set_blob(&s.t.options, ID(CAINFO_BLOB), "pem", 3, true));
  CHECK(!mote_identity_make(&s.t, &blob));
  CHECK(!same_key(&s, &plain));
  CHECK(!mote_option_set_str(&s.t.options, ID(CAINFO), "file", 4));
  CHECK(same_key(&s, &blob));
  subject_end(&s);
}

/* A path and an abstract name of the same letters are two sockets. */
TEST(path_and_abstract_name)
{
  struct subject s;
  char path[300], name[300];
  subject_begin(&s, "http");
  CHECK(!mote_option_set_str(&s.t.options, ID(UNIX_SOCKET_PATH), "x", 1));
  key_of(&s, "http://a/", path, sizeof path);
  CHECK(!mote_option_set_str(&s.t.options, ID(UNIX_SOCKET_PATH), NULL, 0));
  CHECK(!mote_option_set_str(&s.t.options, ID(ABSTRACT_UNIX_SOCKET), "x", 1));
  key_of(&s, "http://a/", name, sizeof name);
  CHECK(strcmp(path, name) != 0);
  subject_end(&s);
}

static bool contains(const struct mote_identity *id, const char *text)
{
  size_t len = strlen(text), i;
  for(i = 0; i + len <= id->len; i++)
    if(!memcmp(id->key + i, text, len))
      return true;
  return false;
}

/* A connection that has logged in is its user's. Neither name nor password is in the key as it is. */
TEST(user_of_a_login)
{
  static const struct mote_protocol logging_in = {.name = "login", .login = mote_identity_put_login};
  static const struct mote_scheme scheme = {.name = "login", .protocol = &logging_in};
  struct mote_identity without, users, by_url;
  struct subject s;
  subject_begin(&s, "http");
  s.run.request.scheme = &scheme;
  if(!subject_url(&s, "http://a/") || !CHECK(!mote_identity_make(&s.t, &without)))
    return;
  CHECK(!mote_option_set_str(&s.t.options, ID(USERNAME), "user", 4));
  CHECK(!mote_option_set_str(&s.t.options, ID(PASSWORD), "secret", 6));
  CHECK(!mote_identity_make(&s.t, &users));
  CHECK(!same_key(&s, &without));
  CHECK(!contains(&users, "user") && !contains(&users, "secret"));
  CHECK(!mote_option_set_str(&s.t.options, ID(PASSWORD), "secre7", 6));
  CHECK(!same_key(&s, &users));
  CHECK(!mote_option_set_str(&s.t.options, ID(PASSWORD), "secret", 6));
  CHECK(same_key(&s, &users));
  if(!subject_url(&s, "http://a:bc@a/") || !CHECK(!mote_identity_make(&s.t, &by_url)))
    return;
  CHECK(!same_key(&s, &users));
  CHECK(subject_url(&s, "http://ab:c@a/") && !same_key(&s, &by_url));
  CHECK(subject_url(&s, "http://a:bc@a/other") && same_key(&s, &by_url));
  s.run.request.scheme = mote_scheme_find("http", 4);
  CHECK(subject_url(&s, "http://a/") && !same_key(&s, &without));
  CHECK(!mote_identity_make(&s.t, &without));
  CHECK(subject_url(&s, "http://ab:c@a/") && same_key(&s, &without));
  subject_end(&s);
}

static void long_key(void)
{
  char url[600] = "http://";
  struct mote_identity id;
  struct subject s;
  CURLcode rc;
  int i;
  for(i = 0; i < 60; i++)
    strcat(url, "abcd.");
  strcat(url, "test/");
  subject_begin(&s, "http");
  if(subject_url(&s, url)) {
    rc = mote_identity_make(&s.t, &id);
    CHECK(rc == CURLE_OK || (rc == CURLE_OUT_OF_MEMORY && test_mem.failed));
    if(!rc) {
      CHECK(id.block > MOTE_IDENTITY_ROOM && id.len <= id.block);
      CHECK_STR(id.key + id.len - 5, "http");
      mote_identity_close(&s.t, &id);
    }
  }
  subject_end(&s);
}

TEST(longer_than_the_room)
{
  run_with_failures(long_key);
}

int main(void)
{
  TEST_RUN(layout);
  TEST_RUN(where_it_really_goes);
  TEST_RUN(what_makes_no_difference);
  TEST_RUN(what_makes_no_difference_to_tls);
  TEST_RUN(path_and_abstract_name);
  TEST_RUN(user_of_a_login);
  TEST_RUN(longer_than_the_room);
  return test_end();
}
