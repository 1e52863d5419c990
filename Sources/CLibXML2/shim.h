#include <libxml/xmlversion.h>
// A libxml2 built with ICU brings ICU's headers along, whose types collide with those that Foundation brings.
// All they are needed for is the tail of a structure that is only ever used by pointer.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/SAX2.h>
#include <libxml/xmlerror.h>
