// A Linux call that the C library declares only for GNU sources and that Swift's Glibc module omits.
#if defined(__linux__)
extern int syncfs(int descriptor);
#endif

// The flag O_DIRECT, which is missing for the same reason; 0 where it is unknown or does not exist.
#if defined(__linux__) && defined(__x86_64__)
static const int directFlag = 040000;
#elif defined(__linux__) && defined(__aarch64__)
static const int directFlag = 0200000;
#else
static const int directFlag = 0;
#endif
