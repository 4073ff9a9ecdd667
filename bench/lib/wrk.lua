-- Requests ranges of RANGE_BYTES at random positions in a file of FILE_BYTES, if they are set. Prints one line of JSON.
local length = tonumber(os.getenv("RANGE_BYTES"))
local whole = tonumber(os.getenv("FILE_BYTES"))

if length then
  local requests = {}
  function init()
    math.randomseed(1)
    for index = 1, 512 do
      local first = math.random(0, whole - length)
      local range = "bytes=" .. string.format("%d-%d", first, first + length - 1)
      requests[index] = wrk.format(nil, nil, { ["Range"] = range })
    end
  end
  function request()
    return requests[math.random(1, 512)]
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%f,"bytes":%d,"failed":%d,"refused":%d,"p50":%f,"p99":%f,"p999":%f}\n',
    summary.requests, summary.duration / 1e6, summary.bytes,
    errors.connect + errors.read + errors.write + errors.timeout, errors.status,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency:percentile(99.9) / 1e3
  ))
end
