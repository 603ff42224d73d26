import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

const file = new URL('../../data/weather.csv.gz', import.meta.url)

/** A month of the three airports of New York, as it was measured. */
export const weather = gunzipSync(readFileSync(file))
  .toString('utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [at = '', station = '', ...numbers] = line.split(',')
    const [celsius, humidity, kmh] = numbers.map(Number) as [number, number, number]
    return { station, at: new Date(at), celsius, humidity, kmh }
  })
