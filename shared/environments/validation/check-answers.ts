import { findWrongField, findWrongState, type ResultBounds } from '../check-result.ts'
import type { SessionResult } from '../session-source.ts'
import type { CheckBook, CheckFinding } from './check-book.ts'
import type { Walk, WalkStep } from './walk.ts'

export function checkAnswers({ task, steps }: Walk, bounds: ResultBounds, book: CheckBook): void {
  let before = 0
  for (const [index, step] of steps.entries()) {
    const { action, result } = step
    const at: Omit<CheckFinding, 'reason'> = action === null ? { task } : { task, step: index - 1, action }
    book.hold('answers')
    const wrong = findWrongKind(result, bounds)
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

function checkState({ result, noJson }: WalkStep, at: Omit<CheckFinding, 'reason'>, book: CheckBook): void {
  if (noJson !== null) book.fail('state', { reason: `${noJson}.`, ...at })
  else if (result.snapshot !== null) book.hold('state')
  else book.skip('state', 'Its states are not values.')
}

function findWrongKind(
  result: SessionResult,
  bounds: ResultBounds,
): Pick<CheckFinding, 'reason' | 'expected' | 'came'> | null {
  const wrong =
    findWrongField(result, bounds) ??
    (result.snapshot === null ? null : findWrongState(result.snapshot.state))
  if (wrong === null) return null
  const { field, expected, came } = wrong
  return {
    reason: `"${field}" is not what it should be.`,
    expected,
    came: came === undefined ? 'undefined' : typeof came === 'number' ? String(came) : came,
  }
}
