/* A module for Lua in C: a counter that is an object with a method, and a fold over a table by calling back. */
#include "lauxlib.h"
#include "lua.h"

#define COUNTER "counter"

static int counter_new(lua_State *L) {
    lua_Integer *value = lua_newuserdatauv(L, sizeof *value, 0);
    *value = luaL_optinteger(L, 1, 0);
    luaL_setmetatable(L, COUNTER);
    return 1;
}

static int counter_add(lua_State *L) {
    lua_Integer *value = luaL_checkudata(L, 1, COUNTER);
    *value += luaL_optinteger(L, 2, 1);
    lua_pushinteger(L, *value);
    return 1;
}

/* fold(table, initial, function) */
static int counter_fold(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 3, LUA_TFUNCTION);
    lua_settop(L, 3);
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, 1); i++) {
        lua_pushvalue(L, 3);
        lua_pushvalue(L, 2);
        lua_rawgeti(L, 1, i);
        lua_call(L, 2, 1);
        lua_replace(L, 2);
    }
    lua_settop(L, 2);
    return 1;
}

int luaopen_counter(lua_State *L) {
    static const luaL_Reg methods[] = {{"add", counter_add}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"new", counter_new}, {"fold", counter_fold}, {NULL, NULL}};
    luaL_newmetatable(L, COUNTER);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    luaL_setfuncs(L, methods, 0);
    luaL_newlib(L, functions);
    return 1;
}
