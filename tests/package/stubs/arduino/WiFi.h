enum wl_status_t { WL_IDLE_STATUS, WL_CONNECTED = 3 };
struct WiFiClass {
  wl_status_t begin(const char *ssid, const char *passphrase);
  wl_status_t status();
};
extern WiFiClass WiFi;
