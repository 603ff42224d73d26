// The work of packages/rowkey/test/codec/browser/host on this Node and the built codec, as JSON. Arguments: codegen, and a module of vectors if there are any.
import { pathToFileURL } from 'node:url'
import * as codec from 'rowkey/codec'
import * as hbase from 'rowkey/formats/hbase'
import * as kudu from 'rowkey/formats/kudu'
import { work } from '../../packages/rowkey/test/codec/browser/host/work.mjs'

const [codegen, file] = process.argv.slice(2)
const { vectors } = file === undefined ? { vectors: () => [] } : await import(pathToFileURL(file).href)
console.log(JSON.stringify(work({ codec, kudu, hbase }, vectors, codegen)))
