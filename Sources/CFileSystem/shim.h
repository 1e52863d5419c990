// Calls of Linux that its C library declares for GNU sources only, which Swift's module of it leaves out.
#if defined(__linux__)
extern int syncfs(int descriptor);
extern int sync_file_range(int descriptor, long long offset, long long count, unsigned int flags);
#endif
