/** A class as messages name it. Not every class has a name, and a static `name` can be anything. */
export function described(model: Named): string {
  return typeof model.name === 'string' && model.name !== '' ? `class ${model.name}` : 'a class without a name'
}

export const isClass = (given: unknown): given is Named => typeof given === 'function'

interface Named {
  readonly name: unknown
}
