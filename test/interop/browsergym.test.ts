import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveBrowsergym } from '../../containers/browsergym/serve-browsergym.ts'
import { BackendLostError } from '../../containers/env-host/session-backend.ts'
import { hostFilesOf, sessionsOf } from '../../functions/wiring/sessions-of.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import type { SentPicture } from '../../shared/core/contracts/picture.ts'
import { readPictureSize } from '../../shared/core/pictures/read-picture-size.ts'
import { installPythonEnvironment } from '../../shared/core/programs/python-environment.ts'
import { loadAddedEnvironments } from '../../shared/environments/added/load-added-environments.ts'
import { findChromium } from '../../shared/environments/browser/find-chromium.ts'
import { browsergymPackages } from '../../shared/environments/browsergym/list-tasks.ts'
import type { DataPack } from '../../shared/environments/data-pack.ts'
import { openDataPacks } from '../../shared/environments/data-packs/open-data-packs.ts'
import { isHosted } from '../../shared/environments/environment.ts'
import { folderSource } from '../../shared/environments/folder-source.ts'
import { miniwobPackFormat } from '../../shared/environments/miniwob/pack-format.ts'
import { miniwobWheel } from '../browser-runs/miniwob-pages.ts'
import { completionOf } from '../play/models/chat-request.ts'
import { scriptedModels } from '../play/models/scripted-models.ts'
import { drawPng } from '../support/draw-png.ts'
import { openTestWorld } from '../support/open-test-world.ts'
import { playOnce, treeOf } from '../support/play-once.ts'
import { openServedHost } from '../support/served-host.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const names = ['miniwob.login-user', 'miniwob.click-test-2']
const entry = {
  kind: 'browsergym',
  benchmark: 'miniwob',
  tasks: { test: { names, seeds: [0, 2] } },
  slow_mo: 0,
  pre_observation_delay: 0,
}
const served = serveBrowsergym(await findChromium(process.env), () => undefined)
afterAll(() => served.stop?.())

beforeAll(async () => {
  await installPythonEnvironment(browsergymPackages({}, '.', process.env), () => undefined)
})

async function openDefinition(changes: JsonObject = {}) {
  const path = join(await temporaryFolder(), 'environments.json')
  await writeFile(path, JSON.stringify({ environments: { gym: { ...entry, ...changes } } }))
  const [definition] = await loadAddedEnvironments({ path })
  if (definition === undefined) throw new Error('Nothing was added.')
  return definition
}

/** The environment as an administrator adds it, with the pages of MiniWoB++ in a world of its own. */
async function openGym() {
  const definition = await openDefinition()
  const folder = await temporaryFolder()
  await promisify(execFile)('unzip', ['-q', await miniwobWheel(), '-d', folder])
  const world = await openTestWorld()
  const packs = openDataPacks(world)
  const added = miniwobPackFormat.collect(await folderSource(folder))
  const { digest } = await packs.add({ environment: 'miniwob', name: 'pages' }, added)
  const pack: DataPack = await packs.open('miniwob', digest)
  const environment = await definition.open(pack)
  if (!isHosted(environment) || environment.host.kind !== 'image') throw new Error('It runs on hosts.')
  const { caller } = await openServedHost(world, served, 'browsergym')
  const sessions = sessionsOf({ world, hosts: caller })({ environment, pack, definition })
  const { files } = hostFilesOf({ pack, definition }, environment.host)
  const open = async (task: string, options: JsonObject = {}) =>
    served.open({ task, seed: 0, files: (await files?.(task)) ?? {}, options })
  return { world, environment, sessions, open }
}

/** Logs in by what the newest observation shows, or clicks the button that the goal names. */
function nextAction(shown: string): string {
  const [, name = '', password = ''] = /username "(.+?)" and the password "(.+?)"/.exec(shown) ?? []
  const boxes = [...shown.matchAll(/\[(\d+)\] textbox ''(.*)/g)]
  for (const [at, text] of [name, password].entries()) {
    const [, id, state = ''] = boxes[at] ?? []
    if (id !== undefined && !state.includes('value=')) return `fill('${id}', '${text}')`
  }
  const wanted = /Click button (\w+)/i.exec(shown)?.[1] ?? 'Login'
  const id = new RegExp(`\\[(\\d+)\\] button '${wanted}'`, 'i').exec(shown)?.[1]
  return `click('${id}')`
}

/** A policy that knows what to do, and among several answers also errs. */
function policy() {
  return scriptedModels([
    (body) => {
      const shown = String((body.messages as { content: string }[]).at(-1)?.content)
      const action = nextAction(shown.slice(shown.lastIndexOf('Goal: ')))
      const wrong = Array.from({ length: Number(body.n ?? 1) - 1 }, () => "click('9999')")
      return Response.json(completionOf([action, ...wrong].map((each) => `Thought: so.\nAction: ${each}`)))
    },
  ]).model
}

