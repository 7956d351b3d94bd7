/* pair URL URL: two transfers at once in one multi, driven by curl_multi_poll(); allocations by phase. */
#include "common.h"

int main(int argc, char **argv)
{
  CURL *e[2];
  long long got[2] = { 0, 0 };
  int running = 1;
  int left;
  int bad = 0;
  int i;
  CURLM *m;
  CURLMsg *msg;
  if(argc < 3)
    return 2;
  bench_begin();
  curl_global_init(CURL_GLOBAL_DEFAULT);
  bench_phase("global");
  m = curl_multi_init();
  bench_phase("multi");
  for(i = 0; i < 2; i++) {
    e[i] = curl_easy_init();
    bench_setup(e[i], argv[1 + i], &got[i]);
    curl_multi_add_handle(m, e[i]);
  }
  bench_phase("add");
  while(running && !curl_multi_perform(m, &running))
    if(running)
      curl_multi_poll(m, NULL, 0, 1000, NULL);
  bench_phase("transfers");
  while((msg = curl_multi_info_read(m, &left)))
    bad += msg->msg == CURLMSG_DONE && msg->data.result;
  printf("result bad=%d bytes=%lld,%lld\n", bad + running, got[0], got[1]);
  for(i = 0; i < 2; i++) {
    curl_multi_remove_handle(m, e[i]);
    curl_easy_cleanup(e[i]);
  }
  curl_multi_cleanup(m);
  curl_global_cleanup();
  return bad + running != 0;
}
