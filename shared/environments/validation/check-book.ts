import type { ValidationCheck } from '../../core/contracts/validation-report.ts'
import { shownText } from './shown-text.ts'

export const checks = {
  facts: 'id, description, thresholds and caps are what they should be',
  tasks: 'tasks have ids of their own, stand split by split, and are the same each time',
  guide: 'the guide of a task has rules, and an example of full turns or none',
  'unknown-task': 'a task that does not exist is refused as unknown_task',
  reset: 'every task that is played can be opened',
  answers: 'observations, rewards, ends and progress are of their kinds',
  progress: 'progress never falls',
  steps: 'no action of a game fails',
  'odd-actions': 'odd actions are answered like all others',
  state: 'a state is a JSON value',
  arguments: 'a step does not change the state that it is given',
  'valid-actions': 'every action that is listed as valid is valid',
  'after-end': 'a step after the end does not fail',
  determinism: 'the same actions have the same answers and states',
  'going-back': 'a state that is gone back to is the same state',
  forks: 'two sessions from one state do not disturb each other',
} as const

export type CheckId = keyof typeof checks

export interface CheckFinding {
  reason: string
  task?: string
  step?: number
  action?: string
  expected?: unknown
  came?: unknown
}

export class CheckBook {
  readonly #failures = new Map<CheckId, CheckFinding>()
  readonly #skips = new Map<CheckId, string>()
  readonly #held = new Set<CheckId>()
  steps = 0

  hold(check: CheckId): void {
    this.#held.add(check)
  }

  fail(check: CheckId, finding: CheckFinding): void {
    if (!this.#failures.has(check)) this.#failures.set(check, finding)
  }

  skip(check: CheckId, reason: string): void {
    this.#skips.set(check, reason)
  }

  hasFailed(check: CheckId): boolean {
    return this.#failures.has(check)
  }

  read(): ValidationCheck[] {
    return (Object.keys(checks) as CheckId[]).map((id) => ({
      id,
      description: checks[id],
      ...this.#outcome(id),
    }))
  }

  #outcome(id: CheckId): Omit<ValidationCheck, 'id' | 'description'> {
    const nothing = { at: null, expected: null, came: null }
    const failure = this.#failures.get(id)
    if (failure === undefined) {
      const reason = this.#skips.get(id)
      if (this.#held.has(id)) return { status: 'passed', reason: null, ...nothing }
      return { status: 'skipped', reason: reason ?? 'There was no occasion for it.', ...nothing }
    }
    const { reason, task, step, action, expected, came } = failure
    return {
      status: 'failed',
      reason,
      at: task === undefined ? null : { task, step: step ?? null, action: shownText(action) },
      expected: shownText(expected),
      came: shownText(came),
    }
  }
}
