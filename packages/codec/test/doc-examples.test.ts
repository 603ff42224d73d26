import * as codec from '@rowkey/codec'
import * as internal from '@rowkey/codec/internal'
import { testExamples } from '../../../test/kit/doc-examples.js'

testExamples(new URL('../src/', import.meta.url), { codec: { exported: codec }, internal: { exported: internal } })
