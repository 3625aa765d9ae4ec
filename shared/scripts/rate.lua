-- Counts once in every window that KEYS names, if all of them have room.
-- ARGV: the offset of the clock, then for each key the limit and the length in ms.
-- Answers 0 if it was counted, or the milliseconds until there is room.
-- The arithmetic is the same as in window.go; a test compares the two.
local slices = 20
local wait, current = 0, {}
for i, key in ipairs(KEYS) do
  local limit, length = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1]) / slices
  local slice = math.floor(now / length)
  current[i] = slice
  local held, total = {}, 0
  local all = redis.call('HGETALL', key)
  for k = 1, #all, 2 do
    local at = tonumber(all[k])
    if at < slice - slices or at > slice + slices then
      redis.call('HDEL', key, all[k])
    else
      held[#held + 1] = { at, tonumber(all[k + 1]) }
      total = total + tonumber(all[k + 1])
    end
  end
  if total >= limit then
    table.sort(held, function(a, b) return a[1] < b[1] end)
    for _, h in ipairs(held) do
      total = total - h[2]
      if total < limit then
        wait = math.max(wait, math.ceil((h[1] + slices + 1) * length - now), 1)
        break
      end
    end
  end
end
if wait > 0 then
  return wait
end
for i, key in ipairs(KEYS) do
  redis.call('HINCRBY', key, string.format('%.0f', current[i]), 1)
  redis.call('PEXPIRE', key, 2 * tonumber(ARGV[2 * i + 1]))
end
return 0
