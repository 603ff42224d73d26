import { type Adapter, createMapper, type Mapper, type Model } from 'rowkey'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf, type GuideStore, type StoreName } from './line.js'
import { linesOfGuides } from './lines.js'

/** An adapter, and what becomes of it after the tests. */
interface Connected {
  readonly adapter: Adapter
  /** Whether tables need not be dropped first. */
  readonly dropsTables?: boolean
  dispose(): unknown
}

/** Every line of the guides on a store. What the store declares to lack has to be refused. */
export function guidesOn(name: StoreName, connect: () => Connected | Promise<Connected>): void {
  let connected: Connected
  const created: [Mapper, readonly Model[]][] = []
  let mappers = 0
  beforeAll(async () => {
    connected = await connect()
  })
  afterAll(async () => {
    if (connected.dropsTables !== true) {
      for (const [db, models] of created) for (const model of models) await db.dropTables([model])
    }
    await connected.dispose()
  })

  const storeOf = (adapter: Adapter): GuideStore => {
    const create: GuideStore['create'] = async (models, options) => {
      const db: Mapper = createMapper(adapter, { prefix: `g${process.pid}x${Date.now().toString(36)}x${mappers++}_`, ...options })
      await db.ensureTables(models)
      created.push([db, models])
      return db
    }
    return { name, adapter, create, open: async (model) => (await create([model])).repository(model) }
  }

  for (const { title, run, refused, only } of Object.values(linesOfGuides()).flat()) {
    if (only?.includes(name) === false) continue
    const code = refused[name]
    if (code === undefined) test(title, () => run(storeOf(connected.adapter)))
    else
      test(`${title}, which ${name} refuses by ${code}`, async () => {
        expect(await codeOf(() => run(storeOf(connected.adapter)))).toBe(code)
      })
  }
}
