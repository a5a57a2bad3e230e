/* Library of `cargo xtask bench native`, for bun:ffi. */
#include <stdint.h>
#include <stddef.h>

void nothing(void);
double sum(double a, double b);
int32_t sum_integers(int32_t a, int32_t b);
uint32_t first_byte(const uint8_t* bytes, size_t length);
const char* words(void);
int32_t call_back(int32_t (*function)(int32_t), int32_t times);

void nothing(void) {}

double sum(double a, double b) { return a + b; }

int32_t sum_integers(int32_t a, int32_t b) { return a + b; }

uint32_t first_byte(const uint8_t* bytes, size_t length) { return length > 0 ? bytes[0] : 0; }

const char* words(void) { return "sixteen letters."; }

int32_t call_back(int32_t (*function)(int32_t), int32_t times) {
  int32_t total = 0;
  for (int32_t index = 0; index < times; index++) total += function(index);
  return total;
}
