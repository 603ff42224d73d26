// Opens a store as a user who owns nothing, and says what became of it. node refusing.mjs FOLDER
import { lmdb } from '../dist/index.js'

if (process.getuid() === 0) process.setuid(65534)
try {
  const store = lmdb(process.argv[2], { sync: false })
  await store.close()
  console.log('opened')
} catch ({ code, details, message }) {
  console.log(JSON.stringify({ code, reason: details?.reason, message }))
}
