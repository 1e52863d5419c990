#include <stddef.h>
#include <stdint.h>

/// Bytes allocated since the last call of `fuzz_reset_allocations`, and the most that were held at a time.
/// Zero in a program without a sanitizer, which does not report allocations.
uint64_t fuzz_allocated(void);
uint64_t fuzz_peak(void);
void fuzz_reset_allocations(void);

/// libFuzzer's own mutation of the bytes; the size unchanged in a program without libFuzzer.
size_t fuzz_mutate(uint8_t *data, size_t size, size_t capacity);

/// Prints a message and ends the program so that libFuzzer keeps the input.
void fuzz_fail(const char *message) __attribute__((noreturn));
