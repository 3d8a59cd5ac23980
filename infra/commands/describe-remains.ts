import { dataStackOf, type StageData, stackOf } from '../stage-facts.ts'
import type { Account } from './account.ts'
import { contextOfRemoval } from './removal-context.ts'

export async function describeRemains(stage: string, account: Account): Promise<string> {
  const data = await account.data(stage)
  const stack = stackOf(stage)
  const failed = `The first deployment failed; the lines above say why. Correct the cause and deploy again: the CDK removes the failed stack ${data === null ? dataStackOf(stage) : stack} first`
  if (data !== null) {
    return `${failed}, and the next goes on with the stack of data.
What stayed: ${dataStackOf(stage)}, with the bucket ${data.bucket} and the table ${data.table}, and the rest of ${stack}.
To remove all of it instead: npm run destroy -- --stage ${stage} --delete-data`
  }
  const { buckets, tables } = await account.leftovers(stage)
  const kept = [...buckets.map((name) => `the bucket ${name}`), ...tables.map((name) => `the table ${name}`)]
  const removal = [
    `npx cdk destroy ${dataStackOf(stage)} ${contextOfRemoval(stage).join(' ')}`,
    ...buckets.map((bucket) => removalOf({ bucket })),
    ...tables.map((table) => removalOf({ table })),
  ]
  return `${failed}.
Data that stayed: ${kept.length === 0 ? 'none' : kept.join(', ')}.
To remove the failed stack now:
${removal.join('\n')}`
}

export function removalOf({ bucket, table }: Partial<StageData>, region?: string): string {
  const where = region === undefined ? '' : ` --region ${region}`
  return [
    ...(bucket === undefined ? [] : [`  aws s3 rb --force s3://${bucket}${where}`]),
    ...(table === undefined
      ? []
      : [
          `  aws dynamodb update-table --no-deletion-protection-enabled --table-name ${table}${where}`,
          `  aws dynamodb delete-table --table-name ${table}${where}`,
        ]),
  ].join('\n')
}
