// Tested by packages/rowkey/test/mapper/periods.test.ts.
import { isColumnType, isSalt, type TypeData } from '#codec'
import { beginsPeriod, dayOfText, laterItems, periodOf, showName } from '#codec/internal'
import type { Problems } from '../problems.js'
import type { Definition } from './definition.js'

/** The days on which the number of buckets changes. */
export function checkCounts({ columns, partition, key, salt }: Definition, problems: Problems): void {
  const types = new Map(columns)
  const name = [...partition, ...key].find((each) => types.get(each)?.of !== undefined)
  const type = name === undefined ? undefined : types.get(name)
  if (name === undefined || type === undefined) return
  for (const { from } of salt.flatMap((level) => (isSalt(level) ? laterItems(level) : []))) {
    if (beginsPeriod(type, dayOfText(from))) continue
    const message = `the salt changes its count on ${from}, where no ${type.every ?? 'period'} of '${showName(name)}' begins. Choose a day on which one does.`
    problems.add({ code: 'INVALID_SALT', message })
  }
}

/** Columns of `period()`: each says what is wrong with its place, its source, or both together. */
export function checkPeriods({ columns, partition, key }: Definition, problems: Problems): void {
  const types = new Map(columns)
  const whole = [...partition, ...key]
  const periods = new Map<string, string>()
  for (const [name, type] of columns) {
    if (!isColumnType(type)) continue
    const wrong = type.inner?.of === undefined ? (type.of === undefined ? undefined : faultOf(name, type, type.of)) : insideAnother
    if (wrong !== undefined) problems.add({ code: 'INVALID_PERIOD', column: name, message: `period column '${showName(name)}' ${wrong}` })
  }

  function faultOf(name: string, type: TypeData, of: string): string | undefined {
    const source = types.get(of)
    const [at, sourceAt] = [whole.indexOf(name), whole.indexOf(of)]
    const shown = `'${showName(of)}'`
    if (at < 0) return `is not in the key. Put it into partition or key, before ${shown}.`
    if (type.nullable) return 'is nullable, but each row has a period. Take nullable() away.'
    if (type.followedBy !== undefined) return 'has followedBy(), which is for keys of other programs. Use date() for such a column.'
    if (source === undefined || !isColumnType(source)) return `is of ${shown}, which is not a column. Name an instant or a date of the key.`
    if (sourceAt < 0) return `is of ${shown}, which is not in the key. A get could not know the period: put ${shown} into the key.`
    if (source.of !== undefined) return `is of ${shown}, which is a period itself. Name the instant or date.`
    const values = periodOf(type, source)
    if (typeof values === 'string') return `is of ${shown}, which ${values}.`
    if (!source.ordered) return `is of ${shown}, which is not stored in the order of its values.`
    if (at > sourceAt) return `comes after ${shown} in the key, where it finds nothing. Put it before ${shown}.`
    const other = periods.get(of)
    if (other !== undefined) return `is of ${shown}, and so is '${showName(other)}'. Keep the one that a partition should hold.`
    periods.set(of, name)
    return type.desc && !source.desc
      ? `is descending, and ${shown} ascending. A period has the direction of its source: take desc() away, or add it there.`
      : undefined
  }
}

const insideAnother = 'is inside another type. Use period() by itself.'
