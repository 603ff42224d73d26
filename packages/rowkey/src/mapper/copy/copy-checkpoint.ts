import type { TableSchema } from '#model'
import { RowkeyError } from '#codec'
import { maxCheckpointLength } from '#store/engine'

/** Where a copy stands. */
export interface CopyPlace {
  /** Rows copied. */
  readonly rows: number
  /** The checkpoint of the read of the whole source. */
  readonly scan: string
}

const format = 1

/**
 * Names of tables may contain dots, as the marks between the parts do. So the parts after the name have a form that says where it ends: a
 * fingerprint has 16 digits, and a checkpoint of a read of the whole table contains no dot except the one before its signature.
 */
const form = /^(\d{1,9})\.(\d{1,15})\.([\w.:-]{1,255})\.([0-9a-f]{16})\.([\w-]+(?:\.[0-9a-f]{64})?)$/

/** The checkpoint of a read of the whole table, and what is before it. */
const maxLength = maxCheckpointLength + 400

/** As URL-safe text: format, rows, the name of the target and the fingerprint of its layout, and the checkpoint of the read of the source. */
export function writeCopyCheckpoint({ declaredName, fingerprints }: TableSchema, { rows, scan }: CopyPlace): string {
  return `${format}.${rows}.${declaredName}.${fingerprints.layout}.${scan}`
}

/** @throws RowkeyError `CURSOR_INVALID`, `CURSOR_MISMATCH` for a checkpoint of a copy into another table */
export function readCopyCheckpoint(target: TableSchema, checkpoint: string): CopyPlace {
  const [, version, rows, name, layout, scan] = (checkpoint.length <= maxLength ? form.exec(checkpoint) : undefined) ?? []
  if (scan === undefined || Number(version) !== format) {
    const reason =
      scan === undefined ? 'it is truncated or not of a copy' : `it has format ${version}, but this version reads format ${format}`
    throw new RowkeyError(
      'CURSOR_INVALID',
      `the checkpoint given to copyTable() cannot be read: ${reason}. Pass the checkpoint of onProgress or of DEADLINE unchanged, or start without one.`,
      { reason },
    )
  }
  if (name !== target.declaredName || layout !== target.fingerprints.layout) {
    const differs = name === target.declaredName ? 'layout' : 'table'
    throw new RowkeyError(
      'CURSOR_MISMATCH',
      `the checkpoint given to copyTable() is of a copy into ${differs === 'table' ? `table '${name}'` : 'a table with another key or salt'}, not into '${target.name}'. Continue with the same tables, or start without one.`,
      { differs },
    )
  }
  return { rows: Number(rows), scan }
}
