import { fileURLToPath } from 'node:url'
import { startProgram, type JavaProgram } from '../../../test/kit/java-program.js'
import { hbase, type HBaseConnection } from '../../../test/servers/src/index.js'

export type { JavaProgram } from '../../../test/kit/java-program.js'

const source = fileURLToPath(new URL('java/Program.java', import.meta.url))

/** HBase's own client: see java/Program.java for what it can do. */
export const startJava = ({ zookeeper }: HBaseConnection): JavaProgram => startProgram(hbase.java, source, zookeeper)
