import {
  ArrayMaxSize,
  IsDefined,
  IsIn,
  IsInt,
  IsOptional,
  Length,
  Max,
  Min,
  NotEquals,
  registerDecorator,
  Validate,
  ValidateBy,
  ValidateIf,
  type ValidationArguments,
  type ValidatorConstraintInterface,
} from 'class-validator'
import fc from 'fast-check'

/** The value columns of a random row. */
export interface Values {
  readonly a: number
  readonly b: number
  readonly c: number | null
  readonly text: string
  readonly list: readonly number[]
}

/** Checks of one property. */
export interface RandomCheck {
  readonly what: string
  readonly property: string
  readonly decorators: readonly PropertyDecorator[]
}

/** What the class of the rows has besides its columns. */
export interface Rich extends Values {
  readonly sum: number
  isGreat(): boolean
}

type Name = 'a' | 'b' | 'c'
type Judge = (value: unknown, args: ValidationArguments) => boolean | Promise<boolean>

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : -1)
const read = (object: unknown, name: string): number => numberOf(Reflect.get(object as object, name))

const registered =
  (validate: Judge, more: { name?: string; constraints?: unknown[] } = {}): PropertyDecorator =>
  ({ constructor: target }, propertyName) => {
    registerDecorator({ target, propertyName: String(propertyName), validator: { validate }, ...more })
  }

class NotAbove implements ValidatorConstraintInterface {
  validate(value: unknown, { object, constraints }: ValidationArguments): boolean {
    return numberOf(value) <= read(object, String(constraints[0]))
  }
}

/** Messages that are functions see the value, which a check of the library has refused. */
const message = ({ value, object }: ValidationArguments): string => `${numberOf(value).toFixed(1)} of ${object.constructor.name}`
const strict = ({ value }: ValidationArguments): string => (value as number | string).toString()

/** Decorators of one property, as people write them: with helpers, methods, destructuring, what is read last, and messages of their own. */
const kinds: Readonly<Record<string, (limit: number, other: Name) => PropertyDecorator[]>> = {
  max: (limit) => [IsOptional(), Max(limit)],
  min: (limit) => [IsOptional(), Min(limit)],
  'no null': () => [IsDefined(), IsInt()],
  'computed message': (limit) => [IsOptional(), Max(limit, { message })],
  'message that needs a value': (limit) => [IsOptional({ message: strict }), Max(limit, { message: strict }), IsInt({ message: strict })],
  'one of several': (limit) => [IsOptional(), IsIn([0, limit])],
  not: (limit) => [NotEquals(limit)],
  condition: (limit, other) => [ValidateIf((o: Values) => o[other] === limit), Max(1)],
  'condition in a helper': (limit, other) => [ValidateIf((o: object) => read(o, other) > limit), Max(1)],
  'condition in a method': () => [ValidateIf((o: Rich) => o.isGreat()), Max(1)],
  'condition by an accessor': (limit) => [ValidateIf((o: Rich) => o.sum > limit), Max(1)],
  'destructured condition': (limit, other) => [ValidateIf(({ text, ...rest }: Values) => text === '' || rest[other] === limit), Max(1)],
  'condition of one check': (limit, other) => [IsOptional(), Max(1, { validateIf: (o: Values) => o[other] === limit }), IsInt()],
  'check that reads another column': (limit, other) => [
    registered((value, { object }) => numberOf(value) + read(object, other) <= limit + 1),
  ],
  'check that reads it last': (limit, other) => [
    registered((value, { object }) => numberOf(value) < limit || read(object, other) > 0, { name: 'isUnusual' }),
  ],
  'asynchronous check': (limit, other) => [
    registered(async (value, { object }) => (await Promise.resolve(), numberOf(value) <= read(object, other) + limit)),
  ],
  'check of all columns': (limit) => [registered((_, { object }) => JSON.stringify(object).split('1').length <= limit + 2)],
  'constraint class': (_, other) => [Validate(NotAbove, [other])],
  'made with ValidateBy': (limit, other) => [
    ValidateBy({
      name: 'isNear',
      constraints: [other],
      validator: {
        validate: (value, args) =>
          args !== undefined && Math.abs(numberOf(value) - read(args.object, String(args.constraints[0]))) <= limit,
      },
    }),
  ],
}

const limits = fc.integer({ min: 0, max: 2 })
const columns = fc.constantFrom<readonly [string, Name]>(
  ['a', 'b'],
  ['a', 'c'],
  ['b', 'a'],
  ['b', 'c'],
  ['c', 'a'],
  ['c', 'b'],
  ['sum', 'c'],
)
const ofNumber: fc.Arbitrary<RandomCheck> = fc
  .record({ kind: fc.constantFrom(...Object.keys(kinds)), columns, limit: limits })
  .map(({ kind, columns: [property, other], limit }) => ({
    what: `${property}: ${kind} ${limit} ${other}`,
    property,
    decorators: (kinds[kind] as (limit: number, other: Name) => PropertyDecorator[])(limit, other),
  }))
const ofOthers: fc.Arbitrary<RandomCheck> = limits.map((limit) =>
  limit === 0
    ? { what: 'text: length', property: 'text', decorators: [Length(0, 2, { message: strict })] }
    : { what: 'list: size', property: 'list', decorators: [ArrayMaxSize(limit, { message: strict }), IsIn([0, 1], { each: true })] },
)

/** Checks of a class: few, because a single one that reads other columns hides whether another is taken for one that does not. */
export const randomChecks: fc.Arbitrary<readonly RandomCheck[]> = fc.array(fc.oneof({ arbitrary: ofNumber, weight: 4 }, ofOthers), {
  minLength: 1,
  maxLength: 2,
})

const values: { readonly [N in keyof Values]: fc.Arbitrary<Values[N]> } = {
  a: fc.integer({ min: 0, max: 3 }),
  b: fc.integer({ min: 0, max: 3 }),
  c: fc.option(fc.integer({ min: 0, max: 3 })),
  text: fc.constantFrom('', 'x', 'xyz'),
  list: fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 3 }),
}
export const randomRow: fc.Arbitrary<Values> = fc.record(values)
export const randomPatch: fc.Arbitrary<Partial<Values>> = fc.record(values, { requiredKeys: [] })
