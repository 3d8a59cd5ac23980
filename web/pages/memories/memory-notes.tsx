import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import type { List } from '../../../shared/core/contracts/list.ts'
import type { Memory, MemoryNote, NoteUses } from '../../../shared/core/contracts/memory.ts'
import { Button } from '../../components/button.tsx'
import cards from '../../components/cards.module.css'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { ShowMore } from '../../components/show-more.tsx'
import { countOf } from '../../format/count-of.ts'
import { api } from '../../service/api.ts'
import { keepOf } from '../../service/keep-of.ts'
import { pageAfterPage } from '../../service/page-after-page.ts'
import { useAddress } from '../../service/use-address.ts'
import { NoteCard, NotePlaces } from './note-card.tsx'
import { type NoteChoice, readNoteChoice } from './note-choice.ts'
import { NoteFilters } from './note-filters.tsx'
import { inOrder, rankByUse } from './rank-by-use.ts'

const pageSize = 25
const narrowedSize = 100

export function MemoryNotes({ memory }: { memory: Memory }) {
  const [address, setAddress] = useAddress()
  const choice = readNoteChoice(address)
  const uses = useNoteUses(memory, choice.shownIn)
  const ranked = uses.data === undefined ? null : rankByUse(uses.data.uses)
  const notes = useNotes(memory, choice, ranked)
  const isNarrowed = choice.side !== null || choice.text !== ''
  const byNote = new Map(uses.data?.uses.map((use) => [use.note, use]))
  return (
    <section aria-label="Notes" aria-busy={notes.isPlaceholderData}>
      <NoteFilters memory={memory} choice={choice} />
      {uses.error !== null && uses.data === undefined ? (
        <ErrorState error={uses.error} onRetry={() => void uses.refetch()} />
      ) : (
        <UsesSummary uses={uses.data} />
      )}
      <Loaded what="the notes" query={notes}>
        {({ pages }) => {
          const found = pages.flatMap(({ data }) => data)
          if (found.length === 0 && notes.hasNextPage) return <EmptyState title="None among the most shown" />
          if (found.length === 0 && !notes.hasNextPage) {
            return isNarrowed || choice.sort === 'use' ? (
              <EmptyState
                title={choice.sort === 'use' && !isNarrowed ? 'No note was shown' : 'No note is like that'}
                action={
                  <Button onClick={() => setAddress(() => new URLSearchParams())}>
                    Show all of them as written
                  </Button>
                }
              />
            ) : (
              <NoNotes complete={memory.complete} />
            )
          }
          return (
            <ol className={cards.cards}>
              {found.map((note) => (
                <li key={note.id}>
                  <NoteCard note={note} run={memory.run}>
                    {uses.data !== undefined ? (
                      <NotePlaces use={byNote.get(note.id) ?? null} run={uses.data.run} />
                    ) : (
                      uses.error === null && <NotePlaces use={undefined} run={memory.run} />
                    )}
                  </NoteCard>
                </li>
              ))}
            </ol>
          )
        }}
      </Loaded>
      <ShowMore query={notes} />
    </section>
  )
}

function NoNotes({ complete }: { complete: boolean }) {
  return (
    <EmptyState title={complete ? 'Nothing was noted' : 'Nothing is noted yet'}>
      <p>
        {complete
          ? 'Nothing surprised an episode of this run enough, or none of them failed.'
          : 'Notes appear as the episodes of the run end.'}
      </p>
    </EmptyState>
  )
}

function UsesSummary({ uses }: { uses: NoteUses | undefined }) {
  return (
    <p className={cards.cardsSummary} aria-live="polite">
      {uses === undefined ? 'Looking for where they were shown …' : describeUses(uses)}
    </p>
  )
}

function describeUses({ episodes: { read, total }, uses }: NoteUses): string {
  const shown = uses.reduce((sum, { count }) => sum + count, 0)
  const over =
    read < total
      ? `a sample of ${formatCount(read)} of ${countOf(total, 'episode')}`
      : countOf(total, 'episode')
  if (uses.length === 0) return `Not one of them was shown in ${over}.`
  return `${formatCount(uses.length)} ${uses.length === 1 ? 'note was' : 'notes were'} shown, ${formatCount(shown)} times in all, in ${over}.`
}

function useNoteUses({ complete, id }: Memory, run: string | null) {
  return useQuery({
    queryKey: ['memory', id, 'uses', run],
    queryFn: () => api.noteUses(id, run === null ? {} : { run }),
    staleTime: complete ? 60_000 : 10_000,
    refetchInterval: complete ? false : 15_000,
    refetchOnWindowFocus: false,
  })
}

function useNotes(
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
    placeholderData: keepOf('memory', id, 'notes'),
  })
}
