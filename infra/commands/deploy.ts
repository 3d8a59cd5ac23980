import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import { projectRoot } from '../bundling.ts'
import { shareConcurrency } from '../concurrency.ts'
import { deployedImages } from '../deployed-images.ts'
import { findEndpointsFile } from '../endpoints-file.ts'
import { findEnvironmentsFile } from '../environments-file.ts'
import { offeredRegions, regionsWithoutBudgets } from '../regions.ts'
import { dataStackOf, imagesStackOf, type StageFacts, stackOf } from '../stage-facts.ts'
import { parseStageSettings, type StageSettings, stageSettingNames, toTexts } from '../stage-settings.ts'
import { checkRegion } from './check-region.ts'
import {
  type DeployOptions,
  deployUsage,
  describeSettings,
  optionOf,
  readDeployOptions,
} from './deploy-options.ts'
import { describeRemains } from './describe-remains.ts'
import type { Tools } from './tools.ts'

export async function deploy(words: string[], tools: Tools): Promise<number> {
  const { given, unset, act, yes, help } = readDeployOptions(words)
  if (help) {
    tools.note(deployUsage)
    return 0
  }
  checkRegion(await tools.account.region())
  if (act === 'bootstrap') return bootstrap(tools)
  const { stage } = parseStageSettings({ stage: given.stage }, toOption)
  const before = await tools.account.stage(stage)
  const wanted = await withData(await completed({ ...given, stage }, unset, tools), before, tools)
  const endpoints = await findEndpointsFile(projectRoot, stage)
  await findEnvironmentsFile(projectRoot, stage)
  const builder = await builderOf(wanted, tools)
  await checkBootstrap(tools)
  const settings = await forItsRegion(
    { ...wanted, ...(builder === 'account' && { buildInAccount: true }) },
    tools,
  )
  const quota = settings.quota ?? (await tools.account.concurrency())
  sayWhatIsLeft(settings, quota, tools)
  if (endpoints === null) {
    tools.note('There is no endpoints.json: runs can use the simulated model only. docs/deploy.md shows one.')
  }
  const isFirst = before === null
  if (isFirst && settings.hosts && act === 'deploy') await tools.account.prepareEcs(stage)
  if (isFirst && settings.web && settings.cloudfront) {
    tools.note(
      'AWS refuses CloudFront, by which the dashboard is served, to accounts that it has not verified. --no-cloudfront serves it by the API.',
    )
  }
  if (settings.mail === undefined) {
    tools.note('Alarms and the budget are not sent to anyone: --mail names an address.')
  }
  const runCdk = (stack: string, images: StageSettings['images']) =>
    tools.cdk([
      act,
      stack,
      ...toTexts({ ...settings, images, ...(quota !== null && { quota }) }).flatMap(([name, text]) => [
        '-c',
        `${name}=${text}`,
      ]),
      ...(yes && act === 'deploy' ? ['--require-approval', 'never'] : []),
    ])
  let { images } = settings
  if (builder === 'account' && act === 'deploy') {
    const { code } = await runCdk(imagesStackOf(stage), images)
    if (code !== 0) return code
    images = await imagesOfAccount(stage, tools)
  }
  const { code, said } = await runCdk(stackOf(stage), images)
  if (act === 'diff') return code
  if (code !== 0) {
    for (const advice of explainFailure(said)) tools.note(advice)
    if (isFirst) tools.note(await describeRemains(stage, tools.account))
    else {
      tools.note(
        'It failed; the lines above say why. What was there before is as it was. If the stack is stuck in an update: npm run deploy -- --rollback',
      )
    }
    return code
  }
  if (act === 'deploy') await finish(stage, tools)
  return 0
}

async function bootstrap(tools: Tools): Promise<number> {
  const { code, said } = await tools.cdk(['bootstrap', '--app', 'node infra/bootstrap-app.ts'])
  for (const advice of code === 0 ? [] : explainFailure(said)) tools.note(advice)
  return code
}

async function completed(
  given: DeployOptions['given'] & { stage: string },
  unset: DeployOptions['unset'],
  tools: Tools,
): Promise<StageSettings> {
  const stored = (await tools.account.options(given.stage)) ?? {}
  // A later version may have stored settings that this one does not know.
  const before = Object.entries(stored).filter(([name]) => stageSettingNames.some((known) => known === name))
  const taken = Object.fromEntries(
    before.filter(
      ([name]) => !(name in given || replaces(given, name)) && !unset.some((dropped) => dropped === name),
    ),
  )
  if (Object.keys(taken).length > 0) {
    tools.note(
      `As before: ${describeSettings(taken)} (another value replaces one of them; --unset NAME goes back to what is usual)`,
    )
  }
  return parseStageSettings({ ...taken, ...given }, toOption)
}

// Two ways to the same images.
function replaces(given: DeployOptions['given'], name: string): boolean {
  if (name === 'images') return given.buildInAccount === true
  return name === 'buildInAccount' && given.images !== undefined
}

/** Stages of older versions have their data in their one stack, which keeps bucket and table when it loses them. */
async function withData(
  settings: StageSettings,
  before: StageFacts | null,
  { account, note }: Tools,
): Promise<StageSettings> {
  if (settings.bucket !== undefined) return settings
  const data = await account.data(settings.stage)
  if (data !== null) {
    note(`Data: the bucket ${data.bucket} and the table ${data.table}, in ${dataStackOf(settings.stage)}`)
    return settings
  }
  if (before === null) return settings
  const { bucket, table } = before
  note(
    `An earlier version kept the data of this stage in its one stack. The stage goes on with them, by --bucket ${bucket} --table ${table}: they leave the stack and are not deleted.`,
  )
  return { ...settings, bucket, table }
}

