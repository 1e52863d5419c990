/// Decides on a call that SQLite makes to change a file: 0 for success, a code of SQLite for a failure that
/// does nothing, or -1 - n to write only n bytes and fail then.
///
/// The calls have the numbers of `SystemFaults.Call`.
typedef int (*fault_vfs_function)(int call, int bytes);

/// Puts a layer over the file system of SQLite, for all connections that are opened from now on, which asks a
/// function before each call. Returns a code of SQLite.
int fault_vfs_install(fault_vfs_function decide);
