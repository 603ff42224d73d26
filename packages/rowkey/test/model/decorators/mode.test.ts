import { expect, test } from 'vitest'

const calls: (readonly unknown[])[] = []
const recorded = (...args: readonly unknown[]): void => void calls.push(args)

class Model {
  @recorded field!: string
}

test('each of the two projects has decorators of its own mode, though they share files', () => {
  expect(['legacy', 'standard']).toContain(process.env['ROWKEY_DECORATORS'])
  const [[first, second] = []] = calls
  if (process.env['ROWKEY_DECORATORS'] === 'legacy') expect([first, second]).toEqual([Model.prototype, 'field'])
  else expect([first, second]).toMatchObject([undefined, { kind: 'field', name: 'field' }])
})
