import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { List } from '../../../shared/core/contracts/list.ts'
import type { Memory, MemoryNote } from '../../../shared/core/contracts/memory.ts'
import { api } from '../../service/api.ts'
import { pageAfterPage } from '../../service/page-after-page.ts'
import type { NoteChoice } from './note-choice.ts'
import { inOrder } from './rank-by-use.ts'

const pageSize = 25
const narrowedSize = 100

export function useNotes(
  { complete, id }: Memory,
  { side, sort, text }: NoteChoice,
  ranked: readonly string[] | null,
) {
  const isByUse = sort === 'use'
  const step = side === null && text.trim() === '' ? pageSize : narrowedSize
  const filters = { embeddings: 'false', ...(side !== null && { side }), ...(text.trim() !== '' && { text }) }

  async function readPage(from: { after?: string }): Promise<List<MemoryNote>> {
    if (!isByUse) return api.notes(id, { ...filters, sort, limit: pageSize, ...from })
    const shown = ranked ?? []
    const start = from.after === undefined ? 0 : shown.indexOf(from.after) + 1
    const ids = shown.slice(start, start + step)
    const { data } =
      ids.length === 0 ? { data: [] } : await api.notes(id, { ...filters, ids: ids.join(','), limit: step })
    return {
      object: 'list',
      data: inOrder(data, ids),
      has_more: start + step < shown.length,
      first_id: ids[0] ?? null,
      last_id: ids.at(-1) ?? null,
    }
  }

  return useInfiniteQuery({
    queryKey: ['memory', id, 'notes', sort, filters, isByUse ? ranked : null],
    ...pageAfterPage(readPage),
    enabled: !isByUse || ranked !== null,
    refetchInterval: complete ? false : 5000,
    placeholderData: keepPreviousData,
  })
}
