import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { EspalierError } from '../../shared/contracts/errors.ts'
import { projectRoot } from '../bundling.ts'
import { findEndpointsFile } from '../endpoints-file.ts'
import { findEnvironmentsFile } from '../environments-file.ts'
import { parseStageSettings, type StageSettings } from '../stage-settings.ts'
import { readOptions } from './read-options.ts'
import type { Tools } from './tools.ts'

const usage = `npm run deploy -- [--stage dev] [--mail address] [--budget dollars] [--max-concurrency workers] [--max-workers tasks] [--workers auto] [--batch episodes] [--batch-window seconds] [--no-dashboard] [--yes]

  --stage            names the deployment (default: dev)
  --mail             receives alarms and notices of the budget
  --budget           US dollars a month (default: 50)
  --max-concurrency  workers that play episodes at the same time (default: 50, less in an account with a low quota)
  --max-workers      long-lived workers on Fargate at the same time, for slow models (default: 0, none)
  --workers          what plays runs that do not say: auto, lambda or fargate (default: auto)
  --batch            episodes of one invocation at most (default: 10)
  --batch-window     seconds for which an invocation waits for as many (default: 0)
  --no-dashboard     leaves out the dashboard, which an account has to pay for beyond its first three
  --yes              asks nothing, not even whether new rights are right`

const options = {
  stage: { type: 'string' },
  mail: { type: 'string' },
  budget: { type: 'string' },
  'max-concurrency': { type: 'string' },
  'max-workers': { type: 'string' },
  workers: { type: 'string' },
  batch: { type: 'string' },
  'batch-window': { type: 'string' },
  'no-dashboard': { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** Functions that run beside the players: the API, its authorizer, the sweeper, the scaler, and the other queues. */
const besidePlayers = 20

/** Checks what is needed, deploys a stage, and says what to do next. @returns an exit code */
export async function deploy(words: string[], tools: Tools): Promise<number> {
  const values = readOptions(words, options, usage)
  if (values.help) {
    tools.note(usage)
    return 0
  }
  const { stage, mail, budget, workers, batch, 'max-concurrency': maxConcurrency } = values
  const playing = { workers, batch, maxWorkers: values['max-workers'], batchWindow: values['batch-window'] }
  const dashboard = !values['no-dashboard']
  const settings = parseStageSettings(
    { stage, mail, budget, maxConcurrency, dashboard, ...playing },
    toOption,
  )
  const endpoints = await findEndpointsFile(projectRoot, settings.stage)
  await findEnvironmentsFile(projectRoot, settings.stage)
  await checkDocker(tools)
  await checkBootstrap(tools)
  const chosen = maxConcurrency === undefined ? await withinQuota(settings, tools) : settings.maxConcurrency
  if (endpoints === null) {
    tools.note('There is no endpoints.json: runs can use the simulated model only. docs/deploy.md shows one.')
  }
  if (mail === undefined) tools.note('Alarms and the budget are not sent to anyone: --mail names an address.')
  const code = await tools.cdk([
    'deploy',
    `espalier-${settings.stage}`,
    ...context({ ...settings, maxConcurrency: chosen }),
    ...(values.yes ? ['--require-approval', 'never'] : []),
  ])
  if (code !== 0) {
    tools.note('The deployment failed; the lines above say why. What was there before is as it was.')
    return code
  }
  await sayWhatNext(settings.stage, tools)
  return 0
}

function context(settings: StageSettings): string[] {
  return Object.entries(settings).flatMap(([name, value]) =>
    value === undefined ? [] : ['-c', `${name}=${value}`],
  )
}

/** A setting as it stands on the command line. */
function toOption(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

async function checkDocker(tools: Tools): Promise<void> {
  const containers = join(projectRoot, 'containers')
  if (!existsSync(containers) || (await tools.hasDocker())) return
  const images = readdirSync(containers).join(', ')
  throw new EspalierError(
    'invalid_request',
    `Docker does not answer, and the images of hosts (${images}) are built with it. Install and start Docker, or name a command that does the same in CDK_DOCKER (finch, podman).`,
  )
}

async function checkBootstrap(tools: Tools): Promise<void> {
  const account = await tools.account.bootstrapped()
  if (account !== null) return tools.note(`Account ${account}`)
  throw new EspalierError(
    'invalid_request',
    'The CDK has not been set up in this account and region. Once for each of them, run: npx cdk bootstrap',
  )
}

/** New accounts may run ten functions at once; messages that no worker may take would be counted as failed. */
async function withinQuota({ maxConcurrency }: StageSettings, tools: Tools): Promise<number> {
  const quota = await tools.account.concurrency()
  if (quota === null || quota >= maxConcurrency + besidePlayers) return maxConcurrency
  const fitting = Math.max(2, quota - besidePlayers)
  tools.note(
    `This account may run ${quota} functions at the same time, so that ${fitting} workers play episodes and not ${maxConcurrency}. Raise the quota "Concurrent executions" of Lambda, and deploy again.`,
  )
  return fitting
}

async function sayWhatNext(stage: string, tools: Tools): Promise<void> {
  const facts = await tools.account.stage(stage)
  if (facts === null) throw new Error(`The stage ${stage} was deployed, and its parameter is not there.`)
  tools.note(`
The dashboard:   ${facts.dashboard}
The API:         ${facts.api} (its documentation at ${facts.api}/docs)

  make a key:    npm run -s espalier -- keys create --stage ${stage} --name laptop --scopes runs:write,runs:read,datasets:read
  use it:        export ESPALIER_URL=${facts.api} ESPALIER_API_KEY=…
                 npm run -s espalier -- run --environment textcraft --method react --model simulated --limit 10
                 or enter it in the dashboard, by the key at its top right
  take it away:  npm run destroy -- --stage ${stage}`)
}
