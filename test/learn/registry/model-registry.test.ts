import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { World } from '../../../shared/core/world/ports.ts'
import type { ModelRegistry } from '../../../shared/learn/registry/model-registry.ts'
import { openModelRegistry } from '../../../shared/learn/registry/open-models.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let world: World
let registry: ModelRegistry
let uses: string[]

beforeEach(async () => {
  world = await openTestWorld()
  uses = []
  registry = openModelRegistry({ world, usesOf: async () => uses, partBytes: 1000 }).of('default')
})

const digestOf = (body: Uint8Array) => createHash('sha256').update(body).digest('hex')

/** Files of a model as they lie in a folder. */
async function writeModel(weights = randomBytes(2500)): Promise<{ name: string; path: string }[]> {
  const folder = join(await temporaryFolder(), 'tiny-model')
  await mkdir(folder)
  const files = {
    'config.json': JSON.stringify({ model_type: 'qwen2', max_position_embeddings: 2048 }),
    'tokenizer.json': '{}',
    'tokenizer_config.json': JSON.stringify({ chat_template: '{{ messages }}' }),
    'model.safetensors': weights,
  }
  return Promise.all(
    Object.entries(files).map(async ([name, body]) => {
      await writeFile(join(folder, name), body)
      return { name, path: join(folder, name) }
    }),
  )
}

/** How many parts of weights are stored. */
async function partCount(): Promise<number> {
  return (await world.objects.list('weights/')).objects.length
}

test('a model knows what its files say of it, and its weights are cut into parts by digest', async () => {
  const weights = randomBytes(2500)
  const model = await registry.register({ files: await writeModel(weights), datasets: ['dataset-1'] })
  expect(model).toMatchObject({
    name: 'tiny-model',
    format: 'safetensors',
    tokenizer: 'tokenizer.json',
    chat_template: '{{ messages }}',
    context_length: 2048,
    datasets: ['dataset-1'],
    endpoint: null,
  })
  const file = model.files.find(({ name }) => name === 'model.safetensors')
  expect(file).toMatchObject({ bytes: 2500, sha256: digestOf(weights) })
  expect(file?.parts.map(({ bytes }) => bytes)).toEqual([1000, 1000, 500])
  expect(await registry.get(model.id)).toEqual(model)
  expect((await registry.list({ limit: 10 })).data).toEqual([model])
})

test('files are written to a folder as they were, again where one was changed there', async () => {
  const weights = randomBytes(2500)
  const { id } = await registry.register({ files: await writeModel(weights) })
  const folder = await temporaryFolder()
  await registry.materialize(id, folder)
  expect(await readFile(join(folder, 'model.safetensors'))).toEqual(weights)
  await writeFile(join(folder, 'model.safetensors'), randomBytes(2500))
  await registry.materialize(id, folder)
  expect(await readFile(join(folder, 'model.safetensors'))).toEqual(weights)
  expect((await readdir(folder)).toSorted()).toEqual([
    'config.json',
    'model.safetensors',
    'tokenizer.json',
    'tokenizer_config.json',
  ])
})

test('a part that was changed in the store is refused, and leaves no file', async () => {
  const { id, files } = await registry.register({ files: await writeModel() })
  const part = files.find(({ name }) => name === 'model.safetensors')?.parts[1]
  await world.objects.put(`weights/default/${part?.sha256}`, randomBytes(1000))
  const folder = await temporaryFolder()
  await expect(registry.materialize(id, folder)).rejects.toMatchObject({ code: 'storage_failed' })
  expect(await readdir(folder)).not.toContain('model.safetensors')
})

test('models with the same bytes share their parts until the last of them is deleted', async () => {
  const files = await writeModel()
  const first = await registry.register({ files })
  const stored = await partCount()
  const second = await registry.register({ files, name: 'again' })
  expect(await partCount()).toBe(stored)
  await registry.delete(first.id)
  await registry.materialize(second.id, await temporaryFolder())
  await registry.delete(second.id)
  expect(await partCount()).toBe(0)
  await expect(registry.get(second.id)).rejects.toMatchObject({ code: 'not_found' })
})

