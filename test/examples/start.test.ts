import { keyLayout } from 'rowkey/codec'
import { bucket, desc, text, timestamp, toHex, uint32 } from 'rowkey'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build } from '../setup/build.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'rowkey-start-'))

beforeAll(() => build('examples'), 180_000)
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function start(...args: string[]): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'examples/dist/start/main.js'), ...args], {
    encoding: 'utf8',
    timeout: 180_000,
  })
  return { code: status, stdout, stderr }
}

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

interface Record {
  readonly host: string
  readonly event: string
  readonly ms: number
  readonly seq: number
}

/** What the document must say, from the definition of the tables instead of from the tables. */
function expected(records: readonly Record[], from: number, to: number): unknown {
  const layout = keyLayout([
    ['host', text()],
    ['event', text()],
    ['at', desc(timestamp('ms'))],
    ['seq', uint32()],
  ])
  const pairs = [...new Set(records.map(({ host, event }) => JSON.stringify([host, event])))].map((pair) => {
    const [host = '', event = ''] = JSON.parse(pair) as string[]
    return { host, event, count: records.filter((record) => record.host === host && record.event === event).length }
  })
  const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  const largest = pairs.toSorted((a, b) => b.count - a.count || byText(a.host, b.host) || byText(a.event, b.event)).slice(0, 3)
  const newest = largest.map(({ host, event }) => {
    const rows = records.filter((record) => record.host === host && record.event === event).toSorted((a, b) => b.ms - a.ms || a.seq - b.seq)
    return {
      host,
      event,
      rows: rows.slice(0, 10).map(({ seq, ms }) => ({ seq, ts_ms: ms, key: toHex(layout.encode({ host, event, at: new Date(ms), seq })) })),
    }
  })
  const inWindow = records
    .map(({ ms }) => ms)
    .filter((ms) => ms >= from && ms < to)
    .toSorted((a, b) => a - b)
  const hash = keyLayout(
    [
      ['host', text()],
      ['event', text()],
    ],
    { salt: bucket({ of: ['host', 'event'], count: 16 }) },
  )
  const count = (bucketOf: (record: Record) => number): number[] =>
    Array.from({ length: 16 }, (_, i) => records.filter((record) => bucketOf(record) === i).length)
  return {
    rows: records.length,
    malformed: 0,
    pairs: largest,
    newest,
    window: { from, to, count: inWindow.length, first: inWindow[0] ?? null, last: inWindow.at(-1) ?? null },
    buckets: { hash: count(({ host, event }) => hash.encode({ host, event })[0] ?? -1), modulo: count(({ ms }) => ((ms % 16) + 16) % 16) },
  }
}

