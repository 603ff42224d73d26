// The tables of the programs beside this file.
import { defineTable, nullable, text, uint32 } from '../../../packages/rowkey/dist/index.js'

export const ledger = () => defineTable('ledger', { columns: { id: uint32(), body: text(), turn: nullable(uint32()) }, key: ['id'] })

export const counters = () =>
  defineTable('counters', {
    columns: { id: text(), total: nullable(uint32()), ann: nullable(uint32()), bob: nullable(uint32()) },
    key: ['id'],
    version: 'revision',
  })
