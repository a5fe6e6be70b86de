/* expat: parses eight bytes of XML after an opened element. */
#include "tine.h"
#include "expat.h"

int main(void) {
    char text[11] = "<a>";
    tine_symbolic(text + 3, 8, "text");
    XML_Parser parser = XML_ParserCreate("US-ASCII");
    XML_SetHashSalt(parser, 1);
    int status = XML_Parse(parser, text, sizeof text, 1);
    XML_ParserFree(parser);
    return status == XML_STATUS_OK;
}
