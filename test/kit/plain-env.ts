/** What programs need of the environment of the tests. The rest decides about colours, languages, accounts and logs, and each machine has another one. */
const needed = ['PATH', 'HOME', 'TMPDIR', 'LD_LIBRARY_PATH', 'SYSTEMROOT', 'ROWKEY_TEST_TMP', 'npm_config_cache', 'XDG_DATA_HOME']

/** An environment for programs: the same on every machine, in a language that every machine has. */
export const plainEnv = (env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(needed.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
  LC_ALL: 'C',
  ...env,
})
