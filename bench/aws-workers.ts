import { recordedCounts } from './aws/counts.ts'
import { largeRuns, type SimulatedLargeRun, simulateLargeRun } from './aws/large-runs.ts'
import { breakEven } from './aws/worker-tables.ts'
import { report } from './figure.ts'

/** The target for a thousand episodes of mcts with a model that takes 20 seconds, in dollars of waiting time. */
const aim = 0.3
const dollars = (value: number) => `$${value.toFixed(value < 0.1 ? 4 : 2)}`
for (const run of largeRuns) {
  const { episodes, latency } = run
  const [lambda, workers] = simulateLargeRun(recordedCounts, run) as [SimulatedLargeRun, SimulatedLargeRun]
  const each = (value: number) => dollars((1000 * value) / episodes)
  report({
    what: `${episodes.toLocaleString('en-US')} episodes of mcts in AWS at ${latency} s an answer, simulated: each 1,000`,
    value: `workers ${each(workers.compute)} for their time, ${each(workers.total)} in all, ${(workers.seconds / 3600).toFixed(1)} h, ${workers.lostCalls} calls lost, ${workers.hops} hops, ${workers.conflicts.toFixed(0)} transactions refused`,
    ratio: `Lambda ${each(lambda.compute)}, ${each(lambda.total)} in all, ${(lambda.seconds / 3600).toFixed(1)} h, ${lambda.lostCalls} calls lost and ${lambda.hops} hops in ${lambda.processes} invocations, ${lambda.conflicts.toFixed(0)} transactions refused: ${(lambda.compute / workers.compute).toFixed(0)} times`,
    aim: latency === 20 ? `≤ ${dollars(aim)} for their time` : 'none',
  })
}
report({
  what: 'From how slow a model on a worker costs less than Lambda, for 64 episodes',
  value: `${breakEven(8).toFixed(1)} s an answer, where each asks eight times one after the other`,
  ratio: `${breakEven(94).toFixed(1)} s where it does 94 times, as mcts`,
  aim: '5 s: `slowAnswer` in shared/core/engine/routing/run-routes.ts',
})
