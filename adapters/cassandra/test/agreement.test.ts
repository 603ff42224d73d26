import { Cancellation } from 'rowkey/adapter'
import { expect, test } from 'vitest'
import { agreedNode, agreement, type Nodes } from '../src/client/agreement.js'

const times = { patience: 150, maxWait: 400, pause: 5 }

/** Nodes that answer one look after the other, and then as the last; undefined: one does not answer. */
function nodesOf(...looks: readonly (readonly (readonly string[] | undefined)[])[]): Nodes & { asked: number } {
  let look = -1
  const nodes = {
    asked: 0,
    nodes() {
      nodes.asked++
      look = Math.min(look + 1, looks.length - 1)
      return (looks[look] ?? []).map((_, i) => String(i))
    },
    schemaVersions(address: string) {
      const answer = looks[look]?.[Number(address)]
      return answer === undefined ? Promise.reject(new Error('no answer')) : Promise.resolve(answer)
    },
  }
  return nodes
}

test('nodes agree when all say the same, of themselves and of each other', async () => {
  const one = nodesOf([['a']])
  await agreement(one, undefined, times)
  expect(one.asked).toBe(1)
  const late = nodesOf([['a', 'b'], ['b', 'a']], [['a', 'b'], ['a', 'b']], [['a', 'b'], ['b', 'b']], [['b', 'b'], ['b', 'b']]) // prettier-ignore
  await agreement(late, undefined, times)
  expect(late.asked).toBe(4)
})

test('a node that does not answer is waited for a while; what the others know of it counts no longer then', async () => {
  const down = nodesOf([['b', 'a'], ['b', 'a'], undefined])
  await agreement(down, undefined, times)
  expect(down.asked).toBeGreaterThan(3)
  expect(await agreedNode(down)).toBe('0')
})

test('nodes that answer and do not agree are STORE_UNAVAILABLE in the end, and so are nodes none of which answers', async () => {
  for (const nodes of [nodesOf([['a'], ['b']]), nodesOf([undefined, undefined]), nodesOf([])]) {
    await expect(agreement(nodes, undefined, times)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      details: { adapter: 'cassandra', reason: 'refused' },
      message: expect.stringContaining('its nodes have different definitions of tables') as string,
    })
  }
})

test('what a node lacks is believed of one that agrees with all that answer, which are half of all at least', async () => {
  expect(await agreedNode(nodesOf([['a']]))).toBe('0')
  expect(await agreedNode(nodesOf([undefined, ['a', 'b'], ['a', 'b']]))).toBe('1') // and not the one that does not answer
  expect(await agreedNode(nodesOf([['a'], ['b'], ['a']]))).toBeUndefined()
  expect(await agreedNode(nodesOf([['a'], undefined, undefined]))).toBeUndefined()
  expect(await agreedNode(nodesOf([undefined]))).toBeUndefined()
})

test('nobody waits for agreement who was given up', async () => {
  const cancellation = new Cancellation({ deadline: Date.now() + 30 })
  await expect(agreement(nodesOf([['a'], ['b']]), cancellation, { ...times, maxWait: 60_000 })).rejects.toMatchObject({ code: 'DEADLINE' })
})
