import { expect, test } from 'vitest'
import { deploy } from '../../infra/commands/deploy.ts'
import { destroy } from '../../infra/commands/destroy.ts'
import { emulatedCloudFormation } from './emulated-cloudformation.ts'
import { recordingTools } from './recording-tools.ts'
import { type StackTemplate, synthesiseStacks } from './synthesise.ts'

function openAccount() {
  const cloud = emulatedCloudFormation()
  const failures: string[] = []
  const { tools, did, said } = recordingTools({ account: cloud.account })
  const emulated: typeof tools = {
    ...tools,
    async cdk([act, name = '', ...words]) {
      if (act === 'destroy') {
        cloud.destroy(name)
        return { code: 0, said: '' }
      }
      const given = words.filter((word) => word.includes('=')).map((word) => word.split(/=(.*)/s).slice(0, 2))
      const stacks = await synthesiseStacks(Object.fromEntries(given))
      const code = cloud.deployAll(stacks, failures.shift()) ? 0 : 1
      return { code, said: code === 0 ? '' : 'ROLLBACK_COMPLETE' }
    },
  }
  return {
    cloud,
    did,
    said,
    failAt: (...types: string[]) => failures.push(...types),
    deploy: (...words: string[]) => deploy(['--no-web', ...words], emulated),
    destroy: (...words: string[]) => destroy(['--stage', 'dev', '--yes', ...words], emulated),
  }
}

test('a first deployment that fails leaves the data whole, and repeating it goes on with them', async () => {
  const { cloud, failAt, said, ...run } = openAccount()
  failAt('AWS::ApiGatewayV2::Api')
  expect(await run.deploy()).toBe(1)
  const kept = cloud.stored()
  expect(kept).toHaveLength(2)
  expect(cloud.stacks()).toEqual(['espalier-dev-data'])
  for (const name of kept) expect(said()).toContain(name)
  expect(said()).toMatch(/deploy again[\s\S]*npm run destroy -- --stage dev --delete-data/)
  expect(await run.deploy()).toBe(0)
  expect(cloud.stored()).toEqual(kept)
  expect(Object.values((await cloud.account.data('dev')) ?? {})).toEqual(kept)
  expect(await cloud.account.stage('dev')).toMatchObject((await cloud.account.data('dev')) ?? {})
})

test('what a failed first deployment left is removed by one command', async () => {
  const { cloud, failAt, ...run } = openAccount()
  failAt('AWS::ApiGatewayV2::Api')
  await run.deploy()
  await expect(run.destroy()).rejects.toThrow(/no stage "dev".*--delete-data/)
  expect(await run.destroy('--delete-data')).toBe(0)
  expect(cloud.stored()).toEqual([])
  expect(cloud.stacks()).toEqual([])
})

test('a table that cannot be made leaves no bucket', async () => {
  const { cloud, failAt, said, ...run } = openAccount()
  failAt('AWS::DynamoDB::Table')
  expect(await run.deploy()).toBe(1)
  expect(cloud.stored()).toEqual([])
  expect(said()).toMatch(
    /Data that stayed: none\.[\s\S]*npx cdk destroy espalier-dev-data -c stage=dev -c web=false/,
  )
  expect(await run.deploy()).toBe(0)
})

test('a destroyed stage goes on with its data when it is deployed again', async () => {
  const { cloud, said, ...run } = openAccount()
  await run.deploy()
  const kept = cloud.stored()
  expect(await run.destroy()).toBe(0)
  expect(cloud.stacks()).toEqual(['espalier-dev-data'])
  expect(said()).toContain('A new deployment of the stage goes on with them.')
  await run.deploy()
  expect(cloud.stored()).toEqual(kept)
})

test('the data cannot be deleted below a stage that uses them', async () => {
  const { cloud, ...run } = openAccount()
  await run.deploy()
  expect(() => cloud.destroy('espalier-dev-data')).toThrow('imports')
})

test('a stage that had its data in its one stack goes on with them', async () => {
  const { cloud, did, said, ...run } = openAccount()
  const one = await joined()
  cloud.deploy('espalier-dev', one)
  const before = await cloud.account.stage('dev')
  expect(await run.deploy()).toBe(0)
  expect(said()).toContain(`--bucket ${before?.bucket} --table ${before?.table}`)
  expect(await cloud.account.stage('dev')).toEqual(before)
  expect(cloud.stored()).toEqual([before?.bucket, before?.table])
  expect(cloud.stacks()).toEqual(['espalier-dev'])
})

/** The stage as earlier versions deployed it. */
async function joined(): Promise<StackTemplate> {
  const [data, main] = await synthesiseStacks({ stage: 'dev', web: 'false' })
  if (data === undefined || main === undefined) throw new Error('There are no two stacks.')
  const values = Object.values(data.template.Outputs ?? {}).map(
    ({ Value, Export }) =>
      [JSON.stringify({ 'Fn::ImportValue': Export?.Name }), JSON.stringify(Value)] as const,
  )
  const text = values.reduce((all, [from, to]) => all.replaceAll(from, to), JSON.stringify(main.template))
  const { Resources } = JSON.parse(text) as StackTemplate
  const { Bucket, Table } = Object.fromEntries(
    Object.entries(data.template.Resources).map(([id, one]) => [one.Type.split('::')[2], { [id]: one }]),
  )
  return { Resources: { ...Bucket, ...Table, ...Resources } }
}

test('ECS gets its role before a first stage with hosts, and for no other', async () => {
  const { did, ...run } = openAccount()
  await run.deploy('--no-hosts')
  expect(did).not.toContain('prepare ECS for dev')
  const { did: with_, ...other } = openAccount()
  await other.deploy()
  await other.deploy()
  expect(with_.filter((one) => one === 'prepare ECS for dev')).toHaveLength(1)
})
