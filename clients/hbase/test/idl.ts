import { readFileSync } from 'node:fs'

// What hbase.thrift says, read by a parser for as much of the language as that file uses.

/** A type of the interface. An enumeration is an `i32`. */
export type Type =
  | { readonly kind: 'bool' | 'byte' | 'i16' | 'i32' | 'i64' | 'double' | 'string' | 'binary' }
  | { readonly kind: 'list' | 'set'; readonly element: Type }
  | { readonly kind: 'map'; readonly key: Type; readonly value: Type }
  | { readonly kind: 'struct'; readonly name: string }

export interface IdlField {
  readonly id: number
  readonly name: string
  readonly type: Type
}

interface IdlCall {
  readonly args: readonly IdlField[]
  /** Undefined: void. */
  readonly result: Type | undefined
  readonly throws: readonly IdlField[]
}

export interface Idl {
  readonly structs: ReadonlyMap<string, readonly IdlField[]>
  readonly calls: ReadonlyMap<string, IdlCall>
}

const scalars: ReadonlySet<string> = new Set(['bool', 'byte', 'i16', 'i32', 'i64', 'double', 'string', 'binary'])

function parseIdl(text: string): Idl {
  const bare = text.replace(/\/\*[^]*?\*\//g, ' ').replace(/(\/\/|#).*$/gm, ' ')
  const tokens = bare.match(/"[^"]*"|[\w.]+|[{}()<>:;,=[\]*-]/g) ?? []
  let at = 0
  const peek = (): string => tokens[at] ?? ''
  const take = (wanted?: string): string => {
    const token = tokens[at++]
    if (token === undefined || (wanted !== undefined && token !== wanted))
      throw new Error(`${String(token)} where ${String(wanted)} is expected`)
    return token
  }
  const pass = (...wanted: readonly string[]): boolean => wanted.includes(peek()) && take() !== ''
  const enums = new Set<string>()
  const structs = new Map<string, readonly IdlField[]>()
  const calls = new Map<string, IdlCall>()

  const type = (): Type => {
    const name = take()
    if (scalars.has(name)) return { kind: name } as Type
    if (name !== 'list' && name !== 'set' && name !== 'map') return enums.has(name) ? { kind: 'i32' } : { kind: 'struct', name }
    take('<')
    const first = type()
    const second = name === 'map' && take(',') ? type() : first
    take('>')
    return name === 'map' ? { kind: name, key: first, value: second } : { kind: name, element: first }
  }
  const fields = (end: string): readonly IdlField[] => {
    const all: IdlField[] = []
    while (!pass(end)) {
      const id = Number(take())
      take(':')
      pass('required', 'optional')
      const declared = type()
      all.push({ id, name: take(), type: declared })
      if (pass('=')) take()
      pass(',', ';')
    }
    return all
  }
  const skipBlock = (): void => {
    take('{')
    while (take() !== '}');
  }

  while (at < tokens.length) {
    const keyword = take()
    if (keyword === 'namespace') at += 2
    else if (keyword === 'enum') {
      enums.add(take())
      skipBlock()
    } else if (keyword === 'struct' || keyword === 'union' || keyword === 'exception') {
      const name = take()
      take('{')
      structs.set(name, fields('}'))
    } else if (keyword === 'service') {
      take()
      take('{')
      while (!pass('}')) {
        const result = pass('void') ? undefined : type()
        const name = take()
        take('(')
        const args = fields(')')
        const throws = pass('throws') && take('(') ? fields(')') : []
        pass(',', ';')
        calls.set(name, { args, result, throws })
      }
    } else throw new Error(`${keyword} is no definition`)
  }
  return { structs, calls }
}

/** The interface of HBase's Thrift2 gateway: of hbase-thrift 2.6.1. */
export const idl: Idl = parseIdl(readFileSync(new URL('fixtures/hbase.thrift', import.meta.url), 'utf8'))
