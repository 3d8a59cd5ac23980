import { recordedCounts } from './aws/counts.ts'
import { largeRuns, type SimulatedLargeRun, simulateLargeRun } from './aws/large-runs.ts'
import { simulateWorkers, type Weather } from './aws/simulate-workers.ts'
import { drawTimelines } from './aws/timelines.ts'
import { breakEven } from './aws/worker-tables.ts'
import { assumptions } from './cost/assumptions.ts'
import { dollars } from './cost/dollars.ts'
import { report } from './figure.ts'

/** The target for a thousand episodes of mcts with a model that takes 20 seconds, in dollars of waiting time. */
const aim = 0.3
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

const { gather, places } = assumptions.stage.worker
const timelines = drawTimelines(recordedCounts.lambda.mcts.waves, 20, gather)
const weathers: Record<string, Weather> = {
  'on a usual day': {},
  'while Spot has nothing from its 1st to its 3rd hour': { shortage: { from: 3600, to: 3 * 3600 } },
  'while S3 answers half of all PUTs of an hour with 503': { slowDown: { from: 1800, to: 5400, share: 0.5 } },
}
for (const maxWorkers of [16, 100])
  for (const [what, weather] of Object.entries(weathers)) {
    const run = simulateWorkers(
      { episodes: 100_000, parallel: maxWorkers * places, timelines },
      maxWorkers,
      weather,
    )
    const hours = (seconds: number) => (seconds / 3600).toFixed(1)
    report({
      what: `100,000 episodes of mcts at 20 s with ${maxWorkers} workers at most, ${what}, simulated`,
      value: `${hours(run.seconds)} h, ${run.hops} hops, ${run.lost} calls lost, ${run.tasks} tasks, ${hours(run.onDemand)} of ${hours(run.busy)} hours on demand`,
      ratio: `at most ${run.peak} objects a second, beside ${maxWorkers / assumptions.stage.worker.group} of logs`,
      aim: 'below the 3,500 PUTs a second of one prefix',
    })
  }
