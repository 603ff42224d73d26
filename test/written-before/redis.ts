import type { Redis } from 'ioredis'
import { models } from './models.js'

/** Keys of Redis with what they hold, as base64: hashes as field and value, sorted sets as member and score. */
export type RedisKeys = Readonly<
  Record<
    string,
    | { readonly type: 'string'; readonly value: string }
    | { readonly type: 'hash' | 'zset'; readonly value: readonly (readonly [string, string])[] }
  >
>

const base64 = (bytes: Buffer | null): string => (bytes ?? Buffer.alloc(0)).toString('base64')
/** In either protocol: a flat list, or a list of pairs. */
function pairs(answer: readonly unknown[]): readonly (readonly [Buffer, unknown])[] {
  const list = answer.flat()
  return list.flatMap((each, i) => (i % 2 === 0 ? [[each as Buffer, list[i + 1]] as const] : []))
}

export async function dump(client: Redis): Promise<RedisKeys> {
  const dumped: Record<string, RedisKeys[string]> = {}
  for (const key of (await client.keys('rk:{wb_*')).sort()) {
    const type = await client.type(key)
    if (type === 'string') dumped[key] = { type, value: base64(await client.getBuffer(key)) }
    else if (type === 'hash') {
      const all = pairs((await client.callBuffer('HGETALL', key)) as unknown[])
      dumped[key] = { type, value: all.map(([field, value]) => [base64(field), base64(value as Buffer)] as const).sort() }
    } else {
      const all = pairs((await client.callBuffer('ZRANGE', key, '0', '-1', 'WITHSCORES')) as unknown[])
      dumped[key] = { type: 'zset', value: all.map(([member, score]) => [base64(member), String(score)] as const) }
    }
  }
  return dumped
}

export async function restore(client: Redis, keys: RedisKeys): Promise<void> {
  await remove(client)
  const bytes = (text: string): Buffer => Buffer.from(text, 'base64')
  for (const [key, { type, value }] of Object.entries(keys)) {
    if (type === 'string') await client.set(key, bytes(value))
    else if (type === 'hash') await client.hset(key, ...value.flatMap(([field, of]) => [bytes(field), bytes(of)]))
    else await client.zadd(key, ...value.flatMap(([member, score]) => [score, bytes(member)]))
  }
}

export async function remove(client: Redis): Promise<void> {
  for (const { name } of models) {
    const keys = await client.keys(`rk:{${name}*`)
    if (keys.length > 0) await client.del(...keys)
  }
}
