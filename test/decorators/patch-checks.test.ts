import { int32, nullable, text } from '@rowkey/codec'
import { createMapper } from '@rowkey/mapper'
import { memory } from '@rowkey/memory'
import { Column, KeyColumn, Table } from '@rowkey/model'
import * as classValidator from 'class-validator'
import { IsDefined, IsOptional, Length, Max, registerDecorator, ValidateIf, type ValidationArguments } from 'class-validator'
import { describe, expect, test } from 'vitest'
import { refusalOf } from '../store/refusal.js'
import { issuesOf, needsOf, on, open } from '../validation/checked.js'

describe('ROW-6: checks of a patch that depend on other columns', () => {
  @Table('payments')
  class Payment {
    @KeyColumn(1, text()) id!: string
    @Column(text()) kind!: string
    @Column(text()) card!: string
    @Column(nullable(text())) note!: string | null
  }
  on(Payment, 'kind', IsDefined())
  on(
    Payment,
    'card',
    ValidateIf(({ kind }: Payment) => kind === 'card'),
    Length(4),
  )
  on(Payment, 'note', IsOptional(), Length(2))
  const cash = { id: 'a', kind: 'cash', card: '', note: null }

  test('ROW-6: a condition that reads an unknown column is not taken for false', async () => {
    const payments = await open(Payment)
    await payments.put(cash)
    expect(await needsOf(() => payments.update({ id: 'a' }, { card: '1' }))).toEqual(['card', 'kind'])
    expect(await issuesOf(() => payments.update({ id: 'a' }, { card: '1', kind: 'card' }))).toEqual(['card'])
    await payments.update({ id: 'a' }, { card: '1', kind: 'cash' })
  })

  test('ROW-6: nor is a check skipped whose condition the patch makes true', async () => {
    const payments = await open(Payment)
    await payments.put(cash)
    expect(await needsOf(() => payments.update({ id: 'a' }, { kind: 'card' }))).toEqual(['card', 'card'])
    await payments.update({ id: 'a' }, { kind: 'cheque' })
  })

  test('ROW-6: what does not depend on it is left alone, also @IsDefined() of other columns', async () => {
    const payments = await open(Payment)
    await payments.put(cash)
    await payments.update({ id: 'a' }, { note: 'yes' })
    await payments.update({ id: 'a' }, { note: null })
    await payments.update({ id: 'a' }, {})
    expect(await issuesOf(() => payments.update({ id: 'a' }, { note: 'y' }))).toEqual(['note'])
  })

  test('ROW-6: the error names the row of a list', async () => {
    const db = createMapper(memory(), { classValidator })
    await db.ensureTables([Payment])
    const { op } = db.repository(Payment)
    const { code, details } = await refusalOf(() => db.write([op.put(cash), op.update({ id: 'a' }, { kind: 'card' })]))
    expect([code, details['index']]).toEqual(['CHECK_NEEDS_ROW', 1])
  })

  test('ROW-6: a storage that somebody watches stays watched', async () => {
    const storage = classValidator.getMetadataStorage()
    const original = storage.getTargetValidationMetadatas.bind(storage)
    let asked = 0
    storage.getTargetValidationMetadatas = (...args) => (asked++, original(...args))
    try {
      const payments = await open(Payment)
      await payments.put(cash)
      const before = asked
      expect(await issuesOf(() => payments.update({ id: 'a' }, { note: 'y' }))).toEqual(['note'])
      await payments.put(cash)
      expect(asked).toBe(before + 1)
    } finally {
      Reflect.deleteProperty(storage, 'getTargetValidationMetadatas')
    }
  })

  test('ROW-6: an error of the library without a reason is a refusal as well', async () => {
    const library = { ...classValidator, validate: () => Promise.resolve([{ property: 'note' }]) }
    const db = createMapper(memory(), { classValidator: library })
    await db.ensureTables([Payment])
    expect(await issuesOf(() => db.repository(Payment).put(cash))).toEqual(['note'])
  })

  /** A row from a to b with one check of `to`, and what `update()` of this patch is refused with. */
  async function refusal(patch: { from?: number; to?: number; note?: string }, ...checks: readonly PropertyDecorator[]): Promise<unknown> {
    @Table('ranges')
    class Range {
      @KeyColumn(1, text()) id!: string
      @Column(int32()) from!: number
      @Column(int32()) to!: number
      @Column(text()) note!: string
    }
    on(Range, 'to', ...checks)
    const ranges = await open(Range)
    await ranges.put({ id: 'a', from: 1, to: 1, note: 'x' })
    let isWritten = false
    const update = async (): Promise<void> => {
      await ranges.update({ id: 'a' }, patch)
      isWritten = true
    }
    return needsOf(update).catch((error: unknown) => (isWritten ? 'nothing' : Promise.reject(error as Error)))
  }
  const checked =
    (validate: (value: unknown, args: ValidationArguments) => boolean | Promise<boolean>, constraints: unknown[] = []): PropertyDecorator =>
    ({ constructor: target }, propertyName) => {
      registerDecorator({ target, propertyName: String(propertyName), constraints, validator: { validate } })
    }
  const fromOf = ({ object }: ValidationArguments): number => (object as { from: number }).from

  test('ROW-6: a check that reads an unknown column cannot be decided, also later', async () => {
    const tolerant = (value: unknown, args: ValidationArguments): boolean => !(Number(value) < fromOf(args))
    expect(await refusal({ to: 0 }, checked(tolerant))).toEqual(['to', 'from'])
    expect(
      await refusal(
        { to: 0 },
        checked(async (value, args) => (await Promise.resolve(), tolerant(value, args))),
      ),
    ).toEqual(['to', 'from'])
    expect(
      await refusal(
        { to: 0 },
        checked((_, { object }) => Object.keys({ ...object }).length > 0),
      ),
    ).toEqual(['to', 'from', 'note'])
    expect(await refusal({ to: 0, from: 1 }, checked(tolerant))).toBe('VALIDATION_FAILED')
    expect(await refusal({ to: 3, from: 1 }, checked(tolerant))).toBe('nothing')
  })

  test('ROW-6: a check whose constraints name a column that the patch sets', async () => {
    const isAfter = checked(
      (value, args) => Number(value) >= Number((args.object as Record<string, unknown>)[String(args.constraints[0])]),
      ['from'],
    )
    expect(await refusal({ from: 5 }, isAfter)).toEqual(['to', 'to'])
    expect(await refusal({ note: 'y' }, isAfter)).toBe('nothing')
    expect(await refusal({ from: 5, to: 6 }, isAfter)).toBe('nothing')
    expect(await refusal({ from: 5, to: 4 }, isAfter)).toBe('VALIDATION_FAILED')
  })

  test('ROW-6: conditions that read an unknown column first, throw on it, look at the value or belong to one check', async () => {
    interface Given {
      readonly note: string
      readonly from: number
    }
    expect(
      await refusal(
        { from: 9 },
        ValidateIf((o: Given) => o.note === 'x' && o.from > 3),
        Max(1),
      ),
    ).toEqual(['to', 'note', 'to'])
    expect(
      await refusal(
        { from: 9 },
        ValidateIf((o: Given) => o.note.length > 1 && o.from > 3),
        Max(1),
      ),
    ).toEqual(['to', 'note', 'to'])
    expect(
      await refusal(
        { from: 9 },
        ValidateIf((o: Given, to) => o.from > 3 && (to as number) > 1),
        Max(1),
      ),
    ).toEqual(['to', 'to'])
    expect(await refusal({ from: 9 }, Max(1, { validateIf: (o: Given) => o.from > 3 }))).toEqual(['to', 'to'])
    expect(await refusal({ to: 9 }, Max(1, { validateIf: (o: Given) => o.from > 3 }))).toEqual(['to', 'from'])
    expect(
      await refusal(
        { to: 9 },
        ValidateIf((o: Given) => o.note.length > 3),
        Max(1),
      ),
    ).toEqual(['to', 'note'])
    expect(
      await refusal(
        { note: 'y' },
        ValidateIf((o: Given) => o.from > 3),
        Max(1),
      ),
    ).toBe('nothing')
  })
})

