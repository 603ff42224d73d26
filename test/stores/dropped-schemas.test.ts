import { expect, test } from 'vitest'
import { alive } from '../setup/garbage.js'
import { dropped, mappersOf, uses } from './dropped.js'
import { openStores } from './open.js'

for (const { name, open, missing } of await openStores(1)) {
  const title = `a schema that the application has dropped is not kept alive on ${name}`
  if (missing !== undefined) test.skip(`${title}: ${missing}`, () => undefined)
  else
    test(title, async () => {
      const { adapter, close } = await open()
      const mappers = await mappersOf(adapter, `dropped${process.pid}`)
      for (const [what, use] of Object.entries(uses)) {
        const refs: WeakRef<object>[] = []
        for (const db of mappers) refs.push(...(await dropped(db, use)))
        expect(await alive(refs), what).toBe(0)
      }
      await adapter.close()
      await close()
    })
}
