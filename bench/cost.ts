import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import { costOf } from './cost/cost-of.ts'
import { operationsOfRun, usualRun } from './cost/cost-of-run.ts'
import { declared, idleCost } from './cost/idle.ts'
import { measure } from './cost/measure.ts'
import { report } from './figure.ts'

const aims = { react: 0.2, mcts: 2.5, idle: 3 }
const measured = await measure()
const dollars = (value: number) => `$${value.toFixed(3)}`
const [react = 0, mcts = 0] = (['react', 'mcts'] as const).map((kind) => {
  const { operations } = operationsOfRun(measured.kinds[kind].counted, usualRun)
  const cost = costOf(operations)
  report({
    what: `1,000 episodes of ${kind} in AWS, without their model (${exampleEnvironment}, counted on the local world)`,
    value: `${dollars(cost.total)}: Lambda ${dollars(cost.lambda)}, S3 ${dollars(cost.s3)}, DynamoDB ${dollars(cost.dynamodb)}`,
    ratio: `${(100 * (cost.total / aims[kind])).toFixed(0)} % of the aim`,
    aim: `≤ ${dollars(aims[kind])}`,
  })
  return cost.total
})
const idle = idleCost(declared, measured.idle)
const list = idle.reduce((all, line) => all + line.list, 0)
const allowed = idle.reduce((all, line) => all + line.allowed, 0)
report({
  what: 'An idle stage in AWS, a month, without hosts',
  value: `${dollars(list)} at list price, ${dollars(allowed)} with the always-free allowances of an account`,
  ratio: `${((1000 * list) / react).toFixed(0)} episodes of react, ${((1000 * list) / mcts).toFixed(0)} of mcts`,
  aim: `≤ ${dollars(aims.idle)}`,
})
