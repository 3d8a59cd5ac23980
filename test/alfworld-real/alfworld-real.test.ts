import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { servePure } from '../../containers/env-host/serve-pure.ts'
import { ServedEnvironments } from '../../containers/env-host/served-environments.ts'
import { SessionTable } from '../../containers/env-host/session-table.ts'
import { serveProgram } from '../../containers/program/serve-program.ts'
import { seededRandom } from '../../shared/core/random/seeded-random.ts'
import { choose } from '../../shared/core/random/shuffled.ts'
import { alfworldDefinition } from '../../shared/environments/alfworld/definition.ts'
import { gamePath } from '../../shared/environments/alfworld/pack-format.ts'
import { alfworldTextworldDefinition } from '../../shared/environments/alfworld-textworld/alfworld-textworld.ts'
import { openProgramHost } from '../support/open-program-host.ts'
import { pythonWith } from '../support/python-venv.ts'
import { type ComparedGame, householdGames, recordedGames } from './games.ts'

const requirements = 'shared/environments/alfworld-textworld/host/requirements.txt'
const bridge = 'shared/environments/alfworld-textworld/host/play_alfworld.py'
const walkLength = 40
const odd = [
  '',
  ' ',
  'look around',
  'Look',
  'go to nowhere 1',
  'take',
  'inventory\n',
  '\u0000',
  '火',
  'put a in/on b',
]

/** The next command, of those that are possible; undefined at the end. */
type Choice = (possible: readonly string[], step: number) => string | undefined

let python: string
let table: SessionTable

beforeAll(async () => {
  python = await pythonWith(requirements)
  const ours = await servePure(alfworldDefinition)
  const facts = await alfworldTextworldDefinition.open(null)
  const theirs = await serveProgram([{ facts }], { command: [python, bridge], log: () => undefined })
  if (ours === null) throw new Error('alfworld is a pure environment.')
  table = new SessionTable({
    environments: new ServedEnvironments([ours, ...theirs]),
    slots: 10,
    sessionIdle: 600,
  })
})

afterAll(() => table.stop())

/** Opens the game in both, and compares all that they say along the way that `choice` takes. */
async function compare(
  game: ComparedGame,
  choice: (possible: readonly string[], step: number) => string | undefined,
) {
  const files = { [gamePath(game.name)]: game.text }
  const ask = { task: game.name, seed: 0, token: 1, files }
  const [ours, theirs] = await Promise.all(
    ['alfworld', 'alfworld-textworld'].map((environment) => table.create({ ...ask, environment })),
  )
  if (!ours || !theirs) throw new Error('Both were opened.')
  expect(ours.observation).toBe(theirs.observation)
  let last = { done: false, reward: 0 }
  const way: string[] = []
  for (let step_index = 0; !last.done; step_index += 1) {
    const [possible, possibleThere] = await Promise.all(
      [ours, theirs].map(({ id }) => table.validActions(id, 1)),
    )
    expect(possible, `what is possible after ${way.join(', ')}`).toEqual(possibleThere)
    const action = choice(possible ?? [], step_index)
    if (action === undefined) break
    way.push(action)
    const [own, other] = await Promise.all(
      [ours, theirs].map(({ id }) => table.step(id, { action, step_index, token: 1 })),
    )
    if (!own || !other) throw new Error('Both have answered.')
    const said = ({ observation, reward, done, valid }: typeof own) => ({ observation, reward, done, valid })
    expect(said(own), `after ${way.join(', ')}`).toEqual(said(other))
    last = own
  }
  await Promise.all([ours, theirs].map(({ id }) => table.close(id, 1)))
  return last
}

/** Goes about at random, odd commands included, and takes the walkthrough's next command now and then, to get somewhere. */
function randomWalk({ name, walkthrough }: ComparedGame): Choice {
  const random = seededRandom(name)
  let next = 0
  return (possible, step) => {
    if (step >= walkLength) return undefined
    const known = walkthrough[next] ?? ''
    // After a detour, the way to where the walkthrough goes on.
    const back = walkthrough.slice(0, next).findLast((command) => command.startsWith('go to ')) ?? ''
    if (random() < 0.5 && possible.includes(known)) {
      next += 1
      return known
    }
    if (random() < 0.35 && possible.includes(back)) return back
    if (random() < 0.15) return choose(odd, random)
    // Most commands go somewhere: the others are taken as often as those together.
    const others = possible.filter((command) => !command.startsWith('go to '))
    return choose(random() < 0.5 && others.length > 0 ? others : possible, random)
  }
}

const recorded = recordedGames()
const sources: [string, ComparedGame[]][] = [
  ['games that come with Espalier', householdGames()],
  [`games of ALFWorld${recorded.length === 0 ? ' (skipped: the archive is absent)' : ''}`, recorded],
]

describe.each(sources)('%s', (_source, games) => {
  // The original takes seconds to open a game, so each is gone through once, in one of the two ways.
  const half = Math.ceil(games.length / 2)
  test.skipIf(games.length === 0)(
    'are solved by their walkthroughs, with the same words in both',
    async () => {
      for (const game of games.slice(0, half)) {
        const last = await compare(game, (_possible, step) => game.walkthrough[step])
        expect(last, game.name).toMatchObject({ done: true, reward: 1 })
      }
    },
  )

  test.skipIf(games.length === 0)(
    'go the same way in both on random walks, odd commands included',
    async () => {
      for (const game of games.slice(half)) await compare(game, randomWalk(game))
    },
  )
})

test('the real ALFWorld on a host plays a task that comes with Espalier', async () => {
  const host = await openProgramHost('alfworld-textworld', python)
  onTestFinished(() => host.close())
  const { data } = (await host.get('/environments/alfworld-textworld/tasks?limit=1')) as {
    data: { id: string }[]
  }
  const task = data[0]?.id ?? ''
  const [game] = householdGames().filter(({ name }) => name === task)
  const { start, steps } = await host.play(
    { environment: 'alfworld-textworld', task },
    game?.walkthrough ?? [],
  )
  expect(start).toMatchObject({ state_hash: null, done: false })
  expect(steps.at(-1)).toMatchObject({ done: true, reward: 1, progress: 1 })
  const unknown = { environment: 'alfworld-textworld', task: 'none', seed: 0, token: 1 }
  expect(await host.post('/sessions', unknown)).toMatchObject({ error: { code: 'unknown_task' } })
  const broken = { ...unknown, files: { 'game.tw-pddl': 'no game' } }
  expect(await host.post('/sessions', broken)).toMatchObject({ error: { code: 'invalid_request' } })
})
