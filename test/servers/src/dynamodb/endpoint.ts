import { ask } from '../loopback.js'

/** How clients reach a DynamoDB or what answers like it. */
export interface DynamodbConnection {
  readonly endpoint: string
}

/** Rejects until something speaks HTTP. */
export async function answersHttp(port: number): Promise<void> {
  const answer = await ask(port, 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  if (!answer.toString().startsWith('HTTP/1.1')) throw new Error('not HTTP')
}