describe('pnpm start --json', () => {
  test('says of the bundled log what a count by hand says', () => {
    const csv = gunzipSync(readFileSync(join(root, 'examples/data/server-logs.csv.gz'))).toString()
    const records = [...csv.matchAll(/^(\d+),([\w-]+),([^,\n]+),([\dTZ:.-]+),/gm)].map(([, seq, host = '', event = '', ts = '']) => ({
      host,
      event,
      ms: Date.parse(ts),
      seq: Number(seq),
    }))
    const [from, to] = [1_795_277_640_000, 1_795_277_700_000]
    const { code, stdout, stderr } = start('--json', '--from', String(from), '--to', String(to))
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(records).toHaveLength(12_019)
    expect(JSON.parse(stdout)).toEqual(expected(records, from, to))
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
  })

  test('takes ts_ms, gzip, a byte order mark, CRLF, negative instants, and numbers records that have no seq', () => {
    const records = Array.from({ length: 50 }, (_, i) => ({
      host: `h${i % 3}`,
      event: i % 7 === 0 ? 'a "quoted", event\r\nof two lines' : 'e',
      ms: (i - 25) * 1001,
      seq: i + 1,
    }))
    const lines = records.map(({ host, event, ms }) => `${host},"${event.replaceAll('"', '""')}",${ms},x`)
    const input = file('log.csv.gz', gzipSync(`\ufeffhost,event,ts_ms,some thing\r\n${lines.join('\r\n')}\r\n`))
    const { stdout, code } = start('--json', '--input', input, '--from', '-5000', '--to', '5000')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(expected(records, -5000, 5000))
  })

  test('takes a window in ISO 8601', () => {
    const input = file('window.csv', 'host,event,ts_ms\nh,e,0\nh,e,1000\nh,e,2000\n')
    const { stdout } = start('--json', '--input', input, '--from', '1970-01-01T00:00:01Z', '--to=1970-01-01T01:00:02+01:00')
    expect(JSON.parse(stdout)).toMatchObject({ window: { from: 1000, to: 2000, count: 1 } })
  })

  test('takes as many columns as a table has, whatever they are called', () => {
    const special = [...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'p', 's', 'rk_x', '1', '', 'at', 'host_2']
    const header = ['host', 'event', 'ts', 'message', ...special, columns(245 - special.length)].join(',')
    const { code, stdout, stderr } = start('--json', '--input', file('special.csv', `${header}\nh,e,2026-01-01${',x'.repeat(246)}\n`))
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ rows: 1, malformed: 0 })
  })

  test('keeps hosts apart that are no UTF-8: they are malformed', () => {
    const input = file(
      'latin.csv',
      Buffer.from('host,event,ts,seq\nh\xe4,e,2026-01-01,1\nh\xf6,e,2026-01-01,1\nh,e,2026-01-01,1\n', 'latin1'),
    )
    const { stdout, stderr } = start('--json', '--input', input)
    expect(JSON.parse(stdout)).toMatchObject({ rows: 1, malformed: 2, pairs: [{ host: 'h' }] })
    expect(stderr).toBe('line 2: it is not UTF-8\nline 3: it is not UTF-8\n')
  })

  test('microseconds and nanoseconds stay exact, as texts of JSON', () => {
    const input = file('us.csv', 'host,event,ts,seq\nh,e,1521911720.600843,1\nh,e,1521911720.600844,2\nh,e,1521911721,3\n')
    const { code, stdout, stderr } = start('--json', '--input', input, '--from', '1521911720.600844s', '--to', '1521911721000000us')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const layout = keyLayout([
      ['host', text()],
      ['event', text()],
      ['at', desc(timestamp('us'))],
      ['seq', uint32()],
    ])
    const rows = [
      { seq: 3, ts_us: '1521911721000000' },
      { seq: 2, ts_us: '1521911720600844' },
      { seq: 1, ts_us: '1521911720600843' },
    ]
    expect(JSON.parse(stdout)).toMatchObject({
      unit: 'us',
      rows: 3,
      malformed: 0,
      newest: [
        {
          rows: rows.map((row) => ({ ...row, key: toHex(layout.encode({ host: 'h', event: 'e', at: BigInt(row.ts_us), seq: row.seq })) })),
        },
      ],
      window: { from: '1521911720600844', to: '1521911721000000', count: 1, first: '1521911720600844', last: '1521911720600844' },
    })
    const beside = file('ts_us.csv', 'ts,ts_us,host,event\n1521911720.600843,1521911720600843,h,e\n')
    expect(JSON.parse(start('--json', '--input', beside).stdout)).toMatchObject({
      unit: 'us',
      rows: 1,
      newest: [{ rows: [{ ts_us: '1521911720600843' }] }],
    })
    const tour = start('--input', file('ns.csv', 'host,event,ts_ns\nh,e,1521911720600843001\n'))
    expect(tour).toMatchObject({ code: 0, stderr: '' })
    expect(tour.stdout).toContain('2018-03-24T17:15:20.600843001Z')
    expect(tour.stdout).toContain("@KeyColumn(3, desc(timestamp('ns'))) at!: bigint")
  })

  test('a log of which nothing can be stored is a failure', () => {
    const input = file('nothing.csv', 'host,event,ts\nh,e,never\nh,e,5000\n')
    expect(start('--json', '--input', input)).toMatchObject({ code: 1, stderr: expect.stringContaining('ts_ms') as string })
    const { code, stdout } = start('--input', input)
    expect(code).toBe(1)
    expect(stdout).toContain('2 malformed records')
    expect(stdout).toContain('npx -y pnpm@12 start --help')
    expect(stdout).not.toContain('They are in memory')
    expect(start('--input', file('none.csv', 'host,event,ts\n')).code).toBe(0)
  })

  test('an empty log is a document too', () => {
    expect(JSON.parse(start('--json', '--input', file('empty.csv', 'host,event,ts\n')).stdout)).toMatchObject({
      rows: 0,
      pairs: [],
      window: { count: 0, first: null },
    })
  })
})

