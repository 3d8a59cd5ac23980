import { Link } from 'react-router'
import { formatNumber } from '../../../shared/core/client/format-quantity.ts'
import type { UsedNote } from '../../../shared/core/contracts/node-detail.ts'
import { ForeignText } from '../../components/foreign-text.tsx'
import { episodeAddress } from '../../format/addresses.ts'
import { shortText } from '../../format/short-text.ts'
import styles from './node-panel.module.css'
import { PanelPart } from './panel-part.tsx'

const sides: Record<UsedNote['side'], string> = {
  policy: 'to who acts',
  value: 'to who judges',
  task: 'to everybody',
}

export function UsedNotes({ notes }: { notes: readonly UsedNote[] }) {
  return (
    <PanelPart title="Notes from earlier episodes" note={notes.length} isOpen>
      <ul className={styles.usedNotes}>
        {notes.map(({ id, side, run, episode, task, note, similarity }) => (
          <li key={`${run} ${side} ${id}`} className={styles.usedNote}>
            <p className={styles.usedNoteHead}>
              shown {sides[side]} · from{' '}
              <Link to={episodeAddress(run, episode)}>
                <bdi>{shortText(task, 80)}</bdi>
              </Link>
              {similarity !== null && ` · similarity ${formatNumber(similarity)}`}
            </p>
            <ForeignText text={note} />
          </li>
        ))}
      </ul>
    </PanelPart>
  )
}
