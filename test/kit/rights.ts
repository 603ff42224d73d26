import { spawnSync } from 'node:child_process'

/** What stands in front of a command for which permissions of files are to hold. Root may open everything: without that right, it is like any user. */
export const withoutRights: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-dac_override,-dac_read_search'] : []

const [program, ...args] = withoutRights
/** Whether that works here. */
export const canBeRefused: boolean = program === undefined || spawnSync(program, [...args, 'true']).status === 0
