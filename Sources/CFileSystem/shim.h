// A Linux call that the C library declares only for GNU sources and that Swift's Glibc module omits.
#if defined(__linux__)
extern int syncfs(int descriptor);
#endif
