// The nightly check of a deployment: `npm run nightly -- --account` deploys a fresh stage, tries it, and takes it away.
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { accountSteps } from './account-steps.ts'
import { usualBudget } from './compare-cost.ts'
import { runSteps } from './run-steps.ts'

const help = `npm run nightly -- --account | --stage NAME

Deploys a fresh stage into the account of your AWS credentials, plays the canary and a matrix of methods, workers and hosts,
stops a worker, updates the stage under load, lets a deployment fail, compares the metered cost with docs/cost.md,
destroys the stage with its data, and looks by tag for remains. Needs Docker and the \`aws\` command, costs a few
dollars and takes about an hour.

  --account     deploys into an account, in AWS_REGION
  --stage NAME  tries a stage that is there, such as one over emulators, with the key of ESPALIER_API_KEY: the steps
                that need an account are listed with their reasons
  --budget N    US dollars that the canary may have cost by the meters (${usualBudget})

Exit code 0: every step that ran passed; 1: a step failed; 2: wrong use.
`

async function main(words: string[]): Promise<number> {
  const { values } = parseArgs({
    args: words,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      account: { type: 'boolean', default: false },
      stage: { type: 'string' },
      budget: { type: 'string', default: String(usualBudget) },
    },
  })
  if (values.help) {
    console.log(help)
    return 0
  }
  const isEmulated = values.stage !== undefined
  const budget = Number(values.budget)
  if (values.account === isEmulated || !(budget > 0)) {
    throw new EspalierError(
      'invalid_request',
      `Give --account or --stage NAME, and a budget above 0.\n\n${help}`,
    )
  }
  const id = randomBytes(3).toString('hex')
  const steps = accountSteps({ id, stage: values.stage ?? `night-${id}`, budget, isEmulated })
  const results = await runSteps(steps, { isEmulated, log: console.log })
  const hidden = results.filter(({ state }) => state === 'not shown')
  if (hidden.length > 0) {
    console.log(
      `\nNot shown without an account:\n${hidden.map(({ name, notes }) => `- ${name}: ${notes.join(' ')}`).join('\n')}`,
    )
  }
  const failed = results.filter(({ state }) => state === 'failed')
  console.log(
    `\n${results.filter(({ state }) => state === 'passed').length} passed, ${failed.length} failed, ${hidden.length} not shown`,
  )
  return failed.length === 0 ? 0 : 1
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const isUsage =
    EspalierError.isInstance(error) || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
  if (!isUsage) throw error
  console.error((error as Error).message)
  process.exitCode = 2
}
