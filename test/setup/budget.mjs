// What a step of the gate may cost in CPU seconds, and a project of its tests in seconds of a worker: budget.json. A warning is no failure.
// budget.mjs STEPS PROJECTS: lines of `wall TAB user TAB system TAB name`, and what project-seconds.ts has written. Tested by budget.test.ts.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The steps of a file, with what they took. */
export const stepsIn = (text) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [wall, user, system, ...name] = line.split('\t')
      return { name: name.join('\t'), wall: Number(wall), cpu: Number(user) + Number(system) }
    })

/** What the gate prints: both lists, the dearest first among projects, and a warning for each that is over its budget or has none. */
export function linesOf(steps, projects, budget) {
  const sum = (numbers) => numbers.reduce((one, other) => one + other, 0)
  const named = Object.entries(projects).sort(([, one], [, other]) => other - one)
  const all = [
    ...steps.map(({ name, cpu }) => ['step', 'CPU s', name, cpu, budget.steps[name]]),
    ...named.map(([name, seconds]) => ['project', 'worker s', name, seconds, budget.projects[name]]),
  ]
  return [
    'wall s   CPU s  budget  step',
    ...steps.map(({ name, wall, cpu }) => `${cell(wall, 6)} ${cell(cpu, 7)} ${cell(budget.steps[name], 7)}  ${name}`),
    `${cell(sum(steps.map(({ wall }) => wall)), 6)} ${cell(sum(steps.map(({ cpu }) => cpu)), 7)} ${' '.repeat(7)}  together`,
    ...(named.length === 0 ? [] : ['worker s  budget  project of the tests']),
    ...named.map(([name, seconds]) => `${cell(seconds, 8)} ${cell(budget.projects[name], 7)}  ${name}`),
    ...all.flatMap(([sort, unit, name, spent, limit]) => {
      if (limit === undefined) return [`WARNING: ${sort} '${name}' has no budget. Give it one in test/setup/budget.json.`]
      return spent > limit ? [`WARNING: ${sort} '${name}' took ${Math.round(spent)} ${unit}, over its budget of ${limit}.`] : []
    }),
  ]
}

const cell = (number, width) => (number === undefined ? '-' : String(Math.round(number))).padStart(width)

/** What a file says; nothing if the step that writes it has failed. */
function read(path, ifMissing) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ifMissing
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , steps, projects] = process.argv
  const budget = JSON.parse(readFileSync(new URL('budget.json', import.meta.url), 'utf8'))
  for (const line of linesOf(stepsIn(read(steps, '')), JSON.parse(read(projects, '{}')), budget)) console.log(line)
}
