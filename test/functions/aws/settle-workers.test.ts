import { expect, test } from 'vitest'
import { readSettings } from '../../../functions/aws/settings.ts'
import { settleWorkers } from '../../../functions/aws/settle-workers.ts'
import { environmentOfStage } from '../../../functions/aws/worker/stage-environment.ts'
import { toRequest } from '../../support/open-test-engine.ts'

const without = { ESPALIER_WORKERS: 'auto' as const }
const stage = { ...without, ESPALIER_QUEUE_LASTING: 'https://sqs.example.com/1/lasting' }

test('a run records what it asks for, or what the stage is set to', () => {
  expect(settleWorkers(toRequest(), stage).workers).toBe('auto')
  expect(settleWorkers(toRequest(), { ...stage, ESPALIER_WORKERS: 'fargate' }).workers).toBe('fargate')
  expect(settleWorkers(toRequest({ workers: 'lambda' }), stage).workers).toBe('lambda')
})

test('a stage without workers plays with Lambda, and says so to who asks for them', () => {
  expect(settleWorkers(toRequest({ workers: 'auto' }), without).workers).toBe('lambda')
  expect(() => settleWorkers(toRequest({ workers: 'fargate' }), without)).toThrow(
    expect.objectContaining({ code: 'invalid_request', param: 'workers' }),
  )
})

test('a worker elsewhere has the variables that the functions of its stage have', () => {
  const queues = Object.fromEntries(
    ['episodes', 'alone', 'datasets', 'jobs', 'lasting'].map((name) => [
      name,
      `https://sqs.example.com/${name}`,
    ]),
  )
  const { lasting, ...dead } = queues
  const facts = {
    stage: 'prod',
    region: 'eu-central-1',
    api: 'https://api.example.com',
    table: 'table',
    bucket: 'bucket',
    queues,
    dead_letters: dead,
  }
  const environment = environmentOfStage(JSON.stringify(facts), 'code')
  expect(readSettings(environment)).toMatchObject({
    ESPALIER_QUEUE_LASTING: lasting,
    ESPALIER_DEAD_JOBS: 'https://sqs.example.com/jobs',
    ESPALIER_CALL_HOST: 'espalier-prod-call-host',
  })
})
