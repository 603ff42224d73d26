/** The names that LMDB uses for its files. */
export const dataFile = 'data.mdb'
export const lockFile = 'lock.mdb'
