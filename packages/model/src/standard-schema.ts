/**
 * What zod, valibot, arktype and others have in common: an object that checks values, version 1 of
 * {@link https://standardschema.dev | Standard Schema}.
 */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>
  }
}

/** What a {@link StandardSchema} says of a value; without `issues` it passes. Its output is not used. */
export interface StandardResult {
  readonly issues?: readonly StandardIssue[] | undefined
}

/** One thing that is wrong with a value. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** Whether it checks values in that way; arktype's are functions. */
export function isStandardSchema(given: unknown): given is StandardSchema {
  if ((typeof given !== 'object' && typeof given !== 'function') || given === null || !('~standard' in given)) return false
  const standard = given['~standard']
  return typeof standard === 'object' && standard !== null && 'validate' in standard && typeof standard.validate === 'function'
}
