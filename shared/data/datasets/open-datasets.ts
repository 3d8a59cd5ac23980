import { hash, randomUUID } from 'node:crypto'
import type { Dataset, DatasetFile, DatasetPreviewRow, DatasetRequest } from '../../core/contracts/dataset.ts'
import type { DatasetPreview } from '../../core/contracts/dataset-preview.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { LabelChange } from '../../core/contracts/labels.ts'
import type { List, ListQuery } from '../../core/contracts/list.ts'
import { checkTenant } from '../../core/contracts/tenant.ts'
import { isTransient } from '../../core/engine/episodes/episode-error.ts'
import { newIdentifier } from '../../core/engine/identifiers.ts'
import { deleteLabelledEntry } from '../../core/engine/labels/delete-labelled-entry.ts'
import type { LabelledEntryFilter } from '../../core/engine/labels/find-labelled-entries.ts'
import { changeLabels } from '../../core/engine/labels/label-ledger.ts'
import { toLabels } from '../../core/engine/labels/labels.ts'
import { isDamage } from '../../core/world/damage-book.ts'
import type { World } from '../../core/world/ports.ts'
import { type QueueConsumer, startQueueConsumer } from '../../core/world/queue-consumer.ts'
import type { BuildSources } from './build/advance-dataset.ts'
import { buildLedger, buildPartitions } from './build/build-ledger.ts'
import { DatasetTakenOverError } from './build/dataset-taken-over-error.ts'
import { removeLeftovers } from './build/remove-leftovers.ts'
import { datasetKey } from './build/shard.ts'
import { BuiltDatasets } from './built-datasets.ts'
import { canonicalJson } from './canonical-json.ts'
import type { CheckNeeds } from './check-request.ts'
import { datasetItemKey, tenantDatasetLedger } from './dataset-ledger.ts'
import { isAbsent } from './is-absent.ts'
import type { AttemptNeeds } from './open-attempts.ts'
import { previewRows, type RowQuery } from './preview-rows.ts'
import {
  type DatasetWork,
  datasetMessageSchema,
  type NextWork,
  neverEnded,
  takeDatasetMessage,
} from './take-dataset-message.ts'

export interface TenantDatasets {
  /**
   * One tenant's datasets. Those of other tenants are `not_found`.
   *
   * @throws EspalierError `invalid_request` for an invalid name of a tenant
   */
  of(tenant: string): Datasets
  /**
   * Does one piece of a build, resumes after an interruption, and records the dataset's end.
   *
   * Throws when it is aborted, when another builder takes over, and on a fault of storage. Throws on other transient
   * faults too, unless this is the last try. The work can then be retried.
   *
   * @returns the next work; empty for a dataset that has ended
   */
  advance(work: DatasetWork, options?: { signal?: AbortSignal; lastTry?: boolean }): Promise<NextWork[]>
  /** Fails a dataset that has not ended, as when every try killed its process. */
  giveUp(dataset: string, reason: string): Promise<void>
  start(options?: { onError?: (error: unknown) => void }): QueueConsumer
}

export interface Datasets {
  /**
   * Requests a dataset and returns immediately; a worker builds it from the queue.
   *
   * @throws EspalierError `not_found` for an unknown source, `invalid_state` for a run without an ended episode,
   * `invalid_request` for a source named twice, each with its path in the request; `invalid_request` for parameters
   * that are not the kind's and for a format that cannot hold it; `idempotency_key_reused` when another request used
   * the key before. The same key and request return the first call's dataset.
   */
  create(request: DatasetRequest, options?: { idempotencyKey?: string }): Promise<Dataset>
  /**
   * Previews a request by the first tasks of its sources. Stores nothing and asks no model.
   *
   * @throws EspalierError as {@link create} does
   */
  preview(request: DatasetRequest): Promise<DatasetPreview>
  /** @throws EspalierError `not_found` */
  get(dataset: string): Promise<Dataset>
  /**
   * Newest first, without archived ones unless requested. With filters, a page can have `has_more` and few datasets,
   * or none.
   */
  list(query: ListQuery & LabelledEntryFilter): Promise<List<Dataset>>
  /** Changes the dataset's labels. @throws EspalierError `not_found` */
  label(dataset: string, change: LabelChange): Promise<Dataset>
  /**
   * Deletes an ended dataset with its files, without checking for references to it.
   *
   * @throws EspalierError `not_found`; `invalid_state` for one that has not ended
   */
  delete(dataset: string): Promise<void>
  /**
   * Every file with its key in `World.objects`, the manifest included.
   *
   * @throws EspalierError `not_found`; `invalid_state` until the dataset has succeeded
   */
  files(dataset: string): Promise<(DatasetFile & { key: string })[]>
  /**
   * The pictures stored beside the data, as files: `images/{sha256}.{png,jpg,webp}`; none if rows show none, or hold
   * them.
   *
   * @throws EspalierError as {@link files} does
   */
  pictures(dataset: string): Promise<(DatasetFile & { key: string })[]>
  /**
   * Its `README.md`: a description, and how each trainer loads it.
   *
   * @throws EspalierError `not_found`; `invalid_state` until the dataset has succeeded
   */
  readme(dataset: string): Promise<string>
  /**
   * Some rows of a split.
   *
   * @throws EspalierError `not_found`; `invalid_state` until the dataset has succeeded; `invalid_request` for an
   * unknown split
   */
  rows(dataset: string, query: RowQuery): Promise<List<DatasetPreviewRow>>
}

