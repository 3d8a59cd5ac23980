import { Link } from 'react-router'
import type { EntryLabels } from '../../../shared/core/contracts/labels.ts'
import { leaderboardAddress } from '../../format/addresses.ts'
import { showControls } from '../../format/show-controls.ts'
import { HeaderLine } from '../header-line.tsx'
import { TimeAgo } from '../time-ago.tsx'

export function LabelLine({ labels }: { labels: EntryLabels }) {
  const { archived_at, experiment, note, tags = [] } = labels
  const hasSome = experiment !== undefined || tags.length > 0 || archived_at !== undefined
  return (
    <>
      {hasSome && (
        <HeaderLine>
          {experiment !== undefined && (
            <span>
              experiment{' '}
              <Link to={leaderboardAddress(experiment)} dir="auto">
                {showControls(experiment)}
              </Link>
            </span>
          )}
          {tags.length > 0 && (
            <span>
              tags <b dir="auto">{tags.map(showControls).join(', ')}</b>
            </span>
          )}
          {archived_at !== undefined && (
            <span>
              archived <TimeAgo at={archived_at} />
            </span>
          )}
        </HeaderLine>
      )}
      {note !== undefined && <p dir="auto">{showControls(note)}</p>}
    </>
  )
}
