// Opens and closes a store again and again. node opening-often.mjs FOLDER COUNT SYNC
import { lmdb } from '../dist/index.js'

const [folder, count, sync] = process.argv.slice(2)
for (let turn = 0; turn < Number(count); turn++) await lmdb(folder, { sync: sync === 'true' }).close()
