import type { CodecErrorDetails } from '@rowkey/codec'
import type { InvalidSchemaDetails } from '@rowkey/model'
import type { StoreErrorDetails } from '@rowkey/store'
import { RowkeyError } from '@rowkey/codec'

/** What the errors of this package carry in `details`, by code. */
export interface MapperErrorDetails {
  KEY_IMMUTABLE: { readonly table: string; readonly column: string }
  UNKNOWN_COLUMN: { readonly table: string; readonly column: string }
}

/** The details of every error of rowkey, by code. */
export interface ErrorDetails extends CodecErrorDetails, StoreErrorDetails, MapperErrorDetails {
  INVALID_SCHEMA: InvalidSchemaDetails
}

/** Every error code of rowkey. */
export type ErrorCode = keyof ErrorDetails

/** @internal */
export function mapperError<C extends keyof MapperErrorDetails>(
  code: C,
  message: string,
  details: MapperErrorDetails[C],
): RowkeyError<C, MapperErrorDetails[C]> {
  return new RowkeyError(code, message, details)
}
