import { fileURLToPath } from 'node:url'

/** The built program that loads models. It is found from the built command and from its sources, which stand beside each other. */
export const childProgram: string = fileURLToPath(new URL('../dist/child.js', import.meta.url))
