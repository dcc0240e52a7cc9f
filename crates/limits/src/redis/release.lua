-- Releases a reservation: docs/spec/rate-limiter.md, "On Redis".
-- KEYS: as for reserve.lua
-- ARGV: 1 now or "", 2 request id, 3-6 starts of the days, 7 daily of all clients (0: none)
-- Returns 1 if the request was credited, 0 if it is unknown, released already or no longer in the window
local score = redis.call('ZSCORE', KEYS[1], ARGV[2])
if not score then return 0 end
local now
if ARGV[1] == '' then
  local time = redis.call('TIME')
  now = time[1] + time[2] / 1000000
else
  now = tonumber(ARGV[1])
end
score = tonumber(score)
redis.call('ZREM', KEYS[1], ARGV[2])
if score <= now - 60 or score > now then return 0 end
for index = 1, 3 do
  if score >= tonumber(ARGV[2 + index]) and score < tonumber(ARGV[3 + index]) then
    local counters = {KEYS[1 + index]}
    if tonumber(ARGV[7]) > 0 then counters[2] = KEYS[4 + index] end
    for _, key in ipairs(counters) do
      if tonumber(redis.call('GET', key) or 0) > 0 then redis.call('DECR', key) end
    end
  end
end
return 1
