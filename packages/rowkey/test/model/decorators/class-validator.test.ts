import { int32, nullable, text } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { Check, Column, KeyColumn, Table, Version } from '#model'
import * as classValidator from 'class-validator'
import { IsEmail, IsOptional, Length, Max, Min, registerDecorator, ValidateIf } from 'class-validator'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { codeOf, refusalOf } from '../../../../../test/kit/refusal.js'

abstract class Named {
  @Check(Length(2, 5)) @Column(text()) name!: string
}

@Table('users', { check: z.object({ age: z.number().nullable() }).refine(({ age }) => age !== 13, 'bad luck') })
class User extends Named {
  @KeyColumn(1, text()) id!: string
  @Check(IsEmail()) @Column(text()) mail!: string
  @Check(IsOptional(), Min(0), Max(150), z.number().multipleOf(1)) @Column(nullable(int32())) age!: number | null
  @Check(ValidateIf(({ name }: User) => name === 'Ann')) @Check(Length(3)) @Column(text({ default: 'xxx' })) note?: string
  @Version() readonly rev!: string
  cached?: number = 1
}

const good = { id: 'a', mail: 'ann@example.org', name: 'Ann', age: 5 }

async function open() {
  const db = createMapper(memory(), { classValidator })
  await db.ensureTables([User])
  return db.repository(User)
}
const issuesOf = async (run: () => unknown) => {
  const { code, details } = await refusalOf(run)
  expect(code).toBe('VALIDATION_FAILED')
  return (details['issues'] as { path: PropertyKey[]; message: string }[]).map(({ path, message }) => `${path.join('.')}: ${message}`)
}

describe('ROW-6: class-validator by @Check', () => {
  test('ROW-6: the same checks as by its own decorators, of parents too, before anything is written', async () => {
    const users = await open()
    expect(await issuesOf(() => users.insert({ ...good, mail: 'x', name: 'A', age: 200, note: 'y' }))).toEqual([
      'mail: mail must be an email',
      'age: age must not be greater than 150',
      'name: name must be longer than or equal to 2 characters',
    ])
    expect(await users.exists({ id: 'a' })).toBe(false)
    expect(await issuesOf(() => users.insert({ ...good, note: 'y' }))).toEqual(['note: note must be longer than or equal to 3 characters'])
    await users.insert({ ...good, name: 'Bob', note: 'y', age: null })
    await users.put(Object.assign(new User(), good))
    expect(await users.get({ id: 'a' })).toMatchObject({ ...good, cached: 1 })
  })

  test('ROW-6: beside Standard Schemas of the column and of the table', async () => {
    const users = await open()
    expect(await issuesOf(() => users.insert({ ...good, age: 13, mail: 'x' }))).toEqual([': bad luck', 'mail: mail must be an email'])
  })

  test('ROW-6: of a patch what it changes', async () => {
    const users = await open()
    await users.insert(good)
    expect(await issuesOf(() => users.update({ id: 'a' }, { mail: 'x' }))).toEqual(['mail: mail must be an email'])
    await users.update({ id: 'a' }, { age: null })
    expect(await issuesOf(() => users.update({ id: 'a' }, { note: 'y' }))).toHaveLength(1)
    expect(await issuesOf(() => users.modify({ id: 'a' }, () => ({ note: 'y' })))).toHaveLength(1)
    await users.modify({ id: 'a' }, () => ({ note: 'yyyy' }))
  })

  test('ROW-6: asynchronous ones are waited for', async () => {
    const free: PropertyDecorator = (object, propertyName) => {
      registerDecorator({
        name: 'free',
        async: true,
        target: object.constructor,
        propertyName: String(propertyName),
        validator: { validate: async (value) => (await Promise.resolve(), value !== 'taken'), defaultMessage: () => 'is taken' },
      })
    }
    @Table('accounts')
    class Account {
      @Check(free) @KeyColumn(1, text()) id!: string
    }
    const db = createMapper(memory(), { classValidator })
    await db.ensureTables([Account])
    const accounts = db.repository(Account)
    expect(await issuesOf(() => accounts.insert({ id: 'taken' }))).toEqual(['id: is taken'])
    await accounts.insert({ id: 'a' })
  })

  test('ROW-6: those that do not say that they are asynchronous too', async () => {
    const free: PropertyDecorator = (object, propertyName) => {
      registerDecorator({
        name: 'free',
        target: object.constructor,
        propertyName: String(propertyName),
        validator: { validate: async (value) => (await Promise.resolve(), value !== 'taken'), defaultMessage: () => 'is taken' },
      })
    }
    @Table('accounts')
    class Account {
      @Check(free, Length(1)) @KeyColumn(1, text()) id!: string
    }
    const db = createMapper(memory(), { classValidator })
    await db.ensureTables([Account])
    expect(await issuesOf(() => db.repository(Account).insert({ id: 'taken' }))).toEqual(['id: is taken'])
  })

  test('ROW-6: the mapper needs the library, only for classes that have its checks', async () => {
    const db = createMapper(memory())
    expect(await codeOf(async () => db.repository(User))).toBe('INVALID_OPTION')
    @Table('others')
    class Other {
      @Check(z.string().min(1)) @KeyColumn(1, text()) id!: string
    }
    await db.ensureTables([Other])
    await db.repository(Other).insert({ id: 'x' })
    expect(await codeOf(async () => createMapper(memory(), { classValidator: {} as never }))).toBe('INVALID_OPTION')
  })
})
