/** How a type is named on the wire. */
export const STOP = 0
export const BOOL = 2
export const BYTE = 3
export const DOUBLE = 4
export const I16 = 6
export const I32 = 8
export const I64 = 10
/** Text and bytes alike: a length and so many bytes. */
export const STRING = 11
export const STRUCT = 12
export const MAP = 13
export const SET = 14
export const LIST = 15

/** Kinds of messages. */
export const CALL = 1
export const REPLY = 2
export const EXCEPTION = 3

/** The first two bytes of a message of the strict binary protocol. */
export const VERSION_1 = 0x8001
