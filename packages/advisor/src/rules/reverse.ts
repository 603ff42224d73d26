import type { AdviceRule } from '../finding.js'
import type { AskedQuery } from '../subject/queries.js'
import { factsOf } from '../subject/store-profile.js'
import { figure, type Subject } from '../subject/subject.js'
import { asExplained } from './explained.js'

/** Scans a second from which on it is worth another key that each of them is slower. It is a rule of thumb. */
const many = 10

/** If most scans run backwards, the key has the wrong direction. */
export const reverse: AdviceRule = {
  code: 'reverse',
  stage: 'queries',
  guides: ['G-17', 'G-18', 'G-19', 'G-20', 'G-21'],
  find(subject) {
    const running = subject.queries.filter(
      ({ explanation }) => explanation !== undefined && !['GET', 'MULTI-GET', 'EMPTY'].includes(explanation.kind),
    )
    const backwards = running.filter(({ explanation }) => explanation?.warnings.some(({ code }) => code === 'reverse'))
    const [first] = backwards.toSorted((a, b) => b.perSecond - a.perSecond)
    const warning = first?.explanation?.warnings.find(({ code }) => code === 'reverse')
    if (first === undefined || warning === undefined) return []
    const rate = (queries: readonly AskedQuery[]): number => queries.reduce((sum, { perSecond }) => sum + perSecond, 0)
    // These read backwards as fast as forwards.
    const isFree = factsOf(subject.store)?.isFreeReverse === true
    const isMost = 2 * rate(backwards) > rate(running)
    const column = subject.schema.columns.find(({ name }) => name === warning.column)
    const change =
      isMost && column !== undefined
        ? { types: { [column.name]: { ...jsonType(subject, column.name), desc: !column.type.desc } } }
        : undefined
    return [
      {
        ...asExplained(`${figure(rate(backwards))} of ${figure(rate(running))} scans a second`, first, warning),
        severity: isMost && !isFree && rate(backwards) >= many ? 'warning' : 'info',
        ...(change === undefined
          ? {}
          : {
              change,
              fix: `Most queries need this order: declare '${column?.name ?? ''}' ${column?.type.desc === true ? 'without' : 'with'} desc().${backwards.some(({ isReverse }) => isReverse) ? " With that key it is the order of scans that do not say order: 'reverse'." : ''}`,
            }),
      },
    ]
  },
}

const jsonType = ({ schema }: Subject, name: string): Readonly<Record<string, unknown>> =>
  schema.toJSON().columns.find((column) => column.name === name)?.type ?? {}
