import { afterAll, beforeAll, expect } from 'vitest'
import { underFaults } from '../../../test/history/faults.js'
import { withServer } from '../../../test/setup/with-server.js'
import { connect } from './connected.js'
import { rerouted, tabletServerPort, type Rerouted } from './rerouted.js'

withServer('kudu', (connection) => {
  const database = `history_${process.pid}_${Date.now()}`
  const wires: Rerouted[] = []
  let direct = 0
  beforeAll(async () => {
    direct = await tabletServerPort(connection)
  })
  afterAll(async () => {
    for (const wire of wires) await wire.close()
    expect(wires.filter((wire) => wire.told() === 0)).toEqual([]) // else nothing went over a wire
  })

  underFaults({
    name: 'kudu',
    get port() {
      return direct
    },
    survivesCuts: true,
    hasBatches: false,
    asksPresenceOnly: true,
    async open(port) {
      const wire = await rerouted(connection.masters[0] as string, direct, port)
      wires.push(wire)
      const { adapter, client } = await connect({ masters: [wire.address] }, { database }, { timeout: 5000 })
      return { adapter, close: () => client.close() }
    },
  })
})
