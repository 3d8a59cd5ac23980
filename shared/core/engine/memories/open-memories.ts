import { EspalierError } from '../../contracts/errors.ts'
import type { LearnedAction, Library, LibraryAction } from '../../contracts/library.ts'
import { type List, type ListQuery, toList } from '../../contracts/list.ts'
import type { Memory, MemoryNote } from '../../contracts/memory.ts'
import { checkTenant } from '../../contracts/tenant.ts'
import type { World } from '../../world/ports.ts'
import type { Learned } from '../runs/run-planner.ts'
import { isFinal } from '../runs/run-row.ts'
import { RunStore } from '../runs/run-store.ts'
import { unknownId } from '../unknown-id.ts'
import { type LearnedRow, learnedKey } from './learned-row.ts'
import { listNotes, type NoteQuery } from './list-notes.ts'
import { PartCache } from './part-cache.ts'
import { readParts } from './read-parts.ts'

/**
 * The memories and libraries of a tenant's runs. Those of other tenants are `not_found`, as if they did not exist.
 * Lists are newest first; notes and actions follow the order of their episodes.
 */
export interface Memories {
  memories(query: ListQuery): Promise<List<Memory>>
  memory(memory: string): Promise<Memory>
  /** @throws EspalierError `not_found`; `invalid_request` for an `after` that no note has */
  notes(memory: string, query: NoteQuery): Promise<List<MemoryNote>>
  libraries(query: ListQuery): Promise<List<Library>>
  library(library: string): Promise<Library>
  /** @throws EspalierError `not_found`; `invalid_request` for an `after` that no action has */
  actions(library: string, query: ListQuery): Promise<List<LibraryAction>>
}

export interface TenantMemories {
  /** @throws EspalierError `invalid_request` for an invalid tenant name */
  of(tenant: string): Memories
}

export function openMemories(world: World): TenantMemories {
  const store = new RunStore(world)
  return { of: (tenant) => memoriesOf(world, store, checkTenant(tenant)) }
}

function memoriesOf(world: World, store: RunStore, tenant: string): Memories {
  async function find(kind: Learned, id: string): Promise<LearnedRow> {
    const { ledger } = world
    const row = await ledger.get(learnedKey(kind, tenant, id))
    if (row) return row as LearnedRow
    throw await unknownId(kind, id, { ledger, listed: learnedKey(kind, tenant, '').partition })
  }

  async function show<Kind extends Learned>(object: Kind, id: string, row: LearnedRow) {
    const { run, environment, method, created_at } = row
    const complete = isFinal((await store.getOf(tenant, run)).status)
    return { id, object, run, environment, method, complete, created_at }
  }

  async function list<Kind extends Learned>(kind: Kind, { limit, after }: ListQuery) {
    const { partition } = learnedKey(kind, tenant, '')
    const query = { limit, reverse: true, ...(after !== undefined && { after }) }
    const { items, more } = await world.ledger.query(partition, query)
    const shown = items.map(({ sort, item }) => show(kind, sort, item as LearnedRow))
    return toList(await Promise.all(shown), more)
  }

  return {
    memories: (query) => list('memory', query),
    memory: async (id) => show('memory', id, await find('memory', id)),
    async notes(id, query) {
      const { run } = await find('memory', id)
      return listNotes(() => itemsOf<MemoryNote>(world, 'memory', run), query)
    },
    libraries: (query) => list('library', query),
    library: async (id) => show('library', id, await find('library', id)),
    async actions(id, query) {
      const { run } = await find('library', id)
      return pageOf(withIds(itemsOf<LearnedAction>(world, 'library', run)), query)
    },
  }
}

async function* itemsOf<Item>(world: World, kind: Learned, run: string): AsyncGenerator<Item> {
  // One pass reads each part once, so caching helps nothing.
  for await (const part of readParts<Item>(world, kind, run, { cache: new PartCache() })) yield* part
}

/** Names of actions are unique in their group, and groups may learn the same name. */
async function* withIds(actions: AsyncIterable<LearnedAction>): AsyncGenerator<LibraryAction> {
  for await (const action of actions) {
    yield { id: action.group === null ? action.name : `${action.group}/${action.name}`, ...action }
  }
}

async function pageOf(
  items: AsyncIterable<LibraryAction>,
  { after, limit }: ListQuery,
): Promise<List<LibraryAction>> {
  const page: LibraryAction[] = []
  let begun = after === undefined
  for await (const item of items) {
    if (!begun) begun = item.id === after
    else if (page.length === limit) return toList(page, true)
    else page.push(item)
  }
  if (begun) return toList(page, false)
  throw new EspalierError(
    'invalid_request',
    `No action has the id "${after}". Give the last_id of the page before, or leave "after" out.`,
    { param: 'after' },
  )
}
