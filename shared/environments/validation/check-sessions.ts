import { seededRandom } from '../../core/random/seeded-random.ts'
import { sampled } from '../../core/random/shuffled.ts'
import type { OpenedSession, SessionResult } from '../session-source.ts'
import type { CheckBook } from './check-book.ts'
import { bringTo, callSignal, findDifference, toWalkStep, type Walk, type WalkStep } from './walk.ts'
import type { OpenSession, SessionKeeper } from './walker.ts'

const mostReturns = 4
const forkSteps = 4

export async function checkDeterminism(walk: Walk, open: OpenSession, book: CheckBook): Promise<void> {
  const { live, result } = await open(walk.task)
  compare('determinism', walk, 0, result, book)
  for (let index = 1; index < walk.steps.length && !book.hasFailed('determinism'); index += 1) {
    const { action } = walk.steps[index] as WalkStep
    compare('determinism', walk, index, await live.step(action ?? '', callSignal()), book)
  }
}

export async function checkGoingBack(walk: Walk, open: OpenSession, book: CheckBook): Promise<void> {
  const opened = await open(walk.task)
  const { live } = opened
  const again = await walkAgain(walk, opened)
  const last = walk.steps.length - 1
  const points = sampled([...walk.steps.keys()], mostReturns, seededRandom('back', walk.task, walk.seed))
  for (const point of points) {
    await bringTo(live, again, last)
    compare('going-back', walk, point, await bringTo(live, again, point), book)
    const next = walk.steps[point + 1]
    if (next === undefined) continue
    compare('going-back', walk, point + 1, await live.step(next.action ?? '', callSignal()), book)
  }
}

/** The walk in one more session, since a host may keep states for the process that reached them alone. */
async function walkAgain(walk: Walk, { live, result }: OpenedSession): Promise<Walk> {
  const steps = [toWalkStep(null, result, live)]
  for (const { action } of walk.steps.slice(1)) {
    steps.push(toWalkStep(action, await live.step(action ?? '', callSignal()), live))
  }
  return { ...walk, steps }
}

export async function checkForks(walk: Walk, keeper: SessionKeeper, book: CheckBook): Promise<void> {
  const start = Math.floor((walk.steps.length - 1) / 2)
  const others = walk.steps
    .slice(1)
    .reverse()
    .slice(0, forkSteps)
    .map(({ action }) => action ?? '')
  const expected = await goAlone({ walk, start, actions: others }, keeper)
  // A host may have room for few sessions.
  await keeper.closeAll()
  const { live: one } = await keeper.open(walk.task)
  const { live: other } = await keeper.open(walk.task)
  await bringTo(one, walk, start)
  await bringTo(other, walk, start)
  book.hold('forks')
  for (let turn = 0; turn < forkSteps; turn += 1) {
    const next = walk.steps[start + 1 + turn]
    if (next !== undefined) {
      compare('forks', walk, start + 1 + turn, await one.step(next.action ?? '', callSignal()), book)
    }
    const action = others[turn]
    const wanted = expected[turn]
    if (action === undefined || wanted === undefined) continue
    const difference = findDifference(wanted, await other.step(action, callSignal()))
    if (difference === null) continue
    const { field, ...values } = difference
    book.fail('forks', {
      reason: reasons.forks(field),
      task: walk.task,
      step: start + turn,
      action,
      ...values,
    })
  }
}

async function goAlone(
  { walk, start, actions }: { walk: Walk; start: number; actions: readonly string[] },
  keeper: SessionKeeper,
): Promise<SessionResult[]> {
  const { live } = await keeper.open(walk.task)
  await bringTo(live, walk, start)
  const answers: SessionResult[] = []
  for (const action of actions) {
    if (answers.at(-1)?.done) break
    answers.push(await live.step(action, callSignal()))
  }
  return answers
}

const reasons = {
  determinism: (field: string) => `"${field}" is another one when the same is done again in another session.`,
  'going-back': (field: string) => `"${field}" is another one after going back than on the way before.`,
  forks: (field: string) =>
    `"${field}" is another one than in a session alone: what happens in one reaches the other.`,
}

function compare(
  check: keyof typeof reasons,
  walk: Walk,
  index: number,
  came: SessionResult,
  book: CheckBook,
): void {
  book.hold(check)
  const { action, result } = walk.steps[index] as WalkStep
  const difference = findDifference(result, came)
  if (difference === null) return
  const { field, ...values } = difference
  const reason = reasons[check](field)
  const at = action === null ? { task: walk.task } : { task: walk.task, step: index - 1, action }
  book.fail(check, { reason, ...at, ...values })
}
