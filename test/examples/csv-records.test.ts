import { describe, expect, test } from 'vitest'
import { csvRecords } from '../../examples/src/start/csv-records.js'

type Expected = readonly [line: number, what: readonly string[] | string]

async function* chunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size)
}

/** The same records, however the bytes arrive. */
async function check(content: string | Buffer, expected: readonly Expected[]): Promise<void> {
  const bytes = Buffer.from(content)
  const sizes = bytes.length > 10_000 ? [4096] : [1, 2, 3, 7, 64]
  for (const size of [...sizes, bytes.length + 1]) {
    const found: Expected[] = []
    for await (const row of csvRecords(chunks(bytes, size))) {
      if (!('reason' in row)) expect(row.number).toBe(found.length)
      found.push([row.line, 'reason' in row ? row.reason : row.fields])
    }
    expect(found, `in chunks of ${size}`).toEqual(expected)
  }
}

const unclosed = 'a quote is not closed'
const textAfter = 'a quote is not closed, or more text follows the closing one'
const within = 'a quote stands in a field that does not begin with one'

describe('records and where they begin', () => {
  test('quotes, line ends of both kinds, empty lines, a byte order mark, no end of the last line', async () => {
    await check('\ufeff"a",b\r\n\r\n1,"x\r\n""y"""\n\n\nü,\r\n,\ufffd', [
      [1, ['a', 'b']],
      [3, ['1', 'x\r\n"y"']],
      [7, ['ü', '']],
      [8, ['', '\ufffd']],
    ])
    await check('', [])
    await check('\ufeff', [])
    await check('a\n\n', [[1, ['a']]])
  })

  test('a record that is not UTF-8 is malformed, and only that one', async () => {
    const rows = [Buffer.from('a,b\n'), Buffer.from([0x68, 0xff, 0x2c, 0x31, 0x0a]), Buffer.from('h\ufffd,"two\nlines"\nx,y\n')]
    const cut = Buffer.from([0x78, 0x2c, 0xe2, 0x82])
    await check(Buffer.concat([...rows, cut]), [
      [1, ['a', 'b']],
      [2, 'it is not UTF-8'],
      [3, ['h\ufffd', 'two\nlines']],
      [5, ['x', 'y']],
      [6, 'it is not UTF-8'],
    ])
  })
})

describe('a quote out of place costs its own line', () => {
  test('not closed, with quoted fields and line ends behind it', async () => {
    await check('a,b\n1,x\n\r\n2,"open\n3,y\n4,"z, z"\n5,"two\nlines"\n', [
      [1, ['a', 'b']],
      [2, ['1', 'x']],
      [4, textAfter],
      [5, ['3', 'y']],
      [6, ['4', 'z, z']],
      [7, ['5', 'two\nlines']],
    ])
  })

  test('not closed until the end', async () => {
    await check('a,b\n1,"open\n2,y\n3,z', [
      [1, ['a', 'b']],
      [2, unclosed],
      [3, ['2', 'y']],
      [4, ['3', 'z']],
    ])
    await check('a,b\n1,"open', [
      [1, ['a', 'b']],
      [2, unclosed],
    ])
  })

  test('several of them, one after the other', async () => {
    await check('a,b\n1,x"y\n"z"z,2\n3,"\n4,"ok"\n5," ', [
      [1, ['a', 'b']],
      [2, within],
      [3, textAfter],
      [4, textAfter],
      [5, ['4', 'ok']],
      [6, unclosed],
    ])
  })

  test('in a file that is larger than any record', async () => {
    const lines = Array.from({ length: 60_000 }, (_, i) => `${i},event of ${i}`)
    lines[30] = '30,"never closed'
    await check(`${lines.join('\n')}\n`, [
      ...lines.slice(0, 30).map((line, i) => [i + 1, line.split(',')] as const),
      [31, 'a quote is not closed, or the record is longer than 400,000 bytes'],
      ...lines.slice(31).map((line, i) => [i + 32, line.split(',')] as const),
    ])
  })
})
