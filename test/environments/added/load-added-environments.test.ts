import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createHostApp } from '../../../containers/env-host/create-host-app.ts'
import { loadAddedEnvironments } from '../../../shared/environments/added/load-added-environments.ts'
import { isHosted } from '../../../shared/environments/environment.ts'
import { openCore } from '../../../shared/environments/open-core.ts'
import { textcraft } from '../../../shared/environments/textcraft/textcraft.ts'
import { openTable } from '../../containers/env-host/open-table.ts'
import { serveApp } from '../../support/serve-app.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const example = join(import.meta.dirname, '../../../examples/guess-number.ts')

async function load(content: unknown) {
  const path = join(await temporaryFolder(), 'environments.json')
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return loadAddedEnvironments({ path })
}

const only = (id: string, entry: object) => load({ environments: { [id]: entry } })

test('without a file nothing is added', async () => {
  expect(await loadAddedEnvironments({ path: join(await temporaryFolder(), 'environments.json') })).toEqual(
    [],
  )
})

test('a module beside the file is found from there, and its environment played', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'game.ts'), `export { guessNumber } from '${example}'\n`)
  const path = join(folder, 'environments.json')
  await writeFile(
    path,
    JSON.stringify({ environments: { 'guess-number': { kind: 'module', file: './game.ts' } } }),
  )
  const [definition] = await loadAddedEnvironments({ path })
  const environment = await definition?.open(null)
  if (environment === undefined || isHosted(environment)) throw new Error('It should be played here.')
  const core = await openCore(environment, 'guess-0', 'test')
  expect((await core.reset(0)).observation).toMatch(/number/)
})

test('a module keeps the version of its scorer', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'environments.json')
  const game = `import { guessNumber } from '${example}'\nexport const game = { id: 'guess-number', scorer: 3, open: async () => guessNumber }\n`
  await writeFile(join(folder, 'game.ts'), game)
  const entry = { kind: 'module', file: './game.ts' }
  await writeFile(path, JSON.stringify({ environments: { 'guess-number': entry } }))
  expect(await loadAddedEnvironments({ path })).toMatchObject([{ id: 'guess-number', scorer: 3 }])
})

test('an AgentGym server has the tasks that the file gives it, and is not asked before it is played', async () => {
  const entry = { kind: 'agentgym', server: 'sciworld', address: 'http://lab:1/x', tasks: { test: [5, 8] } }
  const [definition] = await only('lab', { ...entry, max_sessions: 4 })
  const environment = await definition?.open(null)
  expect(environment?.tasks().map(({ id, split }) => [id, split])).toEqual([
    ['lab-00005', 'test'],
    ['lab-00006', 'test'],
    ['lab-00007', 'test'],
  ])
  expect(environment).toMatchObject({ id: 'lab', host: { server: 'sciworld', max_sessions: 4 } })
})

describe('a host', () => {
  test('says what its environment is, with all tasks, under the name that it has here', async () => {
    const { table } = await openTable()
    const address = await serveApp(createHostApp(table, () => undefined))
    const [definition] = await only('far', { kind: 'host', address, environment: 'textcraft' })
    const environment = await definition?.open(null)
    expect(environment).toMatchObject({
      id: 'far',
      snapshot: 'native',
      default_max_steps: textcraft.default_max_steps,
      host: { kind: 'address', address, environment: 'textcraft' },
    })
    expect(textcraft.tasks()).toMatchObject(environment?.tasks() ?? [])
    expect(environment?.tasks().length).toBe(textcraft.tasks().length)
    const [task] = textcraft.tasks()
    if (task) expect(environment?.describe(task)).toEqual(textcraft.describe(task))
  })

  test('that is not there, or has no such environment, says so when it is used', async () => {
    const [gone] = await only('far', { kind: 'host', address: 'http://127.0.0.1:1' })
    await expect(gone?.open(null)).rejects.toMatchObject({
      code: 'host_unreachable',
      message: expect.stringMatching(/"far" cannot be reached.*Start it, or mend its address/),
    })
    const { table } = await openTable()
    const address = await serveApp(createHostApp(table, () => undefined))
    const [unknown] = await only('far', { kind: 'host', address })
    await expect(unknown?.open(null)).rejects.toMatchObject({
      code: 'unknown_environment',
      message: expect.stringContaining('textcraft'),
    })
  })
})

test.each<[string, unknown, RegExp, string | null]>([
  ['no JSON', '{', /environments\.json is not JSON/, null],
  ['a list', { environments: [] }, /"environments"/, 'environments'],
  [
    'a name of ours',
    { environments: { textcraft: { kind: 'host', address: 'http://x' } } },
    /Choose another/,
    'environments.textcraft',
  ],
  ['an unknown kind', { environments: { mine: { kind: 'docker' } } }, /kind/, 'environments.mine.kind'],
  [
    'a misspelt field',
    { environments: { mine: { kind: 'host', adress: 'http://x', address: 'http://x' } } },
    /no field "environments\.mine\.adress"/,
    'environments.mine.adress',
  ],
  [
    'no web address',
    { environments: { mine: { kind: 'host', address: 'file:///etc' } } },
    /http/,
    'environments.mine.address',
  ],
  [
    'an unknown server',
    { environments: { mine: { kind: 'agentgym', server: 'chess', address: 'http://x' } } },
    /textcraft/,
    'environments.mine.server',
  ],
  [
    'tasks in two splits',
    {
      environments: {
        mine: { kind: 'agentgym', server: 'babyai', address: 'http://x', tasks: { a: [0, 5], b: [4, 6] } },
      },
    },
    /two ranges/,
    'environments.mine.tasks',
  ],
  [
    'a seed in two splits',
    { environments: { mine: { kind: 'openenv', address: 'http://x', tasks: { a: [0, 5], b: [4, 6] } } } },
    /called "mine-00004"/,
    'environments.mine.tasks',
  ],
  [
    'a reward from answers that a task lacks',
    {
      environments: {
        mine: {
          kind: 'mcp',
          server: { address: 'http://x/mcp' },
          tasks: { test: [{ id: 'one', instruction: 'Go.' }] },
          reward: { from: 'answer' },
        },
      },
    },
    /"one" has none/,
    'environments.mine.tasks.test',
  ],
  [
    'a server of MCP with a program and an address',
    {
      environments: {
        mine: {
          kind: 'mcp',
          server: { command: ['x'], address: 'http://x/mcp' },
          tasks: { test: [{ id: 'one', instruction: 'Go.' }] },
          reward: { from: 'result', tool: 'x' },
        },
      },
    },
    /server/,
    'environments.mine.server',
  ],
  [
    'a module that is not there',
    { environments: { mine: { kind: 'module', file: './no.ts' } } },
    /no\.ts cannot be loaded/,
    null,
  ],
  [
    'a module without environments',
    { environments: { mine: { kind: 'module', file: `${import.meta.dirname}/../../support/serve-app.ts` } } },
    /exports no environment/,
    null,
  ],
  [
    'another id than the module has',
    { environments: { mine: { kind: 'module', file: example } } },
    /exports guess-number, and no "mine"/,
    'environments.mine',
  ],
])('%s is refused, and the message names the place', async (_what, content, message, param) => {
  await expect(load(content)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(message),
    param,
  })
})