test('a model is not deleted while it is used, and the refusal names the use', async () => {
  const parent = await registry.register({ files: await writeModel() })
  const child = await registry.register({ files: await writeModel(), parent: parent.id })
  await expect(registry.delete(parent.id)).rejects.toThrow(`${child.id} was trained from it`)
  uses = ['training-1 starts from it']
  await expect(registry.delete(child.id)).rejects.toThrow('training-1 starts from it')
  uses = []
  await registry.delete(child.id)
  await registry.delete(parent.id)
})

test('a lineage leads from a model through its parents to what each was made from', async () => {
  const base = { hub: 'Qwen/Qwen3-0.6B' }
  const first = await registry.register({ files: await writeModel(), base })
  const second = await registry.register({
    files: await writeModel(),
    parent: first.id,
    training: 'training-2',
    datasets: ['dataset-2'],
    runs: ['run-2'],
  })
  const { steps, children } = await registry.lineage(second.id)
  expect(steps.map(({ model }) => model)).toEqual([second.id, first.id])
  expect(steps[0]).toMatchObject({ training: 'training-2', datasets: ['dataset-2'], runs: ['run-2'] })
  expect(steps[1]).toMatchObject({ training: null, base })
  expect(children).toEqual([])
  expect((await registry.lineage(first.id)).children).toEqual([second.id])
})

test('the same key registers once, and refuses another registration', async () => {
  const files = await writeModel()
  const named = { idempotencyKey: 'loop/1/round/1/train' }
  const first = await registry.register({ files, training: 'training-1' }, named)
  expect((await registry.register({ files, training: 'training-1' }, named)).id).toBe(first.id)
  await expect(registry.register({ files, training: 'training-2' }, named)).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  })
  expect((await registry.list({ limit: 10 })).data).toHaveLength(1)
})

test('files are registered from parts that were uploaded, once all of them are there', async () => {
  const [head, tail] = [randomBytes(700), randomBytes(300)]
  const whole = Buffer.concat([head, tail])
  const parts = [head, tail].map((body) => ({ sha256: digestOf(body), bytes: body.byteLength }))
  const file = { name: 'model.gguf', bytes: 1000, sha256: digestOf(whole), parts }
  await registry.putPart(digestOf(head), head)
  await expect(registry.putPart(digestOf(head), tail)).rejects.toMatchObject({ param: 'sha256' })
  await expect(registry.register({ name: 'g', files: [file] })).rejects.toThrow(digestOf(tail))
  await registry.putPart(digestOf(tail), tail)
  const model = await registry.register({ name: 'g', files: [file] })
  expect(model.format).toBe('gguf')
  const folder = await temporaryFolder()
  await registry.materialize(model.id, folder)
  expect(await readFile(join(folder, 'model.gguf'))).toEqual(whole)
})

test('files without weights, with weights in pickles, or of one name are refused', async () => {
  const [config, , , weights] = await writeModel()
  if (config === undefined || weights === undefined) throw new Error('The model has no files.')
  await expect(registry.register({ files: [config] })).rejects.toThrow('hold no weights')
  const pickle = { ...weights, name: 'pytorch_model.bin' }
  await expect(registry.register({ files: [config, pickle] })).rejects.toThrow('reading them runs code')
  await expect(registry.register({ files: [weights, weights] })).rejects.toMatchObject({ param: 'files' })
  await expect(registry.register({ files: [weights], parent: 'model-0' })).rejects.toMatchObject({
    code: 'not_found',
    param: 'parent',
  })
})

test("another tenant's models are not there, and neither are their parts", async () => {
  const files = await writeModel()
  const model = await registry.register({ files })
  const other = openModelRegistry({ world }).of('other')
  await expect(other.get(model.id)).rejects.toMatchObject({ code: 'not_found' })
  await expect(other.register({ files: model.files })).rejects.toMatchObject({ code: 'conflict' })
  expect((await other.list({ limit: 10 })).data).toEqual([])
})