describe('ROW-6: an update never makes a valid row invalid', () => {
  const names = ['a', 'b', 'c'] as const
  type Triple = Record<(typeof names)[number], 0 | 1>
  const triples = names.reduce<Partial<Triple>[]>(
    (all, name) => all.flatMap((each) => [each, { ...each, [name]: 0 }, { ...each, [name]: 1 }]),
    [{}],
  )
  const rows = triples.filter((each): each is Triple => Object.keys(each).length === names.length)

  /** As people write them; compiled from text, because their text is looked at. */
  const conditions = names.flatMap((p) =>
    names.flatMap((q) => [
      `(o) => o.${p} === 1`,
      `(o) => o.${p} !== 1`,
      `(o) => o.${p} === 1 && o['${q}'] === 1`,
      `(o) => o.${p} === 0 || o?.${q} === 1`,
      `({ ${p}, ...o }) => ${p} === 1 || o.${q} === 0`,
      `(o) => { const { ${p} } = o; return ${p} === 1 }`,
      `(o, value) => value === 1 && o.${p} === 1`,
      `(...[o, value]) => o.${p} === 1 && value === 1`,
      `(o, value) => value === 1`,
      `() => true`,
    ]),
  )
  const compiled = (text: string): ((object: object, value: unknown) => boolean) =>
    (new Function(`return ${text}`) as () => (object: object, value: unknown) => boolean)()

  /** How many updates ended in what, if `b` has a check with this condition. */
  async function outcomes(condition: string): Promise<Record<string, number>> {
    @Table('triples')
    class Numbers {
      @KeyColumn(1, text()) id!: string
      @Column(int32()) a!: number
      @Column(int32()) b!: number
      @Column(int32()) c!: number
    }
    on(Numbers, 'b', ValidateIf(compiled(condition)), Max(0))
    const isValid = (given: object): boolean =>
      classValidator.validateSync(Object.assign(new Numbers(), { id: 'x', ...given })).length === 0
    const seen: Record<string, number> = {}
    const numbers = await open(Numbers)
    for (const row of rows.filter(isValid)) {
      for (const patch of triples) {
        await numbers.put({ id: 'x', ...row })
        const valid = isValid({ ...row, ...patch })
        const code = await numbers.update({ id: 'x' }, patch).then(
          () => 'written',
          (error: unknown) => (error as { code: string }).code,
        )
        const outcome = `${valid ? 'valid' : 'invalid'} ${code}`
        seen[outcome] = (seen[outcome] ?? 0) + 1
      }
    }
    return seen
  }

  test('ROW-6: of each condition, row and patch', async () => {
    const total: Record<string, number> = {}
    for (const condition of conditions) {
      const seen = await outcomes(condition)
      expect(Object.keys(seen), condition).not.toContain('invalid written')
      expect(Object.keys(seen), condition).not.toContain('valid VALIDATION_FAILED')
      for (const [outcome, count] of Object.entries(seen)) total[outcome] = (total[outcome] ?? 0) + count
    }
    expect(Object.keys(total).toSorted()).toEqual([
      'invalid CHECK_NEEDS_ROW',
      'invalid VALIDATION_FAILED',
      'valid CHECK_NEEDS_ROW',
      'valid written',
    ])
  })
})
