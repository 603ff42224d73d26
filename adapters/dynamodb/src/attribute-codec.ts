import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { Value } from '@rowkey/store'

/** Values of one column as attributes; null is above it. */
export interface AttributeCodec {
  toAttribute(value: Value): AttributeValue
  /** undefined: no value of this column. */
  toValue(attribute: AttributeValue): Value | undefined
}
