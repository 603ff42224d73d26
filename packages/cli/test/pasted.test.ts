import { bucket, desc, fromHex, int64, lastText, text, timestamp, toHex, uint32, uint8 } from 'rowkey/codec'
import { defineTable } from 'rowkey'
import { expect, test } from 'vitest'
import { project } from './command.js'

const tables = [
  defineTable('logs', {
    columns: { host: text(), at: desc(timestamp('ms')), line: text() },
    key: ['host', 'at'],
    salt: bucket({ of: 'host', count: 16 }),
  }),
  defineTable('users', { columns: { name: text(), n: uint32() }, key: ['name'] }),
  defineTable('paths', { columns: { path: lastText(), n: uint32() }, key: ['path'] }),
  defineTable('orders', { columns: { buyer: text(), no: int64(), n: uint8() }, partition: ['buyer'], key: ['no'] }),
  defineTable('hits', { columns: { id: int64(), n: uint8() }, key: ['id'] }),
]
const { rowkey } = project({ 'models.json': JSON.stringify(tables), 'rowkey.config.json': '{ "models": ["models.json"] }' })

const log = 'host=web-1 at=2026-01-01T00:00:00.000Z'
const log2 = 'host=web-2 at=2026-01-01T00:00:01.000Z'
const hex = '0c7765622d3100007ffffe64892557ff'
const escaped = '\\x0Cweb-1\\x00\\x00\\x7F\\xFF\\xFEd\\x89%W\\xFF'
const escaped2 = '\\x03web-2\\x00\\x00\\x7F\\xFF\\xFEd\\x89%T\\x17'
const pairs = '0c 77 65 62 2d 31 00 00 7f ff fe 64 89 25 57 ff'
const bytes = '12, 119, 101, 98, 45, 49, 0, 0, 127, 255, 254, 100, 137, 37, 87, 255'
const redis = '"\\x0cweb-1\\x00\\x00\\x7f\\xff\\xfed\\x89%W\\xff"'
const base64 = 'DHdlYi0xAAB///5kiSVX/w=='
const item = (p: string, s: string): object => ({ rk_p: { B: p }, rk_s: { B: s }, line: { S: 'started' }, level: { N: '3' } })
const logItem = item('AQw=', 'AXdlYi0xAAB///5kiSVX/w==')
const userItem = item('AQ==', 'AWFiYwAA')
const pretty = (json: unknown): string => JSON.stringify(json, undefined, 4)

interface Case {
  readonly of: string
  readonly pasted: string
  readonly table: string
  /** The lines of stdout. */
  readonly keys?: readonly string[]
  /** What stderr says, with exit code 1. */
  readonly fault?: RegExp
  readonly options?: readonly string[]
  /** Only a line of its own, because an argument says less. */
  readonly isPipe?: true
}

const of = (table: string, cases: readonly (readonly [string, string, readonly string[] | RegExp, ...string[]])[]): readonly Case[] =>
  cases.map(([of, pasted, told, ...options]) => ({
    of,
    pasted,
    table,
    options,
    ...(told instanceof RegExp ? { fault: told } : { keys: told }),
  }))

