-- Reads a client's counts; writes nothing.
-- KEYS: as for reserve.lua
-- ARGV: 1 now or "", 2-5 starts of the days
-- Returns: minute count, daily count, total count, seconds to the window's next place, seconds to the next day
local now
if ARGV[1] == '' then
  local time = redis.call('TIME')
  now = time[1] + time[2] / 1000000
else
  now = tonumber(ARGV[1])
end
local day
for index = 1, 3 do
  if now >= tonumber(ARGV[1 + index]) and now < tonumber(ARGV[2 + index]) then day = index end
end
if not day then return redis.error_reply('CLOCKSKEW the clocks differ by more than a day') end
local after = string.format('(%.17g', now - 60)
local minute_count = redis.call('ZCOUNT', KEYS[1], after, now)
local wait = 0
if minute_count > 0 then
  local oldest = redis.call('ZRANGEBYSCORE', KEYS[1], after, now, 'WITHSCORES', 'LIMIT', 0, 1)[2]
  wait = math.floor(oldest + 60 - now) + 1
end
local daily_count = tonumber(redis.call('GET', KEYS[1 + day]) or 0)
local total_count = tonumber(redis.call('GET', KEYS[4 + day]) or 0)
local day_left = math.max(1, math.ceil(tonumber(ARGV[2 + day]) - now))
return {minute_count, daily_count, total_count, wait, day_left}
