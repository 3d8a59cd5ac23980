import { findWrongField, findWrongState, type ResultBounds } from '../check-result.ts'
import {
  type Environment,
  type EnvironmentTask,
  type IsolatedEnvironment,
  isHosted,
  type PureEnvironment,
} from '../environment.ts'
import type { SessionResult } from '../session-source.ts'
import type { CheckBook, CheckFinding, CheckId } from './check-book.ts'
import { checkCore } from './check-core.ts'
import { checkGuide } from './check-declarations.ts'
import { checkDeterminism, checkForks, checkGoingBack } from './check-sessions.ts'
import { errorLine } from './shown-text.ts'
import type { Walk, WalkStep } from './walk.ts'
import { type SessionKeeper, walkNotUnicode, walkOddly, walkTask } from './walker.ts'

export interface TaskValidationNeeds {
  steps: number
  seed: number
  keeper: SessionKeeper
  book: CheckBook
  isHere: boolean
}

export class TaskValidation {
  readonly #environment: Environment
  readonly #task: EnvironmentTask
  readonly #needs: TaskValidationNeeds

  constructor(environment: Environment, task: EnvironmentTask, needs: TaskValidationNeeds) {
    this.#environment = environment
    this.#task = task
    this.#needs = needs
  }

  async run(): Promise<void> {
    const { keeper, book, isHere } = this.#needs
    checkGuide(this.#environment, this.#task, book)
    if (book.hasFailed('guide')) return
    book.hold('reset')
    await this.#attempt('reset', () => this.#walk())
    if (book.hasFailed('reset')) return
    await this.#attempt('odd-actions', async () => {
      const { task, seed } = this.#start
      checkAnswers(await walkOddly({ task, seed }, await keeper.open(task), book), this.#environment, book)
    })
    await this.#attempt('odd-actions', async () => {
      const start = { ...this.#start, mayRefuse: !isHere }
      checkAnswers(await walkNotUnicode(start, keeper.open, book), this.#environment, book)
    })
  }

  async #walk(): Promise<void> {
    const { steps, keeper, book, isHere } = this.#needs
    const opened = await keeper.open(this.#task.id)
    const guide = this.#environment.describe(this.#task)
    const walk = await walkTask({ ...this.#start, steps, guide }, opened, book)
    checkAnswers(walk, this.#environment, book)
    await keeper.closeAll()
    if (!isHosted(this.#environment) && isHere) await this.#checkCore(this.#environment, walk)
    else this.#skip('It is checked where the environment is played in this process.', onlyHere)
    await this.#checkWays(walk)
  }

  async #checkCore(environment: PureEnvironment | IsolatedEnvironment, walk: Walk): Promise<void> {
    const { book } = this.#needs
    if (book.hasFailed('state')) return this.#skip('Its state is no JSON value.', onlyHere)
    await this.#attempt('arguments', () => checkCore(environment, walk, book))
  }

  async #checkWays(walk: Walk): Promise<void> {
    const { keeper, book } = this.#needs
    const { deterministic, snapshot } = this.#environment
    const all = ['determinism', 'going-back', 'forks'] as const
    if (!deterministic) return this.#skip('It declares that it is not deterministic.', all)
    await this.#attempt('determinism', () => checkDeterminism(walk, keeper.open, book))
    const ways = all.slice(1)
    if (book.hasFailed('determinism')) return this.#skip('It is not deterministic.', ways)
    if (book.hasFailed('state')) return this.#skip('Its state is no JSON value.', ways)
    if (snapshot === 'none') return this.#skip('It declares that no state can be gone back to.', ways)
    await this.#attempt('going-back', () => checkGoingBack(walk, keeper.open, book))
    if (book.hasFailed('going-back')) return this.#skip('States cannot be gone back to.', ['forks'])
    await this.#attempt('forks', () => checkForks(walk, keeper, book))
  }

  get #start(): { task: string; seed: number } {
    return { task: this.#task.id, seed: this.#needs.seed }
  }

  #skip(reason: string, checks: readonly CheckId[]): void {
    for (const check of checks) this.#needs.book.skip(check, reason)
  }

  /** An error is the check's finding. Closes the sessions, since a host may have room for few. */
  async #attempt(check: CheckId, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#needs.book.fail(check, { reason: errorLine(error), task: this.#task.id })
    } finally {
      await this.#needs.keeper.closeAll()
    }
  }
}

const onlyHere = ['arguments', 'valid-actions', 'after-end'] as const satisfies readonly CheckId[]

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
