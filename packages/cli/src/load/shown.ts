import { join, resolve, sep } from 'node:path'

/** A path as people know the file: from their folder on, if it is in there. */
export type Shown = (path: string) => string

export function shownFrom(folder: string): Shown {
  const start = join(resolve(folder), sep)
  return (path) => (path.startsWith(start) ? path.slice(start.length) : path + sep === start ? '.' : path)
}
