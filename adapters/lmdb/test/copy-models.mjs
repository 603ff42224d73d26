// What is copied, in programs and in their tests.
import { bucket, defineTable, int32, nullable, text } from '../../../packages/rowkey/dist/index.js'

export const copyModels = () => ({
  Old: defineTable('old_rows', { columns: { n: int32(), note: nullable(text()) }, key: ['n'], writes: 'plain' }),
  New: defineTable('new_rows', {
    columns: { n: int32(), note: nullable(text()) },
    key: ['note', 'n'],
    salt: bucket({ of: 'n', count: 4 }),
    writes: 'plain',
  }),
})
