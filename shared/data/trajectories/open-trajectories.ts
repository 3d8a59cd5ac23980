import { hash } from 'node:crypto'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { LabelChange } from '../../core/contracts/labels.ts'
import { type List, type ListQuery, toList } from '../../core/contracts/list.ts'
import { checkTenant } from '../../core/contracts/tenant.ts'
import type {
  ImportedFacts,
  ImportSettings,
  Rejection,
  TrajectoryImport,
} from '../../core/contracts/trajectory-import.ts'
import { newIdentifier } from '../../core/engine/identifiers.ts'
import { deleteLabelledEntry } from '../../core/engine/labels/delete-labelled-entry.ts'
import { changeLabels } from '../../core/engine/labels/label-ledger.ts'
import { toLabels } from '../../core/engine/labels/labels.ts'
import type { World } from '../../core/world/ports.ts'
import { type ImportPart, importLedger } from './import-ledger.ts'
import type { ImportedTrajectories } from './imported-trajectories.ts'
import { partFiles } from './part-files.ts'
import type { ReadBodyResult, readBody } from './read-body.ts'
import { type DataOf, digestOf, storeBody } from './store-body.ts'

export interface ImportRequest {
  name: string | null
  settings: ImportSettings
}

export interface BodyOptions {
  file?: string
  more: boolean
}

export interface Trajectories extends ImportedTrajectories {
  /**
   * Creates an import of the rows of a body, which may be empty if more are announced.
   *
   * @throws EspalierError `invalid_request` if the whole body has no trajectory; `idempotency_key_reused` when
   * another request used the key before. The same key and request return the first call's import.
   */
  create(
    request: ImportRequest,
    body: Uint8Array,
    options: BodyOptions & { idempotencyKey?: string },
  ): Promise<TrajectoryImport>
  /**
   * Adds rows to an import that announced more. The same body sent again changes nothing.
   *
   * @param options.first - the number of the body's first row: the import's `next`
   * @throws EspalierError `not_found`; `invalid_state` for one that is complete; `conflict` if `first` is not the
   * next row
   */
  append(id: string, body: Uint8Array, options: BodyOptions & { first: number }): Promise<TrajectoryImport>
  /** Changes the import's labels. @throws EspalierError `not_found` */
  label(id: string, change: LabelChange): Promise<TrajectoryImport>
  /** Deletes an import with its rows, without checking for references to it. @throws EspalierError `not_found` */
  delete(id: string): Promise<void>
  /** The recorded properties of each trajectory, in the order of the rows. @throws EspalierError `not_found` */
  page(id: string, query: ListQuery): Promise<List<ImportedFacts & { id: string }>>
  /** The reasons for rejected rows, the first thousand, in their order. @throws EspalierError `not_found` */
  rejections(id: string, query: ListQuery): Promise<List<Rejection>>
}

export interface TenantTrajectories {
  /** @throws EspalierError `invalid_request` for an invalid name of a tenant */
  of(tenant: string): Trajectories
}

export function openTrajectories(needs: { world: World; dataOf?: DataOf }): TenantTrajectories {
  const { world, dataOf = async (_, data) => data ?? null } = needs
  return { of: (tenant) => trajectoriesOf(world, dataOf, checkTenant(tenant)) }
}

