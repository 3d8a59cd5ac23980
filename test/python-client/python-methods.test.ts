import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { loadMethodModule } from '../../shared/play/methods/added/load-method-module.ts'
import { react } from '../../shared/play/methods/react/react.ts'
import type { ChatRequest } from '../../shared/play/models/chat-model.ts'
import { createCorridor } from '../play/methods/corridor.ts'
import { playKilled, playMethod } from '../play/methods/play-method.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { installPackage } from './python-package.ts'

const examples = resolve(import.meta.dirname, '../../clients/python/examples')

beforeAll(async () => {
  const installed = await installPackage()
  vi.stubEnv('PYTHONPATH', installed.environment.PYTHONPATH)
  vi.stubEnv('ESPALIER_PYTHON', installed.python)
  return async () => {
    vi.unstubAllEnvs()
    await installed.remove()
  }
})

async function methodOf(file: string) {
  const { methods } = await loadMethodModule(file)
  const [method] = methods
  if (method === undefined || methods.length > 1) throw new Error(`${file} has ${methods.length} methods.`)
  return method
}

/** A method in Python with this function. */
async function write(text: string, declared = 'branches=True'): Promise<string> {
  const file = join(await temporaryFolder(), 'own.py')
  await writeFile(
    file,
    `import asyncio\nfrom espalier.methods import method\n\n@method("own", ${declared})\n${text}`,
  )
  return file
}

async function play(text: string, parameters: object = {}) {
  const method = await methodOf(await write(text))
  return playMethod({ method, environment: createCorridor(), parameters, answer: () => bothWays })
}

const bothWays = ['Action: forward', 'Action: look', 'Action: back', 'Action: forward']
const judged = ({ messages }: ChatRequest) =>
  messages.at(-1)?.content.includes('How far') ? '6 of 10' : bothWays

test('react in Python makes the tree of react', async () => {
  const played = { environment: createCorridor(), answer: () => 'Thought: on.\nAction: forward' }
  const method = await methodOf(join(examples, 'react.py'))
  const python = await playMethod({ ...played, method, parameters: { max_steps: 6 } })
  const own = await playMethod({ ...played, method: react, parameters: { max_steps: 6 } })
  expect(python.outcome).toEqual({ type: 'ended', limit: null })
  const told = (nodes: typeof own.tree.nodes) => nodes.map(({ effect: _, ...node }) => node)
  expect(told(python.tree.nodes)).toEqual(told(own.tree.nodes))
  expect(python.requests.map(({ messages }) => messages)).toEqual(
    own.requests.map(({ messages }) => messages),
  )
})

test('a beam search in Python, which asks side by side, comes to the same bytes after every kill', async () => {
  const method = await methodOf(join(examples, 'beam.py'))
  const { whole, resumed } = await playKilled({
    method,
    environment: createCorridor(),
    parameters: { width: 2, samples: 3, max_steps: 2 },
    answer: judged,
    delay: 5,
  })
  expect(whole.outcome).toEqual({ type: 'ended', limit: null })
  expect(whole.tree.nodes.length).toBeGreaterThan(6)
  expect(whole.tree.root.visits).toBe(whole.tree.nodes.length - 1)
  expect(resumed.map(({ bytes }) => bytes)).toEqual(resumed.map(() => whole.bytes))
})

test('its parameters are the function’s, with the types, bounds and defaults that these have', async () => {
  const method = await methodOf(join(examples, 'beam.py'))
  expect(method.parameters.parse({ width: 4 })).toEqual({ width: 4, samples: 3 })
  expect(method.parameters.safeParse({ width: 0 }).error?.issues[0]?.path).toEqual(['width'])
  expect(method.parameters.safeParse({ wide: 1 }).success).toBe(false)
  expect(method.roles?.({})).toEqual(['value'])
})

test('forks, random numbers, notes and values reach the tree', async () => {
  const { outcome, tree, entries } = await play(`def own(scope, max_steps: int = 3):
    (proposal,) = scope.propose(scope.root, key="first")
    fork = scope.fork(scope.root, "away")
    first = scope.fork_step(fork, "forward")
    second = scope.fork_step(fork, "forward")
    node = scope.land(fork, proposal.with_action("twice"), first.observation + second.observation)
    scope.back_up(node, scope.random("value").random())
    scope.back_up(node, 1)
    assert scope.root.visits == 2 and scope.path(node) == [scope.root, node]
    scope.note_unread("node/0/first")
    scope.commit(scope.root)
`)
  expect(outcome).toEqual({ type: 'ended', limit: null })
  expect(tree.nodes[1]).toMatchObject({ action: 'twice', visits: 2 })
  expect(tree.nodes[1]?.primitives?.map(({ action }) => action)).toEqual(['forward', 'forward'])
  expect(tree.unread).toBe(1)
  expect(entries.at(-1)).toEqual({ commit: { node: 0 } })
})

