export const adapters: readonly { readonly name: string; readonly folder: string; readonly drivers: readonly string[] }[]
export const opened: string
export const programs: Readonly<Record<'adapters.mjs' | 'adapters.cjs', string>>
