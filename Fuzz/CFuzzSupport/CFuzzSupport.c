#include "CFuzzSupport.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Present in a program that is linked with a sanitizer.
__attribute__((weak)) int __sanitizer_install_malloc_and_free_hooks(
    void (*)(const volatile void *, size_t), void (*)(const volatile void *));
__attribute__((weak)) size_t __sanitizer_get_allocated_size(const volatile void *);
// Present in a program that is linked with libFuzzer.
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *, size_t, size_t);

// Implemented in Swift.
extern void fuzz_start(const char *program);
extern void fuzz_one_input(const uint8_t *data, size_t size);
extern size_t fuzz_custom_mutate(uint8_t *data, size_t size, size_t capacity, unsigned int seed);

static atomic_ullong allocated;
static atomic_llong held;
static atomic_llong peak;

static void on_malloc(const volatile void *pointer, size_t size) {
  (void)pointer;
  atomic_fetch_add_explicit(&allocated, size, memory_order_relaxed);
  long long now = atomic_fetch_add_explicit(&held, (long long)size, memory_order_relaxed) + (long long)size;
  if (now > atomic_load_explicit(&peak, memory_order_relaxed)) {
    atomic_store_explicit(&peak, now, memory_order_relaxed);
  }
}

static void on_free(const volatile void *pointer) {
  if (pointer == NULL) return;
  size_t size = __sanitizer_get_allocated_size(pointer);
  atomic_fetch_sub_explicit(&held, (long long)size, memory_order_relaxed);
}

uint64_t fuzz_allocated(void) { return atomic_load_explicit(&allocated, memory_order_relaxed); }

uint64_t fuzz_peak(void) {
  long long most = atomic_load_explicit(&peak, memory_order_relaxed);
  return most > 0 ? (uint64_t)most : 0;
}

void fuzz_reset_allocations(void) {
  atomic_store(&allocated, 0);
  atomic_store(&held, 0);
  atomic_store(&peak, 0);
}

size_t fuzz_mutate(uint8_t *data, size_t size, size_t capacity) {
  return LLVMFuzzerMutate ? LLVMFuzzerMutate(data, size, capacity) : size;
}

void fuzz_fail(const char *message) {
  fprintf(stderr, "==FUZZ== %s\n", message);
  abort();
}

int LLVMFuzzerInitialize(int *count, char ***arguments) {
  const char *name = *count > 0 ? (*arguments)[0] : "";
  const char *slash = strrchr(name, '/');
  fuzz_start(slash ? slash + 1 : name);
  if (__sanitizer_install_malloc_and_free_hooks && __sanitizer_get_allocated_size) {
    __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
  }
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_one_input(data, size);
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned int seed) {
  return fuzz_custom_mutate(data, size, capacity, seed);
}
