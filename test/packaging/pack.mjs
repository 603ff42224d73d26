// Packs every published package as a release would. Build first: the tarballs contain what is in dist.
import { spawnSync } from 'node:child_process'
import { basename, join } from 'node:path'
import { published, root } from './workspace.mjs'

/** Writes the tarballs into `target`; each with the name and the folder of its package, and the paths of its files. */
export function packAll(target) {
  const filters = published.flatMap(({ folder }) => ['--filter', `./${folder}`])
  const command = ['-y', 'pnpm@12', '-r', ...filters, 'pack', '--json', '--pack-destination', target]
  const { status, stdout, stderr, error } = spawnSync('npx', command, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (status !== 0) throw new Error(`pnpm pack failed: ${error?.message ?? `${stdout}${stderr}`}`)
  const packed = new Map(JSON.parse(stdout).map((each) => [each.name, each]))
  return published.map(({ folder, manifest }) => {
    const { filename, files } = packed.get(manifest.name) ?? {}
    if (filename === undefined) throw new Error(`pnpm pack left out ${manifest.name}.`)
    return { name: manifest.name, folder, manifest, tarball: join(target, basename(filename)), files: files.map(({ path }) => path) }
  })
}
