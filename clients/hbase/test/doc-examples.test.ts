import * as codec from '@rowkey/codec'
import * as hbase from '@rowkey/hbase-client/hbase'
import * as kudu from '@rowkey/hbase-client/kudu'
import { testExamples } from '../../../test/kit/doc-examples.js'

testExamples(new URL('../src/', import.meta.url), {
  hbase: { exported: hbase, alsoSeen: codec, folder: 'hbase/' },
  kudu: { exported: kudu, alsoSeen: codec, folder: 'kudu/' },
})
