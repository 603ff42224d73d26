// Tested by lint.test.ts.
import type { Advice, Finding } from '@rowkey/advisor'

/** The file in which a table is declared, by the table's name, relative to the working folder. */
export type FileOf = (table: string) => string | undefined

const levels: Readonly<Record<Finding['severity'], 'error' | 'warning' | 'note'>> = { error: 'error', warning: 'warning', info: 'note' }

const textOf = ({ table, column, evidence, message, fix }: Finding): string =>
  `${table}${column === undefined ? '' : `.${column}`}: ${evidence}. ${message}${fix === undefined ? '' : ` ${fix}`}`

/** Advice as a log of SARIF 2.1.0, for code scanning. Source: OASIS, Static Analysis Results Interchange Format 2.1.0. */
export function sarifOf({ findings, ignored }: Advice, version: string, fileOf: FileOf): object {
  const codes = [...new Set([...findings, ...ignored].map(({ code }) => code))].sort()
  const result = (finding: Finding): object => {
    const file = fileOf(finding.table)
    return {
      ruleId: finding.code,
      ruleIndex: codes.indexOf(finding.code),
      level: levels[finding.severity],
      message: { text: textOf(finding) },
      ...(file === undefined ? {} : { locations: [{ physicalLocation: { artifactLocation: { uri: encodeURI(file) } } }] }),
    }
  }
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'rowkey', version, rules: codes.map((id) => ({ id })) } },
        results: [
          ...findings.map(result),
          ...ignored.map((finding) => ({ ...result(finding), suppressions: [{ kind: 'inSource', justification: finding.reason }] })),
        ],
      },
    ],
  }
}

const commands: Readonly<Record<Finding['severity'], string>> = { error: 'error', warning: 'warning', info: 'notice' }

const escaped = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string): string => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** Advice as workflow commands of GitHub Actions, which shows them at the files of models. */
export const githubLines = ({ findings }: Advice, fileOf: FileOf): readonly string[] =>
  findings.map((finding) => {
    const file = fileOf(finding.table)
    const place = file === undefined ? '' : `file=${property(file)},`
    return `::${commands[finding.severity]} ${place}title=${property(`rowkey ${finding.code}`)}::${escaped(textOf(finding))}`
  })
