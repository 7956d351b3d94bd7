#include <curl/curl.h>
#include <mote/mote.h>
#include <stdio.h>

int main(void)
{
  return printf("Mote %s: %s\n", mote_version(), curl_version()) < 0;
}
