-- Work without inputs, to compare builds by: tables with keys that are strings, matching, sorting.
local t = {}
for i = 1, 200000 do t[i % 1000 .. ""] = (t[i % 1000 .. ""] or 0) + i end
local s = 0
for k, v in pairs(t) do s = s + v end
local words = {}
for w in (("the quick brown fox "):rep(3000)):gmatch("%a+") do words[#words + 1] = w end
table.sort(words)
print(s, #words, words[1])
