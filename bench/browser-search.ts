import { createHash } from 'node:crypto'
import type { TreeEntry } from '../shared/search/tree-entry.ts'
import { completionOf } from '../test/models/chat-request.ts'
import { scriptedModels } from '../test/models/scripted-models.ts'
import { journalRecords, playOnce } from '../test/support/play-once.ts'
import { openShop } from './browser/open-shop.ts'
import { exactWait, replayExactOrder } from './browser/replay-order.ts'
import { report } from './figure.ts'

/**
 * R-MCTS on a task of our own shop, beside the same tree in the order in which ExACT's code acts: both really take their actions, in
 * the same browser host. Policy and judge are scripted and answer at once, and nothing is reflected on, so that time is that of the environment. ExACT's fixed
 * waits are counted, and not slept.
 */
const goal = 'Put 2 of the Juggling balls into my cart.'
const options = { observation: 'accessibility_tree' }
const method = {
  id: 'rmcts',
  value: 'judge',
  iterations: Number(process.env.BENCH_ITERATIONS ?? 8),
  branching: 3,
  proposals: 6,
  max_steps: 4,
  reflect_policy: false,
  reflect_value: false,
}

/** A number that a text decides. */
const drawn = (text: string) => createHash('sha256').update(text).digest().readUInt32LE(0)

/** Clicks on what the page shows; judges states without ever calling one finished. */
const { model } = scriptedModels([
  (body) => {
    const shown = JSON.stringify((body.messages as { content: unknown }[]).at(-1)?.content)
    const answers = Array.from({ length: Number(body.n ?? 1) }, (_, at) => {
      if (body.model === 'judge')
        return `Checks:\n1. The cart shows it.\nSTATUS CODE: ${'CDE'[drawn(`${shown}${at}`) % 3]}`
      const ids = [...shown.matchAll(/\[(\d+)\] (?:link|button)/g)].map(([, id]) => id)
      return `Thought: that one.\nAction: click [${ids[drawn(`${shown}${at % 4}`) % Math.max(1, ids.length)]}]`
    })
    return Response.json(completionOf(answers))
  },
])

const shop = await openShop(options)
const task = shop.environment.tasks().find(({ description }) => description === goal)?.id
if (task === undefined) throw new Error('The shop has no such task.')
try {
  const played = {
    ...shop,
    task,
    model,
    method,
    request: {
      model: { endpoint: 'mine', id: 'policy', max_tokens: 100 },
      roles: { value: { id: 'judge' } },
      environment_options: options,
    },
  }
  const start = performance.now()
  const { outcome } = await playOnce(played)
  const seconds = (performance.now() - start) / 1000
  if (outcome.type !== 'ended') throw new Error(`The search did not end: ${JSON.stringify(outcome)}`)
  const count = (...operations: string[]) =>
    shop.calls.filter(({ operation }) => operations.includes(operation)).length
  const [steps, resets] = [count('step'), count('create', 'restore')]

  const entries = (await journalRecords(shop)).flatMap((record) =>
    'entry' in record ? [record.entry as TreeEntry] : [],
  )
  const backend = await shop.backend(task)
  const exact = await replayExactOrder(backend, entries)
  await backend.close()
  const waits = exact.actions * exactWait
  const nodes = entries.filter((entry) => 'node' in entry).length
  report(
    {
      what: `Actions in the browser of R-MCTS on a task of our shop: ${nodes} nodes, ${method.iterations} iterations for each of ${method.max_steps} steps`,
      value: `${steps} actions and ${resets} resets; in the order of ExACT ${exact.actions} actions and ${exact.resets} resets`,
      ratio: `${(steps / exact.actions).toFixed(2)} × the actions, ${(resets / exact.resets).toFixed(2)} × the resets`,
      aim: '≤ 0.25 × the actions',
    },
    {
      what: 'Time of the same, with a model that answers at once',
      value: `${seconds.toFixed(1)} s; in the order of ExACT ${exact.seconds.toFixed(1)} s, and ${waits.toFixed(0)} s of fixed waits (${exactWait} s after each action, counted and not slept)`,
      ratio: `${(seconds / (exact.seconds + waits)).toFixed(2)} × with the waits, ${(seconds / exact.seconds).toFixed(2)} × without them`,
      aim: '≤ 0.25 × with the waits',
    },
  )
} finally {
  await shop.close()
}
