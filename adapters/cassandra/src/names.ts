/** A name in CQL, exactly as it is. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** First part of every partition key: the bucket, 0 in a table without salt. */
export const bucketColumn = 'rk_bucket'
/** Static, and never set: a condition on it always holds. */
export const guardColumn = 'rk_guard'
