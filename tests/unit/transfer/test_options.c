/* tests/unit/transfer/test_options.c: the sparse option array, the table of options, and that the
 * connection's key has every option that the table says belongs to it. Needs accounts. */
#include "transfer/options/options.h"
#include "transfer/upload/mime.h"

#include "base/digest/sha256.h"
#include "codec/url/url.h"
#include "connect/dial/dial.h"
#include "connect/identity.h"
#include "tls/tls.h"
#include "transfer/protocol.h"
#include "transfer/run.h"
#include "transfer/transfer.h"

#include "test.h"

#define ID(option) MOTE_OPT_ID(CURLOPT_##option)

static struct mote_account account;

static void begin(struct mote_options *o)
{
  memset(&account, 0, sizeof account);
  mote_options_init(o, &account);
}

static void end(struct mote_options *o)
{
  mote_options_close(o);
  CHECK_ACCOUNT(&account);
}

/* ---- the array ---- */

TEST(what_is_not_set_is_the_default)
{
  struct mote_options o;
  struct mote_slice blob;
  begin(&o);
  CHECK_INT(mote_opt_long(&o, CURLOPT_MAXREDIRS), 30);
  CHECK_INT(mote_opt_off(&o, CURLOPT_POSTFIELDSIZE_LARGE), -1);
  CHECK(!mote_opt_str(&o, CURLOPT_URL));
  CHECK(!mote_opt_ptr(&o, CURLOPT_WRITEDATA));
  CHECK(!mote_opt_fn(&o, CURLOPT_WRITEFUNCTION));
  blob = mote_opt_blob(&o, CURLOPT_CAINFO_BLOB);
  CHECK(!blob.ptr);
  CHECK(!mote_opt_is_set(&o, CURLOPT_URL));
  end(&o);
}

TEST(values_come_back)
{
  struct mote_options o;
  struct mote_slice blob;
  char text[] = "http://a/";
  int data;
  begin(&o);
  CHECK(!mote_option_set_long(&o, ID(MAXREDIRS), 7));
  CHECK(!mote_option_set_off(&o, ID(INFILESIZE_LARGE), (curl_off_t)1 << 40));
  CHECK(!mote_option_set_ptr(&o, ID(WRITEDATA), &data));
  CHECK(!mote_option_set_fn(&o, ID(WRITEFUNCTION), (mote_fn)abort));
  CHECK(!mote_option_set_str(&o, ID(URL), text, strlen(text)));
  CHECK(!mote_option_set_blob(&o, ID(CAINFO_BLOB), "abc", 3, true));
  memset(text, 'x', sizeof text - 1);
  CHECK_INT(mote_opt_long(&o, CURLOPT_MAXREDIRS), 7);
  CHECK_INT(mote_opt_off(&o, CURLOPT_INFILESIZE_LARGE), (curl_off_t)1 << 40);
  CHECK(mote_opt_ptr(&o, CURLOPT_WRITEDATA) == &data);
  CHECK(mote_opt_fn(&o, CURLOPT_WRITEFUNCTION) == (mote_fn)abort);
  CHECK_STR(mote_opt_str(&o, CURLOPT_URL), "http://a/");
  blob = mote_opt_blob(&o, CURLOPT_CAINFO_BLOB);
  CHECK_MEM(blob.ptr, blob.len, "abc", 3);
  CHECK(mote_opt_is_set(&o, CURLOPT_URL));
  end(&o);
}

TEST(a_borrowed_blob_is_not_copied)
{
  struct mote_options o;
  struct mote_slice blob;
  char data[] = "abc";
  begin(&o);
  CHECK(!mote_option_set_blob(&o, ID(CAINFO_BLOB), data, 3, false));
  blob = mote_opt_blob(&o, CURLOPT_CAINFO_BLOB);
  CHECK(blob.ptr == data);
  CHECK(account.live < 4 * sizeof(void *)); /* where it is */
  end(&o);
}

