import { importsOf, sourceFolderOf, sourcesOf } from './sources.js'

/** Pairs of folders of one package that import each other. */
export function mutualImports(folder: string, files: readonly string[] = sourcesOf(folder), imports = importsOf): readonly string[] {
  const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/')).slice(sourceFolderOf(folder).length + 1)
  const arrows = new Set<string>()
  for (const file of files) {
    const from = folderOf(file)
    for (const imported of imports(file)) {
      const to = folderOf(imported)
      if (from !== '' && to !== '' && from !== to) arrows.add(`${from} → ${to}`)
    }
  }
  return [...arrows].flatMap((arrow) => {
    const [from = '', to = ''] = arrow.split(' → ')
    return from < to && arrows.has(`${to} → ${from}`) ? [`${folder}: ${from} ⇄ ${to}`] : []
  })
}

/**
 * A circle of imports between the rooms of a package, if there is one: its folders, and each file directly in its sources. The index is no
 * room, because nothing of the package imports it.
 */
export function circleOfRooms(folder: string, files: readonly string[] = sourcesOf(folder), imports = importsOf): readonly string[] {
  const roomOf = (path: string): string => path.slice(sourceFolderOf(folder).length + 1).split('/')[0] ?? ''
  const below = new Map<string, Set<string>>()
  for (const file of files) {
    const room = roomOf(file)
    const others = below.get(room) ?? new Set()
    below.set(room, others)
    for (const imported of imports(file)) if (roomOf(imported) !== room) others.add(roomOf(imported))
  }
  const done = new Set<string>()
  const visit = (room: string, path: readonly string[]): readonly string[] => {
    if (path.includes(room)) return [...path.slice(path.indexOf(room)), room]
    if (done.has(room)) return []
    for (const other of below.get(room) ?? []) {
      const circle = visit(other, [...path, room])
      if (circle.length > 0) return circle
    }
    done.add(room)
    return []
  }
  for (const room of below.keys()) {
    const circle = visit(room, [])
    if (circle.length > 0) return circle
  }
  return []
}
