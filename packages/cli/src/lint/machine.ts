// Tested by lint.test.ts.
import type { Advice, Finding } from '@rowkey/advisor'
import type { Place } from './place.js'

/** Where the table or the column of a finding is declared; undefined for what is about all tables. */
export type PlaceOf = (finding: Finding) => Place | undefined

const levels: Readonly<Record<Finding['severity'], 'error' | 'warning' | 'note'>> = { error: 'error', warning: 'warning', info: 'note' }

const textOf = ({ table, column, evidence, message, fix }: Finding): string =>
  `${table}${column === undefined ? '' : `.${column}`}: ${evidence}. ${message}${fix === undefined ? '' : ` ${fix}`}`

const locationOf = ({ file, line }: Place): object => ({
  physicalLocation: { artifactLocation: { uri: encodeURI(file) }, ...(line === undefined ? {} : { region: { startLine: line } }) },
})

/** Advice as a log of SARIF 2.1.0, for code scanning. Source: OASIS, Static Analysis Results Interchange Format 2.1.0. */
export function sarifOf({ findings, ignored }: Advice, version: string, placeOf: PlaceOf): object {
  const codes = [...new Set([...findings, ...ignored].map(({ code }) => code))].sort()
  const result = (finding: Finding): object => {
    const place = placeOf(finding)
    return {
      ruleId: finding.code,
      ruleIndex: codes.indexOf(finding.code),
      level: levels[finding.severity],
      message: { text: textOf(finding) },
      ...(place === undefined ? {} : { locations: [locationOf(place)] }),
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
export const githubLines = ({ findings }: Advice, placeOf: PlaceOf): readonly string[] =>
  findings.map((finding) => {
    const place = placeOf(finding)
    const file = place === undefined ? '' : `file=${property(place.file)},${place.line === undefined ? '' : `line=${place.line},`}`
    return `::${commands[finding.severity]} ${file}title=${property(`rowkey ${finding.code}`)}::${escaped(textOf(finding))}`
  })
