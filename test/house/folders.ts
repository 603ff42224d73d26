import { importsOf, sourcesOf } from './sources.js'

/** Pairs of folders of one package that import each other. */
export function mutualImports(folder: string, files: readonly string[] = sourcesOf(folder), imports = importsOf): readonly string[] {
  const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/')).slice(`${folder}/src`.length + 1)
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
