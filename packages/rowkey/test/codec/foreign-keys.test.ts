import { desc, fixedText, fromHex, hashPrefix, int64, keyLayout, separatedText, toHex, type KeyLayout } from '#codec'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

// Keys that Java programs wrote with the client of HBase, and what is in them: every one decodes to that, and encodes to the same bytes.

interface Vectors {
  readonly hostEvents: readonly (readonly [hex: string, host: string, ts: string])[]
  readonly userOrders: readonly (readonly [hex: string, user: string, orderId: string])[]
  readonly junk: readonly string[]
}
const { hostEvents, userOrders, junk } = JSON.parse(readFileSync(new URL('vectors/foreign-keys.json', import.meta.url), 'utf8')) as Vectors

const layouts = (codegen: 'auto' | 'never') => ({
  hostEvents: keyLayout(
    [
      ['host', separatedText('\0')],
      ['ts', desc(int64())],
    ],
    { codegen },
  ),
  userOrders: keyLayout(
    [
      ['user', separatedText('_', { split: 'last' })],
      ['orderId', fixedText(16)],
    ],
    { salt: hashPrefix({ of: 'user', digits: 4, separator: '_' }), codegen },
  ),
})

function checkAll<Key extends object>(layout: KeyLayout<Key>, keys: readonly (readonly [hex: string, key: Key])[]): void {
  // Often enough that the layout is compiled.
  for (let round = 0; round < 5; round++) {
    const wrong = keys.filter(([hex, key]) => toHex(layout.encode(key)) !== hex)
    expect(wrong).toEqual([])
    expect(keys.map(([hex]) => layout.decode(fromHex(hex)))).toEqual(keys.map(([, key]) => key))
  }
}

describe.each(['auto', 'never'] as const)('KEY-24 KEY-38 KEY-42: codegen %s', (codegen) => {
  test('host + 00 + (Long.MAX_VALUE - ts)', () => {
    expect(hostEvents).toHaveLength(300)
    checkAll(
      layouts(codegen).hostEvents,
      hostEvents.map(([hex, host, ts]) => [hex, { host, ts: BigInt(ts) }] as const),
    )
  })

  test("md5(user).substring(0, 4) + '_' + user + '_' + orderId, also of users whose name contains '_'", () => {
    expect(userOrders).toHaveLength(300)
    expect(userOrders.filter(([, user]) => user.includes('_'))).toHaveLength(60)
    checkAll(
      layouts(codegen).userOrders,
      userOrders.map(([hex, user, orderId]) => [hex, { user, orderId }] as const),
    )
  })

  test('keys of another shape in the same table are refused', () => {
    expect(junk.length).toBeGreaterThan(0)
    for (const hex of junk) expect(() => layouts(codegen).hostEvents.decode(fromHex(hex))).toThrow(/^MALFORMED_KEY/)
    for (const [hex] of hostEvents) expect(() => layouts(codegen).userOrders.decode(fromHex(hex))).toThrow(/^MALFORMED_KEY/)
    for (const [hex] of userOrders) expect(() => layouts(codegen).hostEvents.decode(fromHex(hex))).toThrow(/^MALFORMED_KEY/)
  })
})