TEST(null_removes)
{
  struct mote_options o;
  int data;
  void *other = &data;
  begin(&o);
  CHECK(!mote_option_set_ptr(&o, ID(WRITEDATA), &data));
  CHECK(!mote_option_set_ptr(&o, ID(WRITEDATA), NULL));
  CHECK(mote_opt_ptr_or(&o, CURLOPT_WRITEDATA, other) == other);
  CHECK(!mote_option_set_null(&o, ID(WRITEDATA)));
  CHECK(!mote_opt_ptr_or(&o, CURLOPT_WRITEDATA, other) && mote_opt_is_set(&o, CURLOPT_WRITEDATA));
  mote_option_unset(&o, ID(WRITEDATA));
  CHECK(!mote_option_set_fn(&o, ID(WRITEFUNCTION), (mote_fn)abort));
  CHECK(!mote_option_set_fn(&o, ID(WRITEFUNCTION), NULL));
  CHECK(!mote_option_set_str(&o, ID(URL), "a", 1));
  mote_option_unset(&o, ID(URL));
  mote_option_unset(&o, ID(URL));
  CHECK_INT(o.count, 0);
  CHECK_INT(account.live, 0);
  end(&o);
}

TEST(a_new_value_may_be_part_of_the_old_one)
{
  struct mote_options o;
  begin(&o);
  CHECK(!mote_option_set_str(&o, ID(URL), "http://host/", 12));
  CHECK(!mote_option_set_str(&o, ID(URL), mote_opt_str(&o, CURLOPT_URL) + 7, 4));
  CHECK_STR(mote_opt_str(&o, CURLOPT_URL), "host");
  CHECK_INT(o.count, 1);
  end(&o);
}

/* Every number that has a row, set and found again, and no other with it. */
TEST(all_at_once)
{
  struct mote_options o;
  uint16_t id;
  unsigned n = 0;
  begin(&o);
  for(id = 1; id < 400; id++)
    if(mote_option_row(id)->kind != MOTE_KIND_NONE) {
      n++;
      CHECK(!mote_option_set_long(&o, id, id * 3L));
    }
  CHECK_INT(o.count, n);
  CHECK(n > 300);
  for(id = 1; id < 400; id++) {
    CHECK(mote_option_has(&o, id) == (mote_option_row(id)->kind != MOTE_KIND_NONE));
    CHECK_INT(mote_opt_find_long(&o, id, id * 3L), id * 3L);
  }
  for(id = 1; id < 400; id += 2)
    mote_option_unset(&o, id);
  for(id = 1; id < 400; id++) {
    CHECK(mote_option_has(&o, id) == (id % 2 == 0 && mote_option_row(id)->kind != MOTE_KIND_NONE));
    CHECK_INT(mote_opt_find_long(&o, id, id * 3L), id * 3L);
  }
  end(&o);
}

TEST(strings_survive_while_a_transfer_runs)
{
  struct mote_options o;
  const char *url, *agent;
  begin(&o);
  CHECK(!mote_option_set_str(&o, ID(URL), "first", 5));
  CHECK(!mote_option_set_str(&o, ID(USERAGENT), "agent", 5));
  url = mote_opt_str(&o, CURLOPT_URL);
  agent = mote_opt_str(&o, CURLOPT_USERAGENT);
  o.running = true;
  CHECK(!mote_option_set_str(&o, ID(URL), "second", 6));
  CHECK(!mote_option_set_str(&o, ID(URL), "third", 5));
  mote_option_unset(&o, ID(USERAGENT));
  CHECK_STR(url, "first");
  CHECK_STR(agent, "agent");
  CHECK_STR(mote_opt_str(&o, CURLOPT_URL), "third");
  CHECK(!mote_opt_str(&o, CURLOPT_USERAGENT));
  mote_options_sweep(&o);
  CHECK_INT(o.count, 1);
  CHECK_STR(mote_opt_str(&o, CURLOPT_URL), "third");
  end(&o);
}

