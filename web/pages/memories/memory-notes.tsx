import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import type { Memory, NoteUses } from '../../../shared/core/contracts/memory.ts'
import { Button } from '../../components/button.tsx'
import cards from '../../components/cards.module.css'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { ShowMore } from '../../components/show-more.tsx'
import { countOf } from '../../format/count-of.ts'
import { api } from '../../service/api.ts'
import { useAddress } from '../../service/use-address.ts'
import { NoteCard } from './note-card.tsx'
import { readNoteChoice } from './note-choice.ts'
import { NoteFilters } from './note-filters.tsx'
import { NotePlaces } from './note-places.tsx'
import { rankByUse } from './rank-by-use.ts'
import { useNotes } from './use-notes.ts'

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
    placeholderData: keepPreviousData,
  })
}
