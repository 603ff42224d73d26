import { int32, text } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { Column, KeyColumn, Table } from '#model'
import { expect, test } from 'vitest'
import { alive } from '../../../../../test/setup/garbage.js'

test('a class that the application has dropped is not kept alive, nor are its schema and its rows', async () => {
  const adapter = memory()
  const mappers = [createMapper(adapter), createMapper(adapter, { prefix: 'dev_' })]
  const use = async (): Promise<readonly WeakRef<object>[]> => {
    @Table('made_now')
    class MadeNow {
      @KeyColumn(1, text()) id!: string
      @Column(int32()) n!: number
    }
    const refs: WeakRef<object>[] = [new WeakRef(MadeNow)]
    for (const db of mappers) {
      await db.ensureTables([MadeNow])
      const rows = db.repository(MadeNow)
      for (let n = 0; n < 1200; n++) await rows.put({ id: 'a', n }) // enough that code is compiled for its objects
      const [row] = await rows.scan({ id: 'a' }).toArray()
      refs.push(new WeakRef(rows.schema), new WeakRef(row as MadeNow))
    }
    return refs
  }
  const refs = [...(await use()), ...(await use())]
  expect(await alive(refs)).toBe(0)
})
