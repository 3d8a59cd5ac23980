import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { serveCommands } from '../../containers/program/serve-commands.ts'
import { hostFilesOf, sessionsOf } from '../../functions/wiring/sessions-of.ts'
import type { Json, JsonObject } from '../../shared/core/contracts/json.ts'
import { loadAddedEnvironments } from '../../shared/environments/added/load-added-environments.ts'
import { isHosted } from '../../shared/environments/environment.ts'
import type { SessionSource } from '../../shared/environments/session-source.ts'
import { validateEnvironment } from '../../shared/environments/validation/validate-environment.ts'
import { completionOf } from '../play/models/chat-request.ts'
import { scriptedModels } from '../play/models/scripted-models.ts'
import { openTestWorld } from '../support/open-test-world.ts'
import { playOnce, treeOf } from '../support/play-once.ts'
import { openServedHost } from '../support/served-host.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type InstalledPackage, installPackage } from './python-package.ts'

const example = resolve(import.meta.dirname, '../../examples/guess_number_env.py')
let installed: InstalledPackage

beforeAll(async () => {
  installed = await installPackage()
  vi.stubEnv('PYTHONPATH', installed.environment.PYTHONPATH)
  return async () => {
    vi.unstubAllEnvs()
    await installed.remove()
  }
})

async function definitionOf(entry: JsonObject, id = 'guess-number-class') {
  const path = join(await temporaryFolder(), 'environments.json')
  await writeFile(path, JSON.stringify({ environments: { [id]: { kind: 'program', ...entry } } as Json }))
  const [definition] = await loadAddedEnvironments({ path })
  if (definition === undefined) throw new Error('Nothing was added.')
  return definition
}

const commandOf = (file: string) => [installed.python, '-m', 'espalier.environments', file]

/** An environment in a file on a host in this process, whose programs it starts. */
async function openFile(file: string, id: string, task: string) {
  const definition = await definitionOf({ command: commandOf(file) }, id)
  const environment = await definition.open(null)
  if (!isHosted(environment) || environment.host.kind !== 'image') throw new Error('It runs on hosts.')
  const world = await openTestWorld()
  const served = serveCommands(() => undefined)
  onTestFinished(() => served.stop?.())
  const { caller } = await openServedHost(world, served, 'program')
  const sessions = sessionsOf({ world, hosts: caller })({ environment, pack: null, definition })
  const { files } = hostFilesOf({ pack: null, definition }, environment.host)
  return { world, environment, sessions, served, files: await files?.(task) }
}

/** Halves what is left of the numbers by what was answered; among several answers the others are worse. */
function halving() {
  return scriptedModels([
    (body) => {
      let [low, high] = [1, 100]
      const said = (body.messages as { content: string }[]).map(({ content }) => content).join('\n')
      for (const [, text, hint] of said.matchAll(/guess (\d+)[\s\S]*?(Higher|Lower)\./g)) {
        if (hint === 'Higher') low = Math.max(low, Number(text) + 1)
        else high = Math.min(high, Number(text) - 1)
      }
      const middle = Math.floor((low + high) / 2)
      const numbers = Array.from({ length: Number(body.n ?? 1) }, (_, at) => Math.min(100, middle + at))
      return Response.json(completionOf(numbers.map((number) => `Thought: half.\nAction: guess ${number}`)))
    },
  ]).model
}

const lake = `
from espalier.environments import from_gymnasium

lake = from_gymnasium(
    "FrozenLake-v1",
    rules="Reach the goal at the lower right.",
    action_names=["left", "down", "right", "up"],
    make_options={"is_slippery": False},
    seeds={"test": range(2)},
)
`

/** Among several answers the first goes on round the holes, by the number of the cell that is shown, and the others go up. */
function wandering() {
  const ways: Record<string, string> = { 8: 'right', 13: 'right', 14: 'right' }
  return scriptedModels([
    (body) => {
      const cell = (body.messages as { content: string }[]).at(-1)?.content.match(/\d+/)?.[0] ?? ''
      const moves = Array.from({ length: Number(body.n ?? 1) }, (_, at) =>
        at > 0 ? 'up' : (ways[cell] ?? 'down'),
      )
      return Response.json(completionOf(moves.map((move) => `Thought: on.\nAction: ${move}`)))
    },
  ]).model
}

async function lakeFile(): Promise<string> {
  const file = join(await temporaryFolder(), 'lake.py')
  await writeFile(file, lake)
  return file
}

test.each([
  ['a class in Python', async () => example, 'guess-number-class', 'guess-1', halving],
  ['an environment of Gymnasium', lakeFile, 'frozenlake-v1', 'test-0', wandering],
] as const)(
  'a search over %s is the same when its program is killed in the middle',
  async (_, fileOf, id, task, modelOf) => {
    const file = await fileOf()
    const play = async (kill: boolean) => {
      const { world, environment, sessions } = await openFile(file, id, task)
      const model = modelOf()
      let steps = 0
      let killed = 0
      const disturbed: SessionSource = {
        async open(...request) {
          const { live, result } = await sessions.open(...request)
          const step: typeof live.step = async (...taken) => {
            steps += 1
            if (kill && steps === 3) {
              const programs = await programsOf(process.pid)
              for (const pid of programs) process.kill(pid, 'SIGKILL')
              killed += programs.length
            }
            return live.step(...taken)
          }
          return { live: { step, restore: live.restore.bind(live), close: live.close.bind(live) }, result }
        },
      }
      const options = {
        world: { ...world, ...(await openTestWorld()), ledger: world.ledger },
        environment,
        sessions: disturbed,
        task,
        model,
        method: { id: 'mcts', value: 'none', iterations: 4, samples: 2, max_depth: 8 },
        request: { model: { endpoint: 'mine', id: 'gpt-4o', max_tokens: 100 } },
      }
      const { outcome } = await playOnce(options)
      expect(outcome).toEqual({ type: 'ended', limit: null })
      expect(killed > 0).toBe(kill)
      return treeOf(options)
    }
    const calm = await play(false)
    expect(calm.nodes.some(({ reward }) => reward === 1)).toBe(true)
    expect(await play(true)).toEqual(calm)
  },
)

