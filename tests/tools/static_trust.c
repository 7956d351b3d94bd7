/* tests/tools/static_trust.c: asks three times with one handle: trusting a bundle, the same set again, and
 * another bundle made as long as the first. The library keeps each copy where the last one was. Prints the
 * three results.
 *
 * usage: static_trust URL CA.pem OTHER.pem */
#include <mote/mote.h>
#include <stdio.h>
#include <string.h>

static _Alignas(8) char block[200000];
static char bundle[2][20000];

static size_t read_file(const char *path, char *to, size_t room)
{
  FILE *f = fopen(path, "r");
  size_t n = f ? fread(to, 1, room, f) : 0;
  if(f)
    fclose(f);
  return n;
}

static size_t drop(char *p, size_t size, size_t n, void *user)
{
  (void)p;
  (void)user;
  return size * n;
}

static int ask(CURL *c, char *pem, size_t len)
{
  struct curl_blob blob = {pem, len, CURL_BLOB_COPY};
  CURLcode rc = curl_easy_setopt(c, CURLOPT_CAINFO_BLOB, &blob);
  return rc ? (int)rc : (int)curl_easy_perform(c);
}

int main(int argc, char **argv)
{
  size_t len[2], longest;
  CURL *c;
  if(argc != 4 || mote_init_static(block, sizeof block))
    return 2;
  memset(bundle, '\n', sizeof bundle);
  len[0] = read_file(argv[2], bundle[0], sizeof bundle[0]);
  len[1] = read_file(argv[3], bundle[1], sizeof bundle[1]);
  longest = len[0] > len[1] ? len[0] : len[1];
  c = curl_easy_init();
  if(!c || !len[0] || !len[1])
    return 2;
  curl_easy_setopt(c, CURLOPT_URL, argv[1]);
  curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, drop);
  printf("%d\n", ask(c, bundle[0], longest));
  printf("%d\n", ask(c, bundle[0], longest));
  printf("%d\n", ask(c, bundle[1], longest));
  curl_easy_cleanup(c);
  return 0;
}
