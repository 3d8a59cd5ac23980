import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { EspalierError } from '../../../../shared/core/contracts/errors.ts'
import type { SecretReader } from '../../../../shared/play/models/keys/key-ring.ts'
import { chatRequest, completion } from '../chat-request.ts'
import { recordingMeter } from '../recording-meter.ts'
import { scriptedModels } from '../scripted-models.ts'

const answered = () => Response.json(completion('hello'))
const refusedWith = (message: string) => () => Response.json({ error: { message } }, { status: 401 })

/** Secrets that can be changed, and what was asked for. */
function openSecrets(values: Record<string, string>) {
  const asked: string[] = []
  const read = async (name: string): Promise<string> => {
    asked.push(name)
    await new Promise(setImmediate)
    const value = values[name]
    if (value === undefined) throw Object.assign(new Error('none'), { name: 'ResourceNotFoundException' })
    return value
  }
  const secrets: SecretReader = { secret: read, parameter: (name) => read(`parameter ${name}`) }
  return { secrets, asked, values }
}

function openEndpoint(
  answers: readonly (() => Response)[],
  values: Record<string, string>,
  endpoint: Record<string, unknown> = { api_key_secret: 'espalier/test/mine' },
) {
  const store = openSecrets(values)
  const scripted = scriptedModels(answers, endpoint, { secrets: store.secrets })
  const ask = () => scripted.model.complete(chatRequest(), { meter: recordingMeter() })
  const keys = (header = 'authorization') => scripted.seen.map(({ headers }) => headers.get(header))
  return { ...scripted, ...store, ask, keys }
}

it('a secret is read when it is first used, once for all who wait, and again after five minutes', async () => {
  const { asked, ask, clock, keys, values } = openEndpoint([answered], { 'espalier/test/mine': 'sk-old' })
  expect(asked).toEqual([])
  await Promise.all([ask(), ask(), ask()])
  await ask()
  expect(asked).toHaveLength(1)
  values['espalier/test/mine'] = 'sk-new'
  await clock.sleep(301_000)
  await Promise.all([ask(), ask()])
  expect(asked).toHaveLength(2)
  expect(keys().slice(-3)).toEqual(['Bearer sk-old', 'Bearer sk-new', 'Bearer sk-new'])
})

it('a rotated key is read again when the old one is refused, and the call goes on', async () => {
  const script = [answered, refusedWith('no'), answered]
  const { asked, ask, keys, values } = openEndpoint(script, { 'espalier/test/mine': 'sk-old' })
  await ask()
  values['espalier/test/mine'] = 'sk-new'
  await ask()
  expect(keys()).toEqual(['Bearer sk-old', 'Bearer sk-old', 'Bearer sk-new'])
  expect(asked).toHaveLength(2)
})

it('a key that stays wrong is read again once a minute at most', async () => {
  const { asked, ask, clock, seen } = openEndpoint([refusedWith('no')], { 'espalier/test/mine': 'sk-old' })
  for (let call = 0; call < 3; call += 1) await expect(ask()).rejects.toThrow('status 401')
  expect([asked.length, seen.length]).toEqual([2, 3])
  await clock.sleep(61_000)
  await expect(ask()).rejects.toThrow('status 401')
  expect(asked).toHaveLength(3)
})

it('an old key stays in use while it cannot be read again', async () => {
  const { ask, clock, keys, models, values } = openEndpoint([answered], { 'espalier/test/mine': 'sk-old' })
  await ask()
  delete values['espalier/test/mine']
  await clock.sleep(301_000)
  await ask()
  expect(keys()).toEqual(['Bearer sk-old', 'Bearer sk-old'])
  expect(models.list()[0]).toMatchObject({ ready: true, note: expect.stringContaining('cannot be read') })
})

it.each([
  ['a field of a secret', { api_key_secret: 'all#openai' }, { all: '{"openai": "sk-1", "other": "x"}' }],
  ['a parameter', { api_key_parameter: '/espalier/mine' }, { 'parameter /espalier/mine': 'sk-1\n' }],
])('%s can hold the key', async (_what, endpoint, values) => {
  const { ask, keys } = openEndpoint([answered], values, endpoint)
  await ask()
  expect(keys()).toEqual(['Bearer sk-1'])
})

it('Azure gets it as api-key', async () => {
  const azure = { kind: 'azure', base_url: 'https://trees.openai.azure.com', api_version: '2024-10-21' }
  const { ask, keys } = openEndpoint([answered], { mine: 'sk-1' }, { ...azure, api_key_secret: 'mine' })
  await ask()
  expect([keys('api-key'), keys()]).toEqual([['sk-1'], [null]])
})

it.each([
  ['is not there', 'gone', /"gone" cannot be read \(ResourceNotFoundException\)/],
  ['is no JSON', 'text#field', /"text" is no JSON object with a text under "field"/],
  ['lacks the field', 'json#field', /under "field"/],
  ['cannot be sent', 'spaces', /headers cannot carry/],
])('a secret that %s is an error that names it and shows nothing', async (_what, name, words) => {
  const values = { text: 'sk-very-secret', json: '{"other": "sk-very-secret"}', spaces: 'sk-very secret' }
  const { ask, models } = openEndpoint([answered], values, { api_key_secret: name })
  const error: unknown = await ask().catch((failure: unknown) => failure)
  if (!EspalierError.isInstance(error)) throw error
  expect(error).toMatchObject({
    param: 'endpoints.mine.api_key_secret',
    message: expect.stringMatching(words),
  })
  expect(models.list()[0]).toMatchObject({ ready: false, note: error.message })
  expect(inspect(error, { depth: 9 })).not.toContain('sk-very')
})

it('no key is in an error or in what is listed, the one before included', async () => {
  const repeats = refusedWith('Incorrect API key provided: sk-old, sk-new.')
  const store = { 'espalier/test/mine': 'sk-old' }
  const { ask, models, model, values } = openEndpoint([answered, repeats], store)
  await ask()
  values['espalier/test/mine'] = 'sk-new'
  const error: unknown = await ask().catch((failure: unknown) => failure)
  expect(String(error)).toContain('[secret], [secret]')
  for (const value of [error, models, model, models.list()]) {
    expect(`${inspect(value, { depth: 20, showHidden: true })}${JSON.stringify(value)}`).not.toMatch(
      /sk-(old|new)/,
    )
  }
})

it('a look at the endpoints reads no secret', async () => {
  const { asked, ask, models } = openEndpoint([answered], { 'espalier/test/mine': 'sk-1' })
  expect(models.list()[0]).toMatchObject({ ready: true, note: expect.stringContaining('first used') })
  expect(asked).toEqual([])
  await ask()
  expect(models.list()[0]).toMatchObject({ ready: true, note: null })
})

it('without AWS, an endpoint whose key is there says so', () => {
  const attempt = () => scriptedModels([answered], { api_key_secret: 'espalier/test/mine' })
  expect(attempt).toThrow(/"mine" has no key: it is kept in AWS as "espalier\/test\/mine".*api_key_env/)
})
