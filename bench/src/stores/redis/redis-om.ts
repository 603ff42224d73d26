import { createClient } from 'redis'
import { Repository, Schema } from 'redis-om'
import type { Sample } from '../model.js'
import type { Stored, Way } from '../party.js'

/** Rows by an id. It has no order and no ranges without RediSearch, and no batches. */
export async function redisOm(url: string, { groups }: Stored): Promise<Way<Sample, Sample>> {
  const client = createClient({ url })
  client.on('error', () => undefined) // calls are rejected; without a listener the process ends
  await client.connect()
  const columns = {
    host: { type: 'string' },
    event: { type: 'string' },
    at: { type: 'number' },
    level: { type: 'string' },
    message: { type: 'string' },
  } as const
  const schema = new Schema(`o${process.pid}`, columns, { dataStructure: 'HASH' })
  const repository = new Repository<Sample & Record<string, string | number>>(schema, client)
  const idOf = ({ host, event, at }: Sample): string => `${host}:${event}:${at}`
  const save = (row: Sample): Promise<unknown> => repository.save(idOf(row), { ...row })
  for (const group of groups) await Promise.all(group.map(save))
  return {
    given: (sample) => sample,
    sampleOf: (found) => found,
    put: save,
    putMany: (rows) => Promise.all(rows.map(save)),
    load: (rows) => Promise.all(rows.map(save)),
    get: (key) => repository.fetch(idOf(key)),
    getMany: (keys) => repository.fetch(...keys.map(idOf)),
  }
}
