// pnpm pack:all DIR [PACKAGE | --all]: writes a tarball of every package into DIR, and prints what to type next: one line, or the lines for one
// package or for all, with each package manager.
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { installLines } from './install-lines.mjs'
import { packAll } from './pack.mjs'

const [folder, what, ...rest] = process.argv.slice(2)
if (folder === undefined || folder.startsWith('-') || rest.length > 0) {
  console.error('Which folder? npx -y pnpm@12 pack:all DIR writes a tarball of every package into DIR.')
  process.exitCode = 2
} else {
  // pnpm runs scripts in the folder of the project, and says where it was called.
  const target = resolve(process.env.INIT_CWD ?? '.', folder)
  mkdirSync(target, { recursive: true })
  const packed = packAll(target)
  const lines = installLines(packed)
  const wanted = what === undefined ? [] : lines.filter(({ names }) => what === '--all' || names.at(-1) === what)
  if (wanted.length > 0) {
    console.log(`${packed.length} tarballs in ${target}. In your project, with npm, pnpm, Yarn or Bun:`)
    for (const { title, commands } of wanted) console.log(`\n# ${title}\n${commands.join('\n')}`)
    console.log(
      '\nThe line for pnpm replaces overrides and allowBuilds in pnpm-workspace.yaml. If you have some there, add its own by hand.',
    )
  } else {
    console.log(`${lines[0].commands[0]}\n`)
    console.log(
      `${packed.length} tarballs are in ${target}. The line above installs rowkey in your project, with npm. For another package, and for`,
    )
    console.log(`pnpm, Yarn and Bun: pack:all DIR PACKAGE, with ${lines.map(({ names }) => names.at(-1)).join(', ')}; pack:all DIR --all.`)
    if (what !== undefined) {
      console.error(`\nThere are no lines for ${what}.`)
      process.exitCode = 2
    }
  }
}
