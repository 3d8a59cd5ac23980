import { expect, test } from 'vitest'
import { deploy } from '../../infra/commands/deploy.ts'
import { refuseSwallowed } from '../../infra/commands/run-command.ts'
import { recordingTools } from './recording-tools.ts'

test('a stage is deployed with its settings, and then said how it is used', async () => {
  const { tools, did, said } = recordingTools()
  expect(await deploy(['--stage', 'prod', '--mail', 'a@example.com', '--budget', '9'], tools)).toBe(0)
  expect(did).toEqual([
    'cdk deploy espalier-prod -c stage=prod -c maxConcurrency=50 -c budget=9 -c dashboard=true -c mail=a@example.com -c maxWorkers=0 -c workers=auto -c batch=10 -c batchWindow=0',
  ])
  expect(said()).toMatch(/https:\/\/pages\.example\.com[\s\S]*https:\/\/api\.example\.com/)
  expect(said()).toContain('keys create --stage prod')
})

test.each([
  ['no Docker', { docker: false }, /Docker does not answer.*CDK_DOCKER/],
  ['no bootstrap', { account: { bootstrapped: async () => null } }, /npx cdk bootstrap/],
])('%s stops it before anything is done', async (_what, options, message) => {
  const { tools, did } = recordingTools(options)
  await expect(deploy([], tools)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(message),
  })
  expect(did).toEqual([])
})

test('an account that may run few functions at once gets few workers, unless they were asked for', async () => {
  const options = { account: { concurrency: async () => 10 } }
  const few = recordingTools(options)
  await deploy([], few.tools)
  expect(few.did[0]).toContain('maxConcurrency=2')
  expect(few.said()).toContain('Raise the quota')
  const asked = recordingTools(options)
  await deploy(['--max-concurrency', '9'], asked.tools)
  expect(asked.did[0]).toContain('maxConcurrency=9')
})

test.each([
  ['--max-concurrency', '1', '--max-concurrency must be a whole number from 2 to 1000.'],
  ['--max-concurrency', 'many', '--max-concurrency must be a whole number from 2 to 1000.'],
  ['--budget', 'much', '--budget must be a number of US dollars above 0.'],
  ['--stage', 'Prod_1', '--stage must be lower-case letters, digits and dashes, at most 16.'],
])('%s %s is refused by the name of the option', async (option, value, message) => {
  const { tools, did } = recordingTools()
  await expect(deploy([option, value], tools)).rejects.toThrow(message)
  expect(did).toEqual([])
})

test('options that npm took for itself are not taken for none', () => {
  expect(() => refuseSwallowed({ npm_config_stage: 'prod', npm_lifecycle_event: 'deploy' })).toThrow(
    'npm run deploy -- --stage',
  )
  expect(() => refuseSwallowed({ npm_config_dashboard: '' })).toThrow('--no-dashboard')
  expect(() => refuseSwallowed({ npm_config_yes: 'true' })).not.toThrow()
})

test('the dashboard can be left out', async () => {
  const { tools, did } = recordingTools()
  await deploy(['--no-dashboard'], tools)
  expect(did[0]).toContain('-c dashboard=false')
})

test('an option that does not exist is named, with those that do', async () => {
  const { tools, did } = recordingTools()
  await expect(deploy(['--stags', 'x'], tools)).rejects.toThrow(/--stags[\s\S]*--stage/)
  expect(did).toEqual([])
})

test('a failed deployment is one, and nothing is said to be there', async () => {
  const { tools, said } = recordingTools({ cdk: 3 })
  expect(await deploy([], tools)).toBe(3)
  expect(said()).not.toContain('https://api.example.com')
})