export interface DatasetNeeds extends BuildSources {
  world: World
  checkEndpoint(
    ...asked: [...Parameters<CheckNeeds['checkEndpoint']>, tenant: string]
  ): ReturnType<CheckNeeds['checkEndpoint']>
}

export function openDatasets(needs: DatasetNeeds): TenantDatasets {
  const { world } = needs
  const ledger = buildLedger(world.ledger)

  async function advance(
    work: DatasetWork,
    options: { signal?: AbortSignal; lastTry?: boolean } = {},
  ): Promise<NextWork[]> {
    const { signal, lastTry = true } = options
    const { dataset: id } = work
    const next = await tryToAdvance(work, signal, lastTry)
    // Outside the try: a succeeded dataset does not fail because of leftovers. A retry of the message removes them.
    const { status } = (await ledger.read(id)).dataset
    if (status === 'succeeded' || status === 'failed') await removeLeftovers(world.objects, id)
    return next
  }

  async function giveUp(id: string, reason: string): Promise<void> {
    if (!(await ledger.giveUp(id, reason))) return
    // The receiver finds an ended dataset, and removes the leftovers of its build.
    await world.queues.datasets.send([{ body: { dataset: id }, group: id }])
  }

  async function tryToAdvance(
    work: DatasetWork,
    signal: AbortSignal | undefined,
    lastTry: boolean,
  ): Promise<NextWork[]> {
    const builder = randomUUID()
    try {
      // Only builders import kinds, formats and file writers, so they are not loaded at each start.
      const { advanceDataset } = await import('./build/advance-dataset.ts')
      return await advanceDataset({ ...needs, ledger }, work, builder, { signal })
    } catch (error) {
      if (signal?.aborted || error instanceof DatasetTakenOverError || isUnknownDataset(error)) throw error
      const message = error instanceof Error ? error.message : String(error)
      const isFinal = !isTransient(error) && (lastTry || !mayPass(error))
      const by = work.part === undefined ? builder : null
      await (isFinal ? ledger.fail(work.dataset, message, by) : ledger.showError(work.dataset, message, by))
      if (!isFinal) throw error
      return []
    }
  }

  return {
    of: (tenant) => {
      const sources = { runs: needs.runs.of(tenant), trajectories: needs.trajectories.of(tenant) }
      const checkEndpoint: CheckNeeds['checkEndpoint'] = (choice, param) =>
        needs.checkEndpoint(choice, param, tenant)
      return datasetsOf(world, checkTenant(tenant), { ...needs, ...sources, checkEndpoint })
    },
    advance,
    giveUp,
    start(options = {}) {
      const onError = options.onError ?? ((error) => process.emitWarning(String(error), 'DatasetWarning'))
      const { clock } = world
      const queue = world.queues.datasets
      return startQueueConsumer({
        queue,
        clock,
        onError,
        take: (message, signal) => takeDatasetMessage({ queue, advance, giveUp, onError }, message, signal),
        async bury({ body, group }) {
          // Of a damaged message: this one leads to all that the build still lacks.
          if (body === null && group !== '') return queue.send([{ body: { dataset: group }, group }])
          const { data } = datasetMessageSchema.safeParse(body)
          if (data === undefined) onError(new Error('The queue held a message that names no dataset.'))
          else await giveUp(data.dataset, neverEnded)
        },
      })
    },
  }
}