/** Text however its lines are broken. */
const words = (text: string): string => text.replaceAll(/\s+/g, ' ')

describe('pnpm start --store lmdb', () => {
  const input = file(
    'durable.csv',
    'host,event,ts,seq,note\nh,e,1970-01-01T00:00:00Z,1,a\nh,e,1970-01-01T00:00:01Z,2,b\nh,e,1970-01-01T00:00:00Z,1,c\n',
  )
  const into = (name: string, ...args: string[]): Run => start('--store', 'lmdb', '--path', join(folder, name), ...args)

  test('says the same as in memory, and again over the folder that is there', () => {
    const inMemory = start('--json', '--input', input)
    expect(JSON.parse(inMemory.stdout)).toMatchObject({ rows: 2, conflicts: 1 })
    for (let time = 0; time < 2; time++) expect(into('store', '--json', '--input', input)).toEqual(inMemory)
    expect(into('store', '--input', input).stdout).toContain('2 rows of durable.csv in 2 tables, 2 of them from an earlier start')
    expect(words(into('store', '--input', input).stdout)).toContain(
      `They stay in ${join(folder, 'store')}, where the next start finds them.`,
    )
    expect(words(start('--input', input).stdout)).toContain(
      'They are in memory and go with this process; --store lmdb --path DIR keeps them.',
    )
  })

  test('a row that is there with another text is a conflict, new rows and new columns are added', () => {
    into('grows', '--json', '--input', input)
    const more = file('more.csv', 'host,event,ts,seq,note,level\nh,e,1970-01-01T00:00:00Z,1,other,1\nh,e,1970-01-01T00:00:05Z,3,new,2\n')
    const { code, stdout, stderr } = into('grows', '--json', '--input', more)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ rows: 1, conflicts: 1, newest: [{ rows: [{ seq: 3 }, { seq: 2 }, { seq: 1 }] }] })
    expect(stderr).toMatch(/^line 2: ROW_EXISTS/)
  })

  test('a folder with a log in another unit is refused', () => {
    into('units', '--json', '--input', input)
    const fine = file('fine.csv', 'host,event,ts_us\nh,e,1\n')
    expect(into('units', '--json', '--input', fine)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/tables of another log.*\nSCHEMA_MISMATCH/) as string,
    })
  })

  test('a folder that is not its own, and options that do not fit, are refused with a reason', () => {
    expect(start('--store', 'lmdb', '--path', root, '--input', input)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^STORE_UNUSABLE: /) as string,
    })
    expect(start('--store', 'lmdb')).toMatchObject({ code: 2, stderr: expect.stringContaining('--path DIR') as string })
    expect(start('--path', folder)).toMatchObject({ code: 2, stderr: expect.stringContaining('--store lmdb') as string })
    expect(start('--store', 'redis')).toMatchObject({ code: 2, stderr: expect.stringContaining('memory or lmdb') as string })
  })
})

const columns = (count: number): string => Array.from({ length: count }, (_, i) => `c${i}`).join(',')

const broken = `host,event,ts,seq,note
h,e,2026-01-01T00:00:00.123Z,1,kept
h,e,2026-01-01T00:00:00.1234567891Z,2,finer than a nanosecond
h,e,2026-02-30T00:00:00Z,3,no such day
h,e,2026-01-01T00:00:00.123Z,1,same key
h,e,2026-01-01T02:00:00.123000+02:00,4,"kept, over
two lines"
h,e
h,"e"x,2026-01-01T00:00:00Z,9,bad quote
h,e,2026-01-01T00:00:00Z,1,read although a quote before it is out of place
h,e,2026-01-01T00:00:00Z,4294967296,seq too large
`

