/* Clocks, random bytes, environment, process, error texts. Needs wait_sets, posix. */
#include <errno.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "port/env.h"
#include "port/port.h"
#include "port/set.h"
#include "test.h"

/* In place of the C library's: answers as the test says, then as the system does. */
static int entropy_errors[4]; /* errno values to fail with, 0: no more */
static size_t entropy_calls;

int getentropy(void *p, size_t n);

int getentropy(void *p, size_t n)
{
  size_t call = entropy_calls++;
  if(call < sizeof entropy_errors / sizeof *entropy_errors && entropy_errors[call]) {
    errno = entropy_errors[call];
    return -1;
  }
  if(n > 256) {
    errno = EIO;
    return -1;
  }
  return syscall(SYS_getrandom, p, n, 0) == (long)n ? 0 : -1;
}

TEST(clocks)
{
  mote_time before = mote_port_now();
  int64_t wall = mote_port_wall();
  struct timespec pause = { 0, 3000000 };
  mote_time after;
  CHECK(before > 0);
  nanosleep(&pause, NULL);
  after = mote_port_now();
  CHECK(after - before >= 3 * MOTE_MS && after - before < 60 * MOTE_SECOND);
  CHECK(wall > 1600000000 && wall <= (int64_t)time(NULL));
}

TEST(wait_ms)
{
  CHECK_INT(mote_time_wait_ms(-5), 0);
  CHECK_INT(mote_time_wait_ms(0), 0);
  CHECK_INT(mote_time_wait_ms(1), 1);
  CHECK_INT(mote_time_wait_ms(1000), 1);
  CHECK_INT(mote_time_wait_ms(1001), 2);
  CHECK_INT(mote_time_wait_ms(INT64_MAX), INT32_MAX);
  CHECK_INT(mote_time_wait_ms(INT32_MAX * MOTE_MS), INT32_MAX);
}

/* All bytes are written, and no more. */
static void random_fill(size_t n)
{
  unsigned char a[1100] = { 0 };
  unsigned char b[1100] = { 0 };
  size_t same = 0;
  size_t i;
  CHECK_INT(mote_port_random(a, n), CURLE_OK);
  CHECK_INT(mote_port_random(b, n), CURLE_OK);
  for(i = 0; i < n; i++)
    same += a[i] == b[i] || !a[i] || !b[i];
  CHECK(same <= n / 4);
  for(; i < sizeof a; i++)
    CHECK(!a[i] && !b[i]);
}

TEST(random_bytes)
{
  memset(entropy_errors, 0, sizeof entropy_errors);
  random_fill(16);
  random_fill(256);
  random_fill(257);
  random_fill(1024);
  CHECK_INT(mote_port_random(NULL, 0), CURLE_OK);
}

TEST(random_interrupted_and_missing)
{
  entropy_calls = 0;
  entropy_errors[0] = EINTR;
  entropy_errors[1] = EINTR;
  random_fill(300);
  CHECK(entropy_calls >= 4);
  entropy_errors[0] = ENOSYS;
  entropy_errors[1] = 0;
  entropy_calls = 0;
  random_fill(300);
  memset(entropy_errors, 0, sizeof entropy_errors);
}

TEST(environment)
{
  setenv("MOTE_TEST_VARIABLE", "value", 1);
  CHECK_STR(mote_port_getenv("MOTE_TEST_VARIABLE"), "value");
  unsetenv("MOTE_TEST_VARIABLE");
  CHECK(!mote_port_getenv("MOTE_TEST_VARIABLE"));
}

TEST(proxies_of_the_environment)
{
  static const struct {
    const char *name, *scheme, *other; /* the scheme whose proxy it names, and one whose it does not */
  } names[] = {
    {"http_proxy", "http", "https"},   {"HTTP_PROXY", "http", "ftp"},   {"https_proxy", "https", "http"},
    {"HTTPS_PROXY", "https", "imaps"}, {"ftp_proxy", "ftp", "ftps"},    {"Ftps_Proxy", "ftps", "ftp"},
    {"all_proxy", "http", NULL},       {"ALL_PROXY", "imap", NULL},
  };
  static const char *const others[] = {"no_proxy", "NO_PROXY", "http_proxy_", "h_proxy",
                                       "http_prox", "_proxy", "httpproxy", "h", "a"};
  size_t i;
  for(i = 0; i < sizeof names / sizeof *names; i++)
    unsetenv(names[i].name);
  for(i = 0; i < sizeof others / sizeof *others; i++)
    setenv(others[i], "http_proxy=http://proxy/", 1);
  CHECK(!mote_port_env_proxies("http", 4));
  CHECK(mote_port_env_no_proxy());
  for(i = 0; i < sizeof names / sizeof *names; i++) {
    setenv(names[i].name, "", 1);
    CHECK(mote_port_env_proxies(names[i].scheme, strlen(names[i].scheme)));
    CHECK(!names[i].other || !mote_port_env_proxies(names[i].other, strlen(names[i].other)));
    unsetenv(names[i].name);
    CHECK(!mote_port_env_proxies(names[i].scheme, strlen(names[i].scheme)));
  }
  for(i = 0; i < sizeof others / sizeof *others; i++)
    unsetenv(others[i]);
  setenv("no_prox", "no_proxy=", 1);
  CHECK(!mote_port_env_no_proxy());
  setenv("NO_PROXY", "", 1);
  CHECK(mote_port_env_no_proxy());
  clearenv();
  CHECK(!mote_port_env_proxies("http", 4));
  CHECK(!mote_port_env_no_proxy());
}

TEST(process)
{
  long parent = mote_port_pid();
  pid_t child;
  int status = -1;
  CHECK_INT(parent, getpid());
  CHECK_INT(mote_port_pid(), parent);
  child = fork();
  if(!child) {
    pid_t grandchild = fork();
    bool ok = mote_port_pid() == (long)getpid() && mote_port_pid() != parent;
    if(!grandchild)
      _exit(ok ? 0 : 1);
    waitpid(grandchild, &status, 0);
    _exit(ok && !status ? 0 : 1);
  }
  CHECK(waitpid(child, &status, 0) == child && !status);
  CHECK_INT(mote_port_pid(), parent);
}

TEST(error_texts)
{
  char text[100];
  size_t cap;
  CHECK_INT(mote_port_error_text(ECONNREFUSED, text, sizeof text), strlen("Connection refused"));
  CHECK_STR(text, "Connection refused");
  CHECK(mote_port_error_text(123456, text, sizeof text) > 0);
  for(cap = 1; cap < 25; cap++) {
    memset(text, 'x', sizeof text);
    CHECK(mote_port_error_text(ECONNREFUSED, text, cap) < cap);
    CHECK(!strncmp(text, "Connection refused", strlen(text)) && text[cap] == 'x');
  }
}

int main(void)
{
  TEST_RUN(clocks);
  TEST_RUN(wait_ms);
  TEST_RUN(random_bytes);
  TEST_RUN(random_interrupted_and_missing);
  TEST_RUN(environment);
  TEST_RUN(proxies_of_the_environment);
  TEST_RUN(process);
  TEST_RUN(error_texts);
  return test_end();
}