function datasetsOf(
  world: World,
  tenant: string,
  needs: Omit<CheckNeeds, 'showsPictures'> & Omit<AttemptNeeds, 'objects'>,
): Datasets {
  const sources = { ...needs, objects: world.objects }
  const checks: CheckNeeds = {
    ...needs,
    showsPictures: async (run) => (await import('./shows-pictures.ts')).showsPictures(sources, run),
  }
  const ledger = tenantDatasetLedger(world.ledger, tenant)
  const built = new BuiltDatasets(world.objects, (id) => ledger.read(id))

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
    const { checkRequest } = await import('./check-request.ts')
    const checked = await checkRequest(checks, request)
    const dataset = queuedDataset(checked, world.clock.now())
    // Send the message first: otherwise a kill in between would leave a dataset that is never built.
    await world.queues.datasets.send([{ body: { dataset: dataset.id }, group: dataset.id, delay: 1 }])
    if (await ledger.add(dataset, key)) return dataset
    const rival = key === null ? null : await findEarlier(key)
    if (rival === null) throw new Error(`The dataset ${dataset.id} could not be stored.`)
    return rival
  }

  async function findEarlier(key: { value: string; digest: string }): Promise<Dataset | null> {
    const earlier = await ledger.findByKey(key.value)
    if (earlier === null) return null
    if (await isGone(earlier.dataset)) {
      await ledger.forgetKey(key.value, earlier.dataset)
      return null
    }
    if (earlier.digest === key.digest) return get(earlier.dataset)
    throw new EspalierError(
      'idempotency_key_reused',
      'This Idempotency-Key came before with another request. Send the same request, or a new key.',
    )
  }

  async function isGone(id: string): Promise<boolean> {
    try {
      await ledger.read(id)
      return false
    } catch (error) {
      if (isUnknownDataset(error)) return true
      throw error
    }
  }

  async function get(id: string): Promise<Dataset> {
    return built.complete(await ledger.read(id))
  }

  async function remove(id: string): Promise<void> {
    const dataset = await ledger.read(id)
    if (dataset.status !== 'succeeded' && dataset.status !== 'failed') {
      const message = `The dataset ${id} is ${dataset.status} and cannot be deleted. Wait until it has ended.`
      throw new EspalierError('invalid_state', message, { param: 'dataset' })
    }
    await deleteLabelledEntry(world, ledger.thing(id), {
      labels: toLabels(dataset),
      listed: [ledger.listed(id)],
      only: [{ is: 'equal', attribute: 'status', value: dataset.status }],
      remains: {
        partitions: [buildPartitions.parts(id), buildPartitions.files(id)],
        prefix: datasetKey(id, ''),
        items: [datasetItemKey(id)],
      },
    })
  }

  return {
    create,
    get,
    async list(query) {
      const page = await ledger.list(query)
      return { ...page, data: await Promise.all(page.data.map((dataset) => built.complete(dataset))) }
    },
    async label(id, change) {
      const labels = toLabels(await ledger.read(id))
      await changeLabels(world, ledger.thing(id), change, labels)
      return get(id)
    },
    delete: remove,
    files: async (id) => (await built.read(id)).files,
    pictures: (id) => built.pictures(id),
    readme: (id) => built.readme(id),
    async rows(id, query) {
      const { dataset, files } = await built.read(id)
      return previewRows(world.objects, { format: dataset.request.format, files }, query)
    },
    async preview(request) {
      const { checkRequest } = await import('./check-request.ts')
      const { previewDataset } = await import('./preview/preview-dataset.ts')
      const checked = await checkRequest(checks, request)
      return previewDataset(sources, checked, () => world.clock.now())
    },
  }
}

/** A dataset before its build. @param now - milliseconds since 1970 */
function queuedDataset(request: DatasetRequest, now: number): Dataset {
  return {
    id: newIdentifier('dataset', now),
    object: 'dataset',
    name: request.name ?? null,
    status: 'queued',
    error: null,
    created_at: new Date(now).toISOString(),
    request,
    progress: { phase: 'planning', parts: 0, parts_done: 0 },
    annotation_run: null,
    rows: 0,
    splits: {},
    left_out: {},
    gates: {},
    tokens: null,
    warnings: [],
    files: [],
  }
}

function mayPass(error: unknown): boolean {
  return !EspalierError.isInstance(error) || (error.status >= 500 && !isDamage(error))
}

/** A message is sent before its dataset is stored, and a dataset that was never stored cannot fail. */
function isUnknownDataset(error: unknown): boolean {
  return isAbsent(error) && EspalierError.isInstance(error) && error.param === 'dataset'
}

function digestOf(request: DatasetRequest): string {
  return hash('sha256', canonicalJson(request), 'hex')
}
