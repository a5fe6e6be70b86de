#include <stdio.h>

#include <jansson.h>

int main(void) {
    static char text[4096];
    size_t n = fread(text, 1, sizeof text - 1, stdin);
    json_error_t error;
    json_t *json = json_loadb(text, n, JSON_DECODE_ANY, &error);
    json_decref(json);
    return json == NULL;
}
