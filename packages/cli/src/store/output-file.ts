// Tested by stores-transfer.test.ts and stores-interrupted.test.ts.
import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Failure, systemReason } from '../failure.js'

/** A file that appears when it is complete. Until then its bytes are in a file next to it, which can be continued. */
export class OutputFile {
  private readonly name: string
  private readonly path: string
  private readonly part: string
  private readonly file: number
  private size: number
  private isOpen = true

  /**
   * @param name what messages call it
   * @param bytes how much of an earlier part is good; undefined = begin
   * @throws Failure
   */
  constructor(path: string, name: string, bytes: number | undefined) {
    this.path = path
    this.name = name
    this.part = partOf(path)
    this.size = bytes ?? 0
    refuseOther(path, name)
    if (bytes !== undefined && !existsSync(this.part)) {
      throw new Failure(`${partOf(name)}, which the checkpoint continues, does not exist. Delete the checkpoint to begin again.`)
    }
    this.file = this.tried(() => {
      // A file of its own: another export to the same path, which is still at work, must not write into it.
      if (bytes === undefined) rmSync(this.part, { force: true })
      return openSync(this.part, bytes === undefined ? 'wx' : 'r+')
    })
    if (bytes !== undefined && fstatSync(this.file).size < bytes) {
      closeSync(this.file)
      throw new Failure(`${partOf(name)} is shorter than its checkpoint says. Delete the checkpoint to begin again.`)
    }
    // What came after the checkpoint is written again.
    this.tried(() => {
      ftruncateSync(this.file, this.size)
    })
  }

  /** Bytes so far. */
  get bytes(): number {
    return this.size
  }

  write(text: string): void {
    const bytes = Buffer.from(text)
    this.tried(() => {
      for (let at = 0; at < bytes.length;) at += writeSync(this.file, bytes, at, bytes.length - at, this.size + at)
    })
    this.size += bytes.length
  }

  /** Brings it to the disk, so that a checkpoint may speak of it. */
  flush(): void {
    this.tried(() => {
      fsyncSync(this.file)
    })
  }

  complete(): void {
    this.flush()
    if (!this.isOurs()) throw new Failure(`another export to ${this.name} has begun in the meantime. This one has written nothing.`)
    this.tried(() => {
      renameSync(this.part, this.path)
    })
    this.close()
  }

  close(): void {
    if (this.isOpen) closeSync(this.file)
    this.isOpen = false
  }

  /** Deletes what there is of it. */
  discard(): void {
    const isOurs = this.isOpen && this.isOurs()
    this.close()
    if (isOurs) rmSync(this.part, { force: true })
  }

  /** Whether the part is still that of this process. */
  private isOurs(): boolean {
    return statSync(this.part, { throwIfNoEntry: false })?.ino === fstatSync(this.file).ino
  }

  private tried<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw new Failure(`${this.name} cannot be written: ${systemReason(error)}.`, undefined, { cause: error })
    }
  }
}

/** Only a file is replaced: a folder cannot be, and a device or a pipe would be gone. @throws Failure */
function refuseOther(path: string, name: string): void {
  if (name !== '' && (!existsSync(path) || statSync(path).isFile())) return
  throw new Failure(`${name === '' ? 'the output' : name} is no file. Give the name of a file, or leave --output out for stdout.`)
}

/** Where the bytes of a file are until it is complete. */
const partOf = (path: string): string => join(dirname(path), `.${basename(path)}.part`)

/** Whether a file was completed with so many bytes, and only its checkpoint is left. */
export const isComplete = (path: string, bytes: number): boolean =>
  !existsSync(partOf(path)) && existsSync(path) && statSync(path).size === bytes
