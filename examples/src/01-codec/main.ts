// The codec alone: keys for a store of your own. Bytes compare as the columns do.
import { bucket, compareKeys, desc, keyLayout, text, timestamp, toHex } from 'rowkey/codec'

const events = keyLayout(
  [
    ['host', text()],
    ['at', desc(timestamp('ms'))],
  ],
  { salt: bucket({ of: 'host', count: 16 }) },
)
const older = { host: 'web-1', at: new Date('2026-01-01T10:00:00Z') }
const newer = { host: 'web-1', at: new Date('2026-01-01T11:00:00Z') }

console.log('older key     ', toHex(events.encode(older)))
console.log('newer key     ', toHex(events.encode(newer)))
console.log('newest first  ', compareKeys(events.encode(newer), events.encode(older)) < 0)
console.log('back          ', JSON.stringify(events.decode(events.encode(newer))))

// A range that holds every event of a host and of no other, whatever its name starts with.
const { from, to } = events.prefix({ host: 'web-1' })
const isInRange = (host: string): boolean => {
  const key = events.encode({ host, at: newer.at })
  return compareKeys(from, key) <= 0 && (to === null || compareKeys(key, to) < 0)
}
console.log('range         ', toHex(from), 'to', to === null ? 'the end' : toHex(to))
console.log('web-1, web-12 ', isInRange('web-1'), isInRange('web-12'))
