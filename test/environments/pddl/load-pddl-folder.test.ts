import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { PackFile } from '../../../shared/environments/data-pack.ts'
import type { EnvironmentTask } from '../../../shared/environments/environment.ts'
import { pddlDefinition } from '../../../shared/environments/pddl/definition.ts'
import { gripperText } from '../../../shared/environments/pddl/domains/gripper.ts'
import { loadPddlFolder } from '../../../shared/environments/pddl/load-pddl-folder.ts'

const delivery = `(define (domain delivery)
  (:types place parcel)
  (:predicates (at ?p - place) (lies ?x - parcel ?p - place) (loaded ?x - parcel) (road ?a ?b - place))
  (:action drive :parameters (?from ?to - place) :precondition (and (at ?from) (road ?from ?to))
    :effect (and (at ?to) (not (at ?from))))
  (:action load :parameters (?x - parcel ?p - place) :precondition (and (at ?p) (lies ?x ?p))
    :effect (and (loaded ?x) (not (lies ?x ?p)))))`

const trip = (goal: string, domain = 'delivery') => `(define (problem trip) (:domain ${domain})
  (:objects home town - place  gift - parcel)
  (:init (at home) (road home town) (lies gift town))
  (:goal ${goal}))`

const folders: string[] = []

async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pddl-'))
  folders.push(folder)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

test('plays a domain with its problems beside it, in the words of its names', async () => {
  const environment = await loadPddlFolder(
    await folderOf({
      'domain.pddl': delivery,
      'p1.pddl': trip('(loaded gift)'),
      'more/p2.pddl': trip('(at town)'),
    }),
  )
  expect(environment.tasks()).toEqual([
    { id: 'delivery-more-p2', split: 'test', type: 'delivery', description: 'delivery: at town.' },
    { id: 'delivery-p1', split: 'test', type: 'delivery', description: 'delivery: loaded gift.' },
  ])
  const core = await environment.open('delivery-p1')
  const { state, observation } = core.reset('delivery-p1', 0)
  expect(observation).toBe(
    'Objects: parcel: gift; place: home, town.\nAlways true: Road home town.\nGoal: loaded gift.\nState: At home. Lies gift town.',
  )
  expect(core.validActions?.(state)).toEqual(['drive home town'])
  const there = core.step(state, '(drive home town)')
  expect(there.observation).toBe('At town. Lies gift town.')
  expect(core.step(there.state, 'load gift town')).toMatchObject({ done: true, reward: 1 })
  const [task] = environment.tasks()
  const guide = task && environment.describe(task)
  expect(guide?.rules).toContain('- "drive <place> <place>"\n- "load <parcel> <place>"')
  expect(guide?.example).toBeNull()
})

test('speaks of a known domain in its own words', async () => {
  const problem = `(define (problem g) (:domain gripper)
    (:objects rooma roomb - room ball1 - ball left - gripper)
    (:init (at-robby rooma) (at ball1 rooma) (free left)) (:goal (at ball1 roomb)))`
  const environment = await loadPddlFolder(
    await folderOf({ 'domains/robot.pddl': gripperText, 'robot/prob01.pddl': problem }),
  )
  expect(environment.tasks().map(({ id, type }) => [id, type])).toEqual([['robot-prob01', 'robot']])
  const core = await environment.open('robot-prob01')
  expect(core.validActions?.(core.reset('robot-prob01', 0).state)).toEqual([
    'move from rooma to roomb',
    'pick up ball1 at rooma with left',
  ])
})

test.each(['constructor', '__proto__'])(
  'plays a domain that calls an action and a predicate "%s"',
  async (name) => {
    const domain = `(define (domain odd) (:predicates (${name} ?x))
    (:action ${name} :parameters (?x) :precondition (and) :effect (${name} ?x)))`
    const problem = `(define (problem p) (:domain odd) (:objects ${name}) (:init) (:goal (${name} ${name})))`
    const environment = await loadPddlFolder(await folderOf({ 'domain.pddl': domain, 'p.pddl': problem }))
    const core = await environment.open('odd-p')
    const { state } = core.reset('odd-p', 0)
    expect(core.validActions?.(state)).toEqual([`${name} ${name}`])
    expect(core.step(state, `${name} ${name}`)).toMatchObject({ done: true, reward: 1 })
  },
)

test('takes, of several domains of one name, the one that lies nearest', async () => {
  const other = delivery.replace('(:action load', '(:action lift')
  const environment = await loadPddlFolder(
    await folderOf({
      'a/domain.pddl': delivery,
      'a/p.pddl': trip('(loaded gift)'),
      'b/domain.pddl': other,
      'b/p.pddl': trip('(loaded gift)'),
    }),
  )
  const rules = environment.tasks().map((task) => environment.describe(task).rules)
  expect(rules.map((text) => /load|lift/.exec(text)?.[0])).toEqual(['load', 'lift'])
})

