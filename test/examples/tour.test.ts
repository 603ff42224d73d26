import { createMapper, memory } from 'rowkey'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { columnsOf, cut, duration, plural, visible, wrap } from '../../examples/src/start/display.js'
import { load, type Loaded } from '../../examples/src/start/load.js'
import type { EventRows, TimelineRows } from '../../examples/src/start/repositories.js'
import { modelsOf } from '../../examples/src/start/fine-models.js'
import { openLog } from '../../examples/src/start/read-log.js'
import { report } from '../../examples/src/start/report.js'
import { spreadText } from '../../examples/src/start/spread.js'
import { withTextColumns } from '../../examples/src/start/text-columns.js'
import { Tour } from '../../examples/src/start/tour.js'

const folder = mkdtempSync(join(tmpdir(), 'rowkey-tour-'))
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

interface Job {
  readonly loaded: Loaded
  readonly events: EventRows
  readonly timeline: TimelineRows
  readonly tour: string
}

async function job(csv: string, width = 120): Promise<Job> {
  const file = join(folder, 'log.csv')
  writeFileSync(file, csv)
  const log = await openLog(file, () => undefined)
  const { LogTimeline, LogEvent: model } = modelsOf(log.unit)
  const LogEvent = withTextColumns(model, log.textColumns)
  const db = createMapper(memory())
  await db.ensureTables([LogEvent, LogTimeline])
  const [events, timeline] = [db.repository(LogEvent), db.repository(LogTimeline)]
  const loaded = await load(log, events, timeline)
  const printed: string[] = []
  const print = (text: string): void => void printed.push(text)
  await new Tour({ print, colour: false, width }).run(file, loaded, await report(loaded, events, timeline), events, timeline)
  return { loaded, events, timeline, tour: printed.join('\n') }
}

describe('both tables or none', () => {
  test.each([
    ['too long a key for the larger table', `${'h'.repeat(983)},e,2026-01-01,1,x`, 'LIMIT_EXCEEDED'],
    ['too long a text for the other', `h,e,2026-01-01,1,${'x'.repeat(65_536)}`, 'LIMIT_EXCEEDED'],
    ['a key that is taken', 'kept,e,2026-01-01,1,other', 'ROW_EXISTS'],
  ])('%s', async (_, record, reason) => {
    const { loaded, events, timeline } = await job(`host,event,ts,seq,message\nkept,e,2026-01-01,1,first\n${record}\n`)
    expect(loaded).toMatchObject({ rows: 1 })
    expect([...loaded.malformedSamples, ...loaded.conflictSamples]).toEqual([
      { line: 3, reason: expect.stringContaining(reason) as string },
    ])
    expect(await events.scan({}, { unbounded: true }).toArray()).toMatchObject([{ host: 'kept', message: 'first' }])
    expect(await timeline.scan({}, { unbounded: true }).toArray()).toMatchObject([{ host: 'kept' }])
  })
})

const nasty = 'a\u001b]0;owned\u0007\nb\u009b2J\u007f'
const wide = '日本語のホスト'

