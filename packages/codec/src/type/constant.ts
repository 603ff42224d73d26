/** At most so many UTF-16 units of constant text stand at one place of a key. */
const maxUnits = 8

/** Ends the sentence "Give …" of a refusal. */
export const aConstant: string = `well-formed text of 1 to ${maxUnits} UTF-16 units`

/** Whether a key can have this text between its parts. */
export function isConstant(given: unknown): given is string {
  return typeof given === 'string' && given.length >= 1 && given.length <= maxUnits && given.isWellFormed()
}