describe('malformed records and conflicts', () => {
  const input = file('broken.csv', broken)

  test('are counted and shown with their lines, and nothing is lost silently', () => {
    const { code, stdout } = start('--input', input)
    expect(code).toBe(0)
    expect(stdout).toContain('3 rows of broken.csv')
    expect(stdout).toContain('5 malformed records, the first 3:')
    expect(stdout).toMatch(/line 3: .*finer than a nanosecond\n +line 4: .*is no date\n +line 8: it has 2 fields, the header has 5/)
    expect(stdout).toMatch(/1 conflict:\n +line 5: ROW_EXISTS/)
  })

  test('stay off stdout with --json, and --strict makes them a failure', () => {
    const { code, stdout, stderr } = start('--input', input, '--json', '--strict')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ rows: 3, malformed: 5, conflicts: 1 })
    expect(stderr).toContain('line 3: ')
    expect(stderr).toContain('line 5: ROW_EXISTS')
    expect(start('--strict', '--json').code).toBe(0)
  })

  test.each([
    ['no host', 'event,ts\nx,2026-01-01\n', /needs the columns host, event/],
    ['a column twice', 'host,event,ts,ts\n', /'ts' twice/],
    ['nothing in it', '', /no header line/],
    [
      'a header in another encoding',
      Buffer.from('host,event,ts,stra\xdfe\n', 'latin1'),
      /no header that can be read: line 1: it is not UTF-8/,
    ],
    ['a header that steers the terminal', 'host,\u001b[2J\u0007\n', /'\\x1b\[2J\\x07'/],
    ['246 columns of text', `host,event,ts,message,${columns(246)}\n`, /has 246 columns of text.* room for 245/],
  ])('a file with %s is refused with a reason', (name, content, reason) => {
    const { code, stderr, stdout } = start('--input', file(`${name.replaceAll(' ', '-')}.csv`, content))
    expect(code).toBe(2)
    expect(stderr).toMatch(reason)
    expect(stdout).toBe('')
  })

  test('so are a file that is not there, one that is not gzip, and options that do not exist', () => {
    expect(start('--input', join(folder, 'missing.csv'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no file') as string,
    })
    expect(start('--input', file('not.csv.gz', 'host'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be read') as string,
    })
    expect(start('--form', '1')).toMatchObject({ code: 2, stderr: expect.stringContaining('--from, --to') as string })
    expect(start('--from', 'yesterday')).toMatchObject({ code: 2, stderr: expect.stringContaining('epoch milliseconds') as string })
    expect(start('--from', '2026-02-30')).toMatchObject({ code: 2, stderr: expect.stringContaining('ISO 8601') as string })
    expect(start('--from', '2', '--to', '1').code).toBe(2)
  })
})

describe('what cannot be printed', () => {
  const shell = (command: string): Run => {
    const { status, stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: root, encoding: 'utf8', timeout: 180_000 })
    return { code: status, stdout, stderr }
  }
  const job = `'${process.execPath}' examples/dist/start/main.js`

  test.runIf(existsSync('/dev/full')).each(['--json', '--help', ''])('start %s: a full disk is a failure with a reason', (option) => {
    const { code, stderr } = shell(`${job} ${option} >/dev/full`)
    expect(stderr).toMatch(/^The output cannot be written: ENOSPC.*\n$/)
    expect(code).toBe(2)
  })

  test.runIf(process.platform !== 'win32')('a reader who has seen enough is none', () => {
    expect(shell(`${job} | head -1; exit \${PIPESTATUS[0]}`)).toMatchObject({ code: 0, stderr: '' })
    expect(shell(`${job} --json | true; exit \${PIPESTATUS[0]}`)).toMatchObject({ code: 0, stderr: '' })
  })
})

test('the tour shows what it promises, without colour or progress where nobody looks', () => {
  const { code, stdout, stderr } = start()
  expect(code).toBe(0)
  expect(stderr).toBe('')
  for (const part of [
    '└ host cassandra-',
    'GET: ',
    'SCAN: the newest 10',
    'merged from 16 buckets',
    '████',
    'FULL_SCAN_REFUSED',
    'FAN-OUT SCAN log_timeline',
    '@Table(',
    'npx -y pnpm@12 start --input FILE.csv',
  ]) {
    expect(stdout).toContain(part)
  }
  expect(stdout).not.toContain('\u001b')
  const model = stdout.slice(stdout.indexOf("@Table('log_events')"), stdout.indexOf('\nNext'))
  expect(model.trimEnd().split('\n').length).toBeLessThanOrEqual(20)
})
