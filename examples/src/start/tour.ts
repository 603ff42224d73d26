import type { Loaded } from './load.js'
import type { EventRows, TimelineRows } from './repositories.js'
import type { Report } from './report.js'
import { isRowkeyError } from 'rowkey'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { styleText } from 'node:util'
import { barCharts } from './bar-chart.js'
import { byteRuler } from './byte-ruler.js'
import { cut, duration, indent, number, plural, visible, wrap } from './display.js'
import { instantOf, isoText, type Instant, type Unit } from './instant.js'
import { spreadText } from './spread.js'

/** Where the tour is printed. */
export interface Screen {
  readonly print: (text: string) => void
  readonly colour: boolean
  /** In columns. */
  readonly width: number
}

/** Prints the job for a person, one section per idea, each with the time it took. */
export class Tour {
  private readonly screen: Screen
  /** Columns beside the indentation. */
  private readonly width: number
  private sections = 0

  constructor(screen: Screen) {
    this.screen = screen
    this.width = Math.max(20, screen.width - 3)
  }

  /** `folder`: where the rows stay, if they do. */
  async run(file: string, loaded: Loaded, result: Report, events: EventRows, timeline: TimelineRows, folder?: string): Promise<void> {
    this.loaded(visible(file.replace(/^.*[/\\]/, '')), loaded)
    if (loaded.rows > 0) this.kept(folder)
    const [pair] = result.pairs
    const [newest] = pair === undefined ? [] : await events.scan({ host: pair.host, event: pair.event }, { limit: 1 }).toArray()
    if (pair === undefined || newest === undefined) {
      this.screen.print('\nThere is nothing to show: no record was stored.\nWhat a file needs: npx -y pnpm@12 start --help')
      return
    }
    const { host, event, at, seq } = newest
    const { unit } = loaded
    const iso = (instant: Instant): string => isoText(instant, unit)

    this.section('Rowkeys: columns become bytes that sort')
    const older = pair.count > 1 ? await events.scan({ host, event }, { limit: 1, order: 'reverse' }).toArray() : []
    for (const row of [newest, ...older])
      this.show(byteRuler(events.schema, events.encodeKey({ host: row.host, event: row.event, at: row.at, seq: row.seq }), this.width))
    this.show(byteRuler(timeline.schema, timeline.encodeKey({ at, host, event, seq }), this.width))

    await this.timed('GET: the whole key names one row', async () => {
      const row = await events.getOrThrow({ host, event, at, seq })
      return [this.data(row.host, row.event, iso(row.at), `#${row.seq}`), this.data(row.message ?? '')].filter((line) => line !== '')
    })
    await this.timed(`SCAN: the newest 10 of ${visible(host)}, ${visible(event)}`, async () => {
      const { rows, stats } = await events.scan({ host, event }).page({ size: 10 })
      const lines = rows.map((row) => this.data(iso(row.at), `#${row.seq}`.padEnd(8), row.message ?? ''))
      return [...lines, this.dim(`${plural(stats.examined, 'row')} examined in 1 of 1 bucket`)]
    })
    const [from, to] = [result.window.from, result.window.to].map((epoch) => instantOf(BigInt(epoch), unit)) as [Instant, Instant]
    const window = { at: { gte: from, lt: to } }
    await this.timed('SCAN: a window of time over all hosts, in order', async () => {
      let rows = 0
      const first: string[] = []
      for await (const row of timeline.scan(window)) {
        if (rows++ < 5) first.push(this.data(iso(row.at), row.host, row.event, `#${row.seq}`))
      }
      const merged = `${plural(rows, 'row')} merged from ${plural(timeline.scan(window).explain().buckets.read, 'bucket')}`
      const bounds = wrap(`from ${iso(from)} to ${iso(to)}`, this.width)
      return [this.dim(bounds), ...first, ...(rows > 5 ? [`… ${number(rows - 5)} more`] : []), this.dim(merged)]
    })

    this.section('Rows per bucket: which salt spreads this log?')
    this.show(
      barCharts(
        { name: 'hash', salt: "bucket({ of: ['host', 'event'], count: 16 })", counts: result.buckets.hash },
        { name: 'modulo', salt: "bucket({ of: 'at', modulo: 16 })", counts: result.buckets.modulo },
        this.width,
      ),
    )
    this.show(this.dim(wrap(spreadText(result), this.width)))

    this.section('A scan that would read the whole table is refused')
    this.show(await this.refusal(events, event))

    this.section('explain(): how the window is read')
    this.show(this.tree(timeline.scan(window).explain().text))

    this.section('The models')
    this.show(modelSource(unit))
    this.screen.print(`\n${this.bold('Next')}  ${next.join('\n      ')}`)
  }

