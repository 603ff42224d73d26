import { bucket, desc, hashPrefix, int64, keyLayout, nullable, text, timestamp, uuid } from 'rowkey/codec'
import { same } from './same.js'

const events = keyLayout(
  [
    ['host', text()],
    ['event', text()],
    ['at', desc(timestamp('ms'))],
    ['n', int64()],
    ['m', nullable(int64({ as: 'number' }))],
  ],
  { salt: bucket({ of: ['host', 'event'], count: 16 }) },
)
const decoded = events.decode(new Uint8Array(1))
same<typeof decoded, { host: string; event: string; at: Date; n: bigint; m: number | null }>(true)
events.encode({ host: 'a', event: 'b', at: new Date(), n: 1n, m: null })
events.bound({ host: 'a' }, 'before')
// @ts-expect-error n must be bigint
events.encode({ host: 'a', event: 'b', at: new Date(), n: 1, m: null })
// @ts-expect-error missing column
events.encode({ host: 'a', event: 'b', at: new Date(), n: 1n })
// @ts-expect-error unknown column
events.encode({ host: 'a', event: 'b', at: new Date(), n: 1n, m: null, x: 1 })
// @ts-expect-error null where not nullable
events.encode({ host: null, event: 'b', at: new Date(), n: 1n, m: null })
// @ts-expect-error unknown column in bound
events.bound({ hots: 'a' }, 'before')
// @ts-expect-error undefined is not absent
events.bound({ host: undefined }, 'before')
const range = events.prefix({ host: 'a' }, 3)
same<typeof range, { readonly from: Uint8Array; readonly to: Uint8Array | null }>(true)
// @ts-expect-error unknown column in prefix
events.prefix({ hots: 'a' })
const { parts, problem } = events.inspect(range.from)
same<(typeof parts)[number]['value'], unknown>(true)
same<NonNullable<typeof problem>['code'], 'MALFORMED_KEY'>(true)
// @ts-expect-error parts are read-only
parts[0].hex = ''
// @ts-expect-error salt over an unknown column
keyLayout([['host', text()]], { salt: bucket({ of: ['host', 'evnt'], count: 16 }) })
// @ts-expect-error in a list of salts
keyLayout([['host', text()]], { salt: [bucket({ of: 'host', count: 16 }), hashPrefix({ of: 'hst' })] })
keyLayout(
  [
    ['host', text()],
    ['at', timestamp('ms')],
  ],
  { salt: [bucket({ of: 'host', count: 16 }), bucket({ of: 'at', modulo: 8 })] },
)
// @ts-expect-error a Date cannot hold microseconds
timestamp('us', { as: 'Date' })
const fine = keyLayout([
  ['a', timestamp('us')],
  ['b', timestamp('ms', { as: 'number' })],
  ['c', uuid()],
]).decode(new Uint8Array())
same<typeof fine, { a: bigint; b: number; c: string }>(true)
