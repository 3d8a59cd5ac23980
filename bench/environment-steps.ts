import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../shared/core/contracts/json.ts'
import { definitions } from '../shared/environments/environments.ts'
import type { BenchedEpisode, BenchedLoad, StepBench } from '../shared/environments/step-bench.ts'
import { memory, report } from './figure.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const rooms = join(import.meta.dirname, '../shared/environments')

function play({ core, task, action }: BenchedEpisode): { steps: number; end: JsonObject } {
  let { state } = core.reset(task, 0)
  for (let steps = 0; ; steps += 1) {
    const next = action(state, steps)
    if (next === null) return { steps, end: state }
    state = core.step(state, next).state
  }
}

function unitsPerSecond(round: () => number, atLeast = seconds): number {
  const start = performance.now()
  let count = 0
  do count += round()
  while (performance.now() - start < atLeast * 1000)
  return count / ((performance.now() - start) / 1000)
}

function measureSteps({ what, aim, episodes }: StepBench): void {
  const playAll = () => episodes.reduce((sum, episode) => sum + play(episode).steps, 0)
  const first = unitsPerSecond(playAll, 0)
  const ends = episodes.map(play)
  const copyAll = () => {
    for (const { steps, end } of ends) {
      let state: unknown = end
      for (let step = 0; step < steps; step += 1) state = JSON.parse(JSON.stringify(state))
    }
    return ends.reduce((sum, { steps }) => sum + steps, 0)
  }
  const [played, copied] = [unitsPerSecond(playAll), unitsPerSecond(copyAll)]
  report({
    what: `Steps in process, resets included: ${what}`,
    value: `${Math.round(played)} steps/s; ${Math.round(first)} steps/s in the first round`,
    ratio: `${(played / copied).toFixed(2)} × copying the last state once through JSON; ${memory().toFixed(0)} MB resident`,
    aim,
  })
}

function measureLoad({ what, aim, load, least, leastIs }: BenchedLoad): void {
  const perSecond = (work: () => void) =>
    unitsPerSecond(() => {
      work()
      return 1
    })
  const [loaded, read] = [perSecond(load), perSecond(least)]
  report({
    what,
    value: `${(1000 / loaded).toFixed(2)} ms`,
    ratio: `${(read / loaded).toFixed(1)} × ${leastIs}`,
    aim,
  })
}

async function benchesOf(id: string): Promise<readonly StepBench[]> {
  const path = join(rooms, id, 'bench.ts')
  if (!existsSync(path)) return []
  const exported = (await import(path)) as Record<string, readonly StepBench[]>
  return Object.entries(exported).find(([name]) => name.endsWith('Bench'))?.[1] ?? []
}

for (const { id } of definitions) {
  for (const bench of await benchesOf(id)) {
    measureSteps(bench)
    bench.loads?.forEach(measureLoad)
  }
}
