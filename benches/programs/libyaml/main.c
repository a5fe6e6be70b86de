#include <stdio.h>

#include <yaml.h>

int main(void) {
    static unsigned char text[4096];
    size_t n = fread(text, 1, sizeof text - 1, stdin);
    yaml_parser_t parser;
    yaml_event_t event;
    int done = 0;
    if (!yaml_parser_initialize(&parser))
        return 2;
    yaml_parser_set_input_string(&parser, text, n);
    while (!done) {
        if (!yaml_parser_parse(&parser, &event))
            return 1;
        done = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return 0;
}
