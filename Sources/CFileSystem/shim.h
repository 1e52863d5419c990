// Linux calls that the C library declares only for GNU sources and that Swift's Glibc module omits.
#if defined(__linux__)
#include <sys/types.h>
extern int syncfs(int descriptor);
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);
#endif
