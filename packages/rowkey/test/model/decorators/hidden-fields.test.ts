import { text } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { Column, KeyColumn, Table } from '#model'
import { expect, test } from 'vitest'
import { refusalOf } from '../../../../../test/kit/refusal.js'

// Fields without a value, under useDefineForClassFields: false, are nowhere at run time. Written as that compiler makes them of
// `@KeyColumn(1, text()) id!: string; @KeyColumn(2, text()) no!: string; @Column(text()) name = ''; temp?: string`.

class Hiding {
  declare id: string
  declare no: string
  declare name: string
  declare temp?: string
  constructor() {
    Object.assign(this, { name: '' })
  }
}
KeyColumn(1, text())(Hiding.prototype as never, 'id' as never)
KeyColumn(2, text())(Hiding.prototype as never, 'no' as never)
Column(text())(Hiding.prototype as never, 'name' as never)
Table('hiding')(Hiding)

@Table('showing')
class Showing {
  @KeyColumn(1, text()) id!: string
  @KeyColumn(2, text()) no!: string
  @Column(text()) name = ''
  temp?: string
}

const hint =
  / If 'temp' is a field of the class that is not stored, give it an initial value, such as undefined, or compile with useDefineForClassFields: true/
const row = { id: 'a', no: '1', name: 'x' }

test('a field that cannot be seen is not taken for a typing error without a word', async () => {
  const db = createMapper(memory())
  await db.ensureTables([Hiding])
  const rows = db.repository(Hiding)
  await rows.put(Object.assign(new Hiding(), row))
  const read = await rows.getOrThrow({ id: 'a', no: '1' })
  read.temp = 'only here'
  const put = await refusalOf(() => rows.put(read))
  const get = await refusalOf(() => rows.get({ ...read }))
  for (const { code, message, details } of [put, get]) {
    expect([code, details['column']]).toEqual(['UNKNOWN_COLUMN', 'temp'])
    expect(message).toMatch(hint)
  }
  await rows.update(read, { name: 'y' })
})

test('the line that declares a key says that it may lack fields', async () => {
  const { message } = await refusalOf(() => createMapper(memory()).repository(Hiding).get({ id: 'a' }))
  expect(message).toMatch(
    /declare \[RowKey\]\?: \{ key: \['id', 'no'\]; value: 'name' \}\. If the class has fields that are not columns, name them too, as in other: /,
  )
})

test('where fields can be seen, they are known, and nothing is said', async () => {
  const db = createMapper(memory())
  await db.ensureTables([Showing])
  const rows = db.repository(Showing)
  await rows.put(Object.assign(new Showing(), row, { temp: 'only here' }))
  expect((await refusalOf(() => rows.put({ ...row, tmp: 1 } as never))).message).not.toMatch(/useDefine/)
  const { message } = await refusalOf(() => rows.get({ id: 'a' }))
  expect(message).toMatch(/; other: 'temp' \}\.$/)
})