test.each([
  [
    'raises',
    'def own(scope, max_steps: int = 3):\n    raise ValueError("no way")\n',
    /ValueError: no way \(own\.py, line 6, in own\)/,
  ],
  [
    'names a node that is not there',
    'def own(scope, max_steps: int = 3):\n    scope.root.index = 7\n    scope.propose(scope.root)\n',
    /ScopeError: The tree has no node 7; it has 1/,
  ],
  [
    'waits for a clock',
    'async def own(scope, max_steps: int = 3):\n    await asyncio.sleep(1)\n',
    /waits for a clock, such as asyncio\.sleep/,
  ],
  [
    'waits for nothing',
    'async def own(scope, max_steps: int = 3):\n    await asyncio.get_running_loop().create_future()\n',
    /waits for something that is not of its scope/,
  ],
  [
    'ends its process',
    'def own(scope, max_steps: int = 3):\n    import os; os._exit(3)\n',
    /ended with code 3/,
  ],
])('a function that %s ends the attempt as failed, with the reason', async (_, text, reason) => {
  const { outcome } = await play(text)
  expect(outcome).toMatchObject({ type: 'failed' })
  expect(String('error' in outcome ? outcome.error : '')).toMatch(reason)
})

test('a process that is killed while it is idle costs no episode, and one killed in play may be retried', async () => {
  const file = await write(`def own(scope, kill: bool = False, max_steps: int = 3):
    import os, signal
    if kill: os.kill(os.getpid(), signal.SIGKILL)
`)
  const method = await methodOf(file)
  const playIt = (parameters: object = {}) =>
    playMethod({ method, environment: createCorridor(), parameters, answer: () => bothWays })
  expect((await playIt()).outcome).toEqual({ type: 'ended', limit: null })
  const idle = await programsOf(file)
  expect(idle).toHaveLength(1)
  for (const pid of idle) process.kill(pid, 'SIGKILL')
  // Killed, it is a child until this process has heard of it.
  await expect.poll(async () => (await children()).filter((pid) => idle.includes(pid))).toEqual([])
  expect((await playIt()).outcome).toEqual({ type: 'ended', limit: null })
  for (let kill = 0; kill < 3; kill += 1) {
    expect((await playIt({ kill: true })).outcome).toMatchObject({
      type: 'failed',
      error: { isKilled: true, transient: true },
    })
  }
  expect((await playIt()).outcome).toEqual({ type: 'ended', limit: null })
})

/** The processes of this one that play a file. */
async function programsOf(file: string): Promise<number[]> {
  const pids = await children()
  const words = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return pids.filter((_, at) => words[at]?.includes(file))
}

async function children(): Promise<number[]> {
  const listed = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
  return listed.trim().split(' ').filter(Boolean).map(Number)
}

test('a file that holds no method, cannot be loaded, or misses max_steps is refused with the reason', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'none.py')
  await writeFile(file, 'x = 1\n')
  await expect(loadMethodModule(file, 'none.py')).rejects.toThrow(
    /none\.py cannot be loaded: .*defines no method/,
  )
  await writeFile(file, 'import nothing_of_the_kind\n')
  await expect(loadMethodModule(file)).rejects.toThrow(/nothing_of_the_kind/)
  await expect(loadMethodModule(join(folder, 'absent.py'))).rejects.toThrow('there is no such file')
  await expect(methodOf(await write('def own(scope, depth: int = 3): ...\n'))).rejects.toThrow(
    /own needs the parameter "max_steps: int \| None = None": it bounds a trajectory/,
  )
})

test('a file that changes is another version, which is not played before it is loaded again', async () => {
  const file = await write('def own(scope, max_steps: int = 3): ...\n')
  const { digest, methods } = await loadMethodModule(file)
  await appendFile(file, '# more\n')
  const [method] = methods
  if (method === undefined) throw new Error('There is no method.')
  const { outcome } = await playMethod({ method, environment: createCorridor(), answer: () => bothWays })
  expect(String('error' in outcome ? outcome.error : '')).toContain('has changed since the service started')
  expect((await loadMethodModule(file)).digest).not.toBe(digest)
})
