// Every entry that needs neither a driver nor types of Node.js: their declarations are checked too, because skipLibCheck is off.
import type * as codec from 'rowkey/codec'
import type * as hbase from 'rowkey/formats/hbase'
import type * as kudu from 'rowkey/formats/kudu'
import type * as conformance from 'rowkey/conformance'
import type * as mapper from 'rowkey/internal'
import type * as memory from 'rowkey/internal'
import type * as model from 'rowkey/internal'
import type * as record from 'rowkey/adapter'
import type * as store from 'rowkey/internal'
import type * as adapter from 'rowkey/adapter'
import type * as engine from 'rowkey/internal'
import type * as rowkey from 'rowkey'

export type All = [
  typeof codec,
  typeof hbase,
  typeof kudu,
  typeof conformance,
  typeof mapper,
  typeof memory,
  typeof model,
  typeof record,
  typeof store,
  typeof adapter,
  typeof engine,
  typeof rowkey,
]