function toOption(name: string): string {
  return `--${optionOf(name)}`
}

// CodeBuild builds the images of hosts and workers if Docker does not answer. That of trainings, for x86, needs Docker.
async function builderOf(settings: StageSettings, tools: Tools): Promise<'account' | 'docker' | null> {
  const { hosts, images, trainings, buildInAccount: inAccount } = settings
  const builds = hosts && images === undefined && deployedImages().length > 0
  const needsDocker = trainings || (builds && inAccount !== true)
  const hasDocker = needsDocker && (await tools.hasDocker())
  if (needsDocker && !hasDocker && (trainings || inAccount === false)) {
    throw new EspalierError(
      'invalid_request',
      `Docker does not answer, and ${trainings ? 'the image of trainings is' : 'images are'} built with it. Install and start Docker, or name a command that does the same in CDK_DOCKER (finch, podman).${trainings ? ' Or leave --trainings out.' : ' Or let AWS build them (--build-in-account), name images that are built already (--images), or deploy a stage that plays the environments without hosts (--no-hosts).'}`,
    )
  }
  if (!builds) return null
  if (inAccount || !hasDocker) {
    tools.note(
      `CodeBuild builds the images in this account${inAccount ? '' : ', because Docker does not answer. Instead: --images, or --no-hosts'}.`,
    )
    return 'account'
  }
  if (!tools.isArm) {
    tools.note(
      'Docker builds the images for ARM, which this machine emulates: that can take an hour. --build-in-account builds them in CodeBuild, on ARM.',
    )
  }
  return 'docker'
}

async function imagesOfAccount(stage: string, { account, note }: Tools): Promise<Record<string, string>> {
  const builds = await account.imageBuilds(stage)
  if (builds === null)
    throw new Error(`${imagesStackOf(stage)} was deployed, and its parameter is not there.`)
  return account.buildImages(builds, note)
}

async function checkBootstrap(tools: Tools): Promise<void> {
  const account = await tools.account.bootstrapped()
  if (account !== null) return tools.note(`Account ${account}`)
  throw new EspalierError(
    'invalid_request',
    'The CDK has not been set up in this account and region. Once for each of them, run: npm run deploy -- --bootstrap',
  )
}

async function forItsRegion(settings: StageSettings, tools: Tools): Promise<StageSettings> {
  const region = await tools.account.region()
  if (!offeredRegions.includes(region)) {
    tools.note(
      `The template is not checked for the region ${region}: something that a stage is made of may not exist there. It is checked for: ${offeredRegions.join(', ')}.`,
    )
  }
  if (settings.budget === 0 || !regionsWithoutBudgets.some((one) => one === region)) return settings
  tools.note(
    `CloudFormation has no budgets in ${region}: the stage is deployed without one. Make one of $${settings.budget} a month by hand, under Billing, for the whole account.`,
  )
  return { ...settings, budget: 0 }
}

/** New accounts may run ten functions at once: then few workers play, and the API has little room. */
function sayWhatIsLeft({ maxConcurrency, hosts }: StageSettings, quota: number | null, tools: Tools): void {
  if (quota === null) return
  const { episodes, left } = shareConcurrency(maxConcurrency, quota, hosts)
  const few =
    episodes < maxConcurrency
      ? `, and not ${maxConcurrency}. Raise the quota "Concurrent executions" of Lambda, and deploy again`
      : ''
  tools.note(
    `This account may run ${quota} functions at the same time: ${left} are left for the API when all queues are busy, and ${episodes} workers play episodes${few}.`,
  )
}

async function finish(stage: string, tools: Tools): Promise<void> {
  const facts = await tools.account.stage(stage)
  if (facts === null) throw new Error(`The stage ${stage} was deployed, and its parameter is not there.`)
  sayWhatNext(stage, facts, tools)
}

function sayWhatNext(stage: string, facts: StageFacts, tools: Tools): void {
  tools.note(`
${facts.dashboard === undefined ? '' : `The dashboard:   ${facts.dashboard}\n`}The API:         ${facts.api} (its documentation at ${facts.api}/docs)

  make a key:    npm run -s espalier -- keys create --stage ${stage} --name laptop --scopes runs:write,runs:read,datasets:read
  use it:        export ESPALIER_URL=${facts.api} ESPALIER_API_KEY=…
                 npm run -s espalier -- run --environment ${exampleEnvironment} --method react --model simulated --limit 10
${facts.dashboard === undefined ? '' : '                 or enter it in the dashboard, by the key at its top right\n'}  take it away:  npm run destroy -- --stage ${stage}`)
}

const causes: readonly [pattern: RegExp, advice: string][] = [
  [
    /must be verified before you can add new CloudFront/i,
    'AWS refuses CloudFront to accounts that it has not verified. Let the API serve the dashboard (npm run deploy -- --no-cloudfront), or ask AWS Support to verify the account for CloudFront.',
  ],
  [
    /(unable to assume the service linked role|service[- ]linked role .*(does not exist|not (yet )?(exist|ready|found)))/i,
    'ECS was still making its role in this account, as at its first use. Deploy again.',
  ],
  [
    /(already exists|AlreadyExists)/,
    'A resource of that name is there already, left by an earlier deployment or made by hand. Remove it, or deploy under another name (--stage).',
  ],
  [
    /(LimitExceeded|quota|maximum number of)/i,
    'A quota of the account is used up. Raise it in the console of Service Quotas, or remove what is no longer needed.',
  ],
]

function explainFailure(output: string): string[] {
  return causes.filter(([pattern]) => pattern.test(output)).map(([, advice]) => advice)
}
