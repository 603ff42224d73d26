import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build } from '../setup/build.js'

const main = fileURLToPath(new URL('../../examples/dist/03-http-service/main.js', import.meta.url))

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** The example service on a store, asked over HTTP. */
export function httpServiceTests(environment: () => Readonly<Record<string, string>>): void {
  let service: ReturnType<typeof spawn>
  let url = ''
  let complaints = ''
  const buyer = `ann-${process.pid}-${Date.now()}` // the store may be used before and after
  const number = (n: number): string => `${buyer.slice(-8)}-${n}`

  beforeAll(async () => {
    build('examples')
    service = spawn(process.execPath, [main], { env: { ...process.env, PORT: '0', ...environment() }, stdio: ['ignore', 'pipe', 'pipe'] })
    service.stderr?.on('data', (text: Buffer) => (complaints += text.toString()))
    for await (const line of createInterface({ input: service.stdout as NodeJS.ReadableStream })) {
      url = /Orders at (http:\S+),/.exec(line)?.[1] ?? ''
      if (url !== '') break
    }
    if (url === '') throw new Error(`the service did not start: ${complaints}`)
  }, 180_000)

  afterAll(() => {
    service.kill('SIGKILL')
  })

  const answerOf = async (response: Response): Promise<Answer> => ({
    status: response.status,
    body: (await response.json()) as Answer['body'],
  })
  const get = async (path: string): Promise<Answer> => answerOf(await fetch(url + path))
  const post = async (body: unknown): Promise<Answer> =>
    answerOf(await fetch(`${url}/orders`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }))
  const numbersOf = ({ body }: Answer): readonly unknown[] => (body['orders'] as { no: string }[]).map(({ no }) => no)

  test('an order is placed, with what the service adds, and found by its number', async () => {
    const placed = await post({ no: number(1), buyer, cents: 1200 })
    expect(placed).toMatchObject({ status: 201, body: { no: number(1), buyer, cents: 1200, note: null } })
    expect(new Date(placed.body['placedAt'] as string).toISOString()).toBe(placed.body['placedAt'])
    expect(await get(`/orders/${number(1)}`)).toEqual({ status: 200, body: placed.body })
  })

  test('the newest orders of a buyer come page by page, and no others', async () => {
    for (const n of [2, 3, 4, 5]) {
      await post({ no: number(n), buyer, cents: n, note: `order ${n}` })
      await new Promise((resolve) => setTimeout(resolve, 5)) // an instant of its own
    }
    await post({ no: number(6), buyer: `${buyer}2`, cents: 1 }) // its name starts like the other one
    const seen: unknown[] = []
    let path: string | undefined = `/buyers/${buyer}/orders?limit=2`
    for (let pages = 0; path !== undefined && pages < 10; pages++) {
      const page: Answer = await get(path)
      expect(page.status).toBe(200)
      seen.push(...numbersOf(page))
      const next: unknown = page.body['next']
      path = typeof next === 'string' ? `/buyers/${buyer}/orders?limit=2&cursor=${encodeURIComponent(next)}` : undefined
    }
    expect(seen).toEqual([5, 4, 3, 2, 1].map(number))
    const first = await get(`/buyers/${buyer}/orders?limit=2`)
    const second = await get(`/buyers/${buyer}/orders?limit=2&cursor=${encodeURIComponent(first.body['next'] as string)}`)
    const back = await get(`/buyers/${buyer}/orders?limit=2&cursor=${encodeURIComponent(second.body['previous'] as string)}`)
    expect(numbersOf(back)).toEqual(numbersOf(first))
  })

  test('a number that is taken is a conflict, and the list of the second buyer stays as it was', async () => {
    const again = await post({ no: number(1), buyer: `${buyer}3`, cents: 1 })
    expect(again).toMatchObject({ status: 409, body: { code: 'ROW_EXISTS' } })
    expect(numbersOf(await get(`/buyers/${buyer}3/orders`))).toEqual([])
    expect(await get(`/orders/${number(1)}`)).toMatchObject({ body: { buyer, cents: 1200 } })
  })

  test('a number that does not exist is not found', async () => {
    expect(await get(`/orders/none-${buyer.slice(-6)}`)).toMatchObject({ status: 404, body: { code: 'ROW_NOT_FOUND' } })
  })

  test.each([
    ['a missing field', { no: 'x', cents: 1 }],
    ['a field of another type', { no: 'x', buyer: 'x', cents: '1' }],
    ['a value that a column cannot hold', { no: 'x', buyer: 'x', cents: 2 ** 32 }],
    ['a field that the service sets', { no: 'x', buyer: 'x', cents: 1, placedAt: '2020-01-01' }],
    ['operators in place of a value', { no: { gte: '' }, buyer: 'x', cents: 1 }],
    ['text that is not Unicode', { no: 'x\ud800', buyer: 'x', cents: 1 }],
  ])('%s is a bad request, and nothing is written', async (_, body) => {
    expect((await post(body)).status).toBe(400)
    expect((await get('/orders/x')).status).toBe(404)
  })

  test('a cursor that was changed, or is of another buyer, is a bad request', async () => {
    const { body } = await get(`/buyers/${buyer}/orders?limit=2`)
    const cursor = body['next'] as string
    expect(await get(`/buyers/${buyer}/orders?limit=2&cursor=${encodeURIComponent(`${cursor}x`)}`)).toMatchObject({
      status: 400,
      body: { code: 'CURSOR_INVALID' },
    })
    expect(await get(`/buyers/${buyer}2/orders?limit=2&cursor=${encodeURIComponent(cursor)}`)).toMatchObject({
      status: 400,
      body: { code: expect.stringMatching(/^CURSOR_/) as string },
    })
  })

  test('it says that its store answers', async () => {
    expect(await get('/health')).toEqual({ status: 200, body: { orders: { status: 'up' } } })
  })

  test('it ends when it is told to, after closing its store', async () => {
    service.kill('SIGTERM')
    const [code, signal] = (await once(service, 'exit')) as [number | null, string | null]
    expect(signal ?? code).toBe('SIGTERM')
    expect(complaints).toBe('')
  })
}
