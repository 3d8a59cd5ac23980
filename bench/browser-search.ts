import { createHash } from 'node:crypto'
import { exactVwaPreset } from '../shared/play/presets/exact-vwa.ts'
import type { TreeEntry } from '../shared/play/search/tree-entry.ts'
import { completionOf } from '../test/play/models/chat-request.ts'
import { scriptedModels } from '../test/play/models/scripted-models.ts'
import { journalRecords, playOnce } from '../test/support/play-once.ts'
import { openShop } from './browser/open-shop.ts'
import { countLeastActions } from './browser/recorded-search.ts'
import { exactWait, replayExactOrder } from './browser/replay-order.ts'
import { report } from './figure.ts'

/**
 * R-MCTS on a task of our own shop in ExACT's settings for VisualWebArena, compared with the same tree in the action
 * order of ExACT's code. Both really take their actions in the same browser host. The search also runs with one
 * session, and with replays only, and yields the same tree. Policy and judge are scripted, answer immediately and
 * skip reflection, so that time is the environment's. ExACT's fixed waits are counted without sleeping.
 */
const goal = 'Put 2 of the Juggling balls into my cart.'
const options = { observation: 'accessibility_tree' }

function published(parameter: string): number {
  const setting = exactVwaPreset.settings.find(({ field }) => field === `method.${parameter}`)
  return Number(setting?.value)
}

const method = {
  id: 'rmcts',
  value: 'judge',
  iterations: Number(process.env.BENCH_ITERATIONS ?? published('iterations')),
  branching: published('branching'),
  proposals: published('proposals'),
  max_steps: published('max_steps'),
  reflect_policy: false,
  reflect_value: false,
}

const drawn = (text: string) => createHash('sha256').update(text).digest().readUInt32LE(0)

const { model } = scriptedModels([
  (body) => {
    const shown = JSON.stringify((body.messages as { content: unknown }[]).at(-1)?.content)
    const answers = Array.from({ length: Number(body.n ?? 1) }, (_, at) => {
      if (body.model === 'judge')
        return `Checks:\n1. The cart shows it.\nSTATUS CODE: ${'CDE'[drawn(`${shown}${at}`) % 3]}`
      const ids = [...shown.matchAll(/\[(\d+)\] (?:link|button)/g)].map(([, id]) => id)
      return `Thought: that one.\nAction: click [${ids[drawn(`${shown}${at}`) % Math.max(1, ids.length)]}]`
    })
    return Response.json(completionOf(answers))
  },
])

interface SearchWay {
  most?: number
  keepsStates?: boolean
  besideExact?: boolean
}

async function search({ most, keepsStates = true, besideExact = false }: SearchWay = {}) {
  const shop = await openShop(options, keepsStates)
  try {
    const task = shop.environment.tasks().find(({ description }) => description === goal)?.id
    if (task === undefined) throw new Error('The shop has no such task.')
    const environment =
      most === undefined ? shop.environment : { ...shop.environment, sessions_per_episode: most }
    const request = {
      model: { endpoint: 'mine', id: 'policy', max_tokens: 100 },
      roles: { value: { id: 'judge' } },
      environment_options: options,
    }
    const start = performance.now()
    const { outcome } = await playOnce({ ...shop, environment, task, model, method, request })
    const seconds = (performance.now() - start) / 1000
    if (outcome.type !== 'ended') throw new Error(`The search did not end: ${JSON.stringify(outcome)}`)
    const count = (...operations: string[]) =>
      shop.calls.filter(({ operation }) => operations.includes(operation)).length
    const entries = (await journalRecords(shop)).flatMap((record) =>
      'entry' in record ? [record.entry as TreeEntry] : [],
    )
    const counted = { actions: count('step'), resets: count('create', 'restore'), sessions: count('create') }
    if (!besideExact) return { ...counted, seconds, entries, exact: null }
    const backend = await shop.backend(task)
    const exact = await replayExactOrder(backend, entries)
    await backend.close()
    return { ...counted, seconds, entries, exact }
  } finally {
    await shop.close()
  }
}

const usual = await search({ besideExact: true })
const one = await search({ most: 1 })
const replayed = await search({ keepsStates: false })
for (const { entries } of [one, replayed]) {
  if (JSON.stringify(entries) === JSON.stringify(usual.entries)) continue
  throw new Error('The tree is another with one session, or by replays alone.')
}
const { actions, resets, seconds, sessions, entries, exact } = usual
if (exact === null) throw new Error('The order of ExACT was not taken.')
const least = countLeastActions(entries)
const waits = exact.actions * exactWait
const nodes = entries.filter((entry) => 'node' in entry).length
const share = (part: number, whole: number) => `${(part / whole).toFixed(2)} ×`
report(
  {
    what: `Actions in the browser of R-MCTS on a task of our shop: ${nodes} nodes, ${method.iterations} iterations for each of ${method.max_steps} steps, up to ${method.branching} of ${method.proposals} proposals`,
    value: `${actions} actions and ${resets} starts or returns in ${sessions} sessions, ${one.actions} and ${one.resets} in one, ${replayed.actions} and ${replayed.resets} by replays alone; ${least.first} are new, and no order of replays takes fewer than ${least.replayed}; in the order of ExACT ${exact.actions} actions and ${exact.resets} resets, ${exact.unshortened} actions if each committed one were taken again`,
    ratio: `${share(actions, exact.actions)} the actions, ${share(resets, exact.resets)} the resets; ${share(actions, exact.unshortened)} where committed actions are taken again`,
    aim: '≤ 0.25 × the actions',
  },
  {
    what: 'Time of the same, with a model that answers at once',
    value: `${seconds.toFixed(1)} s, ${one.seconds.toFixed(1)} s in one session, ${replayed.seconds.toFixed(1)} s by replays alone; in the order of ExACT ${exact.seconds.toFixed(1)} s, and ${waits.toFixed(0)} s of fixed waits (${exactWait} s after each action, counted and not slept)`,
    ratio: `${share(seconds, exact.seconds + waits)} with the waits, ${share(seconds, exact.seconds)} without them`,
    aim: '≤ 0.25 × with the waits',
  },
)
