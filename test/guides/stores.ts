import { lmdb } from '@rowkey/lmdb'
import { createMapper, memory, type Mapper, type MapperOptions, type ModelClass, type Repository, type TableSchema } from 'rowkey'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, inject, test } from 'vitest'
import { openStores } from '../stores/open.js'
import '../setup/serve.js'

/** A store on which a design of the guides is tried. */
export interface GuideStore {
  readonly name: string
  /** A mapper whose tables nobody else has. */
  mapper(options?: MapperOptions): Mapper
  /** A table that nobody else has. */
  open<M extends TableSchema | ModelClass>(model: M): Promise<Repository<M>>
}

/** One server of each kind. */
const servers = ['redis', 'dynalite', 'cassandra']

/** The same tests on every store: in process, and in the project that starts servers on those. */
export function onEachStore(suite: (store: GuideStore) => void): void {
  if ((inject('servers') as object | undefined) === undefined) {
    onStore('memory', suite, () => ({ adapter: memory(), close: () => undefined }))
    onStore('lmdb', suite, () => {
      const folder = mkdtempSync(join(tmpdir(), 'rowkey-guides-'))
      const adapter = lmdb(join(folder, 'db'), { sync: false })
      return { adapter, close: () => adapter.close().then(() => rmSync(folder, { recursive: true })) }
    })
    return
  }
  for (const { name, missing, open } of openStores(0).filter((store) => servers.includes(store.name))) {
    if (missing === undefined) onStore(name, suite, open)
    else test.skip(`${name}: ${missing}`, () => undefined)
  }
}

type Opened = Awaited<ReturnType<ReturnType<typeof openStores>[number]['open']>>

function onStore(name: string, suite: (store: GuideStore) => void, openStore: () => Opened | Promise<Opened>): void {
  describe(name, () => {
    let store: Opened | undefined
    let tables = 0
    beforeAll(async () => {
      store = await openStore()
    })
    afterAll(() => store?.close())
    const mapper = (options: MapperOptions = {}): Mapper =>
      createMapper((store as Opened).adapter, { ...options, prefix: `g${process.pid}_${Date.now().toString(36)}_${tables++}_` })
    suite({
      name,
      mapper,
      async open(model) {
        const db = mapper()
        await db.ensureTables([model])
        return db.repository(model)
      },
    })
  })
}
