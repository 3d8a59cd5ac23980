import { beforeEach, describe, expect, test } from 'vitest'
import type { Message } from '../../../shared/core/contracts/message.ts'
import type { ModelRegistry, TenantModels } from '../../../shared/learn/registry/model-registry.ts'
import { openModelRegistry } from '../../../shared/learn/registry/open-models.ts'
import { openTokenCounters, type TokenCounters } from '../../../shared/learn/tokenizers/token-counters.ts'
import type { TokenCounter } from '../../../shared/play/models/token-counter.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { registerModel } from './register-model.ts'
import { bytePairTokenizer, wordLevelTokenizer } from './tiny-tokenizers.ts'

const hello: Message[] = [{ role: 'user', content: 'hello' }]

let registry: ModelRegistry
let tenants: TenantModels
let counters: TokenCounters
let reads: string[]

beforeEach(async () => {
  tenants = openModelRegistry({ world: await openTestWorld() })
  registry = tenants.of('default')
  reads = []
  const watched: TenantModels = {
    of(tenant) {
      const own = tenants.of(tenant)
      return {
        ...own,
        readFile(model, name) {
          reads.push(name)
          return own.readFile(model, name)
        },
      }
    },
  }
  counters = openTokenCounters(watched)
})

async function count(model: string): Promise<number> {
  const counter = await counters.open('default', model)
  return await (counter as TokenCounter).ofPrompt(hello)
}

test('a registered model counts by its own tokenizer and template, and says which model it is', async () => {
  const [words, bytes] = [
    await registerModel(registry),
    await registerModel(registry, { tokenizer: bytePairTokenizer() }),
  ]
  expect([await count(words.id), await count(bytes.id)]).toEqual([4, 8])
  expect(await counters.open('default', bytes.id)).toMatchObject({ model: bytes.id })
})

test('special tokens are those of its configuration', async () => {
  const template = '{{ bos_token }}{{ messages[0].content }}'
  const configuration = { bos_token: '<|system|>' }
  const model = await registerModel(registry, { template, configuration })
  expect(await count(model.id)).toBe(2)
})

test('models with the same files share one tokenizer, which is read once', async () => {
  const models = [await registerModel(registry), await registerModel(registry), await registerModel(registry)]
  await Promise.all(models.map(({ id }) => count(id)))
  await count(models[0]?.id ?? '')
  expect(reads).toEqual(['tokenizer.json'])
})

test('of many tokenizers the last used are kept', async () => {
  const models = []
  for (const word of ['a', 'b', 'c']) {
    models.push(await registerModel(registry, { tokenizer: wordLevelTokenizer([word]) }))
  }
  for (const { id } of models) await count(id)
  await count(models[2]?.id ?? '')
  expect(reads).toHaveLength(3)
  await count(models[0]?.id ?? '')
  expect(reads).toHaveLength(4)
})

test.each([
  ['no tokenizer', { tokenizer: null }, { reason: 'has no tokenizer.json', isBroken: false }],
  ['no chat template', { template: null }, { reason: 'has no chat template', isBroken: false }],
  [
    'a tokenizer of an unknown type',
    { tokenizer: '{"model":{"type":"Telepathy","vocab":{}},"added_tokens":[]}' },
    { reason: expect.stringContaining('cannot be used: '), isBroken: true },
  ],
  [
    'a template with a fault',
    { template: '{% for %}' },
    { reason: expect.stringContaining('cannot be used: '), isBroken: true },
  ],
])('a model with %s is not counted, and it is said why', async (_, files, expected) => {
  const { id } = await registerModel(registry, files)
  expect(await counters.open('default', id)).toEqual(expected)
})

test('models of other tenants are not there', async () => {
  const { id } = await registerModel(registry)
  await expect(counters.open('other', id)).rejects.toMatchObject({ code: 'not_found' })
})

describe('what an uploaded file makes endless or huge', () => {
  const loop = '{% for i in range(100000) %}'
  const nested = `${loop.repeat(4)}{% set x = i %}${'{% endfor %}'.repeat(4)}{{ messages[0].content }}`
  const split = (pattern: string) =>
    JSON.stringify({
      ...JSON.parse(wordLevelTokenizer()),
      pre_tokenizer: { type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated', invert: false },
    })
  const text = '{{ messages[0].content }}'
  const hostile: [string, Parameters<typeof registerModel>[1]][] = [
    ['a template of nested loops', { template: nested }],
    [
      'an endless regular expression',
      { tokenizer: split('^(\\w+\\w*)+$'), template: `${'a'.repeat(40)}!${text}` },
    ],
    [
      'a template that doubles a text',
      {
        template: `{% set ns = namespace(t='ab') %}${loop}{% set ns.t = ns.t ~ ns.t ~ i %}{% endfor %}{{ ns.t }}`,
      },
    ],
    [
      'a template that collects lists',
      {
        template: `{% set ns = namespace(t=[]) %}${loop}{% set ns.t = ns.t + [range(100000)] %}{% endfor %}x`,
      },
    ],
  ]

  test.each(hostile)(
    '%s is ended within its limits, and refused by name while this thread turns',
    async (_, files) => {
      const bounded = openTokenCounters(tenants, { time: 3000, memory: 128 })
      const { id } = await registerModel(registry, files)
      const [honest] = [await registerModel(registry)]
      // By this thread's processor time: a busy machine delays turns too.
      const busy = () => {
        const { user, system } = process.threadCpuUsage()
        return (user + system) / 1000
      }
      let longest = 0
      let last = busy()
      const watch = setInterval(() => {
        longest = Math.max(longest, busy() - last)
        last = busy()
      }, 5)
      const refused = bounded.open('default', id).then(
        (counter) => counter,
        (error: unknown) => error,
      )
      // Another tenant's process is free meanwhile.
      const other = await tenants.of('other').list({ limit: 1 })
      expect(other.data).toEqual([])
      const answer = await refused
      clearInterval(watch)
      if (answer instanceof Error) {
        expect(answer).toMatchObject({ code: 'limits_exceeded', param: 'tokenizer' })
        // The same files of another tenant are counted anew, under that tenant's name for them.
        const same = await registerModel(tenants.of('other'), files)
        await expect(bounded.open('other', same.id)).rejects.toThrow(same.id)
        expect(answer.message).toContain(id)
        // Asked again at once it is refused without a process, so sooner than any process could be ended.
        const before = performance.now()
        await expect(bounded.open('default', id)).rejects.toMatchObject({ code: 'limits_exceeded' })
        expect(performance.now() - before).toBeLessThan(3000)
      } else expect(answer).toMatchObject({ isBroken: true })
      expect(longest).toBeLessThan(1000)
      const counter = (await bounded.open('default', honest.id)) as TokenCounter
      expect(await counter.ofPrompt(hello)).toBe(4)
    },
  )

  test('one tenant’s endless templates leave the other tenants a process', async () => {
    const bounded = openTokenCounters(tenants, { time: 15_000 })
    const endless = await Promise.all(
      [0, 1, 2].map((n) => registerModel(registry, { template: `${nested}${n}` })),
    )
    const honest = await registerModel(tenants.of('other'))
    const stuck = endless.map(({ id }) => bounded.open('default', id).catch((error: unknown) => error))
    let isStuck = true
    void Promise.race(stuck).then(() => {
      isStuck = false
    })
    expect(await bounded.open('other', honest.id)).toMatchObject({ model: honest.id })
    expect(isStuck).toBe(true)
  })
})
