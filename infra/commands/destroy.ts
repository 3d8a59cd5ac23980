import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { dataStackOf, imagesStackOf, type StageData, type StageFacts, stackOf } from '../stage-facts.ts'
import { parseStageSettings } from '../stage-settings.ts'
import { checkRegion } from './check-region.ts'
import { removalOf } from './describe-remains.ts'
import { readOptions } from './read-options.ts'
import { contextOfRemoval } from './removal-context.ts'
import type { Tools } from './tools.ts'

const usage = `npm run destroy -- --stage dev [--keep-data | --delete-data] [--yes]

  --stage        which deployment
  --keep-data    keeps the bucket and the table, and their stack (the default)
  --delete-data  deletes them too, with every run, dataset and key
  --yes          asks nothing`

const options = {
  stage: { type: 'string' },
  'keep-data': { type: 'boolean', default: false },
  'delete-data': { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

export async function destroy(words: string[], tools: Tools): Promise<number> {
  const values = readOptions(words, options, usage)
  if (values.help) {
    tools.note(usage)
    return 0
  }
  if (values.stage === undefined) throw refusal(`Say which stage.\n\n${usage}`)
  if (values['keep-data'] && values['delete-data']) {
    throw refusal('--keep-data and --delete-data exclude each other.')
  }
  const { stage } = parseStageSettings({ stage: values.stage }, (name) => `--${name}`)
  checkRegion(await tools.account.region())
  const { account } = tools
  const [facts, own] = [await account.stage(stage), await account.data(stage)]
  const withData = values['delete-data']
  const data = facts ?? own
  if (data === null || (facts === null && !withData)) {
    const remains = own === null ? '' : ` Its data are there: ${nameOf(own)}. --delete-data deletes them.`
    throw refusal(
      `There is no stage "${stage}" in this account and region.${remains} What a deployment or a destruction left that failed halfway, this takes away, and keeps bucket and table: npx cdk destroy ${stackOf(stage)} ${contextOfRemoval(stage).join(' ')}`,
    )
  }
  if ((await tools.account.options(stage))?.protect === 'true') {
    throw refusal(
      `The stage "${stage}" is protected. Lift that first: npm run deploy -- --stage ${stage} --no-protect`,
    )
  }
  tools.note(facts === null ? `Of the stage ${stage} ${lossOf(data)}` : losses(facts, withData))
  if (!values.yes) await confirm(stage, tools)
  await stopHosts(stage, tools)
  const { code } = await destroyStack(stackOf(stage), stage, tools)
  const images = code === 0 && (await account.imageBuilds(stage)) !== null
  if (images) await destroyStack(imagesStackOf(stage), stage, tools, '-c', 'buildInAccount=true')
  if (code !== 0) {
    await account.letHostsStart(stage)
    tools.note(
      `It could not be taken away whole; the lines above say why. No data was deleted: ${nameOf(data)} are there. Run it again, or, where it then finds no stage: npx cdk destroy ${stackOf(stage)} ${contextOfRemoval(stage).join(' ')}`,
    )
    return code
  }
  if (!withData) {
    if (facts !== null) tools.note(kept(facts, own))
    return 0
  }
  await deleteData(data, tools)
  if (own === null) return 0
  if (own.bucket === data.bucket) return (await destroyStack(dataStackOf(stage), stage, tools)).code
  tools.note(`The stage did not use the stack ${dataStackOf(stage)}: it is there, with ${nameOf(own)}.`)
  return 0
}

async function stopHosts(stage: string, { account, note }: Tools): Promise<void> {
  try {
    await account.stopHosts(stage, (live) => {
      if (live > 0) note(`Hosts that still stop, for up to two minutes: ${live}`)
    })
  } catch (error) {
    await account.letHostsStart(stage)
    throw error
  }
}

function destroyStack(stack: string, stage: string, { cdk }: Tools, ...context: string[]) {
  return cdk(['destroy', stack, '--exclusively', '--force', ...contextOfRemoval(stage), ...context])
}

function nameOf({ bucket, table }: StageData): string {
  return `the bucket ${bucket} and the table ${table}`
}

function losses({ stage, region, api, dashboard, ...data }: StageFacts, withData: boolean): string {
  return `Of the stage ${stage} in ${region} this takes away for good:
  the API at ${api}${dashboard === undefined ? '' : `\n  the dashboard at ${dashboard}`}
  the queues, with what waits in them, and episodes that are being played
  the logs and the alarms
${withData ? lossOf(data) : `Kept: ${nameOf(data)}.`}`
}

function lossOf({ bucket, table }: StageData): string {
  return `  the bucket ${bucket}, with all journals, trees, trajectories and datasets\n  the table ${table}, with all runs, keys and counters\nNone of it can be brought back.`
}

async function confirm(stage: string, tools: Tools): Promise<void> {
  const answer = await tools.ask(`Type the name of the stage to go on: `)
  if (answer === null)
    throw refusal('It cannot be confirmed without a terminal. Add --yes to do it without asking.')
  if (answer !== stage) throw refusal('That is not its name. Nothing was changed.')
}

async function deleteData({ bucket, table }: StageData, tools: Tools): Promise<void> {
  await tools.account.deleteBucket(bucket, (objects) => {
    if (objects % 10_000 === 0) tools.note(`${objects} objects deleted`)
  })
  tools.note(`Deleted: the bucket ${bucket}`)
  await tools.account.deleteTable(table)
  tools.note(`Deleted: the table ${table} (DynamoDB keeps its last backup for 35 days)`)
}

function kept({ stage, bucket, table, region }: StageFacts, own: StageData | null): string {
  const data = { bucket, table }
  const next =
    own?.bucket === bucket
      ? `A new deployment of the stage goes on with them.
To delete them later: npm run destroy -- --stage ${stage} --delete-data`
      : `A new deployment makes new ones, or goes on with these: npm run deploy -- --bucket ${bucket} --table ${table}
To delete them later:
${removalOf(data, region)}`
  return `The stage is gone. These were kept, and are paid for by what they hold:
  the bucket ${bucket}
  the table ${table}
${next}`
}

function refusal(message: string): EspalierError {
  return new EspalierError('invalid_request', message)
}
