let allowed = true

/**
 * What a function body in `text` returns, with the names of `scope`; undefined if the host forbids code from text. After the first refusal
 * it is not asked again, because a browser reports every attempt.
 *
 * @internal
 * @example
 * ```ts
 * makeCode({ one: 1 }, 'return (n) => n + one')?.(2) //=> 3
 * ```
 */
export function makeCode(scope: Readonly<Record<string, unknown>>, text: string): unknown {
  if (!allowed) return undefined
  try {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- callers say what their text is made of
    return new Function(...Object.keys(scope), `"use strict";${text}`)(...Object.values(scope))
  } catch {
    allowed = false
    return undefined
  }
}
