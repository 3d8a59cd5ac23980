import { spawn } from 'node:child_process'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Figure } from './figure.ts'

/**
 * `npm run bench [name …]`: runs each measurement in a separate process, and prints figures and ratios. It asserts
 * nothing: machines differ, and ratios only compare code that ran concurrently.
 */
const measurements = [
  'start',
  'environment-steps',
  'host-steps',
  'bridge-steps',
  'tree-steps',
  'search-speed',
  'model-call',
  'resume',
  'dataset-rows',
  'in-flight',
  'fairness',
  'hostile-programs',
  'web',
  'cost',
  'aws-workers',
]
const named = [
  'ends',
  'worker-memory',
  'large-folder',
  'cluster',
  'inspect',
  'browser',
  'browser-search',
  'desktop',
  'desktop-search',
]

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => ![...measurements, ...named].includes(name))
if (unknown.length > 0) {
  console.error(
    `There is no measurement ${unknown.join(', ')}. Choose from: ${[...measurements, ...named].join(', ')}.`,
  )
  process.exit(2)
}

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}\n`)
for (const name of chosen.length > 0 ? chosen : measurements) {
  for await (const figure of measure(name)) {
    console.log(`${figure.what}\n  ${figure.value}\n  ${figure.ratio}\n  aim: ${figure.aim}\n`)
  }
}

async function* measure(name: string): AsyncGenerator<Figure> {
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=64', '--expose-gc', join(import.meta.dirname, `${name}.ts`)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line) as Figure
  const code = await ended
  if (code !== 0) throw new Error(`The measurement ${name} ended with ${code}.`)
}
