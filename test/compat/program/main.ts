import { program } from './program.js'

void program().then((line) => {
  console.log(line)
})
