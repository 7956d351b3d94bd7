/* tests/e2e/defaults.c: what the callbacks get where the application has set no data, where it has set NULL,
 * and after a reset. Usage: defaults URL. A line per case, the read callback's data and the write
 * callback's. */
#include <curl/curl.h>
#include <stdio.h>

static const char *seen_read, *seen_write;

static const char *name_of(const void *data)
{
  if(data == stdin)
    return "stdin";
  if(data == stdout)
    return "stdout";
  return data ? "other" : "NULL";
}

static size_t on_read(char *to, size_t size, size_t n, void *data)
{
  (void)to;
  (void)size;
  (void)n;
  seen_read = name_of(data);
  return 0;
}

static size_t on_write(char *bytes, size_t size, size_t n, void *data)
{
  (void)bytes;
  seen_write = name_of(data);
  return size * n;
}

static void transfer(CURL *curl, const char *url)
{
  struct curl_slist *lines = curl_slist_append(NULL, "Expect:");
  CURLcode rc;
  seen_read = seen_write = "not called";
  curl_easy_setopt(curl, CURLOPT_READFUNCTION, on_read);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_write);
  curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, lines);
  curl_easy_setopt(curl, CURLOPT_URL, url);
  rc = curl_easy_perform(curl);
  curl_slist_free_all(lines);
  printf("%d %s %s\n", (int)rc, seen_read, seen_write);
}

int main(int argc, char **argv)
{
  CURL *curl = curl_easy_init();
  if(!curl || argc != 2)
    return 1;
  transfer(curl, argv[1]);
  curl_easy_setopt(curl, CURLOPT_READDATA, NULL);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, NULL);
  transfer(curl, argv[1]);
  curl_easy_reset(curl);
  transfer(curl, argv[1]);
  curl_easy_cleanup(curl);
  return 0;
}
