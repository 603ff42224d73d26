import { type Adapter, createMapper, defineTable, isRowkeyError, nullable, text } from 'rowkey'
import { isLong, scaled } from '@rowkey/servers/scale'
import { expect, test } from 'vitest'
import { seed, seeded } from '../kit/seeded.js'
import { openProxy, type Proxy } from '../setup/proxy.js'
import { randomHistory, Tables, type Focus, type Kind } from './clients.js'
import { faultOf, summary } from './judge.js'
import type { LastWrite } from './linearise.js'

/** Of histories per store, and lost answers. In a shorter history a slow store does next to nothing. */
const milliseconds = Math.max(1500, scaled(3000))
const lostAnswers = scaled(100)

/** A client of a store, at the port of a wire to it. */
interface Opened {
  readonly adapter: Adapter
  close(): unknown
}

export interface StoreUnderFaults {
  readonly name: string
  readonly port: number
  open(port: number): Promise<Opened> | Opened
  readonly hasBatches: boolean
  /** Whether a client survives that its connections are cut at any time. Where it does not, answers come too late instead. */
  readonly survivesCuts: boolean
  /** What decides in plain tables; `instants` by default. */
  readonly plainWrites?: LastWrite
  /** Whether a write may only ask whether its row exists: then nothing is called that needs more. Default false. */
  readonly asksPresenceOnly?: boolean
}

/** Tests that break the wires between clients and a store, and look whether what the clients were told can be true. */
export function underFaults(store: StoreUnderFaults): void {
  const { asksPresenceOnly = false } = store
  const kinds = (Object.keys(Tables) as Kind[]).filter((kind) => !asksPresenceOnly || kind !== 'versioned')
  const runs = kinds.flatMap((kind): readonly { readonly kind: Kind; readonly focus: Focus; readonly what: string }[] => [
    { kind, focus: 'rows', what: 'rows' },
    ...(kind === 'plain' || asksPresenceOnly ? [] : [{ kind, focus: 'changes' as const, what: 'rows that the store changes by itself' }]),
  ])
  for (const { kind, focus, what } of runs) {
    test(`WRITE-8 WRITE-11: ${kind} ${what}: what clients were told over broken wires can be explained`, { timeout: 300_000 }, async () => {
      const wires = [await openProxy(store.port), await openProxy(store.port)]
      const clients = [await store.open(store.port), ...(await Promise.all([...wires, ...wires].map(async ({ port }) => store.open(port))))]
      let isDone = false
      const breaking = Promise.all(wires.map((wire, i) => breakWire(wire, seed * 10 + i, store.survivesCuts, () => isDone)))
      const history = await randomHistory({
        adapters: clients.map(({ adapter }) => adapter),
        kind,
        focus,
        milliseconds: milliseconds / 3,
        seed,
        hasBatches: store.hasBatches,
        prefix: `h${Date.now().toString(36)}_`,
      })
      isDone = true
      await breaking
      console.log(summary(`${store.name}, ${kind} ${focus}`, history))
      try {
        expect(faultOf(history, kind === 'plain' ? store.plainWrites : undefined)).toBeUndefined()
        expect(history.ends['done']).toBeGreaterThan(10) // else nothing was looked at
      } finally {
        await Promise.all(clients.map(({ close }) => close()))
        await Promise.all(wires.map((wire) => wire.close()))
      }
    })
  }

  test(`WRITE-11: lost answers undo no write of another client`, { timeout: 3_600_000 }, () => loseAnswers(store))
}

