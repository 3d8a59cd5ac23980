import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findEndpointsFile } from '../../infra/endpoints-file.ts'
import { synthesise } from './synthesise.ts'

const openai = { kind: 'openai', base_url: 'https://api.openai.com/v1' }

async function folderWith(files: Record<string, object>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-endpoints-'))
  for (const [name, endpoint] of Object.entries(files)) {
    await writeFile(join(folder, name), JSON.stringify({ endpoints: { mine: endpoint } }))
  }
  return folder
}

test('without a file there is none', async () => {
  expect(await findEndpointsFile(await folderWith({}), 'dev')).toBeNull()
})

test("the stage's own file comes before the common one", async () => {
  const folder = await folderWith({ 'endpoints.json': openai, 'endpoints.prod.json': openai })
  expect(await findEndpointsFile(folder, 'prod')).toBe(join(folder, 'endpoints.prod.json'))
  expect(await findEndpointsFile(folder, 'dev')).toBe(join(folder, 'endpoints.json'))
})

test.each([
  ['a field that does not exist', { ...openai, base_uri: 'x' }, 'endpoints.mine.base_uri'],
  ['a key in a variable', { ...openai, api_key_env: 'KEY' }, 'endpoints.mine.api_key_env'],
  ['a key in a file', { ...openai, api_key_file: 'key' }, 'endpoints.mine.api_key_file'],
  [
    "another stage's secret",
    { ...openai, api_key_secret: 'espalier/prod/key' },
    'endpoints.mine.api_key_secret',
  ],
  [
    "another stage's parameter",
    { ...openai, api_key_parameter: '/espalier/prod/key' },
    'endpoints.mine.api_key_parameter',
  ],
])('%s stops the deployment, and the message names it', async (_what, endpoint, param) => {
  const folder = await folderWith({ 'endpoints.json': endpoint })
  await expect(synthesise({ stage: 'dev' }, folder)).rejects.toMatchObject({ code: 'invalid_request', param })
})

test("a secret of the stage's own is fine", async () => {
  const folder = await folderWith({
    'endpoints.json': { ...openai, api_key_secret: 'espalier/dev/openai' },
  })
  expect(await findEndpointsFile(folder, 'dev')).toBe(join(folder, 'endpoints.json'))
})

test.each([
  [{ stage: 'Dev_1' }, 'stage'],
  [{ maxConcurrency: '1' }, 'maxConcurrency'],
  [{ budget: '-3' }, 'budget'],
  [{ mail: 'nobody' }, 'mail'],
])('a wrong setting is named: %o', async (context, param) => {
  await expect(synthesise(context)).rejects.toMatchObject({ code: 'invalid_request', param })
})
