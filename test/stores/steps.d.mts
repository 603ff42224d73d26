interface Row {
  readonly id: number
  readonly n: bigint
  readonly b: number | null
}

export declare const modelOf: (rowkey: typeof import('rowkey')) => import('rowkey').TableSchema
export declare const steps: readonly ((table: unknown, id: number) => Promise<unknown>)[]
export declare function rowAfter(id: number, count: number): Row | undefined
