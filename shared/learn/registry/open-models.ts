import { hash } from 'node:crypto'
import { basename, dirname, resolve } from 'node:path'
import { EspalierError } from '../../core/contracts/errors.ts'
import { toList } from '../../core/contracts/list.ts'
import {
  type ModelFile,
  type ModelLineage,
  type RegisteredModel,
  registeredModelSchema,
} from '../../core/contracts/registered-model.ts'
import { checkTenant } from '../../core/contracts/tenant.ts'
import { newIdentifier } from '../../core/engine/identifiers.ts'
import type { World } from '../../core/world/ports.ts'
import { modelFiles } from './model-files.ts'
import { tenantModelLedger } from './model-ledger.ts'
import type { ModelRegistration, ModelRegistry, TenantModels } from './model-registry.ts'
import { type ModelFacts, readModelFacts } from './read-model-facts.ts'
import { readStoredFile, storePart, writeStoredFile } from './weight-parts.ts'

export interface RegistryNeeds {
  world: World
  /** Uses of a model outside the registry, for example unfinished trainings, each in words. @default none */
  usesOf?: (tenant: string, model: string) => Promise<string[]>
  /** Bytes of a part of a file. @default 64 MiB */
  partBytes?: number
}

const manifestKey = (model: string) => `models/${model}/model.json`
const remoteFacts = { format: 'remote', tokenizer: null, chat_template: null, context_length: null } as const
const longestLineage = 1000

export function openModelRegistry(needs: RegistryNeeds): TenantModels {
  return { of: (tenant) => registryOf(needs, checkTenant(tenant)) }
}

function registryOf({ world, usesOf, partBytes }: RegistryNeeds, tenant: string): ModelRegistry {
  const { objects } = world
  const ledger = tenantModelLedger(world, tenant)
  const stored = modelFiles({ objects, tenant, partBytes })

  async function get(id: string): Promise<RegisteredModel> {
    const { endpoint } = await ledger.read(id)
    const object = await objects.get(manifestKey(id))
    if (object === null) throw new EspalierError('storage_failed', `What is registered as ${id} is missing.`)
    const manifest = JSON.parse(Buffer.from(object.body).toString('utf8'))
    return registeredModelSchema.parse({ ...manifest, endpoint })
  }

  async function register(
    given: ModelRegistration,
    { idempotencyKey }: { idempotencyKey?: string } = {},
  ): Promise<RegisteredModel> {
    const key = idempotencyKey === undefined ? null : { value: idempotencyKey, digest: digestOf(given) }
    const earlier = key === null ? null : await ledger.findByKey(key.value)
    if (earlier !== null) return earlierModel(earlier, key?.digest)
    const remote = given.remote ?? null
    if (remote === null) checkFileNames(given.files)
    else if (given.files.length > 0) throw new Error('A model that a service keeps has no files here.')
    if (typeof given.parent === 'string') await checkParent(given.parent)
    const files = await stored.store(given.files)
    const facts =
      remote === null
        ? await readModelFacts(files, (name) => stored.read(given.files, files, name))
        : remoteFacts
    const model = newModel(given, files, { facts, now: world.clock.now() })
    const added = await ledger.alone(async () => {
      await ledger.use(model.id, partsOf(model))
      await stored.check(files, given.files)
      const { endpoint: _, ...manifest } = model
      await objects.put(manifestKey(model.id), Buffer.from(JSON.stringify(manifest)), {
        content_type: 'application/json',
      })
      if (await ledger.add(model, key)) return true
      await ledger.leave(model.id, partsOf(model))
      await objects.delete(manifestKey(model.id))
      return false
    })
    if (added) return model
    const rival = key === null ? null : await ledger.findByKey(key.value)
    if (rival === null) throw new Error(`The model ${model.id} could not be stored.`)
    return earlierModel(rival, key?.digest)
  }

  function earlierModel(
    earlier: { model: string; digest: string },
    digest: string | undefined,
  ): Promise<RegisteredModel> {
    if (earlier.digest === digest) return get(earlier.model)
    throw new EspalierError(
      'idempotency_key_reused',
      'This Idempotency-Key came before with another registration. Send the same, or a new key.',
    )
  }

  async function checkParent(parent: string): Promise<void> {
    try {
      await ledger.read(parent)
    } catch (error) {
      if (!EspalierError.isInstance(error) || error.code !== 'not_found') throw error
      throw new EspalierError('not_found', error.message, { param: 'parent', cause: error })
    }
  }

  async function remove(id: string): Promise<void> {
    const model = await get(id)
    const uses = [
      ...(model.endpoint === null
        ? []
        : [`it is served as "${model.endpoint}" (espalier models stop ${id} ends that)`]),
      ...(await ledger.childrenOf(id)).map((child) => `${child} was trained from it`),
      ...((await usesOf?.(tenant, id)) ?? []),
    ]
    if (uses.length > 0) throw stillUsed(id, uses)
    await ledger.alone(async () => {
      if (!(await ledger.remove(model))) throw stillUsed(id, ['it is served'])
      await ledger.leave(id, partsOf(model))
      await objects.delete(manifestKey(id))
    })
  }

  async function lineage(id: string): Promise<ModelLineage> {
    const steps: ModelLineage['steps'] = []
    let next: string | null = id
    while (next !== null && steps.length < longestLineage) {
      const { base, created_at, datasets, name, parent, runs, training }: RegisteredModel = await get(next)
      steps.push({ model: next, name, created_at, training, datasets, runs, base })
      next = parent
    }
    return { object: 'model_lineage', model: id, steps, children: await ledger.childrenOf(id) }
  }

  return {
    register,
    async putPart(sha256, body) {
      const found = hash('sha256', body, 'hex')
      if (body.byteLength === 0 || found !== sha256) {
        throw new EspalierError(
          'invalid_request',
          `The body has the SHA-256 ${found}, not ${sha256}. Send the bytes that the digest was taken of.`,
          { param: 'sha256' },
        )
      }
      await storePart(objects, tenant, sha256, body)
      return { object: 'weight_part', sha256, bytes: body.byteLength }
    },
    get,
    async list(query) {
      const { ids, more } = await ledger.list(query)
      return toList(await Promise.all(ids.map(get)), more)
    },
    lineage,
    delete: remove,
    async readFile(id, name) {
      const { files } = await get(id)
      const file = files.find((each) => each.name === name)
      if (file !== undefined) return readStoredFile(objects, tenant, file)
      throw new EspalierError('not_found', `The model ${id} has no file ${name}.`, { param: 'model' })
    },
    async materialize(id, folder) {
      const { files, remote } = await get(id)
      if (remote !== null) {
        throw new EspalierError(
          'not_supported',
          `The weights of ${id} are kept by the service of the trainer "${remote.trainer}", and are not here.`,
        )
      }
      for (const file of files) await writeStoredFile(objects, tenant, file, resolve(folder))
    },
  }
}

