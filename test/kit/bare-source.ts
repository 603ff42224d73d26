/** A source without comments and strings, so that words in texts do not count. */
export const bareSource = (source: string): string =>
  source
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .replaceAll(/`(?:[^`\\]|\\.)*`/g, '``')

/** Globals that browsers lack. The codec asks for Buffer in one place, as a property that may be missing. */
export const nodeGlobal = /(?<!readonly |globalThis as NodeGlobals\)\.)\b(?:Buffer|process|global|__dirname|setImmediate)\b/
