#include "CFaultVFS.h"

#include <sqlite3.h>
#include <string.h>

enum { CREATE = 0, WRITE = 1, SYNCHRONIZE = 2, REMOVE = 4, TRUNCATE = 5 };

typedef struct {
  sqlite3_file base;
  sqlite3_file *real;
} FaultFile;

static sqlite3_vfs fault_vfs;
static sqlite3_vfs *real_vfs;
static fault_vfs_function decide_function;

static int decide(int call, int bytes) { return decide_function ? decide_function(call, bytes) : 0; }
static sqlite3_file *real_of(sqlite3_file *file) { return ((FaultFile *)file)->real; }

static int fault_close(sqlite3_file *file) {
  sqlite3_file *real = real_of(file);
  return real->pMethods ? real->pMethods->xClose(real) : SQLITE_OK;
}
static int fault_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  return real_of(file)->pMethods->xRead(real_of(file), bytes, count, offset);
}
static int fault_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  int result = decide(WRITE, count);
  if (result > 0) return result;
  if (result < 0) {
    int part = -1 - result;
    if (part > count) part = count;
    if (part > 0) real_of(file)->pMethods->xWrite(real_of(file), bytes, part, offset);
    return SQLITE_FULL;
  }
  return real_of(file)->pMethods->xWrite(real_of(file), bytes, count, offset);
}
static int fault_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int result = decide(TRUNCATE, 0);
  return result ? SQLITE_IOERR_TRUNCATE : real_of(file)->pMethods->xTruncate(real_of(file), size);
}
static int fault_sync(sqlite3_file *file, int flags) {
  int result = decide(SYNCHRONIZE, 0);
  return result ? SQLITE_IOERR_FSYNC : real_of(file)->pMethods->xSync(real_of(file), flags);
}
static int fault_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real_of(file)->pMethods->xFileSize(real_of(file), size);
}
static int fault_lock(sqlite3_file *file, int lock) {
  return real_of(file)->pMethods->xLock(real_of(file), lock);
}
static int fault_unlock(sqlite3_file *file, int lock) {
  return real_of(file)->pMethods->xUnlock(real_of(file), lock);
}
static int fault_reserved(sqlite3_file *file, int *is_reserved) {
  return real_of(file)->pMethods->xCheckReservedLock(real_of(file), is_reserved);
}
static int fault_control(sqlite3_file *file, int operation, void *argument) {
  return real_of(file)->pMethods->xFileControl(real_of(file), operation, argument);
}
static int fault_sector(sqlite3_file *file) { return real_of(file)->pMethods->xSectorSize(real_of(file)); }
static int fault_device(sqlite3_file *file) {
  return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}
static int fault_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
  return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, memory);
}
static int fault_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}
static void fault_barrier(sqlite3_file *file) { real_of(file)->pMethods->xShmBarrier(real_of(file)); }
static int fault_unmap(sqlite3_file *file, int remove) {
  return real_of(file)->pMethods->xShmUnmap(real_of(file), remove);
}

// Version 2: with shared memory, without memory-mapped reading.
static const sqlite3_io_methods fault_methods = {
    2, fault_close, fault_read, fault_write, fault_truncate, fault_sync, fault_size, fault_lock, fault_unlock,
    fault_reserved, fault_control, fault_sector, fault_device, fault_map, fault_shm_lock, fault_barrier,
    fault_unmap, 0, 0,
};

static int fault_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
  (void)vfs;
  FaultFile *own = (FaultFile *)file;
  memset(own, 0, sizeof *own);
  own->real = (sqlite3_file *)(own + 1);
  if (flags & SQLITE_OPEN_CREATE) {
    if (decide(CREATE, 0)) return SQLITE_CANTOPEN;
  }
  int result = real_vfs->xOpen(real_vfs, name, own->real, flags, out);
  if (result == SQLITE_OK) own->base.pMethods = &fault_methods;
  return result;
}
static int fault_delete(sqlite3_vfs *vfs, const char *name, int sync) {
  (void)vfs;
  return decide(REMOVE, 0) ? SQLITE_IOERR_DELETE : real_vfs->xDelete(real_vfs, name, sync);
}
static int fault_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  (void)vfs;
  return real_vfs->xAccess(real_vfs, name, flags, result);
}
static int fault_full_path(sqlite3_vfs *vfs, const char *name, int size, char *path) {
  (void)vfs;
  return real_vfs->xFullPathname(real_vfs, name, size, path);
}

int fault_vfs_install(fault_vfs_function decide) {
  decide_function = decide;
  if (real_vfs) return SQLITE_OK;
  real_vfs = sqlite3_vfs_find(0);
  if (!real_vfs) return SQLITE_ERROR;
  fault_vfs = *real_vfs;
  fault_vfs.zName = "fault";
  fault_vfs.pNext = 0;
  fault_vfs.szOsFile = (int)sizeof(FaultFile) + real_vfs->szOsFile;
  fault_vfs.xOpen = fault_open;
  fault_vfs.xDelete = fault_delete;
  fault_vfs.xAccess = fault_access;
  fault_vfs.xFullPathname = fault_full_path;
  return sqlite3_vfs_register(&fault_vfs, 1);
}
