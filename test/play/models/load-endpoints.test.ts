import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import { loadEndpoints } from '../../../shared/play/models/load-endpoints.ts'
import { openModels } from '../../../shared/play/models/model-pool.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'endpoints-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function load(content: unknown, environment: Record<string, string> = {}) {
  const path = join(folder, 'endpoints.json')
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return loadEndpoints({ path, environment })
}

async function refusal(content: unknown): Promise<EspalierError> {
  const error = await load(content).then(
    () => new Error('It was accepted.'),
    (refused: unknown) => refused,
  )
  if (!EspalierError.isInstance(error)) throw error
  expect(error.code).toBe('invalid_request')
  return error
}

const openai = { kind: 'openai', base_url: 'http://127.0.0.1:8000/v1' }

describe('the built-in endpoints', () => {
  it('are simulated, and openai without its key, where there is neither a key nor a file', async () => {
    const endpoints = await loadEndpoints({ path: join(folder, 'absent.json'), environment: {} })
    expect([...endpoints.keys()]).toEqual(['simulated', 'openai'])
    const openai = openModels(endpoints, { environment: {} }).list()[1]
    expect(openai).toMatchObject({ ready: false, note: expect.stringContaining('OPENAI_API_KEY is not set') })
    expect(endpoints.get('simulated')).toMatchObject({ kind: 'simulated', skill: 0.7, latency: 0 })
  })

  it('have openai when OPENAI_API_KEY is set, at OPENAI_BASE_URL', async () => {
    const plain = await loadEndpoints({ path: null, environment: { OPENAI_API_KEY: 'sk-1' } })
    expect(plain.get('openai')).toMatchObject({
      base_url: 'https://api.openai.com/v1',
      timeout: 600,
      seed: true,
    })
    const environment = { OPENAI_API_KEY: 'sk-1', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }
    const other = await loadEndpoints({ path: null, environment })
    expect(other.get('openai')).toMatchObject({ base_url: 'http://127.0.0.1:1/v1' })
    await expect(
      loadEndpoints({ path: null, environment: { ...environment, OPENAI_BASE_URL: 'nonsense' } }),
    ).rejects.toThrow('OPENAI_BASE_URL')
  })

  it('give way to endpoints of the same name', async () => {
    const endpoints = await load({ endpoints: { simulated: { kind: 'simulated', skill: 1 } } })
    expect(endpoints.get('simulated')).toMatchObject({ skill: 1 })
  })
})

describe('a bad endpoints.json', () => {
  it.each([
    ['no address', { kind: 'openai' }, 'endpoints.mine.base_url', 'base_urls'],
    [
      'both forms of address',
      { ...openai, base_urls: [openai.base_url] },
      'endpoints.mine.base_url',
      'base_urls',
    ],
    ['no http address', { ...openai, base_url: 'ftp://x' }, 'endpoints.mine.base_url', 'http'],
    ['an unknown field', { ...openai, retries: 3 }, 'endpoints.mine.retries', 'no such field'],
    ['a key in the file', { ...openai, api_key: 'sk-very-secret' }, 'endpoints.mine.api_key', 'api_key_env'],
    [
      'two keys',
      { ...openai, api_key_env: 'A', api_key_file: 'b' },
      'endpoints.mine.api_key_file',
      'only one',
    ],
    [
      'a key in two places in AWS',
      { ...openai, api_key_parameter: 'b', api_key_secret: 'a' },
      'endpoints.mine.api_key_parameter',
      'only one',
    ],
    [
      'a secret with two fields',
      { ...openai, api_key_secret: 'a#b#c' },
      'endpoints.mine.api_key_secret',
      '#',
    ],
    ['no requests', { ...openai, requests_per_minute: 0 }, 'endpoints.mine.requests_per_minute', ''],
    ['an unknown kind', { kind: 'other' }, 'endpoints.mine.kind', ''],
    [
      'a bad price',
      { ...openai, prices: { m: { input: -1, output: 0 } } },
      'endpoints.mine.prices.m.input',
      '',
    ],
    ['a bad skill', { kind: 'simulated', skill: 2 }, 'endpoints.mine.skill', ''],
    [
      'azure without a key',
      { kind: 'azure', base_url: 'https://x.openai.azure.com', api_version: '2024-10-21' },
      'endpoints.mine.token_provider',
      'api_key_env',
    ],
    ['azure without a version', { kind: 'azure', base_url: 'https://x' }, 'endpoints.mine.api_version', ''],
  ])('with %s is refused, naming the field', async (_what, endpoint, param, words) => {
    const error = await refusal({ endpoints: { mine: endpoint } })
    expect(error.param).toBe(param)
    expect(error.message).toContain(words)
    expect(error.message).toContain('endpoints.json')
    expect(error.message).not.toContain('sk-very-secret')
  })

  it('that is not JSON is refused without quoting it', async () => {
    const error = await refusal('{"endpoints": {"a": {"api_key": sk-very-secret}}}')
    expect(error.message).toContain('not JSON')
    expect(error.message).not.toContain('secret')
  })

  it('with a strange name or no endpoints is refused', async () => {
    expect((await refusal({ endpoints: { 'a b': openai } })).message).toContain('a b')
    expect((await refusal({})).param).toBe('endpoints')
  })
})

