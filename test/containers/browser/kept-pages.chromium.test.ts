import { afterAll, expect, test } from 'vitest'
import { KeptPages } from '../../../containers/browser/kept-pages.ts'
import { serveSites } from '../../../containers/browser/serve-sites.ts'
import type {
  BackendAnswer,
  KeptStateAccess,
  SessionBackend,
} from '../../../containers/env-host/session-backend.ts'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { createRandom } from '../../../shared/core/random/random.ts'

const pages = new KeptPages()
const served = serveSites(() => undefined, pages)
afterAll(() => served.stop?.())

const early_stop = { steps: 100, parsing_failures: 100, repeated_actions: 100 }
const open = (task: string) =>
  served.open({ task, seed: 0, options: { observation: 'accessibility_tree', early_stop } })

function keptOf({ kept }: SessionBackend): KeptStateAccess {
  if (kept === undefined) throw new Error('The session keeps no states.')
  return kept
}

interface Taken {
  action: string
  answer: BackendAnswer
  /** The state that it led to; null where it was not kept. */
  kept: JsonObject | null
}

const words = ['lamp', 'ball', '2', 'a@b.c', 'red bicycle']

/** Some action on what is shown, such as a visitor might take who looks around. */
function anyAction(shown: string, draw: () => number): string {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(draw() * items.length)]
  const idsOf = (roles: string) =>
    [...shown.matchAll(new RegExp(`\\[(\\d+)\\] (?:${roles})\\b`, 'g'))].map(([, id]) => id)
  const kind = draw()
  const field = pick(idsOf('textbox|searchbox|spinbutton'))
  if (kind < 0.12) return 'go_back'
  if (kind < 0.16) return 'go_forward'
  if (kind < 0.2) return pick(['scroll [down]', 'press [Tab]', 'press [Enter]', 'close_tab']) ?? ''
  if (kind < 0.21) return 'new_tab'
  if (kind < 0.45 && field) return `type [${field}] [${pick(words)}] [${draw() < 0.7 ? 1 : 0}]`
  const buttons = idsOf('button|checkbox|radio|combobox')
  const id = (kind < 0.7 && pick(buttons)) || pick(idsOf('link|button'))
  return id ? `click [${id}]` : 'go_back'
}

async function walk(session: SessionBackend, draw: () => number, steps: number): Promise<Taken[]> {
  const start = await session.reset()
  const path: Taken[] = [{ action: '', answer: start, kept: null }]
  for (let step = 0; step < steps; step += 1) {
    const action = anyAction(path.at(-1)?.answer.observation ?? '', draw)
    const answer = await session.step(action)
    path.push({ action, answer, kept: await keptOf(session).keep() })
  }
  return path
}

/** What was kept, without the names and times of answers and cookies. */
function keptAs(name: JsonObject | null) {
  if (name === null) return null
  const { document, cookies, ...page } = pages.find(name)
  return {
    ...page,
    body: document.body.toString(),
    cookies: cookies.map((cookie) => ({ ...cookie, expires: 0 })),
  }
}

const said = ({ observation, reward, done, valid }: BackendAnswer) => ({ observation, reward, done, valid })

const tasks = ['shopping/0', 'shopping/5', 'reddit/36', 'reddit/48', 'classifieds/61', 'classifieds/88']
const walks = Number(process.env.KEPT_STATES_WALKS ?? tasks.length)

/**
 * Walks through a task, and has another session go back to each state that was kept, and take the next three actions there.
 *
 * @returns how many of these were taken
 */
async function compareWalk(seed: number): Promise<number> {
  const task = tasks[seed % tasks.length] ?? ''
  const [session, other] = [await open(task), await open(task)]
  const path = await walk(session, createRandom(seed), 20)
  let compared = 0
  for (const [at, { kept, answer }] of path.entries()) {
    if (kept === null) continue
    expect(await keptOf(other).restore(kept), `walk ${seed}, state ${at}`).toBe(answer.observation)
    for (const [further, next] of path.slice(at + 1, at + 4).entries()) {
      const seen = { observation: path[at + further]?.answer.observation ?? '' }
      const answered = await Promise.resolve(other.step(next.action, seen)).catch((error: unknown) => {
        // What was before is not there; nothing else is refused.
        expect(EspalierError.isInstance(error) && error.code).toBe('state_not_kept')
        expect(next.action).toBe('go_back')
      })
      if (!answered) break
      const what = `walk ${seed}, ${next.action} after state ${at}`
      expect(said(answered), what).toEqual(said(next.answer))
      if (next.kept !== null) expect(keptAs(await keptOf(other).keep()), what).toEqual(keptAs(next.kept))
      compared += 1
    }
  }
  await Promise.all([session.close(), other.close()])
  return compared
}

test('a session that goes back to states that another kept goes on as that one did', async () => {
  let compared = 0
  for (let seed = 0; seed < walks; seed += 1) compared += await compareWalk(seed)
  expect(compared / walks).toBeGreaterThan(8)
})
