// Packs every published package as a release would and checks what a user gets: the files, publint, and whether the types resolve.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { packAll } from './pack.mjs'
import { root } from './workspace.mjs'

const belongs = [/^LICENSE$/, /^README\.md$/, /^package\.json$/, /^src\/.+\.ts$/, /^dist\/.+(\.js|\.d\.ts)(\.map)?$/]
const isTest = /(^|\/)(tests?|fixtures|vectors)\/|\.(test|spec|test-d)\./
// The packages are ESM only: require() of ESM has no types of its own.
const ignoredResolutions = ['node16-cjs']

const target = mkdtempSync(join(tmpdir(), 'rowkey-packed-'))
try {
  for (const { folder, manifest, tarball: path, files } of packAll(target)) {
    const tarball = readFileSync(path)
    const problems = [...fileProblems(folder, manifest, files), ...(await publintProblems(tarball)), ...(await typeProblems(tarball))]
    const size = `${files.length} files, ${Math.ceil(tarball.length / 1024)} kB packed`
    console.log(`${manifest.name.padEnd(16)} ${size.padEnd(28)} ${problems.length === 0 ? 'clean' : 'NOT CLEAN'}`)
    for (const problem of problems) console.log(`  ${problem}`)
    if (problems.length > 0) process.exitCode = 1
  }
} finally {
  rmSync(target, { recursive: true, force: true })
}

function fileProblems(folder, manifest, files) {
  const entries = Object.values(manifest.exports).flatMap((conditions) => Object.values(conditions).map((path) => path.replace('./', '')))
  const missing = ['LICENSE', 'README.md', 'package.json', ...entries].filter((path) => !files.includes(path))
  const foreign = files.filter((path) => isTest.test(path) || !belongs.some((pattern) => pattern.test(path)))
  const stale = files.filter(
    // The build deletes files of JavaScript that it does not write.
    (path) => path.endsWith('.d.ts') && !existsSync(join(root, folder, path.replace(/^dist\/types\/(.+)\.d\.ts$/, 'src/$1.ts'))),
  )
  return [
    ...missing.map((path) => `${path} is missing`),
    ...foreign.map((path) => `${path} does not belong into a package`),
    ...stale.map((path) => `${path} has no source any more: run pnpm build:clean`),
  ]
}

async function publintProblems(tarball) {
  const { buffer, byteOffset, byteLength } = tarball
  const { messages, pkg } = await publint({
    strict: true,
    pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) },
  })
  return messages.map((message) => `publint ${message.type}: ${formatMessage(message, pkg, { color: false })}`)
}

async function typeProblems(tarball) {
  const { types, problems } = await checkPackage(createPackageFromTarballData(tarball))
  if (types === false) return ['types: there are none']
  return problems
    .filter(({ resolutionKind }) => !ignoredResolutions.includes(resolutionKind))
    .map(({ kind, ...where }) => `types: ${kind} ${JSON.stringify(where)}`)
}