const grid = (keeping: string) => `
from espalier.environments import Environment, StepResult, Task


class Grid(Environment):
    id = "grid"
    rules = "Go to the lower right. Actions: left, right, up, down"
    default_max_steps = 20
${keeping}
    @classmethod
    def tasks(cls):
        return [Task("grid-6", options=6)]

    def reset(self, task, seed):
        self.size, self.at, self.walked = task.options, (0, 0), []
        return "You are at 0, 0."

    def step(self, action):
        way = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}.get(action.strip())
        self.walked.append(action)
        if way is None:
            return StepResult(f"No such way after {len(self.walked)} steps.", valid=False)
        self.at = tuple(min(max(here + by, 0), self.size - 1) for here, by in zip(self.at, way))
        done = self.at == (self.size - 1, self.size - 1)
        text = f"You are at {self.at[0]}, {self.at[1]} after {len(self.walked)} steps."
        return StepResult(text, reward=float(done), done=done, progress=sum(self.at) / (2 * self.size - 2))
`
const saving = `
    def save(self):
        return self.size, self.at, self.walked

    def load(self, state):
        self.size, self.at, self.walked = state
`

/** Answers by the number of choices, so that a search meets each state in several orders. */
function roaming() {
  const ways = ['right', 'down', 'left', 'up', 'stay']
  let asked = 0
  return scriptedModels([
    (body) => {
      asked += 1
      const moves = Array.from({ length: Number(body.n ?? 1) }, (_, at) => ways[(asked + at) % ways.length])
      return Response.json(completionOf(moves.map((move) => `Thought: on.\nAction: ${move}`)))
    },
  ]).model
}

test('a node of a grid world costs one step with saved states or copies, and the tree is that of replays', async () => {
  const play = async (keeping: string) => {
    const file = join(await temporaryFolder(), 'grid.py')
    await writeFile(file, grid(keeping))
    const { world, environment, sessions } = await openFile(file, 'grid', 'grid-6')
    let steps = 0
    const counted: SessionSource = {
      async open(...request) {
        const { live, result } = await sessions.open(...request)
        const step: typeof live.step = (...taken) => {
          steps += 1
          return live.step(...taken)
        }
        return { live: { step, restore: live.restore.bind(live), close: live.close.bind(live) }, result }
      },
    }
    const options = {
      world: { ...world, ...(await openTestWorld()), ledger: world.ledger },
      ...{ environment, sessions: counted, task: 'grid-6', model: roaming() },
      method: { id: 'mcts', value: 'none', iterations: 8, samples: 3, max_depth: 12 },
      request: { model: { endpoint: 'mine', id: 'gpt-4o', max_tokens: 100 } },
    }
    expect((await playOnce(options)).outcome).toEqual({ type: 'ended', limit: null })
    const tree = await treeOf(options)
    const report = await validateEnvironment(environment, { sessions, tasks: 1, steps: 12 })
    expect(report.checks.filter(({ status }) => status === 'failed')).toEqual([])
    return { tree, perNode: steps / (tree.nodes.length - 1) }
  }
  const [replayed, saved, copied] = [await play(''), await play(saving), await play('    copies = True\n')]
  expect(saved.tree).toEqual(replayed.tree)
  expect(copied.tree).toEqual(replayed.tree)
  expect(replayed.perNode).toBeGreaterThan(1.5)
  expect(saved.perNode).toBeLessThanOrEqual(1)
  expect(copied.perNode).toBeLessThanOrEqual(1)
})

test('a load that forgets a part of the state fails the validation', async () => {
  const file = join(await temporaryFolder(), 'grid.py')
  await writeFile(file, grid(saving.replace('self.size, self.at, self.walked = state', 'self.at = state[1]')))
  const { environment, sessions } = await openFile(file, 'grid', 'grid-6')
  const report = await validateEnvironment(environment, { sessions, tasks: 1, steps: 12 })
  expect(report.checks.filter(({ status }) => status === 'failed').map(({ id }) => id)).toContain(
    'going-back',
  )
})

test('what a program lacks is said with the field and its own last words', async () => {
  const broken = join(await temporaryFolder(), 'env.py')
  await writeFile(broken, 'import nothing_of_the_kind\n')
  const imports = await definitionOf({ command: commandOf(broken) })
  await expect(imports.open(null)).rejects.toThrow(
    /environments\.guess-number-class\.command: .*it ended with code.*nothing_of_the_kind/s,
  )
  await writeFile(broken, 'x = 1\n')
  await expect(imports.open(null)).rejects.toThrow('defines no environment')
  const absent = await definitionOf({ command: ['no-such-program'] })
  await expect(absent.open(null)).rejects.toThrow(/no-such-program is gone: it could not be started/)
  const renamed = await definitionOf({ command: commandOf(example) }, 'other')
  await expect(renamed.open(null)).rejects.toThrow('The program calls itself "guess-number-class"')
})

/** The processes that this process started to play environments in Python. */
async function programsOf(parent: number): Promise<number[]> {
  const children = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8')
  const pids = children.trim().split(' ').filter(Boolean).map(Number)
  const words = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return pids.filter((_, at) => words[at]?.includes('espalier.environments'))
}