test('its tasks are played to their reward, by one path and by a search that goes back', async () => {
  const { world, environment, sessions } = await openGym()
  expect(environment).toMatchObject({ deterministic: true, snapshot: 'replay' })
  expect(environment.tasks().map(({ id }) => id)).toContain('miniwob.login-user/1')
  const model = policy()
  const play = async (task: string, method: { id: string; [parameter: string]: unknown }) => {
    const apart = { ...world, ...(await openTestWorld()), ledger: world.ledger }
    const options = { world: apart, environment, sessions, task, model, method }
    const request = { model: { endpoint: 'mine', id: 'gpt-4o', max_tokens: 100 } }
    expect((await playOnce({ ...options, request })).outcome).toEqual({ type: 'ended', limit: null })
    return (await treeOf({ ...options, request })).nodes
  }
  const path = await play('miniwob.login-user/1', { id: 'react', max_steps: 5 })
  expect(path.at(-1)).toMatchObject({ reward: 1, terminal: true })
  const search = { id: 'mcts', value: 'none', iterations: 2, samples: 2, max_depth: 5 }
  const tree = await play('miniwob.login-user/0', search)
  expect(tree.some(({ reward, terminal }) => reward === 1 && terminal)).toBe(true)
  expect(tree.length).toBeGreaterThan(2)
})

test('marks, HTML and screenshots are shown; what is no action is refused; a process that dies is a lost session', async () => {
  const { open } = await openGym()
  const marked = await open('miniwob.login-user/0', { observation: 'som' })
  const start = await marked.reset()
  expect(start.observation).toMatch(/^Goal: Enter the username .*\n\nTab 0 \(current\): Login User Task/)
  expect(start.observation).toMatch(/\[\d+\] textbox '', clickable, som/)
  expect(start.runtime).toMatch(/^BrowserGym 0\.14\.3, Chromium \d+/)
  expect(start.pictures).toMatchObject([{ media_type: 'image/png' }])
  const refused = await marked.step('dance')
  expect(refused).toMatchObject({ valid: false, done: false, reward: 0 })
  expect(refused.observation).toContain('The last action failed: ValueError: Received an empty action.')
  for (const [action, said] of [
    ["upload_file('1', '/etc/passwd')", "Invalid action type 'upload_file'"],
    ["goto('file:///etc/passwd')", "Invalid action type 'goto'"],
  ] as const) {
    expect((await marked.step(action)).observation).toContain(said)
  }
  const [pid] = await pythonsOf(process.pid)
  expect(pid).toBeGreaterThan(0)
  for (const each of await pythonsOf(process.pid)) process.kill(each, 'SIGKILL')
  await expect(marked.step("click('1')")).rejects.toBeInstanceOf(BackendLostError)
  await marked.close()

  const html = await open('miniwob.click-test-2/0', { observation: 'html', screenshots: true })
  const page = await html.reset()
  expect(page.observation).toMatch(/<button bid="\d+"[^>]*>\s+ONE/)
  expect(page.pictures).toHaveLength(1)
  await html.close()
})

test('a goal is shown with its pictures, at the start and after each step', async () => {
  const { width, height } = { width: 40, height: 30 }
  const parts = (count: number) => [
    { type: 'text', text: 'Find the cheapest chair like these.' },
    ...Array.from({ length: count }, (_, at) => at).flatMap((at) => {
      const url = `data:image/png;base64,${drawPng(width, height + at, [at, 0, 0]).toString('base64')}`
      const path = join(tmpdir(), 'tmpq1w2', `input_image_${at}.png`)
      return [
        { type: 'text', text: `Input image ${at} below (local path: '${path}', url: 'http://shop/${at}')` },
        { type: 'image_url', image_url: at % 2 ? url : { url } },
      ]
    }),
  ]
  const play = async (count: number, options: JsonObject) => {
    const definition = await openDefinition({
      ...{ benchmark: 'openended', module: 'browsergym.core', sites: [] },
      tasks: { test: { names: ['openended'], seeds: [0, 1] } },
      arguments: { start_url: 'about:blank', goal: parts(count) },
    })
    const environment = await definition.open(null)
    if (!isHosted(environment) || environment.host.kind !== 'image') throw new Error('It runs on hosts.')
    const { files } = hostFilesOf({ pack: null, definition }, environment.host)
    const task = 'openended/0'
    const session = await served.open({ task, seed: 0, files: (await files?.(task)) ?? {}, options })
    const shown = [await session.reset(), await session.step('noop()')]
    await session.close()
    return shown
  }
  const sizes = ({ pictures = [] }: { pictures?: SentPicture[] }) =>
    pictures.map(({ data }) => readPictureSize(Buffer.from(data, 'base64')))
  const drawn = (count: number) => Array.from({ length: count }, (_, at) => ({ width, height: height + at }))
  for (const shown of await play(2, {})) {
    expect(shown.observation).toContain(
      "Goal: Find the cheapest chair like these.\nInput image 0 below (local path: '/tmp/input_image_0.png', url: 'http://shop/0')\nInput image 1",
    )
    expect(shown.observation).not.toContain('WARNING')
    expect(sizes(shown)).toMatchObject(drawn(2))
  }
  for (const shown of await play(9, { screenshots: true })) {
    expect(sizes(shown)).toMatchObject([...drawn(7), { width: 1280, height: 720 }])
  }
})

