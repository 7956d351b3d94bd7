/* get URL [BUFFERSIZE [TIMES]]: GETs with curl_easy_perform() on one handle; allocations by phase. */
#include "common.h"

int main(int argc, char **argv)
{
  long buffer = argc > 2 ? atol(argv[2]) : 0;
  int times = argc > 3 ? atoi(argv[3]) : 1;
  long long got = 0;
  long code = 0;
  CURLcode rc = CURLE_OK;
  double clock;
  double user;
  CURL *e;
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
  bench_phase("setopt");
  clock = bench_clock();
  user = bench_user() + bench_system();
  while(times-- > 0 && !rc) {
    rc = curl_easy_perform(e);
    bench_phase("perform");
  }
  curl_easy_getinfo(e, CURLINFO_RESPONSE_CODE, &code);
  printf("result rc=%d code=%ld bytes=%lld clock=%.6f cpu=%.6f\n", (int)rc, code, got, bench_clock() - clock,
         bench_user() + bench_system() - user);
  printf("version %s\n", curl_version());
  curl_easy_cleanup(e);
  bench_phase("cleanup");
  curl_global_cleanup();
  return rc != CURLE_OK;
}
