import type { SessionResult } from '../session-source.ts'
import type { CheckBook, Finding } from './check-book.ts'
import type { Walk, WalkStep } from './walk.ts'

/** Checks what a walk was answered: its kinds, progress that never falls, and states that JSON keeps. */
export function checkAnswers({ task, steps }: Walk, book: CheckBook): void {
  let before = 0
  for (const [index, step] of steps.entries()) {
    const { action, result } = step
    const at: Omit<Finding, 'reason'> = action === null ? { task } : { task, step: index - 1, action }
    book.hold('answers')
    const wrong = findWrongKind(result)
    if (wrong !== null) book.fail('answers', { ...wrong, ...at })
    book.hold('progress')
    if (result.progress < before) {
      const reason = 'Progress is the best so far, so it cannot fall.'
      book.fail('progress', { reason, ...at, expected: `at least ${before}`, came: result.progress })
    }
    before = result.progress
    checkState(step, at, book)
  }
}

function checkState({ result, noJson }: WalkStep, at: Omit<Finding, 'reason'>, book: CheckBook): void {
  if (noJson !== null) book.fail('state', { reason: `${noJson}.`, ...at })
  else if (result.snapshot !== null) book.hold('state')
  else book.skip('state', 'Its states are not values.')
}

function findWrongKind(result: SessionResult): Pick<Finding, 'reason' | 'expected' | 'came'> | null {
  const { observation, reward, done, valid, progress } = result
  const wrong = (field: string, expected: string, came: unknown) => ({
    reason: `"${field}" is not what it should be.`,
    expected,
    came: came === undefined ? 'undefined' : typeof came === 'number' ? String(came) : came,
  })
  if (typeof observation !== 'string') return wrong('observation', 'a text', observation)
  if (!Number.isFinite(reward)) return wrong('reward', 'a finite number', reward)
  if (typeof done !== 'boolean') return wrong('done', 'true or false', done)
  if (typeof valid !== 'boolean') return wrong('valid', 'true or false', valid)
  if (!(progress >= 0 && progress <= 1)) return wrong('progress', 'a number from 0 to 1', progress)
  return null
}