describe('describing and finding endpoints', () => {
  it('says what is missing and never a key', async () => {
    const endpoints = await load({
      endpoints: {
        unset: { ...openai, api_key_env: 'NO_SUCH_KEY' },
        ready: { ...openai, api_key_env: 'MY_KEY', prices: { m: { input: 1, output: 2 } } },
        local: openai,
      },
    })
    const models = openModels(endpoints, { environment: { MY_KEY: 'sk-very-secret' } })
    const infos = Object.fromEntries(models.list().map((info) => [info.id, info]))
    expect(infos.unset).toMatchObject({ ready: false, priced: false, models: [] })
    expect(infos.unset?.note).toContain('NO_SUCH_KEY')
    expect(infos.ready).toMatchObject({ ready: true, note: null, priced: true, models: ['m'] })
    expect(infos.local).toMatchObject({ ready: true, kind: 'openai' })
    expect(infos.simulated).toMatchObject({ kind: 'simulated', priced: true, ready: true })
    expect(JSON.stringify(infos)).not.toContain('sk-very-secret')
    expect(() => models.model('unset')).toThrow('NO_SUCH_KEY')
    expect(models.price('ready', 'm')).toEqual({ input: 1, output: 2 })
    expect(models.price('ready', 'other')).toBeNull()
    expect(models.price('simulated', 'anything')).toEqual({ input: 0, output: 0 })
  })

  it('names the choices when there is no such endpoint', async () => {
    const endpoints = await load({ endpoints: { mine: openai } })
    expect(() => openModels(endpoints).configuration('yours')).toThrow(
      expect.objectContaining({
        code: 'unknown_endpoint',
        param: 'model.endpoint',
        message: 'There is no endpoint "yours". Choose one of: simulated, openai, mine.',
      }),
    )
  })

  it('refuses a key file that others may read, and reads one of mode 600 beside endpoints.json', async () => {
    await writeFile(join(folder, 'key'), 'sk-very-secret\n', { mode: 0o644 })
    await chmod(join(folder, 'key'), 0o644)
    const endpoints = await load({
      endpoints: { mine: { ...openai, api_key_file: 'key' }, gone: { ...openai, api_key_file: 'no-key' } },
    })
    const describe = () => openModels(endpoints, { environment: {} }).list()
    const open = describe()
    expect(open.find(({ id }) => id === 'mine')?.note).toMatch(/mode 644.*chmod 600/)
    expect(open.find(({ id }) => id === 'gone')?.note).toContain('ENOENT')
    await chmod(join(folder, 'key'), 0o600)
    expect(describe().find(({ id }) => id === 'mine')).toMatchObject({ ready: true, note: null })
  })
})
