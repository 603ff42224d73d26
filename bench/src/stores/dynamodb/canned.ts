import { Readable } from 'node:stream'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

interface Answered {
  readonly statusCode: number
  readonly headers: Record<string, string>
  readonly body: Readable
}
interface Handler {
  handle(
    request: { readonly headers: Record<string, string>; readonly body: string | Uint8Array },
    options?: object,
  ): Promise<{ readonly response: Answered }>
}

const textOf = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')

/**
 * Makes a client answer from memory what the server has answered once: reads by the request, writes by their kind. So only the client is
 * at work. Answers come as a stream, a turn of the event loop later, as those of a server do.
 */
export function canAnswers(client: DynamoDBClient): void {
  const handler = client.config.requestHandler as unknown as Handler
  const server = handler.handle.bind(handler)
  const answers = new Map<string, { readonly status: number; readonly headers: Record<string, string>; readonly body: Buffer }>()
  handler.handle = async (request, options) => {
    const target = request.headers['x-amz-target'] as string
    const name = /Put|Write/.test(target) ? target : target + textOf(request.body)
    let known = answers.get(name)
    if (known === undefined) {
      const { response } = await server(request, options)
      const body = Buffer.concat(await response.body.toArray())
      known = { status: response.statusCode, headers: response.headers, body }
      if (response.statusCode === 200) answers.set(name, known)
    } else {
      await new Promise(setImmediate)
    }
    return { response: { statusCode: known.status, headers: { ...known.headers }, body: Readable.from([known.body]) } }
  }
}
