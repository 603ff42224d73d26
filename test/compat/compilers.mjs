// The compilers of docs/compatibility.md. One of TypeScript up to 6 stays loaded, in a thread for each version, and keeps what it has parsed:
// the libraries and declarations that most cells share. So a cell costs its checks instead of a whole start. From 7 on it is a program.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

/** @typedef {{ works: boolean, text: string }} Answer what `tsc --pretty false` prints, and whether it exits with 0 */

/** The compilers below `modules`, a folder of node_modules. */
export function startCompilers(modules) {
  const loaded = new Map()
  return {
    /** @returns {Promise<Answer>} of the project `file` in the folder `cwd` */
    compile(version, cwd, file = 'tsconfig.json') {
      const compiler = join(modules, `typescript-${version}`)
      if (Number(version) >= 7) return runCompiler(join(compiler, 'bin/tsc'), cwd, file)
      if (!loaded.has(version)) loaded.set(version, loadedCompiler(compiler))
      return loaded.get(version).ask(join(cwd, file))
    },
    async stop() {
      await Promise.all([...loaded.values()].map(({ worker }) => worker.terminate()))
    },
  }
}

/** Starts a compiler once. @returns {Promise<Answer>} */
export function runCompiler(tsc, cwd, file = 'tsconfig.json') {
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, '-p', file, '--pretty', 'false'], { cwd, maxBuffer: 2 ** 24 }, (error, stdout, stderr) => {
      resolve({ works: error === null, text: stdout + stderr })
    })
  })
}

function loadedCompiler(compiler) {
  const worker = new Worker(new URL('loaded-compiler.mjs', import.meta.url), { workerData: compiler })
  const waiting = []
  worker.on('message', (answer) => waiting.shift().resolve(answer))
  worker.on('error', (error) => waiting.splice(0).forEach(({ reject }) => reject(error)))
  const ask = (config) =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject })
      worker.postMessage(config)
    })
  return { worker, ask }
}