function trajectoriesOf(world: World, dataOf: DataOf, tenant: string): Trajectories {
  const ledger = importLedger(world.ledger, tenant)
  const needs = { objects: world.objects, dataOf }

  async function create(
    ...[request, body, options]: Parameters<Trajectories['create']>
  ): Promise<TrajectoryImport> {
    const { more, file = null, idempotencyKey } = options
    const fingerprint = hash('sha256', JSON.stringify([request, more, file, hash('sha256', body)]))
    const key = idempotencyKey === undefined ? null : { value: idempotencyKey, digest: fingerprint }
    const earlier = key === null ? null : await findEarlier(key)
    if (earlier !== null) return earlier
    const read = await readRows(body, request.settings, { file, first: 1 })
    if (!more && read.lines.length === 0) throw nothingIn(read)
    const now = world.clock.now()
    const empty: TrajectoryImport = {
      id: newIdentifier('import', now),
      object: 'trajectory_import',
      status: 'receiving',
      created_at: new Date(now).toISOString(),
      ...request,
      trajectories: 0,
      rejected: 0,
      next: 1,
      parts: 0,
    }
    const { after, part } = await storeBody(needs, empty, { body, read, more })
    if (await ledger.add(after, part, key)) return after
    const rival = key === null ? null : await findEarlier(key)
    if (rival === null) throw new Error(`The import ${empty.id} could not be stored.`)
    return rival
  }

  async function findEarlier(key: { value: string; digest: string }): Promise<TrajectoryImport | null> {
    const earlier = await ledger.findByKey(key.value)
    if (earlier === null) return null
    if (await isGone(earlier.import)) {
      await ledger.forgetKey(key.value, earlier.import)
      return null
    }
    if (earlier.digest === key.digest) return ledger.read(earlier.import)
    throw new EspalierError(
      'idempotency_key_reused',
      `This Idempotency-Key came before with another request, which made ${earlier.import}. Send the same request, or a new key.`,
      { param: 'Idempotency-Key' },
    )
  }

  async function isGone(id: string): Promise<boolean> {
    try {
      await ledger.read(id)
      return false
    } catch (error) {
      if (EspalierError.isInstance(error) && error.code === 'not_found') return true
      throw error
    }
  }

  async function append(
    ...[id, body, options]: Parameters<Trajectories['append']>
  ): Promise<TrajectoryImport> {
    const { first, more, file = null } = options
    const before = await ledger.read(id)
    if (before.status === 'complete' || first !== before.next) return repeated(before, body, options)
    const read = await readRows(body, before.settings, { file, first })
    const { after, part } = await storeBody(needs, before, { body, read, more })
    if (await ledger.advance(before, after, part)) return after
    return append(id, body, options)
  }

  async function repeated(
    before: TrajectoryImport,
    body: Uint8Array,
    { first, more }: { first: number; more: boolean },
  ): Promise<TrajectoryImport> {
    const { id, next, status } = before
    const earlier = await ledger.partFrom(id, first)
    if (earlier?.digest === digestOf(body)) return before
    if (body.byteLength === 0 && first === next && !more) return before
    if (status === 'complete') {
      throw new EspalierError(
        'invalid_state',
        `The imported trajectories ${id} are complete: nothing can be added. Make another import.`,
        { param: 'import' },
      )
    }
    throw new EspalierError(
      'conflict',
      `The next row of ${id} is ${next}, and these begin with ${first}. Send the rows from ${next} on.`,
      { param: 'first' },
    )
  }

  async function* itemsOf<Item>(
    id: string,
    after: number,
    read: (part: ImportPart) => Promise<Item[]>,
  ): AsyncGenerator<Item> {
    for await (const part of ledger.parts(id)) if (part.first + part.rows > after) yield* await read(part)
  }

  return {
    create,
    append,
    get: ledger.read,
    list: ledger.list,
    async label(id, change) {
      await changeLabels(world, ledger.thing(id), change, toLabels(await ledger.read(id)))
      return ledger.read(id)
    },
    async delete(id) {
      const labels = toLabels(await ledger.read(id))
      const remains = ledger.remains(id)
      await deleteLabelledEntry(world, ledger.thing(id), {
        labels,
        listed: [ledger.listed(id)],
        only: [],
        remains,
      })
    },
    async *facts(id, from) {
      const { status, next } = await ledger.read(id)
      if (status === 'receiving') throw incomplete(id, next)
      yield* itemsOf(id, from === undefined ? 0 : rowOf(from), partFiles(world.objects, id).facts)
    },
    async trees(id, part) {
      await ledger.read(id)
      return partFiles(world.objects, id).trees(await ledger.part(id, part))
    },
    async page(id, query) {
      await ledger.read(id)
      const after = rowOf(query.after)
      const facts = itemsOf(id, after, partFiles(world.objects, id).facts)
      return pageOf(withIds(facts), query)
    },
    async rejections(id, query) {
      await ledger.read(id)
      return pageOf(itemsOf(id, rowOf(query.after), partFiles(world.objects, id).rejections), query)
    },
  }
}

async function readRows(...given: Parameters<typeof readBody>): Promise<ReadBodyResult> {
  const { readBody: read } = await import('./read-body.ts')
  return read(...given)
}

async function* withIds(items: AsyncIterable<ImportedFacts>): AsyncGenerator<ImportedFacts & { id: string }> {
  for await (const facts of items) yield { id: facts.episode, ...facts }
}

async function pageOf<Item extends { id: string }>(
  items: AsyncIterable<Item>,
  { limit, after = '' }: ListQuery,
): Promise<List<Item>> {
  const page: Item[] = []
  for await (const item of items) {
    if (item.id <= after) continue
    if (page.length === limit) return toList(page, true)
    page.push(item)
  }
  return toList(page, false)
}

function rowOf(id: string | undefined): number {
  if (id === undefined) return 0
  const digits = /^row-(\d{7,})$/.exec(id)?.[1]
  if (digits !== undefined) return Number(digits)
  throw new EspalierError('invalid_request', `"${id}" is no row. Give the last_id of the page before.`, {
    param: 'after',
  })
}

function nothingIn({ rows, rejections: [first] }: ReadBodyResult): EspalierError {
  if (first === undefined) return new EspalierError('invalid_request', 'There are no rows in the body.')
  const { line, field, reason } = first
  const where = `line ${line}${field === null ? '' : `, ${field}`}`
  return new EspalierError(
    'invalid_request',
    `None of the ${rows} rows is a trajectory; nothing was stored. The first, at ${where}: ${reason}`,
  )
}

function incomplete(id: string, next: number): EspalierError {
  return new EspalierError(
    'invalid_state',
    `The imported trajectories ${id} are not whole: row ${next} is still to come. Finish the import by the same command, then do this again.`,
    { param: 'trajectories' },
  )
}
