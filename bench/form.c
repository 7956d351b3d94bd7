/* form URL PARTS TIMES [FILE]: posts of one form of so many small parts, and the file in one more, with
 * curl_easy_perform() on one handle; allocations by phase. */
#include "common.h"

static int add(curl_mime *form, const char *name, const char *file)
{
  curl_mimepart *part = curl_mime_addpart(form);
  CURLcode rc = part ? curl_mime_name(part, name) : CURLE_OUT_OF_MEMORY;
  if(!rc && file)
    rc = curl_mime_filedata(part, file);
  else if(!rc)
    rc = curl_mime_data(part, "the value of this field, some forty bytes", CURL_ZERO_TERMINATED);
  return rc == CURLE_OK;
}

int main(int argc, char **argv)
{
  long long got = 0;
  double sent = 0;
  long code = 0;
  int parts, times, good = 1, i;
  CURLcode rc = CURLE_OK;
  curl_mime *form;
  struct curl_slist *fields;
  char name[32];
  CURL *e;
  if(argc < 4)
    return 2;
  parts = atoi(argv[2]);
  times = atoi(argv[3]);
  bench_begin();
  curl_global_init(CURL_GLOBAL_DEFAULT);
  e = curl_easy_init();
  bench_setup(e, argv[1], &got);
  bench_phase("setopt");
  form = curl_mime_init(e);
  for(i = 0; i < parts; i++) {
    snprintf(name, sizeof name, "field%03d", i);
    good = good && add(form, name, NULL);
  }
  if(argc > 4)
    good = good && add(form, "file", argv[4]);
  curl_easy_setopt(e, CURLOPT_MIMEPOST, form);
  bench_phase("build");
  fields = curl_slist_append(NULL, "Expect:");
  curl_easy_setopt(e, CURLOPT_HTTPHEADER, fields);
  bench_phase("fields");
  while(times-- > 0 && !rc) {
    rc = curl_easy_perform(e);
    bench_phase("perform");
  }
  curl_easy_getinfo(e, CURLINFO_RESPONSE_CODE, &code);
  curl_easy_getinfo(e, CURLINFO_SIZE_UPLOAD, &sent);
  printf("result rc=%d code=%ld good=%d bytes=%lld sent=%.0f\n", (int)rc, code, good, got, sent);
  curl_easy_cleanup(e);
  curl_mime_free(form);
  curl_slist_free_all(fields);
  curl_global_cleanup();
  return rc != CURLE_OK;
}
