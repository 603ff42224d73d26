/**
 * What a record says before its columns. See `docs/spec/stored-record.md` of the repository: a MessagePack list of format, expiry, version
 * and columns. It raises an error for bytes that are no such record, and for an expiry that is no time where the table has expiry.
 */
export const recordHead = `
local function head(record, expires)
  local first = string.byte(record, 1)
  local at, format, expiry, version = 0, nil, nil, nil
  if first == 0xdc then at = 3 elseif first and first >= 0x93 and first <= 0x9f then at = 1 else error('no list') end
  at, format = cmsgpack.unpack_one(record, at)
  if format ~= 1 then error('format') end
  at, expiry = cmsgpack.unpack_one(record, at)
  if expires and expiry and type(expiry) ~= 'number' then error('expiry') end
  at, version = cmsgpack.unpack_one(record, at)
  return expiry, version
end`
