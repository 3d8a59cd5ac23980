import { hash, randomUUID } from 'node:crypto'
import { type Dataset, type DatasetFile, type DatasetRequest, datasetSchema } from '../contracts/dataset.ts'
import { EspalierError } from '../contracts/errors.ts'
import type { List, ListQuery } from '../contracts/list.ts'
import { checkTenant } from '../contracts/tenant.ts'
import { isTransient } from '../engine/episodes/episode-error.ts'
import { newIdentifier } from '../engine/identifiers.ts'
import type { Runs } from '../engine/runs/runs.ts'
import type { World } from '../world/ports.ts'
import { buildDataset } from './build-dataset.ts'
import { checkRuns } from './check-runs.ts'
import { type DatasetConsumer, startDatasetConsumer } from './dataset-consumer.ts'
import { buildLedger, tenantDatasetLedger } from './dataset-ledger.ts'
import { packFile } from './gzip-lines.ts'
import { datasetKey } from './shard.ts'

/** The datasets of every tenant. */
export interface TenantDatasets {
  /**
   * One tenant's datasets. Those of others are `not_found`, as if they were not there.
   *
   * @throws EspalierError `invalid_request` for what is not the name of a tenant
   */
  of(tenant: string): Datasets
  /**
   * Builds the dataset from its tenant's runs, going on where an earlier build was stopped, and records how it ended.
   * Does nothing for one that has ended. Throws, and leaves the dataset to be built again, when it is aborted, when
   * another builder takes over, on a fault of storage, and on another that may pass unless this is the last try.
   */
  build(dataset: string, options?: { signal?: AbortSignal; lastTry?: boolean }): Promise<void>
  /** Fails a dataset that has not ended, as when every try killed its process. */
  giveUp(dataset: string, reason: string): Promise<void>
  /** Builds what comes through the queue. `onError` is told of faults; by default they are process warnings. */
  start(options?: { onError?: (error: unknown) => void }): DatasetConsumer
}

/** A tenant's datasets: what the HTTP API offers, without HTTP. */
export interface Datasets {
  /**
   * Asks for a dataset and answers at once; it is built from the queue.
   *
   * @throws EspalierError `not_found` for an unknown run, `invalid_state` for one of which no episode has ended,
   * `invalid_request` for one named twice, each with its place in `runs`; `idempotency_key_reused` when the key came
   * before with another request. With the same key and request, the first call's dataset is answered.
   */
  create(request: DatasetRequest, options?: { idempotencyKey?: string }): Promise<Dataset>
  /** @throws EspalierError `not_found` */
  get(dataset: string): Promise<Dataset>
  /** Newest first. */
  list(query: ListQuery): Promise<List<Dataset>>
  /**
   * Every file with its key in `World.objects`, the manifest included.
   *
   * @throws EspalierError `not_found`; `invalid_state` until the dataset has succeeded
   */
  files(dataset: string): Promise<(DatasetFile & { key: string })[]>
}

type SourceRuns = Pick<Runs, 'get' | 'episodes' | 'tree'>

export function openDatasets(needs: {
  world: World
  runs: { of(tenant: string): SourceRuns }
}): TenantDatasets {
  const { world, runs } = needs
  const ledger = buildLedger(world.ledger)

  async function build(id: string, options: { signal?: AbortSignal; lastTry?: boolean } = {}): Promise<void> {
    const { signal, lastTry = true } = options
    const builder = randomUUID()
    const claimed = await ledger.claim(id, builder)
    if (claimed === null) return
    try {
      const { rows, left_out } = await buildDataset(claimed.dataset, {
        objects: world.objects,
        runs: runs.of(claimed.tenant),
        shards: await ledger.shards(id),
        beforeShard: () => ledger.checkClaim(id, builder),
        commit: (shard) => ledger.addShard(id, builder, shard),
        signal,
      })
      await ledger.settle(id, builder, { status: 'succeeded', error: null, rows, left_out })
    } catch (error) {
      if (signal?.aborted) throw error
      const final = !isTransient(error) && (lastTry || !mayPass(error))
      const message = error instanceof Error ? error.message : String(error)
      await ledger.settle(id, builder, { status: final ? 'failed' : 'running', error: message })
      if (!final) throw error
    }
  }

  return {
    of: (tenant) => datasetsOf(world, checkTenant(tenant), runs.of(tenant)),
    build,
    giveUp: (id, reason) => ledger.giveUp(id, reason),
    start(options = {}) {
      const onError = options.onError ?? ((error) => process.emitWarning(String(error), 'DatasetWarning'))
      const { queues, clock } = world
      return startDatasetConsumer({ queue: queues.datasets, clock, build, giveUp: ledger.giveUp, onError })
    },
  }
}

