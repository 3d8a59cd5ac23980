import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { BackendLostError } from '../../containers/env-host/session-backend.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import {
  installPythonEnvironment,
  type PythonEnvironment,
} from '../../shared/core/programs/python-environment.ts'
import {
  type DesktopScoreRequest,
  openTaskProgram,
  type TaskProgram,
} from '../../shared/environments/desktop/host/task-program.ts'
import { desktopScoringPackages } from '../../shared/environments/desktop/python-packages.ts'
import { findFreePort } from '../../shared/learn/serving/server-process.ts'
import { lentFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { type FolderMachine, openFolderMachine } from './folder-machine.ts'

let environment: PythonEnvironment
let program: TaskProgram
let machine: FolderMachine
let home: string
let removeHome: () => Promise<void>

beforeAll(async () => {
  environment = await installPythonEnvironment(desktopScoringPackages(process.env), () => undefined)
  const lent = await lentFolder()
  home = lent.folder
  removeHome = lent.remove
  machine = await openFolderMachine(home)
  program = openTaskProgram(() => undefined)
})

afterAll(async () => {
  await program.stop()
  await machine.close()
  await removeHome()
})

const rule = (rules: JsonObject): JsonObject => ({ type: 'rule', rules })
const command = (...words: string[]): JsonObject => ({ type: 'vm_command_line', command: words })
const says = (word: string) => ({
  func: 'exact_match',
  result: command('echo', '-n', 'tea'),
  expected: rule({ expected: word }),
})
const solved = says('tea')
const unsolved = says('coffee')

async function request(
  evaluator: JsonObject,
  more: Partial<DesktopScoreRequest> & { config?: JsonObject[] } = {},
) {
  const { config = [], ...rest } = more
  const task = { id: 'a-task', instruction: 'Do it.', config, evaluator }
  const cache = await temporaryFolder()
  return { machine: machine.address, task, files: {}, cache, actions: ['DONE'], ...rest }
}

async function scoreOf(evaluator: JsonObject, more: Partial<DesktopScoreRequest> = {}) {
  return (await program.score(await request(evaluator, more))).score
}

interface MeasuredCase {
  func: string
  result: string | null
  expected: string | JsonObject | null
  options: JsonObject
  score: number
}

test('metrics are those of desktop-env on the same files', async () => {
  const script = join(import.meta.dirname, 'measure_directly.py')
  const { stdout } = await promisify(execFile)(environment.python, [script, environment.beside ?? '', home])
  const cases: MeasuredCase[] = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  expect(cases.length).toBeGreaterThan(30)
  const measured = await Promise.all(
    cases.map(async ({ func, result, expected, options }) => {
      const url = `https://files.example/${expected}`
      const wanted =
        typeof expected === 'string'
          ? { type: 'cloud_file', path: url, dest: `expected-${expected}` }
          : expected && rule(expected)
      const file = result ?? 'missing'
      const evaluator = {
        func,
        result: { type: 'vm_file', path: `/home/user/${file}`, dest: `result-${file}` },
        options,
        ...(wanted && { expected: wanted }),
      }
      return scoreOf(evaluator, { files: { [url]: join(home, String(expected)) } })
    }),
  )
  expect(measured).toEqual(cases.map(({ score }) => score))
  // The cases tell apart what is equal, what is not, and what lies between.
  expect(new Set(measured).size).toBeGreaterThan(4)
})

describe('the rule of OSWorld', () => {
  test.each([
    ['an infeasible task that was given up', { func: 'infeasible' }, ['x', 'FAIL'], 1],
    ['an infeasible task that was called done', { func: 'infeasible' }, ['FAIL', 'DONE'], 0],
    ['an infeasible task without an action', { func: 'infeasible' }, [], 0],
    ['a feasible task that was given up', solved, ['FAIL'], 0],
    ['a solved task', solved, ['DONE'], 1],
    ['an unsolved task', unsolved, ['DONE'], 0],
  ])('%s', async (_, evaluator, actions, score) => {
    expect(await scoreOf(evaluator, { actions })).toBe(score)
  })

  const join2 = (first: typeof solved, second: typeof solved, conj?: string) => ({
    func: [first.func, second.func],
    result: [first.result, second.result],
    expected: [first.expected, second.expected],
    ...(conj && { conj }),
  })

  test.each([
    ['all of several, unless it says otherwise', join2(solved, solved), 1],
    ['not all of several', join2(solved, unsolved), 0],
    ['one of several, by or', join2(unsolved, solved, 'or'), 1],
    ['none of several, by or', join2(unsolved, unsolved, 'or'), 0],
  ])('%s', async (_, evaluator, score) => {
    expect(await scoreOf(evaluator)).toBe(score)
  })

  test('a file that is not there is no success, and no failure of the machine', async () => {
    const result = { type: 'vm_file', path: '/home/user/nowhere.txt', dest: 'nowhere.txt' }
    const evaluator = { func: 'compare_text_file', result, expected: result }
    const scored = await program.score(await request(evaluator))
    expect(scored.score).toBe(0)
    expect(scored.notes.join()).toContain('404')
  })

  test('the steps after the episode come before the metric', async () => {
    const evaluator = {
      postconfig: [{ type: 'execute', parameters: { command: 'echo -n late > late.txt', shell: true } }],
      func: 'exact_match',
      result: command('cat', 'late.txt'),
      expected: rule({ expected: 'late' }),
    }
    expect(await scoreOf(evaluator)).toBe(1)
  })
})

describe('steps before the episode', () => {
  test('files come from where they lie, and what a step wrote is there for the score', async () => {
    const url = 'https://files.example/given.txt'
    const source = join(await temporaryFolder(), 'elsewhere.txt')
    await writeFile(source, 'given')
    const asked = await request(
      {
        func: 'compare_text_file',
        result: { type: 'cache_file', path: 'said.txt' },
        expected: { type: 'vm_file', path: '/home/user/in/given.txt', dest: 'given.txt' },
      },
      {
        files: { [url]: source },
        config: [
          { type: 'download', parameters: { files: [{ url, path: '/home/user/in/given.txt' }] } },
          { type: 'execute', parameters: { command: ['cat', 'in/given.txt'], stdout: 'said.txt' } },
        ],
      },
    )
    expect(await program.setUp(asked)).toEqual({ notes: [] })
    expect(await readFile(join(home, 'in/given.txt'), 'utf8')).toBe('given')
    expect((await program.score(asked)).score).toBe(1)
  })

  test.each([
    [
      {
        type: 'download',
        parameters: { files: [{ url: 'https://files.example/none', path: '/home/user/a' }] },
      },
      'https://files.example/none',
    ],
    [{ type: 'launch', parameters: { command: ['nothing'] } }, '/setup/launch with 500'],
    [{ type: 'execute', parameters: { command: ['no-such-program'] } }, '/setup/execute with 500'],
    [{ type: 'open', parameters: { path: '/home/user/a' } }, '/setup/open_file with 404'],
    [{ type: 'dance', parameters: {} }, 'no step dance'],
    [{ type: 'sleep', parameters: { minutes: 1 } }, 'config.0'],
    [{ type: 'login', parameters: {} }, 'Google account'],
  ])('a step that fails is said: %j', async (step, message) => {
    await expect(program.setUp(await request(solved, { config: [step] }))).rejects.toMatchObject({
      code: 'environment_failed',
      message: expect.stringContaining(message),
    })
  })

  test('a window that is not there, and a command that fails, are noted', async () => {
    const config = [
      { type: 'activate_window', parameters: { window_name: 'Nothing' } },
      { type: 'execute', parameters: { command: ['false'] } },
    ]
    const { notes } = await program.setUp(await request(solved, { config }))
    expect(notes).toEqual(
      expect.arrayContaining([expect.stringContaining('No such window'), expect.stringContaining('code 1')]),
    )
  })
})

describe('what is no score', () => {
  const failed = (message: string) => ({
    code: 'environment_failed',
    message: expect.stringContaining(message),
  })

  test.each([
    ['an unknown metric', { ...solved, func: 'guess' }, 'no metric guess'],
    ['an unknown result', { ...solved, result: { type: 'hunch' } }, 'no result hunch'],
    ['a metric that is left out', { ...solved, func: 'compare_image_text' }, 'needs easyocr'],
    [
      'a metric that would run what the machine says as code',
      { ...solved, func: 'check_gnome_favorite_apps' },
      'needs to run as code',
    ],
    [
      'a metric that fails',
      { ...solved, func: 'check_direct_json_object', expected: rule({}) },
      'check_direct_json_object failed',
    ],
    [
      'a file to compare with that is not here',
      { ...solved, expected: { type: 'cloud_file', path: 'https://files.example/gold', dest: 'gold' } },
      'https://files.example/gold',
    ],
  ])('%s', async (_, evaluator, message) => {
    await expect(program.score(await request(evaluator))).rejects.toMatchObject(failed(message))
  })

  test('a library that is left out is named, though the metric would swallow that', async () => {
    const pack = join(home, 'pack')
    await mkdir(pack, { recursive: true })
    await writeFile(join(pack, 'a.mp3'), 'no sound')
    await promisify(execFile)('python3', [
      '-c',
      'import shutil,sys; shutil.make_archive(sys.argv[1], "zip", sys.argv[1])',
      pack,
    ])
    const file = { type: 'vm_file', path: '/home/user/pack.zip', dest: 'pack.zip' }
    const expected = { ...file, dest: 'expected.zip' }
    const evaluator = { func: 'compare_archive', result: file, expected, options: { file_type: 'audio' } }
    await expect(program.score(await request(evaluator))).rejects.toMatchObject(failed('needs librosa'))
  })

  test('a machine that cannot be reached is lost', async () => {
    const gone = `http://127.0.0.1:${await findFreePort()}`
    const file = { type: 'vm_file', path: '/home/user/a.txt', dest: 'a.txt' }
    const step = { type: 'execute', parameters: { command: ['true'] } }
    const evaluator = { func: 'compare_text_file', result: file, expected: file }
    const answers = await Promise.allSettled([
      program.score(await request(evaluator, { machine: gone })),
      program.score(await request({ ...solved, postconfig: [step] }, { machine: gone })),
      program.setUp(await request(solved, { machine: gone, config: [step] })),
      // It hangs up in the middle.
      program.score(await request({ ...solved, result: { type: 'vm_terminal_output' } })),
    ])
    for (const answer of answers) {
      expect(answer).toMatchObject({ reason: expect.any(BackendLostError) })
    }
  })

  describe('a machine that fails', () => {
    let failing: FolderMachine

    beforeAll(async () => {
      failing = await openFolderMachine(home)
    })

    afterAll(() => failing.close())

    const file = { type: 'vm_file', path: '/home/user/a.txt', dest: 'a.txt' }
    const ofFile = { func: 'compare_text_file', result: file, expected: file }
    const scoreThere = async (evaluator: JsonObject, instead: FolderMachine['instead']) => {
      failing.instead = instead
      return program.score(await request(evaluator, { machine: failing.address }))
    }

    test.each([
      ['a file', '/file', ofFile],
      ['the terminal', '/terminal', { ...solved, result: { type: 'vm_terminal_output' } }],
    ])('at %s is lost, once it has failed again and again', async (_, path, evaluator) => {
      const before = failing.asked.length
      const scored = scoreThere(evaluator, { [path]: { status: 500, body: 'broken' } })
      await expect(scored).rejects.toThrow(BackendLostError)
      expect(failing.asked.slice(before)).toEqual([path, path, path])
    })

    test.each([
      [{ status: 500, body: JSON.stringify({ message: "Command 'x' timed out after 120 seconds" }) }],
      [{ status: 504, body: '{}' }],
    ])('to end a command in time is lost: %j', async (answer) => {
      await expect(scoreThere(solved, { '/execute': answer })).rejects.toThrow(BackendLostError)
    })

    test('a command that it has not is the doing of the agent', async () => {
      const scored = await scoreThere({ ...solved, result: command('no-such-program') }, {})
      expect(scored.score).toBe(0)
    })

    test('is followed nowhere', async () => {
      const elsewhere = await openFolderMachine(home)
      onTestFinished(() => elsewhere.close())
      const headers = { location: `${elsewhere.address}/execute` }
      const scored = scoreThere(solved, { '/execute': { status: 307, body: '', headers } })
      await expect(scored).rejects.toThrow('/execute with 307')
      expect(elsewhere.asked).toEqual([])
    })

    test('to be brief is read to a limit', async () => {
      const body = Buffer.alloc(2 ** 29 + 1)
      await expect(scoreThere(ofFile, { '/file': { status: 200, body } })).rejects.toMatchObject(
        failed('more than 536870912 bytes'),
      )
    })
  })
})

/** The process of a request, once there is one. */
async function childOfProgram(): Promise<number> {
  const childrenOf = async (parent: number) => {
    const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args='])
    return [...stdout.matchAll(/^ *(\d+) +(\d+) .*score_tasks\.py/gm)].flatMap(([, pid, its]) =>
      Number(its) === parent ? [Number(pid)] : [],
    )
  }
  for (;;) {
    for (const running of await childrenOf(process.pid)) {
      const [child] = await childrenOf(running)
      if (child !== undefined) return child
    }
  }
}

describe('requests side by side', () => {
  const sleeping = (seconds: number) => ({
    ...solved,
    postconfig: [{ type: 'sleep', parameters: { seconds } }],
  })

  test('a request that takes too long fails alone', async () => {
    const [late, other] = await Promise.allSettled([
      program.score(await request(sleeping(60), { within: 1 })),
      program.score(await request(sleeping(2))),
    ])
    expect(late).toMatchObject({
      reason: { code: 'environment_failed', message: expect.stringContaining('1 seconds') },
    })
    expect(other).toMatchObject({ value: { score: 1 } })
  })

  test('many requests take as long as one', async () => {
    const before = Date.now()
    const scores = await Promise.all(Array.from({ length: 12 }, () => scoreOf(sleeping(8))))
    expect(scores).toEqual(Array.from({ length: 12 }, () => 1))
    // One after the other they would take this long at least.
    expect(Date.now() - before).toBeLessThan(12 * 8000)
  })

  test('a request whose process ends harms no other', async () => {
    const crashing = program.score(await request(sleeping(60)))
    const child = await childOfProgram()
    const scored = program.score(await request(sleeping(1)))
    process.kill(child, 'SIGKILL')
    const [crashed, other] = await Promise.allSettled([crashing, scored])
    expect(crashed).toMatchObject({
      reason: { code: 'environment_failed', message: expect.stringContaining('code -9') },
    })
    expect(other).toMatchObject({ value: { score: 1 } })
    expect(await scoreOf(solved)).toBe(1)
  })

  test('a request is given up when its signal says so', async () => {
    const abort = new AbortController()
    const scored = program.score(await request(sleeping(120)), abort.signal)
    setTimeout(() => abort.abort(new Error('enough')), 300)
    await expect(scored).rejects.toThrow('enough')
  })
})

test('what is left out is among what desktop-env has', async () => {
  const { desktop_env, metrics, getters, left_out } = await program.describe()
  expect(desktop_env).toBe('1.0.2')
  expect(metrics.length).toBeGreaterThan(100)
  expect(metrics).toEqual(expect.arrayContaining(Object.keys(left_out.metrics)))
  expect(getters).toEqual(expect.arrayContaining(Object.keys(left_out.getters)))
})

test('a stopped program answers no more', async () => {
  const stopped = openTaskProgram(() => undefined)
  onTestFinished(() => stopped.stop())
  await stopped.describe()
  await stopped.stop()
  await expect(stopped.describe()).rejects.toThrow(BackendLostError)
})
