// Opens a store, and says what became of it. node refusing.mjs FOLDER
import { lmdb } from '../dist/index.js'

try {
  const store = lmdb(process.argv[2], { sync: false })
  await store.close()
  console.log('opened')
} catch ({ code, details, message }) {
  console.log(JSON.stringify({ code, reason: details?.reason, message }))
}
