import { expect, test } from 'vitest'
import { deploy } from '../../infra/commands/deploy.ts'
import { facts, recordingTools } from './recording-tools.ts'

function openAccount({ failures, left = [] }: { failures: number; left?: string[] }) {
  let deployments = 0
  const { tools, did, said } = recordingTools({
    account: {
      stage: async () => (deployments > failures ? facts : null),
      leftovers: async () => ({ buckets: left, tables: left.map((name) => `${name}-table`) }),
    },
  })
  const run = async (words: string[] = []) =>
    deploy(words, {
      ...tools,
      async cdk(given) {
        deployments += 1
        const code = deployments > failures ? 0 : 1
        did.push(`cdk ${given[0]}${given.includes('first=true') ? ' first' : ''}`)
        return { code, said: code === 0 ? '' : 'ROLLBACK_COMPLETE' }
      },
    })
  return { run, did, said }
}

test('a first deployment that fails and is repeated leaves nothing behind, and then protects the table', async () => {
  const { run, did, said } = openAccount({ failures: 1 })
  expect(await run()).toBe(1)
  expect(said()).toMatch(/first deployment failed[\s\S]*deploy again[\s\S]*Data that stayed: none\./)
  expect(did).not.toContain('protect table the-table')
  expect(await run()).toBe(0)
  expect(did).toEqual([
    'prepare ECS for dev',
    'cdk deploy first',
    'prepare ECS for dev',
    'cdk deploy first',
    'protect table the-table',
  ])
})

test('whatever stayed is named, with the commands that go on with it or remove it', async () => {
  const { run, said } = openAccount({ failures: 1, left: ['espalier-dev-storagebucket1'] })
  await run()
  expect(said()).toContain('--bucket espalier-dev-storagebucket1 --table espalier-dev-storagebucket1-table')
  expect(said()).toContain('aws s3 rb --force s3://espalier-dev-storagebucket1')
  expect(said()).toContain('aws dynamodb delete-table --table-name espalier-dev-storagebucket1-table')
})

test('a later deployment makes nothing ready anew, and its failure takes nothing away', async () => {
  const { tools, did, said } = recordingTools({ cdk: 1 })
  expect(await deploy([], tools)).toBe(1)
  expect(did).toHaveLength(1)
  expect(did[0]).not.toContain('first=true')
  expect(said()).toMatch(/What was there before is as it was/)
})

test('without hosts ECS needs no role', async () => {
  const { run, did } = openAccount({ failures: 0 })
  await run(['--no-hosts'])
  expect(did).toEqual(['cdk deploy first', 'protect table the-table'])
})
