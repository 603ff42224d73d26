import { program } from './program.js'

declare const test: (title: string, run: () => Promise<void>) => void
declare const process: { readonly env: Readonly<Record<string, string | undefined>> }

test('the program prints its line', async () => {
  const line = await program()
  if (line !== process.env['EXPECTED']) throw new Error(`unexpected: ${line}`)
})
