/**
 * The common interface of zod, valibot, arktype and others: an object that checks values, version 1 of
 * {@link https://standardschema.dev | Standard Schema}.
 */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>
  }
}

/** The result of a {@link StandardSchema} for a value; without `issues` the value passes. Its output is not used. */
export interface StandardResult {
  readonly issues?: readonly StandardIssue[] | undefined
}

/** One thing that is wrong with a value. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** Whether it is a Standard Schema; those of arktype are functions. */
export function isStandardSchema(given: unknown): given is StandardSchema {
  if ((typeof given !== 'object' && typeof given !== 'function') || given === null || !('~standard' in given)) return false
  const standard = given['~standard']
  return typeof standard === 'object' && standard !== null && 'validate' in standard && typeof standard.validate === 'function'
}
