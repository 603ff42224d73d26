import * as codec from '#codec'
import * as internal from '#codec/internal'
import { testExamples } from '../../../../test/kit/doc-examples.js'

testExamples(new URL('../../src/codec/', import.meta.url), { codec: { exported: codec }, internal: { exported: internal } })
