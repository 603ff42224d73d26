import type { StandardSchema } from '../standard-schema.js'
import type { AnyFieldDecorator } from './decorator-types.js'
import { recordField } from './record.js'

/**
 * What the values of a column must pass before they are written: Standard Schemas (zod, valibot, arktype …), and decorators of
 * class-validator, which work here in both decorator modes and need the mapper's option `classValidator`. They only check: values that they
 * transform are not used. Standard Schemas do not see nulls; class-validator does, as always.
 *
 * @example
 * ```ts
 * @Table('users')
 * class User {
 *   @KeyColumn(1, text()) id!: string
 *   @Check(z.email()) @Column(text()) mail!: string
 *   @Check(Length(2, 40), IsAlpha()) @Column(text()) name!: string
 * }
 * ```
 */
export function Check(...checks: readonly (StandardSchema | PropertyDecorator)[]): AnyFieldDecorator {
  return (target: unknown, nameOrContext: unknown, descriptor?: unknown) =>
    recordField(target, nameOrContext, descriptor, (record, on) => record.checks.push({ ...on, checks }))
}
