import { createMapper, memory, type Model, type RepositoryOf } from 'rowkey'
import * as classValidator from 'class-validator'
import { expect } from 'vitest'
import { refusalOf } from './refusal.js'

/** Decorators of class-validator where people write them. They are legacy ones, so both modes call them here as a legacy compiler does. */
export function on(model: { readonly prototype: object }, field: string, ...decorators: readonly PropertyDecorator[]): void {
  for (const decorator of decorators.toReversed()) decorator(model.prototype, field)
}

/** A repository on an empty table. */
export async function open<M extends Model>(model: M): Promise<RepositoryOf<M>> {
  const db = createMapper(memory(), { classValidator })
  await db.ensureTables([model])
  return db.repository(model)
}
/** Where the issues are that a write is refused for. */
export async function issuesOf(run: () => unknown): Promise<string[]> {
  const { code, details } = await refusalOf(run)
  expect(code).toBe('VALIDATION_FAILED')
  return (details['issues'] as { path: PropertyKey[]; message: string }[]).map(({ path }) => path.join('.'))
}
