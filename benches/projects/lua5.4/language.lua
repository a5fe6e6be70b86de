-- Every kind of statement and expression, metatables, closures, coroutines, errors, goto, to-be-closed variables.
local function show(...) print(...) end

show(7 // 2, -7 // 2, 7 % -3, -7 % 3, 7.5 // 2, 2 ^ 10, 1 / 3, 1e300 * 1e10, -1 / 0)
show(0xff, 0x1p4, 3 | 4, 7 & 5, 5 ~ 1, ~0, 1 << 62, 1 << 63, 1 << 64, -1 >> 60)
show(math.maxinteger + 1 == math.mininteger, math.mininteger // -1, pcall(function() return 1 // 0 end))
show("10" + 5, "3" * "4", 10 .. 20, #"hello", "a" < "b", 1 == 1.0, "1" == 1, not nil)

local t = setmetatable({}, {
    __index = function(_, k) return k .. "!" end,
    __newindex = function(self, k, v) rawset(self, k, v * 2) end,
    __call = function(_, a, b) return a - b end,
    __add = function(a, b) return "add" end,
    __concat = function() return "concat" end,
    __len = function() return 42 end,
    __eq = function() return true end,
    __lt = function() return true end,
    __le = function() return false end,
    __tostring = function() return "object" end,
    __unm = function() return "minus" end,
    __close = function() print("closed") end,
})
t.x = 21
show(t.x, t.y, t(5, 3), t + 1, t .. "s", #t, t < t, t <= t, tostring(t), -t)

do
    local resource <close> = t
    local constant <const> = 5
    show("inside", constant)
end

local function counter()
    local n = 0
    return function() n = n + 1 return n end
end
local one, two = counter(), counter()
show(one(), one(), two(), one())

local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
show(fib(22))
local function deep(n) if n == 0 then return "bottom" end return deep(n - 1) end
show(deep(100000))
show(select("#", nil, nil), select(-1, 1, 2, 3), (function(...) return ... end)(9, 8))

for i = 10, 1, -3 do io.write(i, " ") end
for i = 1.0, 2, 0.25 do io.write(i, " ") end
local i = 0
repeat i = i + 1 if i == 3 then goto continue end io.write(i, " ") ::continue:: until i >= 5
while true do i = i - 1 if i < 2 then break end end
print(i)

local producer = coroutine.wrap(function(a)
    for k = 1, 3 do a = coroutine.yield(a * k) end
    return "done"
end)
show(producer(1), producer(2), producer(3), producer(4))
local co = coroutine.create(function() error({ code = 7 }) end)
local ok, e = coroutine.resume(co)
show(ok, e.code, coroutine.status(co), coroutine.isyieldable())

show(pcall(error, "message"))
show(pcall(function() local x = nil; return x.field end))
show(pcall(function() return {} + 1 end))
show(xpcall(function() error("inner", 0) end, function(m) return "handled " .. m end))
show(pcall(string.rep, "x", -1), pcall(string.rep))
show(load("return 1 +"))
show(load("x = 1; return x + 1", "chunk", "t", { })())
show(pcall(function() local function f() return f() + 1 end return f() end))
