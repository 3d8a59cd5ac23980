import { Link } from 'react-router'
import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import { episodeAddress } from '../../format/addresses.ts'
import styles from './memory-page.module.css'
import type { NoteUse } from './rank-by-use.ts'

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
