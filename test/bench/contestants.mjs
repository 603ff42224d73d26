// Stands for a worker of a benchmark: contestants that do as their names say.
const [, , , name] = process.argv
process.on('disconnect', () => process.exit())

const forEver = () => {
  for (;;);
}
const asked = {
  'ends when it is asked': () => process.exit(3),
  'fails when it is asked': () => process.send({ is: 'failure', message: 'out of memory' }),
  'loops when it is asked': forEver,
  'loops at the second operation': ({ operation }) =>
    operation === 'two' ? forEver() : process.send({ is: 'number', number: 7, wall: 8 }),
  'loops when allocation is measured': ({ ask }) => (ask === 'allocation' ? forEver() : process.send({ is: 'number', number: 7, wall: 8 })),
}

if (name === 'loops before it is ready') forEver()
if (name === 'cannot take part') process.send({ is: 'failure', message: 'there is no such package' })
else {
  process.on('message', (question) => (asked[name] ?? (() => process.send({ is: 'number', number: 5, wall: 6 })))(question))
  process.send({ is: 'ready', facts: { keyBytes: 3 }, operations: ['one', 'two'] })
}
