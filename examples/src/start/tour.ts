import type { EventRows, Loaded, TimelineRows } from './load.js'
import type { Report } from './report.js'
import { isRowkeyError } from 'rowkey'
import { readFileSync } from 'node:fs'
import { styleText } from 'node:util'
import { barCharts } from './bar-chart.js'
import { byteRuler } from './byte-ruler.js'

/** Prints the job for a person, one section per idea, each with the time it took. */
export class Tour {
  private readonly print: (text: string) => void
  private readonly colour: boolean
  private sections = 0

  constructor(print: (text: string) => void, colour: boolean) {
    this.print = print
    this.colour = colour
  }

  async run(file: string, loaded: Loaded, result: Report, events: EventRows, timeline: TimelineRows): Promise<void> {
    this.loaded(file, loaded)
    const [pair] = result.pairs
    if (pair === undefined) return
    const [newest] = await events.scan({ host: pair.host, event: pair.event }, { limit: 1 }).toArray()
    if (newest === undefined) return
    const { host, event, at, seq } = newest

    this.section('Rowkeys: columns become bytes that sort')
    const older = pair.count > 1 ? await events.scan({ host, event }, { limit: 1, reverse: true }).toArray() : []
    for (const row of [newest, ...older])
      this.print(indent(byteRuler(events.schema, events.encodeKey({ host: row.host, event: row.event, at: row.at, seq: row.seq }))))
    this.print(indent(byteRuler(timeline.schema, timeline.encodeKey({ at, host, event, seq }))))

    await this.timed('GET: the whole key names one row', async () => {
      const row = await events.getOrThrow({ host, event, at, seq })
      return `${row.host}  ${row.event}  ${row.at.toISOString()}  #${row.seq}\n${cut(row.message ?? '', 100)}`
    })
    await this.timed(`SCAN: the newest 10 of ${host}, ${event}`, async () => {
      const { rows, stats } = await events.scan({ host, event }, { limit: 10 }).page()
      const lines = rows.map((row) => `${row.at.toISOString()}  #${String(row.seq).padEnd(8)} ${cut(row.message ?? '', 70)}`)
      return [...lines, this.dim(`${stats.examined} rows examined in 1 of 1 buckets`)].join('\n')
    })
    const { from, to } = result.window
    const window = { at: { gte: new Date(from), lt: new Date(to) } }
    await this.timed(`SCAN: everything from ${iso(from)} to ${iso(to)}, over all hosts, in order`, async () => {
      let rows = 0
      const first: string[] = []
      for await (const row of timeline.scan(window)) {
        if (rows++ < 5) first.push(`${row.at.toISOString()}  ${row.host}  ${row.event}  #${row.seq}`)
      }
      return [
        ...first,
        ...(rows > 5 ? [`… ${number(rows - 5)} more`] : []),
        this.dim(`${number(rows)} rows merged from ${timeline.scan(window).explain().buckets.read} buckets`),
      ].join('\n')
    })

    this.section('Rows per bucket: which salt spreads this log?')
    this.print(
      indent(
        barCharts(
          { title: "bucket({ of: ['host', 'event'], count: 16 })", counts: result.buckets.hash },
          { title: "bucket({ of: 'at', modulo: 16 })", counts: result.buckets.modulo },
        ),
      ),
    )
    this.print(indent(this.dim('A hash keeps one host and event in one bucket; a modulo spreads milliseconds well, whole seconds badly.')))

    this.section('A scan that would read the whole table is refused')
    this.print(indent(await refusal(events)))

    this.section('explain(): how the window is read')
    this.print(indent(timeline.scan(window).explain().text))

    this.section('The models')
    this.print(indent(modelSource()))
    this.print(
      `\n${this.bold('Next')}  your own log: pnpm start --input FILE.csv    all options: pnpm start --help\n      a model of your own: README.md    how it works: ARCHITECTURE.md    the bytes: docs/spec/key-format.md`,
    )
  }

  private loaded(file: string, { rows, ms, malformed, malformedSamples, conflicts, conflictSamples }: Loaded): void {
    const name = file.replace(/^.*[/\\]/, '')
    this.print(
      `${this.bold('rowkey')}  ${number(rows)} rows of ${name} inserted into 2 tables in ${duration(ms)} (${number(Math.round((2 * rows * 1000) / Math.max(ms, 1)))} inserts/s)`,
    )
    this.problems('malformed record', malformed, malformedSamples)
    this.problems('conflict', conflicts, conflictSamples)
  }

  private problems(what: string, count: number, samples: Loaded['malformedSamples']): void {
    if (count === 0) return
    this.print(
      this.red(
        `        ${number(count)} ${what}${count === 1 ? '' : 's'}${count > samples.length ? `, the first ${samples.length}` : ''}:`,
      ),
    )
    for (const { line, reason } of samples) this.print(`        line ${line}: ${reason}`)
  }

  private async timed(title: string, run: () => Promise<string>): Promise<void> {
    const start = performance.now()
    const text = await run()
    this.section(title, duration(performance.now() - start))
    this.print(indent(text))
  }

  private section(title: string, time = ''): void {
    this.print(`\n${this.bold(`${++this.sections}  ${title}`)}${time === '' ? '' : `  ${this.dim(time)}`}`)
  }

  private bold(text: string): string {
    return this.colour ? styleText('bold', text) : text
  }

  private dim(text: string): string {
    return this.colour ? styleText('dim', text) : text
  }

  private red(text: string): string {
    return this.colour ? styleText('red', text) : text
  }
}

async function refusal(events: EventRows): Promise<string> {
  try {
    // Written in JavaScript, without the compiler's help: with a defineTable schema this line does not compile.
    await events.scan({ event: 'Config' }).page()
    return 'It was not refused.'
  } catch (error) {
    if (!isRowkeyError(error, 'FULL_SCAN_REFUSED')) throw error
    return `logs.scan({ event: 'Config' })\n${error.message.replaceAll('. ', '.\n')}`
  }
}

function modelSource(): string {
  const source = readFileSync(new URL('../../src/start/models.ts', import.meta.url), 'utf8')
  const [, shown = ''] = /\/\/ #region shown\n([^]*?)\n\/\/ #endregion/.exec(source) ?? []
  return shown
}

const indent = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? line : `   ${line}`))
    .join('\n')
const number = (value: number): string => value.toLocaleString('en-US')
const duration = (ms: number): string => (ms < 1000 ? `${ms.toPrecision(2)} ms` : `${(ms / 1000).toFixed(1)} s`)
const iso = (ms: number): string => new Date(ms).toISOString()
const cut = (text: string, width: number): string => (text.length > width ? `${text.slice(0, width - 1)}…` : text)
