import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatCount, formatNumber } from '../../../shared/core/client/format-quantity.ts'
import type { MemoryNote } from '../../../shared/core/contracts/memory.ts'
import cards from '../../components/cards.module.css'
import { ForeignText } from '../../components/foreign-text.tsx'
import { episodeAddress } from '../../format/addresses.ts'
import { showControls } from '../../format/show-controls.ts'
import styles from './memory-page.module.css'
import { sides } from './note-choice.ts'
import type { NoteUse } from './rank-by-use.ts'

export function NoteCard({
  note: { action, episode, group, id, note, objective, observation, side, surprise, task },
  run,
  children,
}: {
  note: MemoryNote
  run: string
  children?: ReactNode
}) {
  const node = noteNode(id)
  return (
    <article className={cards.card} aria-label={`Note ${id}`}>
      <header className={styles.noteHead}>
        <span className={styles.noteSide}>{sides[side]}</span>
        {group !== null && (
          <span>
            of <bdi>{showControls(group)}</bdi>
          </span>
        )}
        <span className={styles.noteOrigin}>
          learned{' '}
          <Link to={episodeAddress(run, episode, node === null ? {} : { node })}>
            in {episode}
            {node !== null && ` at node ${node}`}
          </Link>
          {group === null && (
            <>
              , <bdi>{showControls(task)}</bdi>
            </>
          )}
        </span>
        {surprise !== null && (
          <span className={styles.noteSurprise} title="How far the outcome was from what was expected">
            surprise {formatNumber(surprise)}
          </span>
        )}
      </header>
      <div className={styles.noteText}>
        <ForeignText text={note} />
      </div>
      <details className={styles.noteDetails}>
        <summary>
          {side === 'task' ? 'The try it is about' : 'The situation it is found by'}:{' '}
          <bdi>{showControls(objective)}</bdi>
        </summary>
        <ForeignText text={observation} isMuted />
        {action !== null && (
          <p className={styles.noteAction}>
            Action: <bdi>{showControls(action)}</bdi>
          </p>
        )}
      </details>
      {children}
    </article>
  )
}

export function NotePlaces({ use, run }: { use: NoteUse | null | undefined; run: string }) {
  if (use === undefined) return <p className={styles.notePlaces}>…</p>
  if (use === null) return <p className={styles.notePlaces}>Not shown.</p>
  const { count, places } = use
  return (
    <p className={styles.notePlaces}>
      Shown {count === 1 ? 'once' : `${formatCount(count)} times`}:{' '}
      {places.map(({ episode, node }, place) => (
        <span key={`${episode} ${node}`}>
          {place > 0 && ' · '}
          <Link to={episodeAddress(run, episode, node === null ? {} : { node })}>
            {nameOf(places, place)}
          </Link>
        </span>
      ))}
      {count > places.length && ` and ${formatCount(count - places.length)} more`}
    </p>
  )
}

function nameOf(places: NoteUse['places'], place: number): string {
  const { episode, node } = places[place] as NoteUse['places'][number]
  if (node === null) return episode
  return places[place - 1]?.episode === episode ? `node ${node}` : `${episode} node ${node}`
}

export function noteNode(id: string): number | null {
  const node = /\/reflect\/(?:policy|value)\/(\d+)$/.exec(id)?.[1]
  return node === undefined ? null : Number(node)
}
