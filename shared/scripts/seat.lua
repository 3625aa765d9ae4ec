-- Takes one seat under each key, if all of them have room.
-- KEYS: the leases of the nodes, then the keys of the seats.
-- ARGV: the offset of the clock, this node, how long a key is kept in ms, then for
-- each key the limit, how many this node holds including the requested one, and the
-- version of that number. A field is a version, a blank and a number.
-- Answers 1 if they are taken. Fields of nodes without a lease are cleared.
local alive = {}
local nodes = redis.call('HGETALL', KEYS[1])
for i = 1, #nodes, 2 do
  if tonumber(nodes[i + 1]) > now then
    alive[nodes[i]] = true
  end
end
local newer = {}
for i = 2, #KEYS do
  local limit, total, version = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i])
  local held = redis.call('HGETALL', KEYS[i])
  for k = 1, #held, 2 do
    if held[k] == ARGV[2] then
      newer[i] = tonumber(string.match(held[k + 1], '^%d+')) > version
    elseif alive[held[k]] then
      total = total + tonumber(string.match(held[k + 1], '%d+$'))
    else
      redis.call('HDEL', KEYS[i], held[k])
    end
  end
  if limit >= 0 and total > limit then
    return 0
  end
end
for i = 2, #KEYS do
  if not newer[i] then
    redis.call('HSET', KEYS[i], ARGV[2], ARGV[3 * i] .. ' ' .. ARGV[3 * i - 1])
    redis.call('PEXPIRE', KEYS[i], ARGV[3])
  end
end
return 1
