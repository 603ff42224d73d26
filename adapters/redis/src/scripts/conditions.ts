// Tested by filter.test.ts.
// Parts of the script that filters. See `docs/spec/stored-record.md` of the repository for the bytes of a record.

/** Records of at most this many bytes are sent whole, because to take them apart costs the server more than to send them. */
const wholeBytes = 1024

/** At least the list, its format and the expiry, in whatever form. */
const headBytes = 21

/**
 * Defines what reads records: `head(record)` returns the number of items after the format and the offset of the first one, `itemAt(record,
 * at)` the offset after an item, -1 at the end of the record, and its value. Both raise an error for other bytes.
 */
const readers = `
local unpack_one, byte, sub = cmsgpack.unpack_one, string.byte, string.sub
local function head(record)
  local first, second = byte(record, 1, 2)
  if first and first >= 0x93 and first <= 0x9f and second == 1 then return first - 0x91, 2 end
  local items, at, format = 0, 1, nil
  if first == 0xdc then
    local high, low = byte(record, 2, 3)
    items, at = high * 0x100 + low, 3
  elseif first and first >= 0x93 and first <= 0x9f then
    items = first - 0x90
  else
    error('no list')
  end
  at, format = unpack_one(record, at)
  if format ~= 1 then error('format') end
  return items - 1, at
end
local function number(record, from, count)
  local value = 0
  for i = from + 1, from + count do value = value * 0x100 + byte(record, i) end
  return value
end
-- cmsgpack of Redis 7.0 does not know bytes, and reads unsigned integers from 2^63 as negative ones.
local function itemAt(record, at)
  local token, length, from, value = byte(record, at + 1), nil, nil, nil
  if token == 0xcf then
    length, from = 8, at + 1
    value = number(record, from, 4) * 0x100000000 + number(record, from + 4, 4)
  elseif token and token >= 0xc4 and token <= 0xc6 then
    local width = 2 ^ (token - 0xc4)
    length, from = number(record, at + 1, width), at + 1 + width
  else
    return unpack_one(record, at)
  end
  local last = from + length
  if last > #record then error('cut off') end
  return last == #record and -1 or last, value or sub(record, from + 1, last)
end`

/**
 * Defines `needed(record)`: what is sent of a record. ARGV[7] has a digit for each item up to the last one that is needed, 1 if it is needed,
 * or `*` for whole records. Items that are not needed become nil, and the record ends after the last one that is; that is all its reader
 * reads. If only the expiry is needed, the first bytes are enough, and nothing has to be read.
 */
export const neededOfRecord = (): string => `${readers}
local wanted = #ARGV[7]
local function cut(record)
  local items, at = head(record)
  local sent = {sub(record, 1, at)}
  for item = 1, math.min(wanted, items) do
    local from = at
    at = itemAt(record, from)
    sent[item + 1] = byte(ARGV[7], item) == 0x31 and sub(record, from + 1, at) or '\\192'
  end
  return table.concat(sent)
end
local needed
if ARGV[7] == '*' then
  needed = function(record) return record end
elseif wanted <= 1 then
  needed = function(record) return sub(record, 1, ${headBytes}) end
else
  needed = function(record)
    if #record <= ${wholeBytes} then return record end
    local sound, part = pcall(cut, record)
    return sound and part or record
  end
end`

/**
 * Defines `passes(record)`. ARGV[8] is '1' if cmsgpack can read all items up to the last one with a condition. From ARGV[9] on there are the
 * conditions: the item, its type in Lua, '1' if null passes because it is damage, the name of the test, the number of operands, and
 * these. Damaged records pass as well, so that their reader reports them.
 *
 * `<` of Lua compares text by the locale of the server, so text is compared byte by byte. NaN is greater than all numbers, and every comparison
 * of Lua with it is false.
 */
export const conditionsOfRows = (): string => `
local function before(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = byte(a, i), byte(b, i)
    if x ~= y then return x < y end
  end
  return #a < #b
end
local operandOf = {
  number = tonumber,
  string = function(text) return text end,
  boolean = function(text) return text == '1' end,
}
local ends = {
  number = {
    from = function(last) return function(value) return not (value < last) end end,
    above = function(last) return function(value) return not (value <= last) end end,
    to = function(last) return function(value) return value <= last end end,
    below = function(last) return function(value) return value < last end end,
  },
  string = {
    from = function(last) return function(value) return not before(value, last) end end,
    above = function(last) return function(value) return before(last, value) end end,
    to = function(last) return function(value) return not before(last, value) end end,
    below = function(last) return function(value) return before(value, last) end end,
  },
}
local conditions, depth, arg = {}, 0, 9
while ARGV[arg] do
  local item, kind, damage, name, operands = tonumber(ARGV[arg]) + 1, ARGV[arg + 1], ARGV[arg + 2] == '1', ARGV[arg + 3], tonumber(ARGV[arg + 4])
  local test
  if name == 'null' then
    test = function(value) return value == nil end
  elseif name == 'some' then
    test = function(value) return damage or value ~= nil end
  elseif name == 'in' then
    local set = {}
    for i = 1, operands do set[operandOf[kind](ARGV[arg + 4 + i])] = true end
    test = function(value)
      if value == nil then return damage end
      return set[value] or type(value) ~= kind
    end
  else
    local inside = ends[kind][name](operandOf[kind](ARGV[arg + 5]))
    test = function(value)
      if value == nil then return damage end
      return type(value) ~= kind or inside(value)
    end
  end
  conditions[#conditions + 1] = {item = item, test = test}
  depth = math.max(depth, item)
  arg = arg + 5 + operands
end
local function holds(values, shift)
  for i = 1, #conditions do
    local condition = conditions[i]
    if not condition.test(values[condition.item + shift]) then return false end
  end
  return true
end
local function whole(count, ...)
  if select('#', ...) <= count then error('cut off') end
  return {...}
end
local function atOnce(record)
  local items, at = head(record)
  local count = math.min(depth, items)
  return holds(whole(count, cmsgpack.unpack_limit(record, count, at)), 1)
end
local function oneByOne(record)
  local items, at = head(record)
  local values = {}
  for item = 1, math.min(depth, items) do at, values[item] = itemAt(record, at) end
  return holds(values, 0)
end
local function passes(record)
  if depth == 0 then return true end
  local sound, result = false, nil
  if ARGV[8] == '1' then sound, result = pcall(atOnce, record) end
  if not sound then sound, result = pcall(oneByOne, record) end
  return result or not sound
end`
