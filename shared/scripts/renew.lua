-- Extends the lease of a node. KEYS: the leases. ARGV: the offset of the clock, the node,
-- the length of the lease in ms. Answers 1 if it had not ended.
-- Leases that have ended are removed: their nodes have no valid field any more.
local held = 0
local nodes = redis.call('HGETALL', KEYS[1])
for i = 1, #nodes, 2 do
  if tonumber(nodes[i + 1]) <= now then
    redis.call('HDEL', KEYS[1], nodes[i])
  elseif nodes[i] == ARGV[2] then
    held = 1
  end
end
redis.call('HSET', KEYS[1], ARGV[2], string.format('%.0f', now + tonumber(ARGV[3])))
return held
