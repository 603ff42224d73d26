// Tested by packages/cli/test/stores-url.test.ts.
import { existsSync } from 'node:fs'
import type { StoreOpening } from 'rowkey/adapter'

/** How a URL opens it. The mapper closes what the adapter opens. */
export const opening: StoreOpening = Object.freeze({
  form: 'lmdb:FOLDER',
  parameters: [],
  drivers: [],
  open(_, { url: { place }, isNew, path, notThere }) {
    const folder = path(place)
    // The adapter would create the folder, and a mistyped name would be an empty store.
    if (!isNew && !existsSync(folder)) {
      const why = /%[0-9a-f]{2}/i.test(place) ? ' lmdb:FOLDER is taken as it is, and only in lmdb:///FOLDER is %20 a space.' : ''
      notThere(`there is no folder ${place}.${why}`)
    }
    return { arguments: [folder], close: () => undefined }
  },
} satisfies StoreOpening)
