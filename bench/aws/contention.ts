import { assumptionRows } from './contention-assumptions.ts'
import { type EndsFigures, type EndsLoad, type Spread, simulateEnds } from './simulate-ends.ts'

/**
 * `node bench/aws/contention.ts [slots seconds episodes]`: models in virtual time how many ends per second one run
 * sustains on DynamoDB. Without arguments, uses the loads of `docs/limits.md`.
 */
const loads: Omit<EndsLoad, 'seed'>[] = [
  { slots: 250, seconds: 10, episodes: 2500 },
  { slots: 2000, seconds: 6.7, episodes: 12_000 },
  { slots: 10_000, seconds: 8, episodes: 40_000 },
]

const [slots, seconds, episodes] = process.argv.slice(2).map(Number)
const isGiven = slots !== undefined && seconds !== undefined && episodes !== undefined
const chosen = isGiven ? [{ slots, seconds, episodes }] : loads

console.log('Assumed:')
for (const [what, value] of assumptionRows()) console.log(`  ${what}: ${value}`)
for (const load of chosen) {
  const begun = performance.now()
  const figures = await simulateEnds({ ...load, seed: 7 })
  console.log(
    `\n${load.slots} episodes in flight of ${load.seconds} s, ${(load.slots / load.seconds).toFixed(0)} ends a second at most, ${load.episodes} episodes (${((performance.now() - begun) / 1000).toFixed(0)} s to compute)`,
  )
  for (const line of linesOf(figures)) console.log(`  ${line}`)
}

function linesOf(figures: EndsFigures): string[] {
  const spread = ({ p50, p99 }: Spread) => `p50 ${p50} ms, p99 ${p99} ms`
  return [
    `ends counted: ${figures.rate.toFixed(0)} a second${figures.isComplete ? '' : '; NOT COMPLETE'}`,
    `an end: ${spread(figures.end)}; counted after ${spread(figures.counted)}; its process free after ${spread(figures.freed)}`,
    `of an end: ${figures.transactions.toFixed(2)} transactions, ${figures.conflicts.toFixed(3)} refused, ${figures.written.toFixed(1)} units written`,
    `given up: ${figures.gaveUp}; waiting for busy partition keys: ${figures.throttled.toFixed(1)} s`,
  ]
}
