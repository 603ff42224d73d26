import { memory } from 'rowkey'
import { guidesOn } from './guides-on.js'

guidesOn('memory', () => {
  const adapter = memory()
  return { adapter, dispose: () => adapter.close() }
})
