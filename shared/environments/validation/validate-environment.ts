import { EspalierError } from '../../core/contracts/errors.ts'
import type { ValidationReport } from '../../core/contracts/validation-report.ts'
import { seededRandom } from '../../core/random/seeded-random.ts'
import { shuffled } from '../../core/random/shuffled.ts'
import { type Environment, type EnvironmentTask, isHosted } from '../environment.ts'
import type { SessionSource } from '../session-source.ts'
import { CheckBook } from './check-book.ts'
import { checkDeclarations } from './check-declarations.ts'
import { PureSessions } from './pure-sessions.ts'
import { errorLine } from './shown-text.ts'
import { TaskValidation } from './task-validation.ts'
import { SessionKeeper } from './walker.ts'

/**
 * Plays `tasks` tasks (default 5: the first of each split, then others) for at most `steps` steps each (default 20).
 * `seed` (default 0) chooses tasks and actions, and is the seed of resets. Without `sessions`, a pure environment is
 * played in this process.
 */
export interface ValidationOptions {
  tasks?: number
  steps?: number
  seed?: number
  sessions?: SessionSource
  onTask?(task: string, index: number, count: number): void
}

/**
 * Plays an environment and checks its contract with the engine. Answers have the right types, the same actions lead
 * to the same states, and states can be restored and forked. It throws none of its findings.
 * @example
 * const report = await validateEnvironment(maze, { tasks: 3 })
 * report.checks.filter(({ status }) => status === 'failed')
 * @throws EspalierError `invalid_request` for an environment that is not pure, without sessions
 */
export async function validateEnvironment(
  environment: Environment,
  { tasks: count = 5, steps = 20, seed = 0, sessions, onTask }: ValidationOptions = {},
): Promise<ValidationReport> {
  const source = sessions ?? withoutHost(environment)
  const book = new CheckBook()
  const keeper = new SessionKeeper(source, seed)
  const chosen = chooseTasks(checkDeclarations(environment, book), count, seed)
  if (chosen.length > 0) await checkUnknownTask(keeper, book)
  const needs = { steps, seed, keeper, book, isHere: sessions === undefined }
  for (const [index, task] of chosen.entries()) {
    onTask?.(task.id, index, chosen.length)
    await new TaskValidation(environment, task, needs).run()
  }
  const found = book.read()
  return {
    object: 'validation',
    environment: environment.id,
    ok: found.every(({ status }) => status !== 'failed'),
    seed,
    tasks: chosen.map(({ id }) => id),
    steps: book.steps,
    checks: found,
  }
}

function withoutHost(environment: Environment): SessionSource {
  if (!isHosted(environment)) return new PureSessions(environment)
  throw new EspalierError(
    'invalid_request',
    `${environment.id} does not run in this process. Say where its sessions are opened.`,
  )
}

function chooseTasks(tasks: readonly EnvironmentTask[], count: number, seed: number): EnvironmentTask[] {
  const firsts = tasks.filter((task, index) => tasks.findIndex(({ split }) => split === task.split) === index)
  const others = shuffled(tasks, seededRandom('tasks', seed))
  return [...new Set([...firsts, ...others])].slice(0, count)
}

async function checkUnknownTask(keeper: SessionKeeper, book: CheckBook): Promise<void> {
  const task = 'no-such-task'
  book.hold('unknown-task')
  try {
    const { result } = await keeper.open(task)
    const reason = 'A task that does not exist was opened. Throw an EspalierError with the code unknown_task.'
    book.fail('unknown-task', { reason, task, came: result.observation })
  } catch (error) {
    if (EspalierError.isInstance(error) && error.code === 'unknown_task') return
    book.fail('unknown-task', {
      reason: 'It failed otherwise than with an EspalierError of the code unknown_task.',
      task,
      came: errorLine(error),
    })
  } finally {
    await keeper.closeAll()
  }
}
