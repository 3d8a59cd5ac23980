import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findEnvironmentsFile } from '../../infra/environments-file.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { synthesise } from './synthesise.ts'

const shop = { address: 'https://shop.example.com', sharing: { kind: 'read_only' } }
const sites = { kind: 'webarena', sites: { shopping: shop } }
const host = { kind: 'host', address: 'https://games.example.com' }

async function folderWith(files: Record<string, object>): Promise<string> {
  const folder = await temporaryFolder()
  for (const [name, entry] of Object.entries(files)) {
    await writeFile(join(folder, name), JSON.stringify({ environments: { mine: entry } }))
  }
  return folder
}

test('without a file there is none', async () => {
  expect(await findEnvironmentsFile(await folderWith({}), 'dev')).toBeNull()
})

test("the stage's own file comes before the common one", async () => {
  const folder = await folderWith({ 'environments.json': host, 'environments.prod.json': host })
  expect(await findEnvironmentsFile(folder, 'prod')).toBe(join(folder, 'environments.prod.json'))
  expect(await findEnvironmentsFile(folder, 'dev')).toBe(join(folder, 'environments.json'))
})

test.each([
  ['a module', { kind: 'module', file: './game.ts' }, 'environments.mine.kind', /Serve it with a host/],
  [
    'an MCP server that is a program',
    {
      kind: 'mcp',
      server: { command: ['node'] },
      tasks: { test: [{ id: 'one', instruction: 'Go.' }] },
      reward: { from: 'result', tool: 'x' },
    },
    'environments.mine.server',
    /streamable HTTP/,
  ],
  [
    'a benchmark of BrowserGym',
    { kind: 'browsergym', benchmark: 'miniwob' },
    'environments.mine.kind',
    /does not play the kind browsergym/,
  ],
  [
    'a machine that a command resets',
    {
      kind: 'osworld',
      machines: [
        { address: 'http://10.0.0.5:5000', reset: { address: 'http://10.0.0.1/reset' } },
        { address: 'http://10.0.0.6:5000', reset: { command: ['virsh', 'snapshot-revert', 'vm6'] } },
      ],
    },
    'environments.mine.machines.1.reset',
    /Name an address/,
  ],
  [
    'a log-in in a folder',
    { ...sites, storage_states: { folder: '.auth' } },
    'environments.mine.storage_states.folder',
    /no folder of yours/,
  ],
  [
    'a log-in in a variable',
    { ...sites, storage_states: { 'shop.json': { variable: 'SHOP' } } },
    'environments.mine.storage_states.shop.json',
    /no environment variables of yours.*espalier serve/,
  ],
  [
    'a header in a variable',
    {
      ...{ kind: 'mcp', tasks: { test: [{ id: 'one', instruction: 'Go.' }] } },
      server: { address: 'https://games.example.com/mcp', header_variables: { Authorization: 'TOKEN' } },
      reward: { from: 'result', tool: 'x' },
    },
    'environments.mine.server.header_variables',
    /no environment variables of yours/,
  ],
  ['a field that does not exist', { ...host, port: 1 }, 'environments.mine.port', /no field/],
  [
    'a server that is none',
    { ...host, kind: 'agentgym', server: 'chess' },
    'environments.mine.server',
    /babyai/,
  ],
])('%s stops the deployment, and the message names it', async (_what, entry, param, message) => {
  const folder = await folderWith({ 'environments.json': entry })
  await expect(synthesise({ stage: 'dev' }, folder)).rejects.toMatchObject({
    code: 'invalid_request',
    param,
    message: expect.stringMatching(message),
  })
})
