import { expect, test } from 'vitest'
import { runStatusSchema } from '../../../../shared/core/contracts/run.ts'
import { allowedActions } from '../../../../web/pages/run/allowed-actions.ts'
import { annotationRun, makeRun } from '../../../builders/runs.ts'

const possible = {
  queued: ['pause', 'cancel'],
  running: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  succeeded: ['extend', 'retry'],
  failed: ['extend', 'retry'],
  cancelled: [],
}

test.each(runStatusSchema.options)('of a run that is %s the service takes what is offered', (status) => {
  const allowed = Object.entries(allowedActions(makeRun({ status, episodes: { errored: 1 } })))
  const offered = allowed.flatMap(([name, refusal]) => (refusal === null ? [name] : []))
  expect(offered).toEqual(possible[status])
})

test('there is nothing to retry where no episode ended with an error', () => {
  const { retry } = allowedActions(makeRun({ status: 'succeeded', episodes: { succeeded: 3 } }))
  expect(retry).toBe('No episode ended with an error.')
})

test('a run that asks a model for a dataset cannot be extended', () => {
  expect(allowedActions(annotationRun).extend).toContain('no more')
})