  private loaded(name: string, { rows, found, ms, malformed, malformedSamples, conflicts, conflictSamples }: Loaded): void {
    const speed = `${number(Math.round((2 * rows * 1000) / Math.max(ms, 1)))} inserts/s`
    const how = found === 0 ? 'inserted into 2 tables' : `in 2 tables, ${number(found)} of them from an earlier start,`
    const text = `${plural(rows, 'row')} of ${name} ${how} in ${duration(ms)}${rows === 0 || found > 0 ? '' : ` (${speed})`}`
    this.screen.print(`${this.bold('rowkey')}  ${wrap(text, this.width - 5, '        ')}`)
    this.problems('malformed record', malformed, malformedSamples)
    this.problems('conflict', conflicts, conflictSamples)
  }

  private kept(folder: string | undefined): void {
    const where =
      folder === undefined
        ? 'They are in memory and go with this process; --store lmdb --path DIR keeps them.'
        : `They stay in ${visible(resolve(folder))}, where the next start finds them.`
    this.screen.print(this.dim(`        ${wrap(where, this.width - 5, '        ')}`))
  }

  private problems(what: string, count: number, samples: Loaded['malformedSamples']): void {
    if (count === 0) return
    this.screen.print(this.red(`        ${plural(count, what)}${count > samples.length ? `, the first ${samples.length}` : ''}:`))
    for (const { line, reason } of samples) {
      this.screen.print(`        ${wrap(`line ${line}: ${cut(visible(reason), maxReasonLength)}`, this.width - 5, '          ')}`)
    }
  }

  private async refusal(events: EventRows, event: string): Promise<string> {
    try {
      // Written in JavaScript, without the compiler's help: with a defineTable schema this line does not compile.
      await events.scan({ event }).page()
      return 'It was not refused.'
    } catch (error) {
      if (!isRowkeyError(error, 'FULL_SCAN_REFUSED')) throw error
      const message = visible(error.message).replaceAll('. ', '.\n').split('\n')
      const call = this.data(`events.scan({ event: '${event.replaceAll("'", String.raw`\'`)}' })`)
      return [call, ...message.map((line) => wrap(line, this.width))].join('\n')
    }
  }

  /** A line of values of the file, as far as it fits. */
  private data(...values: readonly string[]): string {
    return cut(values.map(visible).join('  ').trimEnd(), this.width)
  }

  /** Lines with branches before them, which go on where a line is broken. */
  private tree(text: string): string {
    const broken = text.split('\n').map((line) => {
      const [branch = ''] = /^[│├└! ]*/.exec(line) ?? []
      return wrap(line, this.width, `${branch.replaceAll('├', '│').replace(/[└!]/g, ' ')}  `)
    })
    return broken.join('\n')
  }

  private async timed(title: string, run: () => Promise<readonly string[]>): Promise<void> {
    const start = performance.now()
    const lines = await run()
    this.section(title, duration(performance.now() - start))
    this.show(lines.join('\n'))
  }

  private section(title: string, time = ''): void {
    const heading = `${++this.sections}  ${cut(title, this.width - time.length - 2)}`
    this.screen.print(`\n${this.bold(heading)}${time === '' ? '' : `  ${this.dim(time)}`}`)
  }

  private show(text: string): void {
    this.screen.print(indent(text))
  }

  private bold(text: string): string {
    return this.screen.colour ? styleText('bold', text) : text
  }

  private dim(text: string): string {
    return this.screen.colour ? styleText('dim', text) : text
  }

  private red(text: string): string {
    return this.screen.colour ? styleText('red', text) : text
  }
}

const next = [
  'your own log         npx -y pnpm@12 start --input FILE.csv',
  'rows that stay       npx -y pnpm@12 start --store lmdb --path DIR',
  'all options          npx -y pnpm@12 start --help',
  'a model of your own  README.md',
  'how it works         ARCHITECTURE.md',
  'the bytes            docs/spec/key-format.md',
]

/** The models as they stand in their file, with the unit of the log. */
function modelSource(unit: Unit): string {
  const source = readFileSync(new URL('../../src/start/models.ts', import.meta.url), 'utf8')
  const [, shown = ''] = /\/\/ #region shown\n([^]*?)\n\/\/ #endregion/.exec(source) ?? []
  return unit === 'ms' ? shown : shown.replaceAll("timestamp('ms')", `timestamp('${unit}')`).replaceAll('at!: Date', 'at!: bigint')
}

const maxReasonLength = 300
