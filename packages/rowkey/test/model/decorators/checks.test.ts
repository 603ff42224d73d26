import { text } from '#codec'
import { Check, Column, KeyColumn, schemaOf, Table, Ttl, Version, type StandardSchema } from '#model'
import { expect, test } from 'vitest'
import { problemCodes } from '../problems-of.js'

const standard: StandardSchema = { '~standard': { version: 1, vendor: 'test', validate: () => ({}) } }
const schemaFunction = Object.assign(() => undefined, standard)

test('@Check: Standard Schemas are kept, legacy decorators are applied once, to the class that declares them', () => {
  const applied: [target: object, name: string | symbol][] = []
  const legacy: PropertyDecorator = (target, name) => void applied.push([target, name])
  class Base {
    @Check(standard, legacy) @KeyColumn(1, text()) id!: string
  }
  @Table('first_ones', { check: standard })
  class First extends Base {
    @Check(legacy) @Check(schemaFunction) @Column(text()) note!: string
  }
  @Table('other_ones')
  class Other extends Base {}
  expect(applied).toEqual([])
  schemaOf(First)
  schemaOf(Other)
  schemaOf(First)
  expect(applied).toEqual([
    [Base.prototype, 'id'],
    [First.prototype, 'note'],
  ])
  expect(schemaOf(First).checks).toEqual({
    row: [standard],
    columns: [
      { name: 'id', checks: [standard] },
      { name: 'note', checks: [schemaFunction] },
    ],
    classValidator: true,
  })
  expect(schemaOf(Other).checks?.columns).toEqual([{ name: 'id', checks: [standard] }])
})

test('@Check: what is no check, and what is no column', () => {
  @Table('wrong_checks')
  class Wrong {
    @Check({} as never) @KeyColumn(1, text()) id!: string
    @Check(standard) beside!: string
    @Check(() => {
      throw new TypeError('not me')
    })
    @Column(text())
    note!: string
  }
  expect(problemCodes(() => schemaOf(Wrong)).toSorted()).toEqual(['INVALID_CHECK beside', 'INVALID_CHECK id', 'INVALID_CHECK note'])
})

test('@Ttl and @Version: once, inherited, and with a field of text', () => {
  @Ttl('1d')
  class Base {
    @KeyColumn(1, text()) id!: string
    @Version() rev?: string | null
  }
  @Table('inherits')
  class Inherits extends Base {}
  @Table('own_ones')
  @Ttl('2d')
  class Own extends Base {}
  @Table('twice_both')
  @Ttl('1d')
  @Ttl('2d')
  class Twice extends Base {
    @Version() rev2!: string
  }
  @Table('plain_one', { writes: 'plain' })
  class Plain extends Base {}
  @Table('wrong_ttl')
  @Ttl(undefined as never)
  class WrongTtl extends Base {}
  expect([schemaOf(Inherits).ttl, schemaOf(Own).ttl]).toEqual([86_400_000, 172_800_000])
  expect(schemaOf(Inherits).columns.map(({ name }) => name)).toEqual(['id', 'rk_expires', 'rev'])
  expect(problemCodes(() => schemaOf(Twice))).toEqual(['INVALID_TTL', 'INVALID_VERSION rev2'])
  expect(problemCodes(() => schemaOf(Plain))).toEqual(['INVALID_VERSION rev'])
  expect(problemCodes(() => schemaOf(WrongTtl))).toEqual(['INVALID_TTL'])
})
