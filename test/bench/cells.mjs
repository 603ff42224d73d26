// Processes of cells: one ends, the other answers with what it was given.
const args = process.argv.slice(2)
if (args[0] === 'memory') process.exit(3)
process.send({ args, folder: args[2] })
globalThis.setInterval(() => undefined, 1000) // it stays until it is ended