TEST(a_copy_has_its_own_strings)
{
  struct mote_options from, to;
  struct mote_slice blob;
  int data;
  begin(&from);
  mote_options_init(&to, &account);
  CHECK(!mote_option_set_str(&from, ID(URL), "one", 3));
  CHECK(!mote_option_set_blob(&from, ID(CAINFO_BLOB), "abc", 3, true));
  CHECK(!mote_option_set_blob(&from, ID(SSLCERT_BLOB), &data, sizeof data, false));
  CHECK(!mote_option_set_long(&from, ID(PORT), 80));
  from.running = true;
  CHECK(!mote_option_set_str(&from, ID(URL), "two", 3));
  CHECK(!mote_options_dup(&to, &from));
  CHECK_INT(to.count, 4); /* the string that only the running transfer needs is not copied */
  CHECK_STR(mote_opt_str(&to, CURLOPT_URL), "two");
  CHECK(mote_opt_str(&to, CURLOPT_URL) != mote_opt_str(&from, CURLOPT_URL));
  CHECK(mote_opt_ptr(&to, CURLOPT_CAINFO_BLOB) != mote_opt_ptr(&from, CURLOPT_CAINFO_BLOB));
  blob = mote_opt_blob(&to, CURLOPT_SSLCERT_BLOB);
  CHECK((const void *)blob.ptr == &data);
  CHECK_INT(mote_opt_long(&to, CURLOPT_PORT), 80);
  mote_options_close(&from);
  CHECK_STR(mote_opt_str(&to, CURLOPT_URL), "two");
  end(&to);
}

/* The copy of a handle numbered its first request of RTSP after those of the original. */
TEST(a_copy_remembers_no_request)
{
  struct mote_options from, to;
  begin(&from);
  mote_options_init(&to, &account);
  CHECK(mote_option_keep_block(&from, MOTE_OPT_RTSP, 16) != NULL);
  CHECK(!mote_option_set_blob(&from, MOTE_OPT_SIGV4, "key", 3, true));
  CHECK(!mote_option_set_long(&from, ID(PORT), 80));
  CHECK(!mote_options_dup(&to, &from));
  CHECK_INT(to.count, 1);
  CHECK(!mote_option_has(&to, MOTE_OPT_RTSP));
  CHECK(!mote_option_has(&to, MOTE_OPT_SIGV4));
  mote_options_close(&from);
  end(&to);
}

/* As a transfer does that uses the string of its URL in place. */
static void transfer(struct mote_options *o)
{
  mote_options_drop_url(o);
  o->running = true;
  o->url_in_use = true;
  mote_options_sweep(o);
}

TEST(a_string_of_about_the_same_size_is_replaced_in_place)
{
  struct mote_options o;
  const char *agent;
  uint64_t calls;
  begin(&o);
  CHECK(!mote_option_set_str(&o, ID(USERAGENT), "first", 5));
  agent = mote_opt_str(&o, CURLOPT_USERAGENT);
  calls = account.calls;
  CHECK(!mote_option_set_str(&o, ID(USERAGENT), "two", 3));
  CHECK(!mote_option_set_str(&o, ID(USERAGENT), "third", 5));
  CHECK_STR(agent, "third");
  CHECK_INT(account.calls, calls);
  CHECK(!mote_option_set_str(&o, ID(USERAGENT), "fourth", 6));
  CHECK_STR(mote_opt_str(&o, CURLOPT_USERAGENT), "fourth");
  CHECK(account.calls > calls);
  end(&o);
}

TEST(a_long_string_is_not_held_for_a_short_one)
{
  struct mote_options o;
  char text[1000];
  begin(&o);
  memset(text, 'a', sizeof text);
  CHECK(!mote_option_set_str(&o, ID(URL), text, sizeof text));
  CHECK(!mote_option_set_str(&o, ID(USERAGENT), text, sizeof text));
  CHECK(!mote_option_set_str(&o, ID(USERAGENT), "short", 5));
  transfer(&o);
  CHECK(!mote_option_set_str(&o, ID(URL), "short", 5));
  transfer(&o);
  CHECK(account.live < 100);
  CHECK_STR(mote_opt_str(&o, CURLOPT_URL), "short");
  end(&o);
}

TEST(two_blocks_serve_a_handle_that_changes_its_url)
{
  struct mote_options o;
  const char *last = "";
  uint64_t calls = 0;
  int i;
  begin(&o);
  for(i = 0; i < 8; i++) {
    char url[] = "http://a/longer/0";
    url[sizeof url - 2] = (char)('0' + i);
    CHECK(!mote_option_set_str(&o, ID(URL), url + (i & 1), strlen(url) - (i & 1)));
    CHECK(!i || last[strlen(last) - 1] == '0' + i - 1); /* for getinfo */
    transfer(&o);
    last = mote_opt_str(&o, CURLOPT_URL);
    CHECK_STR(last, url + (i & 1));
    if(i == 2)
      calls = account.calls;
  }
  CHECK_INT(account.calls, calls);
  CHECK_INT(o.count, 2);
  end(&o);
}

