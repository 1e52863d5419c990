// A call of Linux that its C library declares for GNU sources only, which Swift's module of it leaves out.
#if defined(__linux__)
extern int syncfs(int descriptor);
#endif
