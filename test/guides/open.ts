import { createMapper, isRowkeyError, memory, type ModelClass, type Mapper, type Repository, type TableSchema } from 'rowkey'

/** A table on a store of its own. */
export async function open<M extends TableSchema | ModelClass>(model: M): Promise<Repository<M>> {
  const db: Mapper = createMapper(memory())
  await db.ensureTables([model])
  return db.repository(model)
}

/** The code of the refusal, or what was given instead. */
export async function codeOf(run: () => unknown): Promise<unknown> {
  try {
    return await run()
  } catch (error) {
    return isRowkeyError(error) ? error.code : error
  }
}
