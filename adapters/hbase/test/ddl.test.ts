import { hbaseStore } from '@rowkey/hbase'
import { bucket, bytes, defineTable, desc, int64, nullable, text, timestamp, uint8 } from 'rowkey'
import { expect, test } from 'vitest'
import { quoted, quotedBytes, quotedBorder } from '../src/shell/commands.js'

const Logs = defineTable('logs', {
  columns: {
    tenant: text(),
    host: text(),
    at: desc(timestamp('ms')),
    message: nullable(text()),
    level: uint8(),
    size: int64(),
    raw: bytes(),
  },
  partition: ['tenant'],
  key: ['host', 'at'],
  salt: bucket({ of: 'host', count: 16 }),
  ttl: '30d',
  version: 'rev',
  stores: {
    hbase: { splits: 4, compression: 'SNAPPY', dataBlockEncoding: 'FAST_DIFF', bloomFilter: 'ROW', timeToLive: 2_592_000, versions: 2 },
  },
})

test('the commands of the shell for a table, with comments that say what is stored', async () => {
  await expect(hbaseStore.ddl(Logs, { namespace: 'ops' }).text).toMatchFileSnapshot('ddl.txt')
})

test('for Lindorm, tables have no NEW_VERSION_BEHAVIOR', () => {
  const { statements } = hbaseStore.ddl(Logs, { profile: 'lindorm' })
  expect(statements.join()).not.toContain('NEW_VERSION_BEHAVIOR')
})

test('a new table in one region is warned of, and one with splits is not', () => {
  const codes = (salted: boolean, splits?: number): readonly string[] => {
    const salt = salted ? { salt: bucket({ of: 'id', count: 20 }) } : {}
    const stores = splits === undefined ? {} : { stores: { hbase: { splits } } }
    return hbaseStore
      .ddl(defineTable('t', { columns: { id: int64() }, key: ['id'], ...salt, ...stores } as never))
      .warnings.map(({ code }) => code)
  }
  expect(codes(false)).toEqual(['one-region'])
  expect(codes(true)).toEqual(['unsplit-buckets'])
  expect(codes(true, 16)).toEqual([])
})

test('nothing in a name or in bytes leaves its place in a command', () => {
  expect(quoted("it's \\ #{x}")).toBe("'it\\'s \\\\ #{x}'")
  expect(quoted('a\u001b[2Jb')).toBe('"a\\x1B[2Jb"')
  expect(quoted('a\nb')).toBe('"a\\x0Ab"')
  expect(quotedBytes(Uint8Array.of(0, 0x22, 0x23, 0x5c, 0x61, 0x7f, 0xff))).toBe('"\\x00\\x22\\x23\\x5Ca\\x7F\\xFF"')
  for (const hidden of ['a\u202eb', 'a\u2028b', 'a\u200bb']) expect(quoted(hidden)).toMatch(/^"a(?:\\x[0-9A-F]{2}){3}b"$/)
  for (let byte = 0; byte < 256; byte++) {
    const shown = quotedBytes(Uint8Array.of(byte))
    expect(shown).toMatch(/^"(?:[^"\\#\p{C}]|\\x[0-9A-F]{2})"$/u)
  }
})

test('a split is in the form that the shell reads from text: in single quotes, and everything but letters and digits by its number', () => {
  expect(quotedBorder(Uint8Array.of(0x34, 0x61, 0x80, 0xff, 0x27, 0x5c, 0x78, 0))).toBe("'4a\\x80\\xFF\\x27\\x5Cx\\x00'")
  const salt = bucket({ of: 'id', count: 256 })
  const Spread = defineTable('spread', { columns: { id: int64() }, key: ['id'], salt, stores: { hbase: { splits: 4 } } })
  expect(hbaseStore.ddl(Spread).text).toContain("SPLITS => ['\\x40', '\\x80', '\\xC0']")
  for (let byte = 0; byte < 256; byte++) expect(quotedBorder(Uint8Array.of(byte))).toMatch(/^'(?:[\w.:-]|\\x[0-9A-F]{2})'$/)
})

test('the hint newVersionBehavior: false is in the definition and in the catalog', () => {
  const Counters = defineTable('counters', {
    columns: { k: text(), n: int64() },
    key: ['k'],
    stores: { hbase: { newVersionBehavior: false } },
  })
  const { statements, text: lines } = hbaseStore.ddl(Counters)
  expect(statements[1]).not.toContain('NEW_VERSION_BEHAVIOR')
  expect(statements[2]).toContain('"newVersionBehavior":"false"')
  expect(lines).toContain('# Without NEW_VERSION_BEHAVIOR: puts and deletes have to carry timestamps')
  const Wrong = defineTable('wrong', { columns: { k: text() }, key: ['k'], stores: { hbase: { newVersionBehavior: true } } })
  expect(() => hbaseStore.ddl(Wrong)).toThrow(/Give false, or leave it out/)
})
