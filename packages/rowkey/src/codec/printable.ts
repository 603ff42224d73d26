// Tested by show.test.ts.
/**
 * What a terminal, a log or an editor obeys or hides instead of showing it: controls, ends of lines, marks of direction, characters without
 * width, half surrogate pairs, and tags. Selectors of variants stay, because ordinary emoji have them.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{NChar}]|(?![\ufe00-\ufe0f])\p{DI}/u
const allUnseen = /* @__PURE__ */ new RegExp(unseen, 'gu')

/** As JSON and JavaScript write it between quotes. */
function escaped(character: string): string {
  const json = JSON.stringify(character).slice(1, -1) // controls and half pairs
  if (json !== character) return json
  let text = ''
  for (let i = 0; i < character.length; i++) text += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`
  return text
}

/**
 * Text with an escape for every character that would not be seen as itself. Nothing is cut. Text that was escaped stays as it is.
 *
 * @internal
 * @example
 * ```ts
 * visible('a\u202eb\n') //=> 'a\\u202eb\\n'
 * ```
 */
export const visible = (text: string): string => (unseen.test(text) ? text.replace(allUnseen, escaped) : text)

/** A character of a text as it is shown. */
const seen = (character: string): string => (unseen.test(character) ? escaped(character) : character)

/** The same between double quotes. */
export const seenInQuotes = (character: string): string => (character === '"' || character === '\\' ? escaped(character) : seen(character))

/**
 * The characters of a text that fit into `max`, each in its form, and whether these are all. Of a long text, only what is returned is read.
 */
export function fitting(text: string, max: number, form: (character: string) => string): readonly [shown: string, isWhole: boolean] {
  let shown = ''
  for (const character of text) {
    const next = form(character)
    if (shown.length + next.length > max) return [shown, false]
    shown += next
  }
  return [shown, true]
}

/**
 * The one way of text from outside into a message: cut to `max` characters, then escaped as in {@link visible}.
 *
 * @internal
 * @example
 * ```ts
 * printable('orders', 20)         //=> 'orders'
 * printable('\u001b[2J', 20)      //=> '\\u001b[2J'
 * printable('x'.repeat(5000), 3)  //=> 'xxx… (5000 characters)'
 * ```
 */
export function printable(text: string, max: number): string {
  if (text.length <= max && !unseen.test(text)) return text
  const [shown, isWhole] = fitting(text, max, seen)
  return isWhole ? shown : `${shown}… (${text.length} characters)`
}
