/* cJSON: parses a JSON text of sixteen bytes. */
#include "tine.h"
#include "cJSON.h"

int main(void) {
    char text[17];
    tine_symbolic(text, 16, "text");
    text[16] = 0;
    cJSON *value = cJSON_ParseWithLength(text, sizeof text);
    int found = value != 0;
    cJSON_Delete(value);
    return found;
}
