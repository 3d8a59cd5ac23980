import { expect, test } from 'vitest'
import { readUsage } from '../../../../shared/play/methods/learnact/learner.ts'

test('an example begins with its first action, whatever stands around it', () => {
  expect(readUsage('Sure!\n```\nAction: carry("b")\nObservation: Done.\n```')).toBe(
    'Action: carry("b")\nObservation: Done.',
  )
})

test.each(['', 'Sure!', 'Action:', 'Observation: Done.'])('%j is no example', (answer) => {
  expect(readUsage(answer)).toBeNull()
})
