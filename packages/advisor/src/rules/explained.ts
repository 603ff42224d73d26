// Tested by rules.test.ts.
import type { AdviceRule, RuleFinding } from '../finding.js'
import type { AskedQuery } from '../subject/queries.js'
import { figure, type Subject } from '../subject/subject.js'

// What explain() says of a query, with how often it runs. The codes are those of explain().

type Warning = NonNullable<AskedQuery['explanation']>['warnings'][number]

/** A rule that makes a finding of each query for which explain() has this code; what is the same for all queries of a table is made once. */
export const explained = (
  code: Warning['code'],
  guides: readonly string[],
  makeFor: (subject: Subject) => (query: AskedQuery, warning: Warning) => RuleFinding,
): AdviceRule => ({
  code,
  stage: 'queries',
  guides,
  find(subject) {
    const make = makeFor(subject)
    return subject.queries.flatMap((query) =>
      (query.explanation?.warnings ?? []).filter((warning) => warning.code === code).map((warning) => make(query, warning)),
    )
  },
})

/** How often a query runs, as text. */
export const often = ({ perSecond }: AskedQuery): string => `${figure(perSecond)} a second`

/** What explain() says, with numbers and the query. */
export const asExplained = (evidence: string, { text }: AskedQuery, { severity, column, message, fix }: Warning): RuleFinding => ({
  severity,
  ...(column === undefined ? {} : { column }),
  evidence: `${evidence}: ${text}`,
  message,
  ...(fix === undefined ? {} : { fix }),
})
