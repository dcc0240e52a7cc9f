-- Reserves a request: docs/spec/rate-limiter.md, "On Redis".
-- KEYS: 1 window, 2-4 the client's days, 5-7 the days of all clients; yesterday, today and tomorrow each
-- ARGV: 1 now or "", 2 request id, 3 per minute, 4 daily, 5 daily of all clients (0: none), 6-9 starts of the days
-- Returns: status, payload, minute count, daily count, total count, seconds to the window's next place, to the next day
--   status 0: granted, the request id; 1: minute limit, the seconds to wait; 2: daily limit, 'daily' or 'total'
local now
if ARGV[1] == '' then
  local time = redis.call('TIME')
  now = time[1] + time[2] / 1000000
else
  now = tonumber(ARGV[1])
end
local day
for index = 1, 3 do
  if now >= tonumber(ARGV[5 + index]) and now < tonumber(ARGV[6 + index]) then day = index end
end
if not day then return redis.error_reply('CLOCKSKEW the clocks differ by more than a day') end
local window, daily, total = KEYS[1], KEYS[1 + day], KEYS[4 + day]
local per_minute, daily_limit, total_limit = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local day_left = math.max(1, math.ceil(tonumber(ARGV[6 + day]) - now))

redis.call('ZREMRANGEBYSCORE', window, '-inf', now - 60)
redis.call('ZREMRANGEBYSCORE', window, string.format('(%.17g', now), '+inf')
local minute_count = redis.call('ZCARD', window)
local daily_count = tonumber(redis.call('GET', daily) or 0)
local total_count = 0
if total_limit > 0 then total_count = tonumber(redis.call('GET', total) or 0) end
local wait = 0
if minute_count > 0 then
  local oldest = redis.call('ZRANGE', window, 0, 0, 'WITHSCORES')[2]
  wait = math.floor(oldest + 60 - now) + 1
end

-- The answer to this request was lost, and it is sent again.
if redis.call('ZSCORE', window, ARGV[2]) then
  return {0, ARGV[2], minute_count, daily_count, total_count, wait, day_left}
end
if daily_count >= daily_limit then
  return {2, 'daily', minute_count, daily_count, total_count, wait, day_left}
end
if total_limit > 0 and total_count >= total_limit then
  return {2, 'total', minute_count, daily_count, total_count, wait, day_left}
end
if minute_count >= per_minute then
  return {1, wait, minute_count, daily_count, total_count, wait, day_left}
end

redis.call('ZADD', window, now, ARGV[2])
redis.call('EXPIRE', window, 90)
redis.call('INCR', daily)
if redis.call('TTL', daily) < 0 then redis.call('EXPIRE', daily, day_left) end
if total_limit > 0 then
  total_count = redis.call('INCR', total)
  if redis.call('TTL', total) < 0 then redis.call('EXPIRE', total, day_left) end
end
if minute_count == 0 then wait = 61 end
return {0, ARGV[2], minute_count + 1, daily_count + 1, total_count, wait, day_left}
