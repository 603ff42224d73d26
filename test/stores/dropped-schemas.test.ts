import { expect } from 'vitest'
import { alive } from '../setup/garbage.js'
import { dropped, mappersOf, uses } from './dropped.js'
import { openStores, testOn } from './open.js'

for (const store of await openStores(1)) {
  testOn(store, `a schema that the application has dropped is not kept alive on ${store.name}`, {}, async () => {
    const { adapter, close } = await store.open()
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
