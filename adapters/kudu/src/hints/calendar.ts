/** How long a range of times is. */
export type Every = 'hour' | 'day' | 'week' | 'month' | 'year'

const hourMs = 3_600_000
const dayMs = 86_400_000
/** 1970 began on a Thursday. */
const mondayMs = 4 * dayMs

/** When the range begins that contains an instant, in UTC. Weeks begin on Mondays. */
export function beginOf(every: Every, ms: number): number {
  const floor = (length: number, from = 0): number => Math.floor((ms - from) / length) * length + from
  switch (every) {
    case 'hour':
      return floor(hourMs)
    case 'day':
      return floor(dayMs)
    case 'week':
      return floor(7 * dayMs, mondayMs)
    case 'month':
    case 'year': {
      const date = new Date(ms)
      return utc(date.getUTCFullYear(), every === 'year' ? 0 : date.getUTCMonth())
    }
  }
}

/** When the range begins that is so many ranges after one that begins then. */
export function stepped(every: Every, begin: number, by: number): number {
  switch (every) {
    case 'hour':
      return begin + by * hourMs
    case 'day':
      return begin + by * dayMs
    case 'week':
      return begin + by * 7 * dayMs
    case 'month':
    case 'year': {
      const date = new Date(begin)
      return utc(date.getUTCFullYear() + (every === 'year' ? by : 0), date.getUTCMonth() + (every === 'month' ? by : 0))
    }
  }
}

/** The first moment of a month. `Date.UTC()` takes the years 0 to 99 for those of the last century. */
function utc(year: number, month: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, 1)
  return date.getTime()
}
