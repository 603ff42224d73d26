// pnpm pack:all DIR: writes a tarball of every package into DIR, and prints what to install from them.
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { installLines } from './install-lines.mjs'
import { packAll } from './pack.mjs'

const [folder, ...rest] = process.argv.slice(2)
if (folder === undefined || folder.startsWith('-') || rest.length > 0) {
  console.error('Which folder? npx -y pnpm@12 pack:all DIR writes a tarball of every package into DIR.')
  process.exitCode = 2
} else {
  // pnpm runs scripts in the folder of the project, and says where it was called.
  const target = resolve(process.env.INIT_CWD ?? '.', folder)
  mkdirSync(target, { recursive: true })
  const packed = packAll(target)
  console.log(`${packed.length} tarballs in ${target}. In your project, with npm, pnpm, Yarn or Bun:`)
  for (const { title, commands } of installLines(packed)) console.log(`\n# ${title}\n${commands.join('\n')}`)
  console.log('\nThe line for pnpm replaces overrides and allowBuilds in pnpm-workspace.yaml. If you have some there, add its own by hand.')
}
