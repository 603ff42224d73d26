// Tested by forms.test.ts.
import type { TableCatalog, TableSchema } from 'rowkey/adapter'

// In the first form, every partition key begins with the bucket, which is 0 in a table without a salt. In the second one the partition key is what
// the model says. A table that needs the bucket is made in the first form, and so is readable for versions that know no other.

/** What the catalog of a table in the second form contains about it. */
export const secondForm = { form: 2 } as const

/** Whether the partition key of a table begins with the bucket. */
export const hasBucket = ({ store }: TableCatalog): boolean => store?.['form'] !== secondForm.form

/** The same of a table that is made now: the bucket of a salt, or a constant, because a partition key has at least one column. */
export const needsBucket = ({ salt, partitionLength }: TableSchema): boolean => salt.length > 0 || partitionLength === 0
