import * as codec from '#codec'
import * as hbase from '#formats/hbase'
import * as kudu from '#formats/kudu'
import { testExamples } from '../../../../test/kit/doc-examples.js'

testExamples(new URL('../../src/formats/', import.meta.url), {
  hbase: { exported: hbase, alsoSeen: codec, folder: 'hbase/' },
  kudu: { exported: kudu, alsoSeen: codec, folder: 'kudu/' },
})