test('the texts of a goal are joined, and its pictures kept within the limits', async () => {
  const part = fc.oneof(
    fc.record({ type: fc.constant('text'), text: fc.string() }),
    fc.record({ size: fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })) }),
    fc.record({ type: fc.constant('image_url'), image_url: fc.record({ url: fc.webUrl() }) }),
  )
  const goals = fc.sample(fc.array(part, { maxLength: 12 }), { numRuns: 200, seed: 1 })
  const { python } = await installPythonEnvironment(browsergymPackages({}, '.', process.env), () => undefined)
  const bridge = resolve(import.meta.dirname, '../../containers/browsergym')
  const running = promisify(execFile)(python, ['-c', checkGoals, bridge])
  running.child.stdin?.end(JSON.stringify(goals))
  expect(JSON.parse((await running).stdout)).toEqual({ checked: 200 })
})

const checkGoals = `
import base64, io, json, os, sys
sys.path.insert(0, sys.argv[1])
import play_browsergym as bridge
from PIL import Image

def uri(image, format="PNG"):
    body = io.BytesIO()
    image.save(body, format=format)
    return f"data:image/{format.lower()};base64," + base64.b64encode(body.getvalue()).decode()

def opened(picture):
    assert picture["media_type"] == "image/png"
    body = base64.b64decode(picture["data"])
    return len(body), Image.open(io.BytesIO(body))

def with_image(address):
    return bridge.read_goal({"goal": "abort", "goal_object": ({"type": "image_url", "image_url": {"url": address}},)})

goals = json.load(sys.stdin)
for goal in goals:
    texts, sizes, parts = [], [], []
    for part in goal:
        if "size" in part:
            sizes.append(tuple(part["size"]))
            parts.append({"type": "image_url", "image_url": uri(Image.new("RGB", part["size"], "red"), "JPEG")})
            continue
        parts.append(part)
        texts.append(part["text"] if part["type"] == "text" else "Picture: " + part["image_url"]["url"])
    text, pictures = bridge.read_goal({"goal": "abort", "goal_object": tuple(parts)})
    assert text == "\\n".join(texts), (text, texts)
    assert [opened(each)[1].size for each in pictures] == sizes[:8]
assert bridge.read_goal({"goal": "Find it."}) == ("Find it.", [])

(_, clear), = map(opened, with_image(uri(Image.new("RGBA", (2, 2), (0, 0, 0, 0))))[1])
assert clear.mode == "RGB" and clear.getpixel((0, 0)) == (255, 255, 255)
(_, long), = map(opened, with_image(uri(Image.new("L", (20000, 2))))[1])
assert long.size[0] <= 2 ** 14
noise = uri(Image.frombytes("RGB", (1600, 1200), os.urandom(1600 * 1200 * 3)))
assert len(noise) > 4 * 1024 * 1024
for count in (1, 3, 8):
    part = {"type": "image_url", "image_url": noise}
    sizes = [opened(each)[0] for each in bridge.read_goal({"goal_object": (part,) * count})[1]]
    assert len(sizes) == count and max(sizes) <= 4 * 1024 * 1024 and sum(sizes) <= 8 * 1024 * 1024, sizes
bridge.answers.write(json.dumps({"checked": len(goals)}))
bridge.answers.flush()
`

test('what is missing is said with what mends it', async () => {
  const bare = await temporaryFolder()
  const requirements = join(bare, 'requirements.txt')
  await writeFile(requirements, '# of another benchmark\n')
  const uninstalled = await openDefinition({ requirements })
  await expect(uninstalled.open(null)).rejects.toThrow('espalier environments install gym')
  const unknown = await openDefinition({ benchmark: 'assistantbench' })
  await expect(unknown.open(null)).rejects.toThrow(
    /environments\.gym\.requirements: .*browsergym\.assistantbench/,
  )
  const absent = await openDefinition({ tasks: { test: { names: ['miniwob.fly'] } } })
  await expect(absent.open(null)).rejects.toThrow('environments.gym.tasks.test.names')
})

/** The bridges that this process started. */
async function pythonsOf(parent: number): Promise<number[]> {
  const children = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8').catch(() => '')
  const pids = children.trim().split(' ').filter(Boolean).map(Number)
  const words = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return pids.filter((_, at) => words[at]?.includes('play_browsergym.py'))
}
