// The minimum work of any program with a file: to read it and look at each byte once. Counts the bytes that begin an
// element.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: floor FILE\n");
    return 64;
  }
  int file = open(arguments[1], O_RDONLY);
  if (file < 0) {
    perror(arguments[1]);
    return 66;
  }
  static char chunk[1 << 18];
  size_t found = 0;
  ssize_t length;
  while ((length = read(file, chunk, sizeof chunk)) > 0) {
    for (ssize_t index = 0; index < length; index++) found += chunk[index] == '<';
  }
  close(file);
  printf("%zu\n", found);
  return length == 0 ? 0 : 74;
}