function datasetsOf(world: World, tenant: string, runs: SourceRuns): Datasets {
  const ledger = tenantDatasetLedger(world.ledger, tenant)

  async function create(
    request: DatasetRequest,
    options: { idempotencyKey?: string } = {},
  ): Promise<Dataset> {
    const key =
      options.idempotencyKey === undefined
        ? null
        : { value: options.idempotencyKey, digest: digestOf(request) }
    const earlier = key === null ? null : await findEarlier(key)
    if (earlier !== null) return earlier
    await checkRuns(runs, request.runs)
    const now = world.clock.now()
    const dataset: Dataset = {
      id: newIdentifier('dataset', now),
      object: 'dataset',
      name: request.name ?? null,
      status: 'queued',
      error: null,
      created_at: new Date(now).toISOString(),
      request,
      rows: 0,
      left_out: {},
      files: [],
    }
    // The message goes first: were it second, a kill in between would leave a dataset that nobody builds.
    await world.queues.datasets.send([{ body: { dataset: dataset.id }, group: dataset.id, delay: 1 }])
    if (await ledger.add(dataset, key)) return dataset
    const rival = key === null ? null : await findEarlier(key)
    if (rival === null) throw new Error(`The dataset ${dataset.id} could not be stored.`)
    return rival
  }

  async function findEarlier(key: { value: string; digest: string }): Promise<Dataset | null> {
    const earlier = await ledger.findByKey(key.value)
    if (earlier === null) return null
    if (earlier.digest === key.digest) return get(earlier.dataset)
    throw new EspalierError(
      'idempotency_key_reused',
      'This Idempotency-Key came before with another request. Send the same request, or a new key.',
    )
  }

  async function get(id: string): Promise<Dataset> {
    return withFiles(await ledger.read(id))
  }

  /** The files of a finished dataset stand in its manifest alone: there may be more than a ledger item holds. */
  async function withFiles(dataset: Dataset): Promise<Dataset> {
    return dataset.status === 'succeeded' ? (await readManifest(dataset.id)).manifest : dataset
  }

  async function readManifest(id: string): Promise<{ manifest: Dataset; file: DatasetFile; key: string }> {
    const name = 'manifest.json'
    const key = datasetKey(id, name)
    const object = await world.objects.get(key)
    if (object === null) {
      throw new EspalierError('storage_failed', `The file ${key} is missing. Build the dataset again.`)
    }
    const { bytes, sha256 } = packFile(object.body)
    const manifest = datasetSchema.parse(JSON.parse(Buffer.from(object.body).toString('utf8')))
    return { manifest, file: { name, rows: null, bytes, sha256 }, key }
  }

  return {
    create,
    get,
    async list(query) {
      const page = await ledger.list(query)
      return { ...page, data: await Promise.all(page.data.map(withFiles)) }
    },
    async files(id) {
      const dataset = await ledger.read(id)
      if (dataset.status !== 'succeeded') throw notBuilt(dataset)
      const { manifest, file, key } = await readManifest(id)
      return [
        ...manifest.files.map((each) => ({ ...each, key: datasetKey(id, each.name) })),
        { ...file, key },
      ]
    },
  }
}

/** Faults of storage and bugs are tried again; what the request or its runs cause is not. */
function mayPass(error: unknown): boolean {
  return !EspalierError.isInstance(error) || error.status >= 500
}

function notBuilt(dataset: Dataset): EspalierError {
  const message =
    dataset.status === 'failed'
      ? `The dataset failed and has no files: ${dataset.error}`
      : `The dataset is ${dataset.status}. Its files can be had once its status is "succeeded".`
  return new EspalierError('invalid_state', message, { param: 'dataset' })
}

function digestOf(request: DatasetRequest): string {
  const entries = Object.entries(request).toSorted(([left], [right]) => (left < right ? -1 : 1))
  return hash('sha256', JSON.stringify(entries), 'hex')
}
