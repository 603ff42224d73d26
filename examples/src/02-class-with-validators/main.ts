// A decorated class whose validators run on every write.
import * as classValidator from 'class-validator'
import { createMapper, isRowkeyError, memory } from 'rowkey'
import { Account } from './models.js'

const db = createMapper(memory(), { classValidator })
await db.ensureTables([Account])
const accounts = db.repository(Account)

const refusalOf = async (write: Promise<unknown>): Promise<string> => {
  try {
    await write
    return 'written'
  } catch (error) {
    if (!isRowkeyError(error, 'VALIDATION_FAILED')) throw error
    return error.details.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
  }
}

const ann = { email: 'ann@example.org', name: 'Ann' }
console.log('insert        ', await refusalOf(accounts.insert({ ...ann, age: 42 })))
console.log('no address    ', await refusalOf(accounts.insert({ email: 'ann', name: 'Ann', age: 42 })))
console.log('two faults    ', await refusalOf(accounts.put({ email: 'bob@example.org', name: '', age: 7 })))
console.log('a bad update  ', await refusalOf(accounts.update({ email: ann.email }, { age: 7 })))

const found = await accounts.getOrThrow({ email: ann.email })
console.log('what is stored', found instanceof Account, JSON.stringify(found))
await db.close()
