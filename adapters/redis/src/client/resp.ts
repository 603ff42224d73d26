import type { Argument } from './commands.js'

/**
 * A command as Redis reads it: `*3 $4 hget $1 h $2 id`, each part followed by CR LF.
 *
 * The client would write each part separately. Here the text between two byte arguments is one string, which takes a third of the time.
 */
export function encodeCommand(name: string, args: readonly Argument[]): Buffer {
  const texts: string[] = [] // texts[i] comes before bytes[i]; the last one has no bytes after it
  const bytes: Buffer[] = []
  let length = 0
  let isAscii = true
  let text = `*${args.length + 1}\r\n$${name.length}\r\n${name}\r\n`
  for (const arg of args) {
    if (typeof arg === 'string') {
      const argLength = Buffer.byteLength(arg)
      if (argLength !== arg.length) isAscii = false
      length += argLength - arg.length // the units of the text are counted below
      text += `$${argLength}\r\n${arg}\r\n`
    } else {
      text += `$${arg.length}\r\n`
      texts.push(text)
      bytes.push(arg)
      length += text.length + arg.length
      text = '\r\n'
    }
  }
  const command = Buffer.allocUnsafe(length + text.length)
  let at = 0
  for (let i = 0; i < bytes.length; i++) {
    at = writeText(command, at, texts[i] as string, isAscii)
    command.set(bytes[i] as Buffer, at)
    at += (bytes[i] as Buffer).length
  }
  writeText(command, at, text, isAscii)
  return command
}

/** Below this length, a loop is faster than a native call. */
const shortText = 16

function writeText(into: Buffer, at: number, text: string, isAscii: boolean): number {
  if (!isAscii || text.length >= shortText) return at + into.write(text, at)
  for (let i = 0; i < text.length; i++) into[at + i] = text.charCodeAt(i)
  return at + text.length
}