static void fill_and_copy(void)
{
  struct mote_options o, copy;
  uint16_t id;
  CURLcode rc = CURLE_OK;
  begin(&o);
  mote_options_init(&copy, &account);
  for(id = 1; id < 20 && !rc; id++)
    rc = mote_option_set_str(&o, id, "text", 4);
  if(!rc) {
    o.running = true;
    rc = mote_option_set_str(&o, 1, "other", 5);
    CHECK_STR(mote_opt_find_ptr(&o, 1), rc ? "text" : "other");
  }
  if(!rc)
    rc = mote_option_set_blob(&o, 2, "abc", 3, true);
  if(!rc)
    rc = mote_options_dup(&copy, &o);
  CHECK(!rc || rc == CURLE_OUT_OF_MEMORY);
  CHECK(!rc || !copy.count);
  CHECK((rc != CURLE_OK) == test_mem.failed);
  mote_options_sweep(&o);
  mote_options_close(&copy);
  end(&o);
}

TEST(survives_without_memory)
{
  run_with_failures(fill_and_copy);
}

/* ---- the table ---- */

static enum mote_option_kind kind_of(const struct curl_easyoption *o)
{
  switch(o->type) {
  case CURLOT_LONG:
  case CURLOT_VALUES:
    return MOTE_KIND_LONG;
  case CURLOT_OFF_T:
    return MOTE_KIND_OFF;
  case CURLOT_STRING:
    return MOTE_KIND_STR;
  case CURLOT_BLOB:
    return MOTE_KIND_BLOB;
  case CURLOT_FUNCTION:
    return MOTE_KIND_FN;
  default:
    return MOTE_KIND_PTR;
  }
}

/* The column `identity` by number, of every row. */
static const uint8_t identities[] = {
#define ROW(option, id) [MOTE_OPT_ID(option)] = MOTE_IDENTITY_##id,
#define HAVE(name, type, rule, part, identity, value) ROW(CURLOPT_##name, identity)
#define HARMLESS(name, type, rule, part, identity, value) ROW(CURLOPT_##name, identity)
#define LACK(name, type, rule, part, identity, value) ROW(CURLOPT_##name, identity)
#define REFUSE(name, type, rule, part, identity, value) ROW(CURLOPT_##name, identity)
#include "transfer/options/option_rows.inc"
};

TEST(every_option_has_a_whole_row)
{
  const struct curl_easyoption *o = NULL;
  unsigned options = 0, rows = 0;
  uint16_t id;
  while((o = curl_easy_option_next(o)) != NULL) {
    const struct mote_option_row *row = mote_option_row(MOTE_OPT_ID(o->id));
    unsigned identity = identities[MOTE_OPT_ID(o->id)];
    options += !(o->flags & CURLOT_FLAG_ALIAS);
    if(row->kind != kind_of(o) || identity < MOTE_IDENTITY_NEVER || identity > MOTE_IDENTITY_AUTH ||
       row->built > MOTE_OPTION_REFUSED) {
      fprintf(stderr, "%s: kind %u, identity %u, built %u\n", o->name, row->kind, identity, row->built);
      BROKEN("the row is right");
    }
    CHECK(!row->preset || row->kind == MOTE_KIND_LONG || row->kind == MOTE_KIND_OFF);
  }
  for(id = 0; id < 10000; id++)
    rows += mote_option_row(id)->kind != MOTE_KIND_NONE;
  CHECK_INT(rows, options);
  CHECK_INT(mote_option_row(MOTE_OPT_METHOD)->kind, MOTE_KIND_NONE);
  CHECK_INT(mote_option_row(MOTE_OPT_RETIRED)->kind, MOTE_KIND_NONE);
}

