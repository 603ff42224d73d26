// Before the compiler's silent minute: says what happens, on stderr, when something has to be built.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const built = fileURLToPath(new URL('dist/.tsbuildinfo', import.meta.url))
if (!existsSync(built)) console.error('Compiling the packages and the examples, once. It takes up to a minute.')
