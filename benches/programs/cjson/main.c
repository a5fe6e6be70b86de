#include <stdio.h>

#include "cJSON.h"

int main(void) {
    static char text[4096];
    size_t n = fread(text, 1, sizeof text - 1, stdin);
    cJSON *json = cJSON_ParseWithLength(text, n);
    cJSON_Delete(json);
    return json == NULL;
}
