#include <stddef.h>
#include <stdint.h>
void delay(uint32_t ms);
void configTime(long gmt_offset, int daylight_offset, const char *server);
struct HardwareSerial {
  void begin(unsigned long baud);
  size_t write(const uint8_t *buffer, size_t size);
  size_t println(const char *text);
};
extern HardwareSerial Serial;
