import { expect, test } from 'vitest'
import { destroy } from '../../infra/commands/destroy.ts'
import { recordingTools } from './recording-tools.ts'

const stage = ['--stage', 'dev']
const takenAway = [
  'stop hosts dev',
  'cdk destroy espalier-dev --exclusively --force -c stage=dev -c web=false',
]
const withoutOwnStack = { account: { data: async () => null } }

test('data is kept unless its deletion is asked for, and what is kept is named', async () => {
  const { tools, did, said } = recordingTools({ answer: 'dev', ...withoutOwnStack })
  expect(await destroy(stage, tools)).toBe(0)
  expect(did).toEqual(takenAway)
  expect(said()).toContain('npm run deploy -- --bucket the-bucket --table the-table')
  expect(said()).toContain('aws s3 rb --force s3://the-bucket')
  expect(said()).toContain('aws dynamodb delete-table --table-name the-table')
})

test('data is deleted after everything else, when the name of the stage was typed', async () => {
  const { tools, did } = recordingTools({ answer: 'dev' })
  expect(await destroy([...stage, '--delete-data'], tools)).toBe(0)
  expect(did).toEqual([
    ...takenAway,
    'delete bucket the-bucket',
    'delete table the-table',
    'cdk destroy espalier-dev-data --exclusively --force -c stage=dev -c web=false',
  ])
})

test('the stack that builds the images goes with the stage, and stays with one that could not go', async () => {
  const imageBuilds = async () => ({ project: 'espalier-dev-images', repository: 'the-repository' })
  const gone = recordingTools({ account: { imageBuilds } })
  expect(await destroy([...stage, '--yes'], gone.tools)).toBe(0)
  expect(gone.did).toEqual([
    ...takenAway,
    'cdk destroy espalier-dev-images --exclusively --force -c stage=dev -c web=false -c buildInAccount=true',
  ])
  const stuck = recordingTools({ account: { imageBuilds }, cdk: 1 })
  expect(await destroy([...stage, '--yes'], stuck.tools)).toBe(1)
  expect(stuck.did.join()).not.toContain('espalier-dev-images')
})

test('a stack of data that the stage did not use stays, and is named', async () => {
  const data = async () => ({ bucket: 'unused-bucket', table: 'unused-table' })
  const { tools, did, said } = recordingTools({ account: { data } })
  expect(await destroy([...stage, '--delete-data', '--yes'], tools)).toBe(0)
  expect(did).toEqual([...takenAway, 'delete bucket the-bucket', 'delete table the-table'])
  expect(said()).toContain('unused-bucket')
})

test.each([
  ['another name is typed', { answer: 'prod' }, [], /not its name/],
  ['there is no terminal to confirm it', { answer: null }, [], /--yes/],
  [
    'the stage is not there',
    { account: { stage: async () => null, data: async () => null } },
    ['--yes'],
    /no stage "dev".*npx cdk destroy espalier-dev -c stage=dev -c web=false/,
  ],
  [
    'the stage is protected',
    { account: { options: async () => ({ protect: 'true' }) } },
    ['--yes'],
    /protected.*npm run deploy -- --stage dev --no-protect/,
  ],
  ['both are asked for', {}, ['--keep-data', '--delete-data', '--yes'], /exclude/],
])('nothing is done when %s', async (_what, options, words, message) => {
  const { tools, did } = recordingTools(options)
  await expect(destroy([...stage, '--delete-data', ...words], tools)).rejects.toThrow(message)
  expect(did).toEqual([])
})

test('--yes asks nothing', async () => {
  const { tools, did } = recordingTools()
  expect(await destroy([...stage, '--yes'], tools)).toBe(0)
  expect(did).toEqual(takenAway)
})

test('a stage that could not be taken away keeps its data, and may start hosts again', async () => {
  const { tools, did } = recordingTools({ cdk: 1 })
  expect(await destroy([...stage, '--delete-data', '--yes'], tools)).toBe(1)
  expect(did).toEqual([...takenAway, 'let hosts start dev'])
})

test('nothing is deleted while hosts still stop, and hosts may start again', async () => {
  const { tools, did, said } = recordingTools({
    account: {
      async stopHosts(_stage, onProgress) {
        for (const live of [2, 1]) onProgress(live)
        throw new Error('Hosts still stop.')
      },
    },
  })
  await expect(destroy([...stage, '--yes'], tools)).rejects.toThrow('Hosts still stop.')
  expect(did).toEqual(['let hosts start dev'])
  expect(said()).toMatch(/still stop.*: 2\n.*still stop.*: 1/)
})

test('without a stage it says how it is used', async () => {
  await expect(destroy([], recordingTools().tools)).rejects.toThrow(/--stage/)
})