/** Cuts, holds and loses what goes over a wire, now and then, and leaves it whole. */
async function breakWire(wire: Proxy, number: number, mayCut: boolean, isDone: () => boolean): Promise<void> {
  const random = seeded(number)
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
  const hold = async (most: number): Promise<void> => {
    wire.holdAnswers(true)
    await pause(20 + random.below(most))
    wire.holdAnswers(false, mayCut && random.next() < 0.5)
  }
  const cuts: readonly (() => unknown)[] = [
    () => wire.cut(),
    () => wire.cutAfter(random.below(2000)),
    () => wire.swallow(1 + random.below(5)),
    () => hold(300),
    async () => {
      await wire.refuse(true)
      await pause(random.below(200))
      await wire.refuse(false)
    },
  ]
  while (!isDone()) {
    await pause(100 + random.below(400))
    await (mayCut ? cuts[random.below(cuts.length)]?.() : hold(1200))
  }
  wire.cutAfter(Infinity)
  wire.swallow(Infinity)
}

const columns = { k: text(), v: nullable(text()) }
const Rows = {
  conditional: defineTable('lost_conditional', { columns, key: ['k'] }),
  plain: defineTable('lost_plain', { columns, key: ['k'], writes: 'plain' }),
}

/** A's put or delete is applied and its answer lost; B sees that, writes, and is acknowledged: what B has written must stay. */
async function loseAnswers({ name, port, open, survivesCuts }: StoreUnderFaults): Promise<void> {
  const wire = await openProxy(port)
  const [a, b] = [await open(wire.port), await open(port)]
  const prefix = `l${Date.now().toString(36)}_`
  const [dbA, dbB] = [a, b].map(({ adapter }) => createMapper(adapter, { prefix, retry: { attempts: 2 } })) as [
    ReturnType<typeof createMapper>,
    ReturnType<typeof createMapper>,
  ]
  await dbB.ensureTables(Object.values(Rows))
  for (const model of Object.values(Rows)) {
    // Statements and scripts are known from here on.
    await dbA.repository(model).put({ k: 'warm', v: 'x' })
    await dbA.repository(model).delete({ k: 'warm' })
  }
  const ends: Record<string, number> = {}
  const undone: string[] = []
  // Where nothing is cut, a round takes as long as the client waits.
  const rounds = survivesCuts || isLong ? lostAnswers : lostAnswers / 5
  for (let round = 0; round < rounds; round++) {
    const model = round % 2 === 0 ? Rows.conditional : Rows.plain
    const [mine, theirs] = [dbA.repository(model), dbB.repository(model)]
    const isDelete = round % 4 >= 2
    const key = { k: `round ${round}` }
    if (isDelete) await theirs.put({ ...key, v: 'first' })
    await comeBack(() => mine.get(key))
    wire.holdAnswers(true)
    const write = (isDelete ? mine.delete(key) : mine.put({ ...key, v: 'A' })).then(
      () => 'applied',
      (error: unknown) => (isRowkeyError(error) ? error.code : String(error)),
    )
    const isSeen = async (): Promise<boolean> => (await theirs.get(key))?.v === (isDelete ? undefined : 'A')
    let seen = await isSeen()
    for (let look = 0; look < 400 && !seen; look++) {
      await new Promise((resolve) => setTimeout(resolve, 2))
      seen = await isSeen()
    }
    await theirs.put({ ...key, v: 'B' })
    if (!survivesCuts) await write // the client waits for its answer no longer
    wire.holdAnswers(false, survivesCuts)
    const end = `${seen ? '' : 'not seen, '}${await write}`
    ends[end] = (ends[end] ?? 0) + 1
    const found = (await theirs.get(key))?.v
    if (seen && found !== 'B') undone.push(`round ${round}, ${model.name}: ${String(found)} after ${end}`)
  }
  console.log(`${name}: ${rounds} lost answers: ${JSON.stringify(ends)}`)
  expect(undone).toEqual([])
  expect(Object.entries(ends).reduce((sum, [end, count]) => (end.startsWith('not seen') ? sum : sum + count), 0)).toBeGreaterThan(
    rounds / 2,
  )
  await Promise.all([a.close(), b.close(), wire.close()])
}

/** A client whose connection was cut comes back in its own time. */
async function comeBack(run: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await run()
      return
    } catch (error) {
      if (attempt === 200) throw error
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
}