const cases: readonly Case[] = [
  ...of('logs', [
    // digits
    ['digits', hex, [log]],
    ['digits in upper case', hex.toUpperCase(), [log]],
    ['0x', `0x${hex}`, [log]],
    ['0x with a comma after it', `0x${hex},`, [log]],
    ['colons', pairs.replaceAll(' ', ':'), [log]],
    ['spaces', pairs, [log]],
    ['dashes', pairs.replaceAll(' ', '-'), [log]],
    ['a list of C', pairs.replace(/\S+/g, '0x$&,'), [log]],
    ['groups of four digits', hex.replace(/.{4}/g, '$& ').trim(), [log]],
    ['groups of eight digits', hex.replace(/.{8}/g, '$& ').trim(), [log]],
    ['the form of a uuid', '0c776562-2d31-0000-7fff-fe64892557ff', [log]],
    ['an odd digit', hex.slice(0, -1), /31 hexadecimal digits are an odd number, so half a byte is missing/],
    ['an odd digit after 0x', `0x${hex}f`, /33 hexadecimal digits are an odd number/],
    ['the letter O for a zero', hex.replace('00', '0O'), /"O" at character 14 is no hexadecimal digit/],
    ['half a group', pairs.replace('2d', 'd'), /group 5, "d", is not 2 hexadecimal digits/],
    ['digits that are cut off', hex.slice(0, -2), /column 'at': it ends too early, at 15 bytes/],
    ['digits that end with dots', `${hex.slice(0, 20)}...`, /it is cut off: it ends with dots/],
    ['one byte too many', `${hex}00`, /byte 16/],
    // Buffers and lists
    ['Buffer of Node.js', `<Buffer ${pairs}>`, [log]],
    ['a long Buffer', `<Buffer ${pairs} ... 14 more bytes>`, /<Buffer …> leaves out 14 bytes/],
    ['a Buffer without its end', `<Buffer ${pairs}`, /it is cut off: the > of <Buffer …> is missing/],
    ['a Buffer with half a byte', `<Buffer ${pairs.slice(0, -1)}>`, /byte 15 is "f", which is no byte/],
    ['Uint8Array of Node.js', `Uint8Array(16) [\n   ${bytes.replace('31', '31,\n')}\n]`, [log]],
    ['a long Uint8Array', `Uint8Array(216) [ ${bytes}, ... 200 more items ]`, /the list leaves out 200 items/],
    ['a list of Java, with signs', `[${bytes.replace('255, 254', '-1, -2').replace('137', '-119').replace(/255$/, '-1')}]`, [log]],
    ['a list of Go', `[${bytes.replaceAll(',', '')}]`, [log]],
    ['a slice of Go', `[]byte{${pairs.replace(/\S+/g, '0x$&,').replace(/,$/, '').replaceAll('0x0', '0x')}}`, [log]],
    ['a list with 256', `[${bytes.replace('254', '256')}]`, /byte 10 is "256", which is no byte/],
    ['JSON of a Buffer', `{"type":"Buffer","data":[${bytes}]}`, [log]],
    ['JSON of a Uint8Array', JSON.stringify(Uint8Array.from(fromHex(hex))), [log]],
    ['bytes of Python', "b'\\x0cweb-1\\x00\\x00\\x7f\\xff\\xfed\\x89%W\\xff'", [log]],
    // literals
    ["X'…' of SQL", `X'${hex}'`, [log]],
    ["x'…' with an odd digit", `x'${hex.slice(1)}'`, /31 hexadecimal digits are an odd number/],
    ["X'…' without its end", `X'${hex}`, /the last ' is missing/],
    ['bytea of PostgreSQL', `\\x${hex}`, [log]],
    ['octal digits', '"\\014web-1\\000\\000\\177\\377\\376d\\211%W\\377"', [log]],
    ['base64', base64, [log]],
    ['base64 for URLs', base64.replaceAll('+', '-').replaceAll('/', '_'), [log]],
    ['base64 without padding', base64.replaceAll('=', ''), [log]],
    ['base64 that is cut off', base64.slice(0, -4), /it ends too early/],
    ['half of the padding', base64.slice(0, -1), /23 characters are no whole base64/],
    ['a wrong last digit of base64', base64.replace('w==', 'x=='), /its last base64 digit has bits that are in no byte/],
    // HBase
    ['toStringBinary of HBase', escaped, [log]],
    ['the same twice escaped, as in JSON', escaped.replaceAll('\\', '\\\\'), [log]],
    ['the same in quotes', `'${escaped}'`, [log]],
    ['an escape with one digit', escaped.slice(0, -1), /it is cut off in the escape "\\\\xF" at character \d+/],
    ['an escape with a wrong digit', escaped.replace('\\x7F', '\\x7G'), /"\\\\x7G" at character \d+ is not an escape/],
    ['a row of the HBase shell', ` ${escaped}   column=f:line, timestamp=2026-01-01T00:00:00.000, value=x column=y`, [log]],
    [
      'a row of the HBase shell of a narrow terminal',
      ` \\x0Cweb-1\\x00\\x00\\x7F\\xFF column=f:line, timestamp=2026-01-01T00:00:00.000,\n \\xFEd\\x89%W\\xFF             value=started\n1 row(s)`,
      [log],
    ],
    [
      'rows of the HBase shell',
      `ROW  COLUMN+CELL\n ${escaped} column=f:a, value=1\n ${escaped} column=f:b, value=2\n ${escaped2} column=f:a, value=1\n2 row(s)\nTook 0.0123 seconds\n=> 2`,
      [log, log2],
    ],
    ['count of the HBase shell', `Current count: 1000, row: ${escaped}`, [log]],
    // Redis
    ['ZRANGE of redis-cli', `1) ${redis}`, [log]],
    ['ZRANGE WITHSCORES of RESP3', `1) 1) ${redis}\n   2) (double) 0`, [log]],
    ['HGETALL of RESP3', `1# ${redis} => "\\x01zz"`, [log]],
    ['a text of redis-cli', redis, [log]],
    ['a prompt of redis-cli', `127.0.0.1:6379> ZRANGE rk:{logs.00}:z 0 -1\n1) ${redis}\n127.0.0.1:6379> HKEYS none\n(empty array)`, [log]],
    ['a member that is cut off', `1) "\\x0cweb-1\\x00\\x00\\x7f"`, /it ends too early/],
    // Cassandra
    ['a blob of cqlsh', ` 0x${hex}`, [log]],
    ['rows of cqlsh', ` rowkey | line\n--------+------\n 0x${hex} | started\n\n(1 rows)`, [log]],
    ['rows of cqlsh with one column', ` rowkey\n--------\n 0x${hex}\n\n(1 rows)`, [log]],
    ['a blob with an odd digit', ` 0x${hex.slice(1)} | started`, /31 hexadecimal digits are an odd number/],
    // dumps
    ['hexdump -C', `00000000  0c 77 65 62 2d 31 00 00  7f ff fe 64 89 25 57 ff  |.web-1.....d.%W.|\n00000010`, [log]],
    ['hexdump -C without its end', '00000000  0c 77 65 62 2d 31 00 00  7f ff fe 64 89 25 57 ff  |.web-1.....d.%W.|', [log]],
    ['hexdump', '0000000 770c 6265 312d 0000 ff7f 64fe 2589 ff57\n0000010', [log]],
    ['xxd', '00000000: 0c77 6562 2d31 0000 7fff fe64 8925 57ff  .web-1.....d.%W.', [log]],
    ['xxd -g1 -u', '00000000: 0C 77 65 62 2D 31 00 00 7F FF FE 64 89 25 57 FF  .web-1.....d.%W.', [log]],
    ['xxd -c 8', '00000000: 0c77 6562 2d31 0000  .web-1..\n00000008: 7fff fe64 8925 57ff  ...d.%W.', [log]],
    ['xxd -i', `unsigned char key_bin[] = {\n  ${pairs.replace(/\S+/g, '0x$&,').replace(/,$/, '')}\n};`, [log]],
    ['od -t x1', `0000000 ${pairs}\n0000020`, [log]],
    ['od -A d -t x1z', `0000000 ${pairs}  >.web-1.....d.%W.<\n0000016`, [log]],
    ['od -x', '0000000 770c 6265 312d 0000 ff7f 64fe 2589 ff57\n0000020', [log]],
    [
      'two dumps',
      [
        '00000000: 0c77 6562 2d31 0000 7fff fe64 8925 57ff  .web-1.....d.%W.',
        '00000000: 0377 6562 2d32 0000 7fff fe64 8925 5417  .web-2.....d.%T.',
      ].join('\n'),
      [log, log2],
    ],
    ['a dump without its second line', '00000000: 0c77 6562 2d31 0000  .web-1..', /it ends too early, at 8 bytes/],
    ['a dump without its first line', '00000008: 7fff fe64 8925 57ff  ...d.%W.', /begins at offset 00000008: what is before is missing/],
    [
      'a dump with a line missing',
      '00000000: 0c77 6562  .web\n00000008: 7fff fe64 8925 57ff  ...d.%W.',
      /after 4 bytes of the dump comes offset 00000008/,
    ],
    [
      'a dump with a wrong digit',
      '00000000: 0c77 6562 2d32 0000 7fff fe64 8925 57ff  .web-1.....d.%W.',
      /byte 5 of the line at offset 00000000 is "2", and next to it is "1"/,
    ],
    [
      'a dump with half a byte',
      '00000000: 0c77 6562 2d31 0000 7fff fe64 8925 57f  .web-1.....d.%W.',
      /31 hexadecimal digits, an odd number/,
    ],
    ['od of characters', '0000000  \\f   w   e   b   -   1', /not in hexadecimal digits. Print it with xxd/],
    // DynamoDB
    ['get-item of aws dynamodb', pretty({ Item: logItem }), [log]],
    [
      'query of aws dynamodb',
      pretty({ Items: [logItem, item('AQM=', 'AXdlYi0yAAB///5kiSVUFw==')], Count: 2, LastEvaluatedKey: logItem }),
      [log, log2],
    ],
    ['items one a line, as jq prints them', JSON.stringify(logItem), [log]],
    ['batch-get-item', pretty({ Responses: { logs: [logItem] }, UnprocessedKeys: {} }), [log]],
    ['a record of a stream', JSON.stringify({ dynamodb: { Keys: logItem, NewImage: logItem } }), [log]],
    ['an item without its sort key', JSON.stringify({ Item: { rk_p: { B: 'AQw=' } } }), /it has no bytes rk_s, which is half of the key/],
    ['an item of another program', JSON.stringify({ Item: { id: { S: 'x' } } }), /this JSON has no key/],
    ['an item whose base64 is cut off', JSON.stringify(item('AQw=', 'AXdlYi0xAAB///5kiSVX/w=')), /rk_s: .*no whole base64/],
    ['an item of twice encoded bytes', JSON.stringify(item('QVF3PQ==', 'QVhkbFk=')), /rk_p does not begin with the byte 01/],
    ['JSON that is cut off', pretty({ Item: logItem }).slice(0, -20), /the JSON is cut off: it is not closed/],
    ['the two attributes', 'AQw= AXdlYi0xAAB///5kiSVX/w==', [log], '--store', 'dynamodb'],
    ['one of two attributes', 'AXdlYi0xAAB///5kiSVX/w==', /it is one of two key attributes/, '--store', 'dynamodb'],
    // LMDB
    ['a key of mdb_dump', `00000001${hex}`, [log], '--store', 'lmdb'],
    // logs
    [
      'a log line',
      `2026-01-01T00:00:00.123Z INFO [pool-1] put key=${hex} took 12 ms trace=4bf92f3577b34da6a3ce929d0e0e4736`,
      [log],
      '--find',
    ],
    ['a log line with 0x', `WARN slow read of 0x${hex}, 3 rows`, [log], '--find'],
    ['a log line of HBase', `INFO [RS-1] region logs,${escaped},1767225600000.5f2e1a0c. opened`, [log], '--find'],
    ['a log line in JSON', JSON.stringify({ level: 'info', key: hex, msg: `row ${escaped2}` }), [log, log2], '--find'],
    ['MONITOR of Redis', `1767225600.123456 [0 127.0.0.1:50000] "zadd" "rk:{logs.0c}:z" "0" ${redis}`, [log], '--find'],
    ['a Buffer in a log line', `{ key: <Buffer ${pairs}> } was refused`, [log], '--find'],
    ['two keys in a line', `moved ${hex} to 037765622d3200007ffffe6489255417`, [log, log2], '--find'],
    [
      'a log line with a key that is cut off',
      `put key=${hex.slice(0, -1)} took 12 ms`,
      /31 hexadecimal digits are an odd number/,
      '--find',
    ],
    ['a log line without a key', 'server started on port 8080', /nothing in it looks like a key|0 keys in 0 of 1 line/, '--find'],
  ]),
  ...of('users', [
    ['an unsalted item', JSON.stringify(userItem), ['name=abc']],
    ['a scan of an unsalted table', pretty({ Items: [userItem], Count: 1 }), ['name=abc']],
    ['an attribute alone', 'AWFiYwAA', ['name=abc'], '--store', 'dynamodb'],
    [
      'an attribute alone, without the store',
      'AWFiYwAA',
      /it is ambiguous: as base64 it is name="\\u0001abc", and as a key attribute of DynamoDB it is name=abc/,
    ],
    ['the same as base64', 'AWFiYwAA', ['name="\\u0001abc"'], '--from', 'base64'],
    ['the same in Redis', 'AWFiYwAA', ['name="\\u0001abc"'], '--store', 'redis'],
    ['no attribute', 'YWJjAAA=', /does not begin with the byte 01/, '--store', 'dynamodb'],
    ['an item of the adapter itself, and one row', JSON.stringify([item('AA==', 'AA=='), userItem]), ['name=abc']],
  ]),
  ...of('orders', [
    ['an item with a partition', JSON.stringify(item('AWFubgAA', 'AYAAAAAAAAAH')), ['buyer=ann no=7']],
    [
      'attributes that belong to two items',
      JSON.stringify(item('AWFubgAAgA==', 'AQAAAAAAAAc=')),
      /the partition of this key has 5 bytes, and rk_p has 6/,
    ],
  ]),
  ...of('hits', [
    ['an attribute of a number', 'AYAAAAAAAAAH', ['id=7']],
    ['a number in base64', 'gAAAAAAAAAc=', ['id=7']],
  ]),
  ...of('paths', [
    ['plain text', '/a/b c', ['path="/a/b c"']],
    ['an odd digit is not text', hex.slice(1), /31 hexadecimal digits are an odd number, .* If it is text, say so: --from escaped/],
    ['the same, which is text', 'abc', ['path=abc'], '--from', 'escaped'],
    ['digits that are no text', `${hex.slice(2, 14)}ff`, /As text it is a key: --from escaped/],
    ['base64 that is no text', base64, /As text it is a key: --from escaped/],
    ['a time or three bytes', '12:34:56', /it is ambiguous: as hexadecimal digits it is .*, and as text it is path=12:34:56/],
    ['a date', '2026-01-01', ['path=2026-01-01']],
  ]),
]

test('there are enough of them', () => {
  expect(cases.length).toBeGreaterThanOrEqual(100)
})

test.each(cases)('$of ($table)', async ({ pasted, table, keys, fault, options = [] }) => {
  for (const args of [
    ['decode', table, pasted, ...options],
    ['decode', table, ...options],
  ]) {
    const { code, stdout, stderr } = await rowkey(args, { input: `${pasted}\n` })
    const told = { code, stdout, stderr: stderr.replaceAll(/\n +/g, ' ') }
    if (fault === undefined) expect(told).toMatchObject({ code: 0, stdout: `${(keys ?? []).join('\n')}\n` })
    else {
      expect(told).toMatchObject({ code: 1, stdout: '' })
      expect(told.stderr).toMatch(fault)
    }
  }
})

test('what was not read is told with its line, and the others are printed', async () => {
  const input = [hex, `${hex}f`, `<Buffer ${pairs}>`, '00000000: 0c77 6562', '', pretty({ Item: logItem }), `put key=${hex}`].join('\n')
  const { code, stdout, stderr } = await rowkey(['decode', 'logs'], { input })
  expect({ code, stdout }).toEqual({ code: 1, stdout: `${[log, log, log].join('\n')}\n` })
  expect(stderr.match(/^line \d+/gm)).toEqual(['line 2', 'line 4', 'line 22'])
})

test('--find says how many lines have a key', async () => {
  const input = [`put key=${hex}`, 'nothing here', `get ${escaped2} (cached)`].join('\n')
  expect(await rowkey(['decode', 'logs', '--find'], { input })).toEqual({
    code: 0,
    stdout: `${log}\n${log2}\n`,
    stderr: '2 keys in 2 of 3 lines\n',
  })
})

test('options that would have no effect are refused', async () => {
  expect(await rowkey(['decode', 'logs', hex, '--from', 'hex', '--store', 'redis'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Give one of them') as string,
  })
  expect(await rowkey(['decode', 'logs', hex, '--from', 'hex', '--find'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--from has no effect') as string,
  })
})

test('--parts is refused with --json, which has none', async () => {
  expect(await rowkey(['decode', 'logs', hex, '--parts', '--json'])).toMatchObject({ code: 2, stdout: '' })
})

test('without a table the JSON of items is read for each table', async () => {
  const { stdout } = await rowkey(['decode', '--json'], { input: JSON.stringify(userItem) })
  expect(JSON.parse(stdout)).toMatchObject({
    matches: [
      { table: 'users', key: { name: 'abc' } },
      { table: 'paths', key: { path: 'abc\0\0' } },
    ],
  })
})

test('the bytes of the test are those of the key', () => {
  expect(toHex(tables[0]?.layout.rowkey(['web-1', Date.UTC(2026, 0, 1)]) ?? new Uint8Array())).toBe(hex)
})
