import type { ColumnFamily } from './requests.js'

type Numbers<Property extends keyof ColumnFamily> = Readonly<Record<NonNullable<ColumnFamily[Property]> & string, number>>

// The numbers of HBase's enumerations.
export const compressions: Numbers<'compression'> = { LZO: 0, GZ: 1, NONE: 2, SNAPPY: 3, LZ4: 4, BZIP2: 5, ZSTD: 6 }
export const dataBlockEncodings: Numbers<'dataBlockEncoding'> = { NONE: 0, PREFIX: 2, DIFF: 3, FAST_DIFF: 4, ROW_INDEX_V1: 7 }
export const bloomFilters: Numbers<'bloomFilter'> = { NONE: 0, ROW: 1, ROWCOL: 2, ROWPREFIX_FIXED_LENGTH: 3 }
