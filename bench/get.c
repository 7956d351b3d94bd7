/* get URL [BUFFERSIZE [TIMES [OPTION=VALUE...]]]: GETs with curl_easy_perform() on one handle; allocations by
 * phase. upload=FILE sends a file instead, zeros=BYTES so many zeros. With BENCH_MARKS, a system call that
 * nothing else here makes, getppid(), ends each transfer for strace. */
#include "common.h"

#include <fcntl.h>
#include <unistd.h>

static int sent = -1;
static off_t sent_at; /* no call is needed to begin again */

static size_t read_sent(char *p, size_t size, size_t n, void *user)
{
  ssize_t got = pread(*(int *)user, p, size * n, sent_at);
  sent_at += got < 0 ? 0 : got;
  return got < 0 ? CURL_READFUNC_ABORT : (size_t)got;
}

/* Without a FILE, whose memory would be counted. */
static CURLcode set_upload(CURL *e, const char *file)
{
  sent = open(file, O_RDONLY);
  curl_easy_setopt(e, CURLOPT_READFUNCTION, read_sent);
  curl_easy_setopt(e, CURLOPT_READDATA, &sent);
  curl_easy_setopt(e, CURLOPT_INFILESIZE, (long)lseek(sent, 0, SEEK_END));
  return curl_easy_setopt(e, CURLOPT_UPLOAD, 1L);
}

/* In pieces for which the C library takes no "rep stosb": valgrind counts it as an instruction a byte. */
static void fill(char *p, size_t n)
{
  enum { PIECE = 1024 };
  for(; n > PIECE; n -= PIECE, p += PIECE)
    memset(p, 0, PIECE);
  memset(p, 0, n);
}

static size_t read_zeros(char *p, size_t size, size_t n, void *user)
{
  off_t left = *(off_t *)user - sent_at;
  size_t most = size * n;
  if((off_t)most > left)
    most = (size_t)left;
  fill(p, most);
  sent_at += (off_t)most;
  return most;
}

static CURLcode set_zeros(CURL *e, const char *bytes)
{
  static off_t whole;
  whole = atoll(bytes);
  curl_easy_setopt(e, CURLOPT_READFUNCTION, read_zeros);
  curl_easy_setopt(e, CURLOPT_READDATA, &whole);
  curl_easy_setopt(e, CURLOPT_INFILESIZE_LARGE, (curl_off_t)whole);
  return curl_easy_setopt(e, CURLOPT_UPLOAD, 1L);
}

static CURLcode set(CURL *e, char *word)
{
  if(!strncmp(word, "zeros=", 6))
    return set_zeros(e, word + 6);
  return strncmp(word, "upload=", 7) ? bench_option(e, word) : set_upload(e, word + 7);
}

int main(int argc, char **argv)
{
  long buffer = argc > 2 ? atol(argv[2]) : 0;
  int times = argc > 3 ? atoi(argv[3]) : 1;
  long long got = 0;
  long code = 0;
  long http = 0;
  CURLcode rc = CURLE_OK;
  double clock;
  double user;
  int marks = getenv("BENCH_MARKS") != NULL;
  CURL *e;
  int i;
  if(argc < 2)
    return 2;
  bench_begin();
  bench_phase("start");
  curl_global_init(CURL_GLOBAL_DEFAULT);
  bench_phase("global");
  e = curl_easy_init();
  bench_phase("init");
  bench_setup(e, argv[1], &got);
  if(buffer)
    curl_easy_setopt(e, CURLOPT_BUFFERSIZE, buffer);
  for(i = 4; i < argc && !rc; i++)
    rc = set(e, argv[i]);
  bench_phase("setopt");
  clock = bench_clock();
  user = bench_user() + bench_system();
  while(times-- > 0 && !rc) {
    sent_at = 0;
    rc = curl_easy_perform(e);
    if(marks)
      (void)getppid();
    bench_phase("perform");
  }
  curl_easy_getinfo(e, CURLINFO_RESPONSE_CODE, &code);
  curl_easy_getinfo(e, CURLINFO_HTTP_VERSION, &http);
  printf("result rc=%d code=%ld http=%ld bytes=%lld clock=%.6f cpu=%.6f\n", (int)rc, code, http, got,
         bench_clock() - clock, bench_user() + bench_system() - user);
  printf("version %s\n", curl_version());
  curl_easy_cleanup(e);
  bench_phase("cleanup");
  curl_global_cleanup();
  return rc != CURLE_OK;
}
