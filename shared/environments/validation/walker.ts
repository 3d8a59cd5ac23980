import { EspalierError } from '../../core/contracts/errors.ts'
import type { Random } from '../../core/random/random.ts'
import { seededRandom } from '../../core/random/seeded-random.ts'
import { choose } from '../../core/random/shuffled.ts'
import { StepResultError } from '../check-result.ts'
import type { EnvironmentGuide } from '../environment.ts'
import { SessionLostError } from '../session-lost-error.ts'
import type { LiveEnvironment, OpenedSession, SessionSource } from '../session-source.ts'
import type { CheckBook, CheckId } from './check-book.ts'
import { PureSession } from './pure-sessions.ts'
import { errorLine } from './shown-text.ts'
import { callSignal, longestCall, toWalkStep, type Walk } from './walk.ts'

/**
 * A lone surrogate, which UTF-8 cannot hold. A server may refuse it, but an environment in this process must answer
 * it.
 */
const notUnicode = '\ud800'

const oddActions: readonly string[] = [
  '',
  ' ',
  '\n',
  'look\nlook',
  'x'.repeat(100_000),
  'a '.repeat(50_000),
  '('.repeat(100_000),
  '\u0000\u0001\u001b[31m\u007f',
  '🙂 ß ﷽ \u202e\u200b',
  '__proto__',
  'constructor toString',
  '[]{}()*+?.^$|\\"\'',
  'search[',
  'get -1 of 99999999999999999999',
]

const common = ['look', 'inventory', 'look around', 'help', 'north', 'search[red]', 'click[back to search]']

const validShare = 0.7

function chooseAction(
  seen: { valid: readonly string[]; guide: EnvironmentGuide; observation: string },
  random: Random,
): string {
  const { valid, guide, observation } = seen
  if (valid.length > 0 && random() < validShare) return choose(valid, random) ?? ''
  const examples = guide.example?.turns.map(({ action }) => action) ?? []
  const lines = observation.split('\n').filter((line) => line.trim() !== '' && line.length <= 200)
  const sources = [examples, lines, common].filter((source) => source.length > 0)
  return choose(choose(sources, random) ?? common, random) ?? ''
}

export type OpenSession = (task: string) => Promise<OpenedSession>

export class SessionKeeper {
  readonly #source: SessionSource
  readonly #seed: number
  #opened: LiveEnvironment[] = []
  #count = 0

  constructor(source: SessionSource, seed: number) {
    this.#source = source
    this.#seed = seed
  }

  readonly open: OpenSession = async (task) => {
    this.#count += 1
    const request = { task, seed: this.#seed, holder: `validation/${process.pid}/${this.#count}` }
    const signal = callSignal()
    const opened = await this.#source.open(request, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error
      throw new Error(
        `No session could be opened within ${longestCall / 1000} seconds: is there room for two?`,
      )
    })
    this.#opened.push(opened.live)
    return opened
  }

  async closeAll(): Promise<void> {
    const opened = this.#opened
    this.#opened = []
    await Promise.allSettled(opened.map((live) => live.close()))
  }
}

export async function walkTask(
  { task, seed, steps, guide }: { task: string; seed: number; steps: number; guide: EnvironmentGuide },
  opened: OpenedSession,
  book: CheckBook,
): Promise<Walk> {
  const random = seededRandom('walk', task, seed)
  const { live } = opened
  const next = async (observation: string) => {
    const valid = live instanceof PureSession ? await live.validActions() : []
    return chooseAction({ valid, guide, observation }, random)
  }
  return walk('steps', { task, seed, count: steps, next }, opened, book)
}

export async function walkOddly(
  { task, seed }: { task: string; seed: number },
  opened: OpenedSession,
  book: CheckBook,
): Promise<Walk> {
  const actions = oddActions.values()
  const next = async () => actions.next().value ?? ''
  return walk('odd-actions', { task, seed, count: oddActions.length, next }, opened, book)
}

/**
 * Sends a task text that is not Unicode. It is answered like any other action, or refused by a server: many read
 * their requests as UTF-8, and answer invalid ones with a status of 4xx or 5xx. After that another session must open.
 * @param mayRefuse true if there is a server in between
 */
export async function walkNotUnicode(
  { task, seed, mayRefuse }: { task: string; seed: number; mayRefuse: boolean },
  open: OpenSession,
  book: CheckBook,
): Promise<Walk> {
  const { live, result } = await open(task)
  const taken: Walk = { task, seed, steps: [toWalkStep(null, result, live)] }
  book.hold('odd-actions')
  try {
    taken.steps.push(toWalkStep(notUnicode, await live.step(notUnicode, callSignal()), live))
    book.steps += 1
  } catch (error) {
    const isRefusal = EspalierError.isInstance(error) || error instanceof SessionLostError
    if (mayRefuse && isRefusal) await open(task)
    else book.fail('odd-actions', { reason: errorLine(error), task, step: 0, action: notUnicode })
  }
  return taken
}

async function walk(
  check: CheckId,
  way: { task: string; seed: number; count: number; next(observation: string): Promise<string> },
  { live, result }: Awaited<ReturnType<OpenSession>>,
  book: CheckBook,
): Promise<Walk> {
  const { task, seed, count, next } = way
  const taken: Walk = { task, seed, steps: [toWalkStep(null, result, live)] }
  let last = result
  for (let step = 0; step < count && !last.done; step += 1) {
    let action: string | undefined
    try {
      action = await next(String(last.observation))
      last = await live.step(action, callSignal())
    } catch (error) {
      const failed = error instanceof StepResultError ? 'answers' : check
      book.fail(failed, { reason: errorLine(error), task, step, ...(action !== undefined && { action }) })
      return taken
    }
    book.hold(check)
    book.steps += 1
    taken.steps.push(toWalkStep(action, last, live))
  }
  return taken
}
