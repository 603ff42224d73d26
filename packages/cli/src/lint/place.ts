// Tested by lint.test.ts.
import { readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import type { LoadedModel } from '../load/load-models.js'

/** Where a table or one of its columns is declared. */
export interface Place {
  /** Relative to the working folder, with slashes. */
  readonly file: string
  /** From 1; undefined if the file names neither. */
  readonly line: number | undefined
}

/** The place of a model, and that of a column in it. The texts of files are read once. */
export function placesIn(folder: string): (model: LoadedModel, column: string | undefined) => Place {
  const texts = new Map<string, readonly string[]>()
  const linesOf = (file: string): readonly string[] => {
    const lines = texts.get(file) ?? readLines(file)
    texts.set(file, lines)
    return lines
  }
  return (model, column) => {
    const lines = linesOf(model.file)
    const at = tableLine(lines, model)
    return { file: relative(folder, model.file).split(sep).join('/'), line: at < 0 ? undefined : 1 + columnLine(lines, at, column) }
  }
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return [] // it may be gone since its models were loaded
  }
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** The line with the name of the table, or else with that of its export; -1 for neither. */
function tableLine(lines: readonly string[], { schema, name }: LoadedModel): number {
  const table = literal(schema.name)
  const wanted = [
    new RegExp(String.raw`(?:defineTable|Table)\w*\(\s*(["'\x60])${table}\1`),
    new RegExp(String.raw`"name"\s*:\s*"${table}"`),
    new RegExp(String.raw`\b(?:class|const|let|var)\s+${literal(name)}\b`),
    new RegExp(String.raw`(["'\x60])${table}\1`),
    new RegExp(String.raw`\b${literal(name)}\b`),
  ]
  for (const each of wanted) {
    const at = lines.findIndex((line) => each.test(line))
    if (at >= 0) return at
  }
  return -1
}

/** The line of a column after that of its table, before the next table. */
function columnLine(lines: readonly string[], from: number, column: string | undefined): number {
  if (column === undefined) return from
  const name = literal(column)
  const wanted = new RegExp(String.raw`(?:^|[\s{,(])(["']?)${name}\1\s*[!?]?:|"name"\s*:\s*"${name}"`)
  const next = lines.findIndex((line, at) => at > from && /(?:defineTable|@Table)\w*\(/.test(line))
  const at = lines.findIndex((line, i) => i >= from && (next < 0 || i < next) && wanted.test(line))
  return at < 0 ? from : at
}
