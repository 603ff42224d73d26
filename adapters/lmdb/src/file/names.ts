/** The names that LMDB uses for its files. */
export const dataFile = 'data.mdb'
export const lockFile = 'lock.mdb'
/** Exists while a process opens the file. */
export const openingMark = 'lock.mdb-opening'
