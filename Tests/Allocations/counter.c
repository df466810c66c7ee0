// Counts the allocations of each thread, and of all: loaded before a program, it stands in front of the C library's own functions.
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static __thread long allocations;
static _Atomic long total;

long allocation_count(void) { return allocations; }
long allocation_total(void) { return total; }

void *malloc(size_t size) {
  allocations += 1;
  total += 1;
  return __libc_malloc(size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  allocations += 1;
  total += 1;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = aligned_alloc(alignment, size);
  return *memory == NULL ? 12 : 0;
}
