import { afterEach, describe, expect, test } from 'vitest'
import { failureOf, until } from './failure.js'
import { fakeGateway, framed, greeting, type Answer, type FakeGateway } from './fake-gateway.js'
import { encodeException, encodeReply, type ReceivedCall } from './oracle.js'

const row = Buffer.from('r')
const exists: Answer = ({ name, sequence }) => encodeReply(name, sequence, { success: true })
/** The table of a call, by which gateways tell them apart. */
const tableOf = ({ args }: ReceivedCall): string => {
  const { tableName } = args as { readonly tableName: { readonly qualifier: Buffer } }
  return tableName.qualifier.toString()
}

let gateway: FakeGateway
afterEach(() => gateway.stop())

describe.each(['unframed', 'framed'] as const)('%s', (transport) => {
  const onWire = (answer: Uint8Array): Uint8Array => (transport === 'framed' ? framed(answer) : answer)
  const start = async (answer: Answer): Promise<FakeGateway> => (gateway = await fakeGateway(transport, answer))

  test('requests are sent without waiting for answers, which come in the same order', async () => {
    const held: ReceivedCall[] = []
    await start((call, socket) => {
      held.push(call)
      if (held.length < 3) return
      const answers = held.map(({ name, sequence }, index) => encodeReply(name, sequence, { success: index === 1 }))
      for (const answer of answers) {
        const length = Buffer.alloc(transport === 'framed' ? 4 : 0)
        if (transport === 'framed') length.writeInt32BE(answer.length)
        socket.write(Buffer.concat([length, answer]))
      }
    })
    const client = gateway.client({ connections: 1 })
    expect(await Promise.all(['a', 'b', 'c'].map((table) => client.tableExists(table)))).toEqual([false, true, false])
    expect(held.map(tableOf)).toEqual(['a', 'b', 'c'])
    expect(gateway.sockets).toHaveLength(1)
  })

  test('a connection that ends within an answer ends its calls, each as sent; the next call gets a new one', async () => {
    await start((call, socket) => {
      if (tableOf(call) === 'fine') return exists(call, socket)
      if (tableOf(call) === 'last') socket.end(Buffer.from([0x80, 1, 0]))
    })
    const client = gateway.client({ connections: 1 })
    const calls = ['first', 'second', 'last'].map((table) => failureOf(client.tableExists(table)))
    for (const error of await Promise.all(calls)) {
      expect(error).toMatchObject({ call: 'tableExists', isSent: true })
      expect(error.message).toMatch(/^tableExists\(\) was /)
    }
    expect((await Promise.all(calls)).map(({ code }) => code)).toContain('CONNECTION_LOST')
    expect(await client.tableExists('fine')).toBe(true)
    expect(gateway.sockets).toHaveLength(2)
  })

  test('the answer of a call that timed out is passed over, and the calls after it get theirs', async () => {
    let late: (() => void) | undefined
    await start((call, socket) => {
      if (tableOf(call) !== 'slow') return exists(call, socket)
      const answer = encodeReply(call.name, call.sequence, { success: false })
      late = () => void socket.write(transport === 'framed' ? Buffer.concat([Buffer.from([0, 0, 0, answer.length]), answer]) : answer)
    })
    const client = gateway.client({ connections: 1 })
    const slow = failureOf(client.tableExists('slow', { timeout: 50 }))
    await until(() => late !== undefined)
    expect(await slow).toMatchObject({ code: 'TIMEOUT', isSent: true })
    late?.()
    expect(await client.tableExists('next')).toBe(true)
    expect(gateway.sockets).toHaveLength(1)
  })

  test('a gateway that never answers holds up nobody for long: its connection is replaced', async () => {
    await start((call, socket) => (tableOf(call) === 'never' || gateway.sockets.length === 1 ? undefined : exists(call, socket)))
    const client = gateway.client({ connections: 1 })
    const waiting = client.tableExists('waiting', { timeout: 3_000 })
    expect(await failureOf(client.tableExists('never', { timeout: 20 }))).toMatchObject({ code: 'TIMEOUT', isSent: true })
    // It still waits on the first connection, which takes no further call and is closed with it.
    expect(await failureOf(waiting)).toMatchObject({ code: 'TIMEOUT' })
    expect(await client.tableExists('other')).toBe(true)
    await until(() => gateway.sockets[0]?.destroyed === true)
  })

  test('an abort ends a call, before it was sent and after', async () => {
    await start(() => undefined)
    const client = gateway.client({ connections: 1 })
    expect(await failureOf(client.tableExists('t', { signal: AbortSignal.abort('enough') }))).toMatchObject({
      code: 'ABORTED',
      isSent: false,
    })
    const controller = new AbortController()
    const early = failureOf(client.tableExists('t', { signal: controller.signal }))
    controller.abort()
    expect(await early).toMatchObject({ code: 'ABORTED', isSent: false })
    const second = new AbortController()
    const sent = failureOf(client.tableExists('t', { signal: second.signal }))
    await until(() => gateway.calls.length === 1)
    second.abort('enough')
    expect(await sent).toMatchObject({ code: 'ABORTED', isSent: true, cause: 'enough' })
  })

  test.each([
    ['another number', ({ name, sequence }: ReceivedCall) => encodeReply(name, sequence + 1, { success: true })],
    ['another call', ({ sequence }: ReceivedCall) => encodeReply('isTableEnabled', sequence, { success: true })],
    ['no result', ({ name, sequence }: ReceivedCall) => encodeReply(name, sequence, {})],
    ['a size that nothing has', () => Buffer.from([0x80, 1, 0, 2, 0x7f, 255, 255, 255])],
  ])('an answer with %s ends the connection: that call is told so, the others lost it', async (_, answer) => {
    const held: ReceivedCall[] = []
    await start((call, socket) => {
      if (tableOf(call) === 'fine') return exists(call, socket)
      held.push(call)
      return held.length === 2 ? answer(held[0] as ReceivedCall) : undefined
    })
    const client = gateway.client({ connections: 1 })
    const [first, second] = [failureOf(client.tableExists('a')), failureOf(client.tableExists('b'))]
    expect(await first).toMatchObject({ code: 'MALFORMED_ANSWER', isSent: true })
    expect(await second).toMatchObject({ code: 'CONNECTION_LOST', isSent: true })
    expect(await client.tableExists('fine')).toBe(true)
  })

  test('an answer that nobody asked for ends the connection, and the next call gets a new one', async () => {
    await start((call, socket) => {
      const answer = exists(call, socket) as Uint8Array
      if (tableOf(call) !== 'twice') return answer
      const framing = Buffer.from(transport === 'framed' ? [0, 0, 0, answer.length] : [])
      socket.write(Buffer.concat([framing, answer, framing, answer]))
    })
    const client = gateway.client({ connections: 1 })
    expect(await client.tableExists('twice')).toBe(true)
    await until(() => gateway.sockets[0]?.destroyed === true)
    expect(await client.tableExists('fine')).toBe(true)
    expect(gateway.sockets).toHaveLength(2)
  })

  test('an answer that comes byte by byte is read; one that stops is timed out', async () => {
    await start((call, socket) => {
      const answer = exists(call, socket) as Uint8Array
      const bytes = Buffer.concat([Buffer.from(transport === 'framed' ? [0, 0, 0, answer.length] : []), answer])
      const drip = (at: number): void => {
        if (at === bytes.length || (tableOf(call) === 'stops' && at === 9)) return
        socket.write(bytes.subarray(at, at + 1), () => setImmediate(drip, at + 1))
      }
      drip(0)
    })
    const client = gateway.client({ connections: 1 })
    expect(await client.tableExists('slow')).toBe(true)
    expect(await failureOf(client.tableExists('stops', { timeout: 100 }))).toMatchObject({ code: 'TIMEOUT', isSent: true })
  })

  test('an answer larger than maxAnswerBytes is refused when it says so', async () => {
    await start(({ name, sequence }) =>
      encodeReply(name, sequence, { success: { columnValues: [{ family: row, qualifier: row, value: Buffer.alloc(5_000) }] } }),
    )
    expect(await failureOf(gateway.client({ maxAnswerBytes: 4_000 }).get('t', { row }))).toMatchObject({
      code: 'MALFORMED_ANSWER',
      isSent: true,
    })
    expect((await gateway.client({ maxAnswerBytes: 6_000 }).get('t', { row })).cells).toHaveLength(1)
  })

  test('a failure in the gateway is told, and the connection stays', async () => {
    await start(({ name, sequence }) => encodeException(name, sequence, `Internal error processing ${name}`, 6))
    const client = gateway.client({ connections: 1 })
    for (let round = 0; round < 2; round++) {
      const error = await failureOf(client.tableExists('t'))
      expect(error).toMatchObject({ code: 'GATEWAY', isSent: true, canRetry: undefined })
      expect(error.message).toContain("'Internal error processing tableExists'. Its log says why")
    }
    expect(gateway.sockets).toHaveLength(1)
  })

  test('there are never more connections than allowed; a call goes where the fewest wait', async () => {
    let release: (() => void) | undefined
    await start((call, socket) => {
      if (tableOf(call) !== 'held') return exists(call, socket)
      release = () => void socket.write(onWire(exists(call, socket) as Uint8Array))
    })
    const client = gateway.client({ connections: 3 })
    const held = client.tableExists('held')
    await until(() => release !== undefined)
    for (let round = 0; round < 50; round++) expect(await client.tableExists('t')).toBe(true)
    expect(gateway.sockets).toHaveLength(2)
    release?.()
    expect(await held).toBe(true)
    await Promise.all(Array.from({ length: 20 }, () => client.tableExists('t')))
    expect(gateway.sockets).toHaveLength(3)
  })

  test('a connection that cannot be opened hands its calls to one that is open', async () => {
    let greets = true
    let release: (() => void) | undefined
    const answer: Answer = (call, socket) => {
      if (call.name === 'getThriftServerType') {
        if (greets) return greeting(call, socket)
        socket.destroy()
        release?.()
      } else if (tableOf(call) === 'held') release = () => void socket.write(onWire(exists(call, socket) as Uint8Array))
      else return exists(call, socket)
    }
    gateway = await fakeGateway(transport, answer, { greets: false })
    const client = gateway.client({ connections: 2 })
    const held = client.tableExists('held')
    await until(() => release !== undefined)
    greets = false
    expect(await Promise.all([client.tableExists('t'), held])).toEqual([true, true])
    expect(gateway.sockets.map(({ destroyed }) => destroyed)).toEqual([false, true])
  })

  test('an idle connection is closed before the gateway does so, and the next call opens one', async () => {
    await start(exists)
    const client = gateway.client({ idleTimeout: 30 })
    expect(await client.tableExists('t')).toBe(true)
    await until(() => gateway.sockets[0]?.destroyed === true)
    expect(await client.tableExists('t')).toBe(true)
    expect(gateway.sockets).toHaveLength(2)
  })

  test('a connection with a call that waits is not idle', async () => {
    await start((call, socket) => {
      setTimeout(() => {
        const answer = exists(call, socket) as Uint8Array
        socket.write(Buffer.concat([Buffer.from(transport === 'framed' ? [0, 0, 0, answer.length] : []), answer]))
      }, 150)
    })
    expect(await gateway.client({ idleTimeout: 30 }).tableExists('t')).toBe(true)
    expect(gateway.sockets).toHaveLength(1)
  })

  test('close() refuses new calls and lets those that run end', async () => {
    let answer: (() => void) | undefined
    await start((call, socket) => {
      answer = () => {
        const bytes = exists(call, socket) as Uint8Array
        socket.write(Buffer.concat([Buffer.from(transport === 'framed' ? [0, 0, 0, bytes.length] : []), bytes]))
      }
    })
    const client = gateway.client()
    const running = client.tableExists('t')
    await until(() => answer !== undefined)
    const closed = client.close()
    expect(await failureOf(client.tableExists('t'))).toMatchObject({ code: 'CLOSED', isSent: false })
    answer?.()
    expect(await running).toBe(true)
    await closed
    await until(() => gateway.sockets[0]?.destroyed === true)
    await client.close()
  })
})

test('nothing is sent before the first call, and a refused one sends nothing', async () => {
  gateway = await fakeGateway('unframed', exists)
  const client = gateway.client()
  expect(await failureOf(client.put('t', { row, cells: [] }))).toMatchObject({ code: 'INVALID_ARGUMENT', isSent: false })
  await client.close()
  expect(gateway.sockets).toHaveLength(0)
})

test('a scan that starts where it stops is empty, and is not sent', async () => {
  gateway = await fakeGateway('unframed', exists)
  const client = gateway.client()
  expect(await client.scan('t', { start: row, stop: row }, 5)).toEqual([])
  expect(await failureOf(client.openScanner('t', { start: row, stop: row }))).toMatchObject({ code: 'INVALID_ARGUMENT' })
  expect(await failureOf(client.scan('t', { start: row, stop: row, limit: 0 }, 5))).toMatchObject({ code: 'INVALID_ARGUMENT' })
  expect(gateway.sockets).toHaveLength(0)
})
