import { RowkeyError, clientOption, show } from '@rowkey/store'
import type { Client, ClientOptions } from 'cassandra-driver'

/** Options of `cassandra()`. */
export interface CassandraOptions {
  /** Where the tables are; default: the keyspace of the client. It must exist. */
  readonly keyspace?: string
}

/** What the driver makes of a client's options, which its types do not show. */
interface Configured {
  readonly options?: ClientOptions
}

const keyspaceName = /^[A-Za-z0-9_]{1,48}$/

/**
 * The keyspace to work in, if client and options can be used.
 *
 * @throws RowkeyError `INVALID_OPTION`, `CLIENT_OPTION`
 */
export function checkOptions(client: Client, options: CassandraOptions): string {
  if (typeof (client as Partial<Client> | null)?.execute !== 'function') {
    throw invalidOption('client', show(client), 'Give a Client of cassandra-driver.')
  }
  if (typeof options !== 'object' || (options as CassandraOptions | null) === null) {
    throw invalidOption('options', show(options), 'Give an object, or leave it out.')
  }
  const { keyspace, ...others } = options
  const [unknown] = Object.entries(others)
  if (unknown !== undefined) throw invalidOption(unknown[0], show(unknown[1]), `There is 'keyspace' only.`)
  checkClient(optionsOf(client))
  const name: unknown = keyspace ?? optionsOf(client).keyspace
  if (typeof name === 'string' && keyspaceName.test(name)) return name
  throw invalidOption(
    'keyspace',
    show(name),
    'Give the name of a keyspace, of at most 48 letters, digits and underscores, here or to the client.',
  )
}

export const optionsOf = (client: Client): ClientOptions => (client as Configured).options ?? {}

function checkClient({ protocolOptions, isMetadataSyncEnabled, encoding }: ClientOptions): void {
  const version = protocolOptions?.maxVersion
  if (typeof version === 'number' && version > 0 && version < 4) {
    throw clientOption('cassandra', 'protocolOptions.maxVersion', version, 'Before version 4 no value can be left unset.', 'Leave it out.')
  }
  if (encoding?.useUndefinedAsUnset === false) {
    throw clientOption(
      'cassandra',
      'encoding.useUndefinedAsUnset',
      false,
      'Columns that stay as they are would be cleared.',
      'Leave it out.',
    )
  }
  if (isMetadataSyncEnabled === false) {
    throw clientOption(
      'cassandra',
      'isMetadataSyncEnabled',
      false,
      'A put clears the columns that others have added to the table meanwhile, of which it hears that way.',
      'Leave it out.',
    )
  }
}

function invalidOption(option: string, value: string, remedy: string): RowkeyError<'INVALID_OPTION'> {
  return new RowkeyError('INVALID_OPTION', `cassandra(): ${option} cannot be ${value}. ${remedy}`, { option, value })
}
