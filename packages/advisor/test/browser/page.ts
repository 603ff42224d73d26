import { schemaFromJSON } from 'rowkey'
import { advise, type AdviceOptions } from '../../src/index.js'

// Runs in a browser: judges the designs that the server has, and posts what it found.

interface Given {
  readonly schema: object
  readonly options: AdviceOptions & { readonly existing?: readonly object[] }
}

const designs = (await (await fetch('/designs')).json()) as readonly Given[]
const found = designs.map(({ schema, options }) => {
  const { existing } = options
  return advise(schemaFromJSON(schema), {
    ...options,
    ...(existing === undefined ? {} : { existing: existing.map((each) => schemaFromJSON(each)) }),
  })
})
await fetch('/found', { method: 'POST', body: JSON.stringify(found) })
