// The compilers of docs/compatibility.md. One of TypeScript up to 6 stays loaded, in a thread for each version, and keeps what it has parsed:
// the libraries and declarations that most cells share. So a cell costs its checks instead of a whole start. From 7 on it is a program.
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** @typedef {{ works: boolean, text: string }} Answer what `tsc --pretty false` prints, and whether it exits with 0 */

/** The compilers below `modules`, a folder of node_modules. */
export function startCompilers(modules) {
  const loaded = new Map()
  return {
    /** @returns {Promise<Answer>} of the project `file` in the folder `cwd` */
    compile(version, cwd, file = 'tsconfig.json') {
      const compiler = join(modules, `typescript-${version}`)
      if (Number(version) >= 7) return run(join(compiler, 'bin/tsc'), cwd, file)
      if (!loaded.has(version)) loaded.set(version, loadedCompiler(compiler))
      return loaded.get(version).ask(join(cwd, file))
    },
    async stop() {
      await Promise.all([...loaded.values()].map(({ worker }) => worker.terminate()))
    },
  }
}

function run(tsc, cwd, file) {
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, '-p', file, '--pretty', 'false'], { cwd, maxBuffer: 2 ** 24 }, (error, stdout, stderr) => {
      resolve({ works: error === null, text: stdout + stderr })
    })
  })
}

function loadedCompiler(compiler) {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: compiler })
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

if (!isMainThread) {
  const ts = createRequire(import.meta.url)(workerData)
  parentPort.on('message', (config) => parentPort.postMessage(compileLoaded(ts, config)))
}

/** What `tsc -p config` does. */
function compileLoaded(ts, config) {
  const unreadable = []
  const parsed = ts.getParsedCommandLineOfConfigFile(
    config,
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (found) => unreadable.push(found) },
  )
  if (parsed === undefined) return answerOf(ts, unreadable, dirname(config))
  const host = sharingHost(ts, parsed.options)
  const program = ts.createProgram({
    rootNames: parsed.fileNames,
    options: parsed.options,
    host,
    configFileParsingDiagnostics: parsed.errors,
  })
  const found = [...ts.getPreEmitDiagnostics(program)]
  const { diagnostics } = program.emit()
  return answerOf(ts, ts.sortAndDeduplicateDiagnostics([...found, ...diagnostics]), dirname(config))
}

/** Places are told as seen from `folder`. */
function answerOf(ts, diagnostics, folder) {
  const text = ts.formatDiagnostics(diagnostics, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => folder,
    getNewLine: () => '\n',
  })
  return { works: diagnostics.length === 0, text }
}

const parsedFiles = new Map()

/** A host that parses a file below node_modules once for all programs whose options parse and bind it alike. */
function sharingHost(ts, options) {
  const host = ts.createCompilerHost(options)
  const ofProgram = ['lib', 'types', 'noEmit', 'outDir', 'configFilePath']
  const key = JSON.stringify(Object.entries(options).filter(([name]) => !ofProgram.includes(name)))
  const parse = host.getSourceFile.bind(host)
  host.getSourceFile = (path, how, ...rest) => {
    if (!path.includes('/node_modules/')) return parse(path, how, ...rest)
    const format = typeof how === 'object' ? `${how.languageVersion} ${how.impliedNodeFormat}` : String(how)
    const place = `${path} ${format} ${key}`
    if (!parsedFiles.has(place)) parsedFiles.set(place, parse(path, how, ...rest))
    return parsedFiles.get(place)
  }
  return host
}
