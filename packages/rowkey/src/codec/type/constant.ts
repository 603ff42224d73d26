/** Ends the sentence "Give …" of a refusal. */
export const aConstant = `well-formed text of 1 to 8 UTF-16 units`

/** Whether a key can have this text between its parts. */
export function isConstant(given: unknown): given is string {
  return typeof given === 'string' && given.length >= 1 && given.length <= 8 && given.isWellFormed()
}