test.each([
  ['no problem', { 'domain.pddl': delivery }, 'holds no PDDL problem'],
  ['no domain', { 'p.pddl': trip('(at town)') }, 'holds no PDDL domain'],
  [
    'another domain',
    { 'domain.pddl': delivery, 'p.pddl': trip('(at town)', 'chess') },
    'p.pddl is a problem of the domain "chess", but no file defines that domain.',
  ],
  [
    'a syntax error',
    { 'domain.pddl': delivery, 'p.pddl': '(define (problem p)\n (:goal (at town)' },
    'p.pddl, line 2: expected ")"',
  ],
  [
    'an unknown object',
    { 'domain.pddl': delivery, 'p.pddl': trip('(at moon)') },
    'There is no object "moon"',
  ],
  [
    'something else',
    { 'domain.pddl': delivery, 'notes.pddl': '(hello)' },
    'notes.pddl is neither a PDDL domain nor a problem',
  ],
  [
    'two problems of one id',
    { 'domain.pddl': delivery, 'a-b.pddl': trip('(at town)'), 'a/b.pddl': trip('(at town)') },
    'would both be the task "delivery-a-b"',
  ],
])('refuses a folder with %s, and says why', async (_what, files, message) => {
  await expect(loadPddlFolder(await folderOf(files))).rejects.toThrow(message)
})

test('plays a pack from the one file that a task needs, however many tasks there are', async () => {
  const files: Record<string, string> = {
    'domain.pddl': delivery,
    'p1.pddl': trip('(loaded gift)'),
    'p2.pddl': trip('(at town)'),
    'readme.txt': 'left out',
  }
  const packed: PackFile[] = []
  const source = {
    files: Object.keys(files),
    read: async (path: string) => new TextEncoder().encode(files[path]),
  }
  for await (const file of pddlDefinition.pack?.collect(source) ?? []) packed.push(file)
  const needed = pddlDefinition.pack?.filesOf?.('delivery-p2') ?? []
  const shipped = new Map(
    packed.filter(({ path }) => needed.includes(path)).map(({ path, body }) => [path, body]),
  )
  expect([packed.length, shipped.size]).toEqual([3, 1])
  const environment = await pddlDefinition.open({
    digest: 'digest',
    name: 'trips',
    files: [...shipped.keys()],
    read: async (path) => shipped.get(path) ?? Promise.reject(new Error(`not shipped: ${path}`)),
  })
  expect(environment.tasks()).toEqual([])
  if (!('open' in environment)) throw new Error('not pure')
  const core = await environment.open('delivery-p2')
  expect(core.step(core.reset('delivery-p2', 0).state, 'drive home town').done).toBe(true)
  await expect(environment.open('delivery-p3')).rejects.toThrow('pddl has no task "delivery-p3"')
})

test('problems in folders of these names are of that split, and none may be in two', async () => {
  const files = {
    'domain.pddl': delivery,
    'train/p1.pddl': trip('(at town)'),
    'dev/far/p1.pddl': trip('(and (at town) (loaded gift))'),
    'test/p1.pddl': trip('(loaded gift)'),
    'p9.pddl': trip('(lies gift home)'),
  }
  const environment = await loadPddlFolder(await folderOf(files))
  expect(Object.fromEntries(environment.tasks().map(({ id, split }) => [id, split]))).toEqual({
    'delivery-train-p1': 'train',
    'delivery-dev-far-p1': 'dev',
    'delivery-test-p1': 'test',
    'delivery-p9': 'test',
  })
  const leaked = { ...files, 'train/p2.pddl': trip('(loaded gift)') }
  await expect(loadPddlFolder(await folderOf(leaked))).rejects.toThrow(
    'train/p2.pddl and test/p1.pddl are the same problem in two splits, "train" and "test".',
  )
})

const gripperFiles = {
  'gripper.pddl': delivery.replace('domain delivery', 'domain gripper-strips'),
  'gripper/p2.pddl': trip('(at town)', 'gripper-strips'),
  'gripper/p1.pddl': trip('(loaded gift)', 'gripper-strips'),
  'other.pddl': delivery,
  'other/p1.pddl': trip('(at town)'),
}

async function packOf(files: Record<string, string>): Promise<EnvironmentTask[]> {
  const source = {
    files: Object.keys(files).toSorted(),
    read: async (path: string) => new TextEncoder().encode(files[path]),
  }
  for await (const { body, path } of pddlDefinition.pack?.collect(source) ?? []) {
    if (path === 'index.json') return JSON.parse(new TextDecoder().decode(body)).tasks
  }
  return []
}

test("gives AgentBoard's problems its levels, in the order of their files, and no other problem one", async () => {
  const labels = '{"task":"pddl","id":0,"difficulty":"hard"}\n{"difficulty":"easy"}\n\n'
  const tasks = await packOf({ ...gripperFiles, 'test.jsonl': labels })
  expect(tasks.map(({ id, level }) => [id, level])).toEqual([
    ['gripper-p1', 'hard'],
    ['gripper-p2', 'easy'],
    ['other-p1', undefined],
  ])
  expect((await packOf(gripperFiles)).some((task) => 'level' in task)).toBe(false)
})

test.each([
  ['{"difficulty":"easy"}', /test\.jsonl has 1 levels, and the folder 2 problems of gripper/],
  ['{"difficulty":"medium"}\n{}', /test\.jsonl, line 1, has no difficulty/],
  ['x', /test\.jsonl, line 1, has no difficulty/],
])('labels that cannot be those of the problems are refused: %s', async (labels, message) => {
  await expect(packOf({ ...gripperFiles, 'test.jsonl': labels })).rejects.toThrow(message)
})
