import * as codec from '@rowkey/codec'
import * as internal from '@rowkey/codec/internal'
import { testExamples } from './doc-examples.js'

testExamples(new URL('../../packages/codec/src/', import.meta.url), { codec: { exported: codec }, internal: { exported: internal } })
