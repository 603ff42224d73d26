// Copies a table from one folder to another and prints each checkpoint. node copying.mjs FROM TO CHECKPOINT
import { lmdb } from '../dist/index.js'
import { copyTable, createMapper } from '../../../packages/rowkey/dist/index.js'
import { copyModels } from './copy-models.mjs'

const [, , from, to, checkpoint] = process.argv
const { Old, New } = copyModels()
const [source, target] = [createMapper(lmdb(from)), createMapper(lmdb(to, { sync: false }))]
await target.ensureTables([New])
const result = await copyTable(source.repository(Old), target.repository(New), {
  parallel: 3,
  rowsPerSecond: 20_000, // so that there is time to kill it
  ...(checkpoint === '' ? {} : { checkpoint }),
  onProgress: ({ rows, checkpoint }) => console.log(`${rows} ${checkpoint}`),
})
console.log(`done ${result.rows} ${result.verified?.rows}`)
await Promise.all([source.close(), target.close()])