/* What the manual pages say, with the changes since 7.88. */
TEST(defaults)
{
  static const struct {
    CURLoption option;
    long value;
  } known[] = {
    {CURLOPT_BUFFERSIZE, 16384}, {CURLOPT_UPLOAD_BUFFERSIZE, 65536}, {CURLOPT_CA_CACHE_TIMEOUT, 86400},
    {CURLOPT_CONNECTTIMEOUT_MS, 300000}, {CURLOPT_DNS_CACHE_TIMEOUT, 60},
    {CURLOPT_EXPECT_100_TIMEOUT_MS, 1000}, {CURLOPT_FOLLOWLOCATION, 0},
    {CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS, 200}, {CURLOPT_HTTPAUTH, CURLAUTH_BASIC},
    {CURLOPT_HTTP_CONTENT_DECODING, 1}, {CURLOPT_HTTP_TRANSFER_DECODING, 1}, {CURLOPT_HTTP_VERSION, 0},
    {CURLOPT_INFILESIZE_LARGE, -1}, {CURLOPT_LOCALPORTRANGE, 1}, {CURLOPT_MAXAGE_CONN, 118},
    {CURLOPT_MAXCONNECTS, 5}, {CURLOPT_MAXLIFETIME_CONN, 86400}, {CURLOPT_MAXREDIRS, 30},
    {CURLOPT_NOPROGRESS, 1}, {CURLOPT_POSTFIELDSIZE_LARGE, -1}, {CURLOPT_PROTOCOLS, -1},
    {CURLOPT_REDIR_PROTOCOLS, 15}, {CURLOPT_SSL_ENABLE_ALPN, 1}, {CURLOPT_SSL_SESSIONID_CACHE, 1},
    {CURLOPT_SSL_VERIFYHOST, 2}, {CURLOPT_SSL_VERIFYPEER, 1}, {CURLOPT_TCP_KEEPCNT, 9},
    {CURLOPT_TCP_KEEPIDLE, 60}, {CURLOPT_TCP_KEEPINTVL, 60}, {CURLOPT_TCP_NODELAY, 1},
    {CURLOPT_TIMEOUT_MS, 0}, {CURLOPT_VERBOSE, 0}, {CURLOPT_MAXFILESIZE_LARGE, 0},
  };
  struct mote_options o;
  unsigned i;
  begin(&o);
  for(i = 0; i < sizeof known / sizeof known[0]; i++)
    CHECK_INT(mote_option_row(MOTE_OPT_ID(known[i].option))->preset, known[i].value);
  CHECK_INT(mote_opt_long(&o, CURLOPT_MAXREDIRS), 30);
  CHECK_INT(mote_opt_off(&o, CURLOPT_MAXFILESIZE_LARGE), 0);
  end(&o);
}

/* ---- identity ---- */

struct subject {
  struct mote_transfer t;
  union {
    struct mote_run run;
    struct mote_run_block block;
  };
};

static void subject_begin(struct subject *s)
{
  struct mote_url_how how = {.flags = 0};
  static const char text[] = "https://example.com/";
  struct mote_url u;
  memset(s, 0, sizeof *s);
  mote_transfer_init(&s->t, NULL);
  s->t.run = &s->run;
  s->run.request.scheme = mote_scheme_find("https", 5);
  how.account = &s->t.account;
  CHECK(!mote_url_parse(&u, text, strlen(text), &how));
  CHECK(!mote_url_pack(&s->run.request.url, &u, &s->t.account));
  mote_url_close(&u);
}

static void subject_end(struct subject *s)
{
  mote_url_packed_close(&s->run.request.url, &s->t.account);
  mote_options_close(&s->t.options);
  CHECK_ACCOUNT(&s->t.account);
}

static void set_something(struct mote_options *o, uint16_t id, const struct mote_option_row *row)
{
  static struct curl_slist list = {(char *)(uintptr_t)"::elsewhere:1", NULL};
  static struct curl_mime form;
  switch(row->kind) {
  case MOTE_KIND_LONG:
    CHECK(!mote_option_set_long(o, id, row->preset ? 0 : 1));
    break;
  case MOTE_KIND_STR:
    CHECK(!mote_option_set_str(o, id, "value", 5));
    break;
  case MOTE_KIND_BLOB:
    CHECK(!mote_option_set_blob(o, id, "value", 5, true));
    break;
  case MOTE_KIND_FN:
    CHECK(!mote_option_set_fn(o, id, (mote_fn)exit));
    break;
  default:
    CHECK(!mote_option_set_ptr(o, id, id == ID(MIMEPOST) ? (void *)&form : (void *)&list));
  }
}

