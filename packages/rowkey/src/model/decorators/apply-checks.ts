import { said, showName } from '#codec/internal'
import { isStandardSchema } from '../definition/standard-schema.js'
import type { GivenChecks } from '../definition/checks.js'
import { described, type Problems } from '../problems.js'
import type { ClassRecord, Constructor } from './record.js'

interface Declared {
  readonly by: Constructor
  readonly record: ClassRecord
}

/**
 * The checks of the fields of a class and its parents. Decorators of class-validator are applied once, to the prototype of the class that
 * declares them. Then that library knows them as if they were used directly.
 */
export function fieldChecks(chain: readonly Declared[], problems: Problems): Pick<GivenChecks, 'columns' | 'classValidator'> {
  const columns = new Map<string, unknown[]>()
  let classValidator = false
  for (const { by, record } of chain) {
    for (const { name, checks, refused } of record.checks) {
      if (refused !== undefined) {
        problems.add({
          code: 'NO_FIELD',
          column: name,
          message: `'${showName(name)}' of ${described(by)} is ${refused}, which cannot be checked. Decorate columns.`,
        })
        continue
      }
      const others = checks.filter((check) => typeof check !== 'function' || isStandardSchema(check))
      const decorators = checks.filter((check) => !others.includes(check)) as PropertyDecorator[]
      columns.set(name, [...(columns.get(name) ?? []), ...others])
      classValidator ||= decorators.length > 0
      if (!record.applied) for (const decorator of decorators) apply(decorator, by, name, problems)
    }
    record.applied = true
  }
  return { columns: [...columns], classValidator }
}

function apply(decorator: PropertyDecorator, by: Constructor, name: string, problems: Problems): void {
  try {
    decorator(by.prototype as object, name)
  } catch (cause) {
    const message = `a check of '${showName(name)}' of ${described(by)} is not a decorator of class-validator (${said(cause)}). Call it, as in @Check(IsEmail()).`
    problems.add({ code: 'INVALID_CHECK', column: name, message })
  }
}
