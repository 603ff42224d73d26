import type { TypeData } from '../types/column-type.js'
import { compareText } from '../compare.js'
import type { Form } from './form.js'
import { show } from './show.js'
import { timedHex } from './timed-uuid.js'

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const ulidShape = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/** Text and what looks like text outside; always well-formed. */
export function textForm(type: TypeData): Form {
  const [wants, fits] = ruleOf(type)
  const isFit = (given: unknown): given is string => typeof given === 'string' && given.isWellFormed() && fits(given)
  return { take: (given) => (isFit(given) ? given : undefined), compare: type.order === 'time' ? compareTimed : compareText, wants }
}

const compareTimed = (a: string, b: string): number => compareText(timedHex(a), timedHex(b))

function ruleOf(type: TypeData): [wants: string, fits: (text: string) => boolean] {
  switch (type.kind) {
    case 'uuid':
      return ['a UUID in lower case, 8-4-4-4-12', (text) => uuidShape.test(text)]
    case 'ulid':
      return ['a ULID, 26 characters of base 32 in upper case, the first from 0 to 7', (text) => ulidShape.test(text)]
    case 'paddedText': {
      const { width = 0, pad = '' } = type
      const wants = `text of at most ${width} UTF-16 units that does not end in ${show(pad)}, the padding`
      return [wants, (text) => text.length <= width && !text.endsWith(pad)]
    }
    case 'separatedText': {
      const { separator = '' } = type
      return [`text without ${show(separator)}, the separator`, (text) => !text.includes(separator)]
    }
    case 'dictionary': {
      const known = new Set((type.codes ?? []).map(([value]) => value))
      const listed = [...known]
        .slice(0, 8)
        .map((value) => show(value))
        .join(', ')
      return [`one of ${listed}${known.size > 8 ? ` and ${known.size - 8} more` : ''}`, (text) => known.has(text)]
    }
    default:
      return ['well-formed text (no lone surrogate)', () => true]
  }
}
