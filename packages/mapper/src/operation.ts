import type { Mutation, Table } from '@rowkey/store'

/** A write of one row for `db.write()`, made by `repository.op`. It is taken as it is when it is made; nothing is written before. */
export interface Operation {
  /** Physical table name. */
  readonly table: string
  readonly kind: 'insert' | 'put' | 'update' | 'delete'
}

/** What an operation needs of its repository. */
export interface OperationTarget {
  /** The mapper it belongs to, by its writer. */
  readonly mapper: object
  table(): Table | Promise<Table>
  /** Opens the table anew at the next call. */
  forget(): void
  checked(mutation: Mutation): Promise<void> | undefined
  written(mutation: Mutation): object
  /** The same as a write of its own, with a new version. */
  renewed(mutation: Mutation, now: number): Mutation
}

/** @internal */
export class TableOperation implements Operation {
  readonly table: string
  readonly kind: Operation['kind']
  readonly target: OperationTarget
  private readonly made: () => Mutation

  /** A refusal waits for `db.write()`: every refusal of a call is a rejection. */
  constructor(target: OperationTarget, table: string, kind: Operation['kind'], make: () => Mutation) {
    this.target = target
    this.table = table
    this.kind = kind
    this.made = kept(make)
  }

  /** As it was made, but a write of its own, with a version of this time: an operation may be written twice. @throws what it was refused with */
  mutation(now: number): Mutation {
    return this.target.renewed(this.made(), now)
  }
}

function kept<T>(make: () => T): () => T {
  try {
    const made = make()
    return () => made
  } catch (error) {
    return () => {
      throw error
    }
  }
}
