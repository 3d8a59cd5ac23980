import { expect, test } from 'vitest'
import { readModelFacts } from '../../../shared/learn/registry/read-model-facts.ts'

const facts = (texts: Readonly<Record<string, string>>) =>
  readModelFacts(
    ['model.safetensors', ...Object.keys(texts)].map((name) => ({ name, bytes: texts[name]?.length ?? 1 })),
    async (name) => Buffer.from(texts[name] ?? ''),
  )

test.each([
  ['a list', '[1]', /config\.json of the model is no JSON object/],
  ['null', 'null', /is no JSON object/],
  [
    'a million levels',
    `${'{"a":'.repeat(1_000_000)}1${'}'.repeat(1_000_000)}`,
    /nests deeper than 200 levels/,
  ],
  ['no end', '['.repeat(3_000_000), /is not JSON/],
])('settings that are %s are refused by their file', async (_, text, message) => {
  for (const name of ['config.json', 'tokenizer_config.json']) {
    await expect(facts({ [name]: text })).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'files',
      message: expect.stringMatching(message.source.replace(/^config/, name.replace('.json', ''))),
    })
  }
})

test('settings of more than 8 MiB are not read', async () => {
  const files = [
    { name: 'model.safetensors', bytes: 1 },
    { name: 'chat_template.jinja', bytes: 9_000_000 },
  ]
  const read = async () => Promise.reject(new Error('It was read.'))
  await expect(readModelFacts(files, read)).rejects.toMatchObject({ code: 'limits_exceeded', param: 'files' })
})

test('numbers beyond any context are left out', async () => {
  expect(await facts({ 'config.json': '{"max_position_embeddings": 1e999}' })).toMatchObject({
    context_length: null,
  })
})
