// Fetches a page by Wi-Fi and prints it. For an https URL, tools/roots writes roots.c, which belongs beside this
// file; then call roots_use(curl) before curl_easy_perform().
#include <WiFi.h>
#include <mote.h>

static size_t on_body(char *p, size_t size, size_t n, void *)
{
  return Serial.write(reinterpret_cast<const uint8_t *>(p), size * n);
}

static void fetch(const char *url)
{
  char text[CURL_ERROR_SIZE] = "";
  CURL *curl = curl_easy_init();
  if(!curl)
    return;
  curl_easy_setopt(curl, CURLOPT_URL, url);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, text);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT, 20L);
  CURLcode rc = curl_easy_perform(curl);
  if(rc)
    Serial.println(text[0] ? text : curl_easy_strerror(rc));
  curl_easy_cleanup(curl);
}

void setup()
{
  Serial.begin(115200);
  WiFi.begin("network", "password");
  while(WiFi.status() != WL_CONNECTED)
    delay(100);
  configTime(0, 0, "pool.ntp.org"); // certificates are judged by the time of day
  fetch("http://example.com/");
}

void loop()
{
  delay(1000);
}
