import type { Memory } from '../../../shared/contracts/memory.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { ShowMore } from '../../components/show-more.tsx'
import { useAddress } from '../../service/use-address.ts'
import styles from './memory-page.module.css'
import { NoteCard } from './note-card.tsx'
import { readNoteChoice } from './note-choice.ts'
import { NoteFilters } from './note-filters.tsx'
import { NotePlaces } from './note-places.tsx'
import { rankByUse } from './rank-by-use.ts'
import { useNoteUses } from './use-note-uses.ts'
import { useNotes } from './use-notes.ts'
import { UsesSummary } from './uses-summary.tsx'

/** The notes of a memory, narrowed and ordered, each with where it was shown. */
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
            <ol className={styles.notes}>
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
