/** A class in a message; not every class has a name. */
export function described(model: { readonly name: unknown }): string {
  return typeof model.name === 'string' && model.name !== '' ? `class ${model.name}` : 'a class without a name'
}
