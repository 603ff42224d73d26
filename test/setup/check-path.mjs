// Before the test runner: says in one line when it cannot run where this clone is. Vite takes paths for addresses and patterns.
import { dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const clone = process.argv[2] ?? dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const found = [...'#%?*"\\'].filter((character) => character !== sep && clone.includes(character))
if (found.length > 0) {
  console.error(
    `The tests cannot run in ${clone}: Vite loads no files from a path with ${found.join(' or ')}. Move the clone, or rename the folder.`,
  )
  process.exitCode = 1
}
