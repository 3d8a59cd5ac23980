import { expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { recordingTerminal } from './recording-terminal.ts'

async function espalier(words: string[], environment: Record<string, string> = {}) {
  const terminal = recordingTerminal({ environment })
  const exitCode = await runCli(words, terminal)
  return { exitCode, notes: terminal.notes.join('\n') }
}

const queue = 'https://sqs.example.com/1/queue'
const names = ['EPISODES', 'ALONE', 'DATASETS', 'JOBS']
const variables = {
  ESPALIER_STAGE: 'test',
  ESPALIER_CODE: 'code',
  ESPALIER_TABLE: 'table',
  ESPALIER_BUCKET: 'bucket',
  ...Object.fromEntries(
    names.flatMap((name) => [
      [`ESPALIER_QUEUE_${name}`, queue],
      [`ESPALIER_DEAD_${name}`, queue],
    ]),
  ),
}

test.each<[string, string[], Record<string, string>, RegExp]>([
  ['without a deployment', ['worker'], {}, /--stage/],
  ['without objects', ['worker', '--world', 'postgres://h/d'], {}, /--objects/],
  [
    'with no address',
    ['worker', '--world', 'h/d', '--objects', 'o'],
    {},
    /no address of a PostgreSQL database/,
  ],
  ['with no time', ['worker', '--until', 'soon'], {}, /a date such as/],
  ['with no place', ['worker', '--places', '0'], variables, /from 1 to 10000/],
])('%s it says what is missing', async (_what, words, environment, message) => {
  const { exitCode, notes } = await espalier(words, environment)
  expect(exitCode).toBe(2)
  expect(notes).toMatch(message)
})

test('a worker that cannot reach its table ends with 1 and says which', async () => {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = 'http://127.0.0.1:1'
  process.env.AWS_REGION = 'us-east-1'
  process.env.AWS_ACCESS_KEY_ID = 'test'
  process.env.AWS_SECRET_ACCESS_KEY = 'test'
  const { exitCode, notes } = await espalier(['worker'], variables)
  expect(exitCode).toBe(1)
  expect(notes).toMatch(/table "table"/)
})
