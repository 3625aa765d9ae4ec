-- Writes the fields of a node on several pages, unless newer ones are stored: a later
-- write may have overtaken this one.
-- KEYS: the pages. ARGV: the offset of the clock, the node, how long a page is kept in
-- ms, then for each page the version and the text, which is empty if the node holds
-- nothing.
for i, key in ipairs(KEYS) do
  local version, text = ARGV[2 * i + 2], ARGV[2 * i + 3]
  local held = redis.call('HGET', key, ARGV[2])
  if not held or tonumber(string.match(held, '^%d+')) <= tonumber(version) then
    if text == '' then
      redis.call('HDEL', key, ARGV[2])
    else
      redis.call('HSET', key, ARGV[2], version .. ' ' .. text)
      redis.call('PEXPIRE', key, ARGV[3])
    end
  end
end
return 1