/* The digest under which TLS sessions and contexts are kept. */
static void digest_of(struct mote_transfer *t, unsigned char *out)
{
  struct mote_tls_config cfg;
  struct mote_sha256 h;
  mote_transfer_tls_config(t, &cfg);
  mote_sha256_init(&h);
  mote_tls_config_feed(&cfg, &h);
  mote_sha256_end(&h, out);
}

/* With the option set or not: are these two connections? *tls: and two configurations of TLS? */
static bool differs(CURLoption option, bool *tls)
{
  unsigned char digest[2][MOTE_SHA256_SIZE];
  struct subject s;
  struct mote_identity before, after;
  bool other;
  subject_begin(&s);
  if(option == CURLOPT_LOCALPORTRANGE)
    CHECK(!mote_option_set_long(&s.t.options, ID(LOCALPORT), 1000));
  if(option == CURLOPT_SSL_CTX_DATA)
    CHECK(!mote_option_set_fn(&s.t.options, ID(SSL_CTX_FUNCTION), (mote_fn)abort));
  CHECK(!mote_identity_make(&s.t, &before));
  digest_of(&s.t, digest[0]);
  set_something(&s.t.options, MOTE_OPT_ID(option), mote_option_row(MOTE_OPT_ID(option)));
  CHECK(!mote_identity_make(&s.t, &after));
  digest_of(&s.t, digest[1]);
  *tls = memcmp(digest[0], digest[1], sizeof digest[0]) != 0;
  other = before.len != after.len || memcmp(before.key, after.key, after.len) != 0;
  mote_identity_close(&s.t, &before);
  mote_identity_close(&s.t, &after);
  subject_end(&s);
  return other;
}

TEST(the_connection_key_is_what_the_table_says)
{
  const struct curl_easyoption *o = NULL;
  unsigned n = 0;
  while((o = curl_easy_option_next(o)) != NULL) {
    const struct mote_option_row *row = mote_option_row(MOTE_OPT_ID(o->id));
    unsigned identity = identities[MOTE_OPT_ID(o->id)];
    bool of_tls = identity == MOTE_IDENTITY_TLS || identity == MOTE_IDENTITY_CLIENT;
    bool wanted = identity == MOTE_IDENTITY_ALWAYS || of_tls;
    bool tls;
    bool by_route = identity == MOTE_IDENTITY_ROUTE; /* test_identity.c has them */
    if(row->built != MOTE_OPTION_BUILT || row->kind == MOTE_KIND_OFF || by_route)
      continue;
    if(differs(o->id, &tls) != wanted || tls != of_tls) {
      fprintf(stderr, "%s %s\n", o->name, wanted ? "is missing" : "is not expected in the key");
      BROKEN("the key and the table agree");
    }
    CHECK(identity != MOTE_IDENTITY_ALWAYS || row->kind == MOTE_KIND_LONG || row->kind == MOTE_KIND_STR);
    n += wanted;
  }
  CHECK(n > 25);
}

int main(void)
{
  TEST_RUN(what_is_not_set_is_the_default);
  TEST_RUN(values_come_back);
  TEST_RUN(a_borrowed_blob_is_not_copied);
  TEST_RUN(null_removes);
  TEST_RUN(a_new_value_may_be_part_of_the_old_one);
  TEST_RUN(all_at_once);
  TEST_RUN(strings_survive_while_a_transfer_runs);
  TEST_RUN(a_copy_has_its_own_strings);
  TEST_RUN(a_copy_remembers_no_request);
  TEST_RUN(a_string_of_about_the_same_size_is_replaced_in_place);
  TEST_RUN(a_long_string_is_not_held_for_a_short_one);
  TEST_RUN(two_blocks_serve_a_handle_that_changes_its_url);
  TEST_RUN(survives_without_memory);
  TEST_RUN(every_option_has_a_whole_row);
  TEST_RUN(defaults);
  TEST_RUN(the_connection_key_is_what_the_table_says);
  return test_end();
}
