import { expect, test } from 'vitest'
import { type Training, trainingSchema } from '../../../shared/core/contracts/training.ts'
import { describeTraining, isTraining, trainingRefusals } from '../../../web/format/describe-training.ts'

const statuses = trainingSchema.shape.status.options
const at = (phase: Training['progress']['phase'], step: number, steps: number) =>
  ({ phase, step, steps, waiting_for: null }) as Training['progress']

test('a training under way says its phase, its step and the share of its steps', () => {
  expect(describeTraining({ status: 'running', progress: at('training', 30, 120) })).toEqual({
    share: 0.25,
    text: 'Training: step 30 of 120',
  })
})

test('steps that are not known yet are not counted', () => {
  expect(describeTraining({ status: 'running', progress: at('loading', 0, 0) })).toEqual({
    share: 0,
    text: 'Loading the weights',
  })
})

test('one that waits or has halted says so in place of its phase', () => {
  const progress = at('training', 30, 120)
  expect(describeTraining({ status: 'queued', progress }).text).toBe('Waiting for a worker: step 30 of 120')
  expect(describeTraining({ status: 'paused', progress }).text).toBe('Paused: step 30 of 120')
})

test('more steps than were planned are no more than all', () => {
  expect(describeTraining({ status: 'running', progress: at('saving', 121, 120) }).share).toBe(1)
})

test('only queued and running trainings go on by themselves', () => {
  expect(statuses.filter((status) => isTraining({ status }))).toEqual(['queued', 'running'])
})

test('each action is offered where the service takes it, and says elsewhere why not', () => {
  const offered = (action: 'pause' | 'resume' | 'cancel') =>
    statuses.filter((status) => trainingRefusals({ status })[action] === null).toSorted()
  expect(offered('pause')).toEqual(['queued', 'running'])
  expect(offered('resume')).toEqual(['failed', 'paused'])
  expect(offered('cancel')).toEqual(['failed', 'paused', 'queued', 'running'])
  expect(trainingRefusals({ status: 'succeeded' }).resume).toBe('The training has ended: it is completed.')
})
