import { memory } from 'rowkey'
import { guidesOn } from '../../../../test/guides/guides-on.js'

guidesOn('memory', () => {
  const adapter = memory()
  return { adapter, dispose: () => adapter.close() }
})
