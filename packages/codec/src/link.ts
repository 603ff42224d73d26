/**
 * Column types and salts are plain data; what the codec does with them hangs on them by this, out of sight of JSON, of console.log and of
 * comparisons. So a bundle holds the code of those that its sources name, and types of another copy of this package work here too.
 */
const link = Symbol.for('rowkey.implementation/1') // another number where copies no longer understand each other

/** The data, frozen, with what carries it out. */
export function linked<T extends object>(data: T, implementation: object): T {
  return Object.freeze(Object.defineProperty(data, link, { value: implementation }))
}

/** Undefined for what no constructor made. */
export function implementationOf(data: object): unknown {
  return (data as { readonly [link]?: unknown })[link] ?? undefined
}

/**
 * A frozen copy of a column type or a salt with some of its data changed; a spread would make data that nothing carries out. Trusts its
 * callers: the constructors check what they are given, this does not.
 *
 * @internal
 * @example
 * ```ts
 * derived(nullable(text()), { nullable: false }).nullable //=> false
 * ```
 */
export function derived<T extends object>(data: T, change: Partial<T>): T {
  return linked({ ...data, ...change }, implementationOf(data) as object)
}
