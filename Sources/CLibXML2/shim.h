#include <libxml/xmlversion.h>
// A libxml2 built with ICU includes ICU's headers, whose types collide with those of Foundation. They are needed only
// for the end of a structure that is used only by pointer.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/SAX2.h>
#include <libxml/xmlerror.h>
#include <libxml/globals.h>

// Swift cannot read the variable, which is a macro for a function in some versions.
static inline const char *ghost_xml_version(void) { return xmlParserVersion; }
