// The minimum cost of reading a GPX file with libxml2: its push parser with chunks of 64 KiB and empty handlers. The
// handlers are set, so that the parser creates names, attributes and text as it does for a reader.
#include <fcntl.h>
#include <libxml/parser.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void startElement(
    void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaceCount,
    const xmlChar **namespaces, int attributeCount, int defaultedCount, const xmlChar **attributes) {}

static void endElement(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {}

static void characters(void *context, const xmlChar *text, int length) {}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: libxml2-baseline FILE\n");
    return 64;
  }
  int file = open(arguments[1], O_RDONLY);
  if (file < 0) {
    perror(arguments[1]);
    return 66;
  }
  xmlSAXHandler handler;
  memset(&handler, 0, sizeof handler);
  handler.initialized = XML_SAX2_MAGIC;
  handler.startElementNs = startElement;
  handler.endElementNs = endElement;
  handler.characters = characters;
  handler.ignorableWhitespace = characters;
  xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&handler, NULL, NULL, 0, arguments[1]);
  if (parser == NULL) return 71;
  xmlCtxtUseOptions(parser, XML_PARSE_NONET);
  static char chunk[1 << 16];
  ssize_t length;
  while ((length = read(file, chunk, sizeof chunk)) > 0) {
    if (xmlParseChunk(parser, chunk, (int)length, 0) != 0) break;
  }
  int fault = xmlParseChunk(parser, NULL, 0, 1);
  xmlFreeParserCtxt(parser);
  close(file);
  return fault == 0 && length == 0 ? 0 : 65;
}
