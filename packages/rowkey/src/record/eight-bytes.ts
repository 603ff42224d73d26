/** Eight bytes as float or 64-bit integer. Shared, because nothing else runs between writing and reading it. */
export const eightBytes: Uint8Array = new Uint8Array(8)
export const eightView: DataView = new DataView(eightBytes.buffer)