describe('the tour', () => {
  test('shows what would steer the terminal', async () => {
    const { tour } = await job(`host,event,ts,message\n"${nasty}","${nasty}",2026-01-01,"${nasty}"\nh,e,"${nasty}",\n`)
    expect(tour).not.toMatch(/(?!\n)\p{Cc}/u)
    expect(tour).toContain(String.raw`└ host a\x1b]0;owned\x07`)
    expect(tour).toContain(String.raw`events.scan({ event: 'a\x1b]0;owned\x07\nb\x9b2J\x7f' })`)
    expect(tour).toContain(String.raw`ts 'a\x1b]0;owned\x07\nb\x9b2J\x7f' is not ISO 8601, and no epoch`)
  })

  test('keeps the marks of the ruler below their bytes, however wide the characters are', async () => {
    const { tour } = await job(`host,event,ts\n${wide},👩‍👩‍👧🎉,2026-01-01\n`)
    const lines = tour.split('\n')
    const marks = lines.filter((line) => line.includes('└ host'))
    expect(marks).toHaveLength(2)
    for (const line of marks) {
      const bytes = lines[lines.indexOf(line) - 1] ?? ''
      const starts = [...line.matchAll(/└/g)].map(({ index }) => columnsOf(line.slice(0, index)))
      expect(starts).toEqual([...bytes.matchAll(/[0-9a-f…]+/g)].map(({ index }) => index))
    }
  })

  test.each([40, 60, 80, 120])('fits into %i columns', async (width) => {
    const text = 'a long message of many words '.repeat(9)
    const rows = Array.from(
      { length: 40 },
      (_, i) => `${wide}-${i % 2},some.long.event.of.a.long.name,2026-01-01T00:00:${10 + i},"${text}"`,
    )
    const { tour } = await job(`host,event,ts,message\n${rows.join('\n')}\n`, width)
    const model = tour.indexOf('\n8  The models')
    // Hex digits and code are not broken.
    const beyond = tour
      .slice(0, model)
      .split('\n')
      .filter((line) => columnsOf(line) > width)
    expect(beyond).toEqual([])
  })

  test('leaves no blanks and no empty lines where a value is missing', async () => {
    const { tour } = await job('host,event,ts\nh,,2026-01-01\n,,2026-01-01\n')
    expect(tour).not.toMatch(/ $/m)
    expect(tour).not.toContain('\n\n\n')
    expect(tour).not.toMatch(/#\d+\n\n(?!\d)/)
    expect(tour).toContain("└ event ''")
  })

  test('counts one as one', async () => {
    const { tour } = await job('host,event,ts\nh,e,2026-01-01\n')
    expect(tour).toMatch(/^rowkey {2}1 row of log\.csv/)
    expect(tour).toContain('1 row examined in 1 of 1 bucket\n')
    expect(tour).toContain('1 row merged from 16 buckets')
    expect(tour).not.toMatch(/\b1 (rows|buckets|records)/)
  })

  test('is refused a scan for an event of the log', async () => {
    const { tour } = await job("host,event,ts\nh,rare,2026-01-01\nh,it's often,2026-01-01\nh,it's often,2026-01-02\n")
    expect(tour).toContain(String.raw`events.scan({ event: 'it\'s often' })`)
  })

  test.each(['', 'h,e,never\n'])('says that there is nothing to show', async (records) => {
    const { tour } = await job(`host,event,ts\n${records}`)
    expect(tour).toContain('There is nothing to show')
    expect(tour).not.toContain('1  ')
  })
})

describe('what is said of the two salts', () => {
  const say = (largestPair: number, hash: readonly number[], modulo: readonly number[]): string => {
    const rows = hash.reduce((sum, count) => sum + count, 0)
    return spreadText({ rows, pairs: [{ host: 'h', event: 'e', count: largestPair }], buckets: { hash, modulo } })
  }
  const even = Array.from({ length: 16 }, () => 100)
  const two = even.map((_, i) => (i % 8 === 0 ? 800 : 0))
  const skewed = even.map((_, i) => (i === 3 ? 850 : 50))

  test('depends on the log', () => {
    expect(say(50, even, two)).toMatch(/by modulo 2 buckets and 50 %.*whole seconds.*The hash spreads better/)
    expect(say(800, skewed, even)).toMatch(/largest has 53 %.*up to 50 %\. The modulo spreads this log more evenly/)
    expect(say(50, even, even)).toMatch(/The hash spreads this log at least as evenly/)
    expect(say(1, [1, ...even.slice(1).fill(0)], [1, ...even.slice(1).fill(0)])).toMatch(
      /by modulo 1 bucket and 100 %\. So few rows do not tell/,
    )
  })
})

describe('text on a terminal', () => {
  test('durations, numbers, cuts and line breaks', () => {
    expect([0.0641, 9.94, 10, 852.4, 999.4, 999.6, 12_345].map(duration)).toEqual([
      '0.064 ms',
      '9.9 ms',
      '10 ms',
      '852 ms',
      '999 ms',
      '1.0 s',
      '12.3 s',
    ])
    expect([plural(0, 'row'), plural(1, 'row'), plural(1200, 'row')]).toEqual(['0 rows', '1 row', '1,200 rows'])
    expect([cut('abc', 3), cut('abcd', 3), cut(wide, 6), cut(wide, 7)]).toEqual(['abc', 'ab…', '日本…', '日本語…'])
    expect(wrap('  a bc  de f', 6, ' ')).toBe('  a bc\n de f')
    expect(visible('\u0000\t\r\n\u001b\u007f\u0085\u2028\u202eä日')).toBe(String.raw`\x00\t\r\n\x1b\x7f\x85\u2028\u202eä日`)
  })
})
