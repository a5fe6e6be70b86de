-- The library: strings and patterns, tables, numbers, UTF-8, packing, files, garbage collection.
print(("%5d|%-5s|%05.1f|%x|%g|%q|%a|%c|%%"):format(42, "ab", 3.14159, 255, 1e20, 'a"b\n', 1.0, 65))
print(("hello world"):find("o w"), ("hello"):find("l+"), ("a.b"):find(".", 1, true), ("x"):rep(3, "-"))
print(("key = value"):match("^(%w+)%s*=%s*(%w+)$"), ("2026-11-15"):match("(%d+)-(%d+)-(%d+)"))
print(("hello world"):gsub("o", "0"), ("abc"):gsub("%w", "%0%0"), ("abc"):gsub("", "-"))
print(("f(a(b)c)d"):match("%b()"), ("THE (quick) fox"):find("%((%a+)%)"), ("  trim "):match("^%s*(.-)%s*$"))
print(("x"):byte(), string.char(72, 105), ("Hello"):upper():lower():reverse(), ("hello"):sub(-3, -2))
for word, n in ("a=1, b=2, c=3"):gmatch("(%w)=(%d)") do io.write(word, n, ";") end
print()
print(("frontier THE END"):gsub("%f[%u]%u+", string.lower))

local list = {}
local seed = 12345
for i = 1, 200 do seed = (seed * 1103515245 + 12345) % 2147483648; list[i] = seed % 1000 end
table.sort(list)
print(table.concat(list, ",", 1, 20), #list)
table.sort(list, function(a, b) return a > b end)
print(table.concat(list, ",", 1, 20))
table.insert(list, 1, "first"); table.insert(list, "last"); table.remove(list, 2)
print(list[1], list[#list], table.unpack({ 1, 2, 3 }), table.pack(1, nil, 3).n, next({}))
print(table.concat(table.move({ 1, 2, 3 }, 1, 3, 2), ","))

print(math.floor(-3.5), math.ceil(3.2), math.fmod(-7, 3), math.tointeger(3.0), math.type(1), math.type(1.0), math.ult(1, -1))
print(("%.12f %.12f %.12f %.12f"):format(math.sin(1), math.exp(1), math.log(10, 2), math.sqrt(2)), math.max(1, 5, 3), math.pi)
print(tonumber("0x1F"), tonumber("  12  "), tonumber("1e2"), tonumber("z", 36), tonumber("8", 8), tonumber("12a"))
print(tostring(1e15), tostring(1e16), tostring(-0.0), 2^53, 1e100, 123456789012345678)

print(utf8.char(228, 8364, 128512), utf8.len("äöü"), utf8.codepoint("€", 1), #utf8.char(0x7fffffff))
for p, c in utf8.codes("aß€") do io.write(p, ":", c, " ") end
print(utf8.offset("aß€", 3))

local packed = string.pack("<i4 >I2 z s1 d", -2, 513, "zero", "short", 1.5)
print(#packed, packed:byte(1, 6), string.unpack("<i4 >I2 z s1 d", packed))

local name = os.tmpname()
local file = assert(io.open(name, "w"))
file:write("line 1\n", 2, " ", 3.5, "\nlast")
file:close()
for line in io.lines(name) do io.write("[", line, "]") end
file = io.open(name)
print(file:read("l", "n", "n", "l", "a"), file:seek("set", 3), file:read(4))
file:close()
os.remove(name)
print(io.open("/nonexistent/file"))
print(os.time({ year = 2026, month = 11, day = 15, hour = 12 }) > 0, os.date("!%Y-%m-%d", 0), os.getenv("NO_SUCH_VARIABLE"))

local weak = setmetatable({}, { __mode = "k" })
for i = 1, 100 do weak[{}] = i end
collectgarbage()
print(next(weak), collectgarbage("count") > 0, collectgarbage("step"))
local finalized = 0
for i = 1, 50 do setmetatable({}, { __gc = function() finalized = finalized + 1 end }) end
collectgarbage()
print(finalized)
local words = {}
for i = 1, 20000 do words[i] = "word" .. i end
print(#table.concat(words), debug.getinfo(1, "l").currentline, debug.traceback("trace", 1))
