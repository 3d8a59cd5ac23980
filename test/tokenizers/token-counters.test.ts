import { beforeEach, expect, test } from 'vitest'
import type { Message } from '../../shared/contracts/message.ts'
import type { TokenCounter } from '../../shared/models/token-counter.ts'
import type { ModelRegistry, TenantModels } from '../../shared/registry/model-registry.ts'
import { openModelRegistry } from '../../shared/registry/open-models.ts'
import { openTokenCounters, type TokenCounters } from '../../shared/tokenizers/token-counters.ts'
import { openTestWorld } from '../support/open-test-world.ts'
import { registerModel } from './register-model.ts'
import { bytePairTokenizer, wordLevelTokenizer } from './tiny-tokenizers.ts'

const hello: Message[] = [{ role: 'user', content: 'hello' }]

let registry: ModelRegistry
let counters: TokenCounters
let reads: string[]

beforeEach(async () => {
  const tenants = openModelRegistry({ world: await openTestWorld() })
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
  return (counter as TokenCounter).ofPrompt(hello)
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
  for (const word of ['a', 'b', 'c', 'd']) {
    models.push(await registerModel(registry, { tokenizer: wordLevelTokenizer([word]) }))
  }
  for (const { id } of models) await count(id)
  await count(models[3]?.id ?? '')
  expect(reads).toHaveLength(4)
  await count(models[0]?.id ?? '')
  expect(reads).toHaveLength(5)
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
