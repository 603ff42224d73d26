// The thread of one compiler: answers the path of a tsconfig.json with what `tsc -p` would print, and keeps what it has parsed.
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'

const ts = createRequire(import.meta.url)(workerData)
const parsedFiles = new Map()
parentPort.on('message', (config) => parentPort.postMessage(compile(config)))

/** What `tsc -p config` does. */
function compile(config) {
  const unreadable = []
  const parsed = ts.getParsedCommandLineOfConfigFile(
    config,
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (found) => unreadable.push(found) },
  )
  if (parsed === undefined) return answerOf(unreadable, dirname(config))
  const host = sharingHost(parsed.options)
  const program = ts.createProgram({
    rootNames: parsed.fileNames,
    options: parsed.options,
    host,
    configFileParsingDiagnostics: parsed.errors,
  })
  const found = [...ts.getPreEmitDiagnostics(program)]
  const { diagnostics } = program.emit()
  return answerOf(ts.sortAndDeduplicateDiagnostics([...found, ...diagnostics]), dirname(config))
}

/** Places are told as seen from `folder`. */
function answerOf(diagnostics, folder) {
  const text = ts.formatDiagnostics(diagnostics, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => folder,
    getNewLine: () => '\n',
  })
  return { works: diagnostics.length === 0, text }
}

/** A host that parses a file below node_modules once for all programs whose options parse and bind it alike. */
function sharingHost(options) {
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
