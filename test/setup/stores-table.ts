import type { Acquired, ServerName } from '@rowkey/servers'
import type { Reporter, TestModule } from 'vitest/node'
import { relative } from 'node:path'
import { stores, testedAs } from '../servers/src/stores.js'
import { fileOnServer, leftOut } from './projects.js'

/** What became of the conformance suite of one store. */
interface StoreLine {
  readonly store: string
  readonly version: string
  run: number
  passed: number
  skipped: string
}

/** Rules begin with their id. */
const isRule = (title: string): boolean => /^[A-Z]+-?\d+/.test(title)

/**
 * Ends a run with a table of the stores whose adapters were tested: which rules ran against which server, and why one did not. A short run of
 * everything says what it has left out.
 */
export class StoresTable implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules.flatMap(lineOf)
    if (lines.length === 0) return
    const cells = lines.map(({ store, version, run, passed, skipped }) => [store, version, String(run), String(passed), skipped])
    console.log(`\n${table([['store', 'version', 'rules run', 'passed', 'skipped because …'], ...cells])}\n`)
    if (leftOut.length > 0) {
      console.log(`A short run: random tests were shorter, and these did not run:\n  ${leftOut.join('\n  ')}`)
      console.log('Of codec and formats it repeated only a part with code that is hot from the start.')
      console.log('ROWKEY_SCALE=1 npx -y pnpm@12 test runs all.\n')
    }
  }
}

function lineOf(module: TestModule): readonly StoreLine[] {
  const store = testedIn(pathOf(module))
  if (store === undefined) return []
  const server = serverOf(module, store)
  const { name: project } = module.project
  // A store may also be tested with another version of its client, in a project of its own.
  const shown = stores.some(({ name }) => name === project) ? store : `${store}, ${project}`
  const line: StoreLine = { store: shown, version: server?.version ?? '', run: 0, passed: 0, skipped: server?.missing ?? '' }
  for (const test of module.children.allTests()) {
    const { state } = test.result()
    if (!isRule(test.name) || state === 'skipped') continue
    line.run++
    if (state === 'passed') line.passed++
  }
  return [line]
}

/** The name under which a file of the conformance suite tests a store. */
const testedIn = (path: string): string | undefined =>
  stores
    .flatMap((store) => testedAs(store).map((name) => [fileOnServer(store, name, 'conformance'), name]))
    .find(([file]) => file === path)?.[1]

const pathOf = ({ moduleId, project }: TestModule): string => relative(project.vitest.config.root, moduleId)

function serverOf({ project }: TestModule, store: string): { readonly version?: string; readonly missing?: string } | undefined {
  const { servers } = project.getProvidedContext() as { servers?: Partial<Record<ServerName, Acquired<unknown>>> }
  return servers?.[store as ServerName] ?? { version: 'in process' }
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)))
  const lines = rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [lines[0], widths.map((width) => '-'.repeat(width)).join('  '), ...lines.slice(1)].join('\n')
}