function newModel(
  given: ModelRegistration,
  files: ModelFile[],
  {
    facts,
    now,
  }: {
    facts: Omit<ModelFacts, 'format'> & Pick<RegisteredModel, 'format'>
    now: number
  },
): RegisteredModel {
  return registeredModelSchema.parse({
    id: newIdentifier('model', now),
    object: 'registered_model',
    created_at: new Date(now).toISOString(),
    name: given.name ?? given.remote?.name ?? nameOf(given.files),
    parent: given.parent ?? null,
    base: given.base ?? null,
    training: given.training ?? null,
    datasets: given.datasets ?? [],
    runs: given.runs ?? [],
    format: given.format ?? facts.format,
    tokenizer: given.tokenizer ?? facts.tokenizer,
    chat_template: given.chat_template ?? facts.chat_template,
    context_length: given.context_length ?? facts.context_length,
    licence: given.licence ?? null,
    remote: given.remote ?? null,
    files,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    endpoint: null,
  })
}

function partsOf({ files }: Pick<RegisteredModel, 'files'>): Set<string> {
  return new Set(files.flatMap(({ parts }) => parts.map(({ sha256 }) => sha256)))
}

function nameOf(files: ModelRegistration['files']): string {
  const [first] = files
  if (first === undefined) throw noFiles()
  return 'path' in first ? basename(dirname(resolve(first.path))) : first.name
}

function checkFileNames(files: ModelRegistration['files']): void {
  if (files.length === 0) throw noFiles()
  const seen = new Set<string>()
  for (const { name } of files) {
    if (seen.has(name)) {
      throw new EspalierError('invalid_request', `Two files of the model are named ${name}.`, {
        param: 'files',
      })
    }
    seen.add(name)
  }
}

function noFiles(): EspalierError {
  return new EspalierError('invalid_request', 'A model has at least one file.', { param: 'files' })
}

function stillUsed(id: string, uses: readonly string[]): EspalierError {
  const message = `${id} is used: ${uses.join('; ')}. End that first, then delete it.`
  return new EspalierError('invalid_state', message, { param: 'model' })
}

/** The same registration has the same digest, even if its files have moved. */
function digestOf({ files, ...facts }: ModelRegistration): string {
  const named = files.map((file) => ('path' in file ? file.name : `${file.name} ${file.sha256}`))
  return hash('sha256', JSON.stringify([Object.entries(facts).toSorted(), named]), 'hex')
}
