-- A module in C, compiled like the interpreter and loaded while it runs.
local counter = require "counter"
local c = counter.new(40)
print(c:add(), c:add(), c:add(-2))
print(counter.fold({ 1, 2, 3, 4 }, 0, function(a, b) return a * 10 + b end))
print(pcall(counter.fold, {}, 0))
print(pcall(c.add, {}))
print(pcall(counter.fold, { 1 }, 0, function() error("from the callback", 0) end))
print(package.loaded.counter == counter, pcall(require, "no.such.module") == false)
print(package.loadlib("/nonexistent.so", "*"))
