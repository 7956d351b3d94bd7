/* share.c: two threads that share what they have learnt: addresses of names, and TLS sessions.
 *
 *   share URL URL
 *
 * A handle belongs to one thread at a time; a share may belong to several when it has lock functions.
 * There is one lock per kind of data, and none is held while a transfer waits. With Mote connections can
 * be shared between threads as well (CURL_LOCK_DATA_CONNECT); libcurl's manual asks not to, so it is left
 * out here. */
#define _POSIX_C_SOURCE 200809L

#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t locks[CURL_LOCK_DATA_LAST];

static void lock(CURL *curl, curl_lock_data data, curl_lock_access access, void *user)
{
  (void)curl;
  (void)access; /* shared or single: a mutex does for both */
  (void)user;
  pthread_mutex_lock(&locks[data]);
}

static void unlock(CURL *curl, curl_lock_data data, void *user)
{
  (void)curl;
  (void)user;
  pthread_mutex_unlock(&locks[data]);
}

struct job {
  const char *url;
  CURLSH *share;
  CURLcode rc;
  curl_off_t bytes;
};

static size_t count(char *bytes, size_t size, size_t n, void *user)
{
  (void)bytes;
  *(curl_off_t *)user += (curl_off_t)(size * n);
  return size * n;
}

static void *work(void *arg)
{
  struct job *job = arg;
  CURL *curl = curl_easy_init();
  job->rc = CURLE_OUT_OF_MEMORY;
  if(curl && !(job->rc = curl_easy_setopt(curl, CURLOPT_SHARE, job->share)) &&
     !(job->rc = curl_easy_setopt(curl, CURLOPT_URL, job->url)) &&
     !(job->rc = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, count)) &&
     !(job->rc = curl_easy_setopt(curl, CURLOPT_WRITEDATA, &job->bytes)) &&
     !(job->rc = curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L)) &&
     !(job->rc = curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L)))
    job->rc = curl_easy_perform(curl);
  curl_easy_cleanup(curl); /* before the share goes */
  return NULL;
}

static CURLSHcode prepare(CURLSH *share)
{
  CURLSHcode sc;
  if((sc = curl_share_setopt(share, CURLSHOPT_LOCKFUNC, lock)) ||
     (sc = curl_share_setopt(share, CURLSHOPT_UNLOCKFUNC, unlock)) ||
     (sc = curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS)) ||
     (sc = curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION)))
    return sc;
  return CURLSHE_OK;
}

static int run(CURLSH *share, char **urls)
{
  struct job jobs[2];
  pthread_t threads[2];
  int started;
  int failed = 0;
  int i;
  for(started = 0; started < 2; started++) {
    struct job job = {urls[started], share, CURLE_OK, 0};
    jobs[started] = job;
    if(pthread_create(&threads[started], NULL, work, &jobs[started]))
      break;
  }
  for(i = 0; i < started; i++) {
    pthread_join(threads[i], NULL);
    printf("%s: %" CURL_FORMAT_CURL_OFF_T " bytes, %s\n", jobs[i].url, jobs[i].bytes,
           curl_easy_strerror(jobs[i].rc));
    failed += jobs[i].rc != CURLE_OK;
  }
  return failed + 2 - started;
}

int main(int argc, char **argv)
{
  int failed = 1;
  int i;
  CURLSH *share;
  CURLSHcode sc = CURLSHE_NOMEM;
  if(argc != 3) {
    fprintf(stderr, "usage: share URL URL\n");
    return 2;
  }
  if(curl_global_init(CURL_GLOBAL_DEFAULT)) /* before there are threads */
    return 1;
  for(i = 0; i < CURL_LOCK_DATA_LAST; i++)
    if(pthread_mutex_init(&locks[i], NULL))
      return 1;
  share = curl_share_init();
  if(share && !(sc = prepare(share)))
    failed = run(share, argv + 1);
  if(sc)
    fprintf(stderr, "share: %s\n", curl_share_strerror(sc));
  if(share && curl_share_cleanup(share))
    failed = 1; /* a handle still uses it */
  curl_global_cleanup();
  return failed ? 1 : 0;
}
