# cJSON's parser, from an empty seed.
prepare() { cp "$source"/cJSON.[ch] .; }
build() { $CC -g -I. cJSON.c "$inputs/main.c" -o parse -lm && echo parse; }
options() { echo --sym-stdin 24; }
counts() { [[ $1 == *cJSON.c ]]; }
# The file also prints, copies, compares and strips comments.
functions='^(parse_|skip_utf8_bom|buffer_skip|utf16_literal|get_decimal|cJSON_Parse|cJSON_New_Item|cJSON_Delete)'
