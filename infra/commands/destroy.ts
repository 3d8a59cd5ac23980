import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { StageFacts } from '../stage-facts.ts'
import { parseStageSettings } from '../stage-settings.ts'
import { checkRegion } from './check-region.ts'
import { readOptions } from './read-options.ts'
import type { Tools } from './tools.ts'

const usage = `npm run destroy -- --stage dev [--keep-data | --delete-data] [--yes]

  --stage        which deployment
  --keep-data    keeps the bucket and the table (the default)
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
  const facts = await tools.account.stage(stage)
  if (facts === null) {
    throw refusal(
      `There is no stage "${stage}" in this account and region. What a deployment or a destruction left that failed halfway, this takes away, and keeps bucket and table: npx cdk destroy espalier-${stage} -c stage=${stage}`,
    )
  }
  if ((await tools.account.options(stage))?.protect === 'true') {
    throw refusal(
      `The stage "${stage}" is protected. Lift that first: npm run deploy -- --stage ${stage} --no-protect`,
    )
  }
  const withData = values['delete-data']
  tools.note(losses(facts, withData))
  if (!values.yes) await confirm(stage, tools)
  await tools.account.stopHosts(stage)
  const { code } = await tools.cdk(['destroy', `espalier-${stage}`, '--force', '-c', `stage=${stage}`])
  if (code !== 0) {
    await tools.account.letHostsStart(stage)
    tools.note(
      `It could not be taken away whole; the lines above say why. No data was deleted: the bucket ${facts.bucket} and the table ${facts.table} are there. Run it again, or, where it then finds no stage: npx cdk destroy espalier-${stage} -c stage=${stage}`,
    )
    return code
  }
  if (withData) await deleteData(facts, tools)
  else tools.note(kept(facts))
  return 0
}

function losses({ stage, region, api, dashboard, bucket, table }: StageFacts, withData: boolean): string {
  const data = withData
    ? `  the bucket ${bucket}, with all journals, trees, trajectories and datasets\n  the table ${table}, with all runs, keys and counters\nNone of it can be brought back.`
    : `Kept: the bucket ${bucket} and the table ${table}.`
  return `Of the stage ${stage} in ${region} this takes away for good:
  the API at ${api}${dashboard === undefined ? '' : `\n  the dashboard at ${dashboard}`}
  the queues, with what waits in them, and episodes that are being played
  the logs and the alarms
${data}`
}

async function confirm(stage: string, tools: Tools): Promise<void> {
  const answer = await tools.ask(`Type the name of the stage to go on: `)
  if (answer === null)
    throw refusal('It cannot be confirmed without a terminal. Add --yes to do it without asking.')
  if (answer !== stage) throw refusal('That is not its name. Nothing was changed.')
}

async function deleteData({ bucket, table }: StageFacts, tools: Tools): Promise<void> {
  await tools.account.deleteBucket(bucket, (objects) => {
    if (objects % 10_000 === 0) tools.note(`${objects} objects deleted`)
  })
  tools.note(`Deleted: the bucket ${bucket}`)
  await tools.account.deleteTable(table)
  tools.note(`Deleted: the table ${table} (DynamoDB keeps its last backup for 35 days)`)
}

function kept({ bucket, table, region }: StageFacts): string {
  return `The stage is gone. These were kept, and are paid for by what they hold:
  the bucket ${bucket}
  the table ${table}
A new deployment makes new ones, or goes on with these: npm run deploy -- --bucket ${bucket} --table ${table}
To delete them later:
  aws s3 rb --force s3://${bucket} --region ${region}
  aws dynamodb update-table --no-deletion-protection-enabled --table-name ${table} --region ${region}
  aws dynamodb delete-table --table-name ${table} --region ${region}`
}

function refusal(message: string): EspalierError {
  return new EspalierError('invalid_request', message)
}
