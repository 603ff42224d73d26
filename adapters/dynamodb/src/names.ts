import { RowkeyError, type TableSchema } from '@rowkey/store'

/** Refuses the one name that no client of JavaScript can give to an attribute. @throws RowkeyError `STORE_LACKS` */
export function checkNames({ name, columns, keyLength }: TableSchema): void {
  const lost = columns.slice(keyLength).find(({ physical }) => physical === '__proto__')
  if (lost === undefined) return
  throw new RowkeyError(
    'STORE_LACKS',
    `column '${lost.name}' of '${name}' is called __proto__ in the store, and the client of DynamoDB loses attributes of that name. Give another with { name }.`,
    { table: name, capability: 'attribute __proto__', adapter: 'dynamodb' },
  )
}
