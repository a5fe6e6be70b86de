/* jansson: loads a JSON text of twelve bytes. */
#include "tine.h"
#include "jansson.h"

int main(void) {
    char text[12];
    json_error_t error;
    tine_symbolic(text, sizeof text, "text");
    json_object_seed(1);
    json_t *value = json_loadb(text, sizeof text, JSON_DECODE_ANY, &error);
    int found = value != 0;
    json_decref(value);
    return found;
}
