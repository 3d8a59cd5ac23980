import { Link } from 'react-router'
import { formatBytes, formatNumber } from '../../../shared/core/client/format-quantity.ts'
import type { ShownTurn } from '../../../shared/core/contracts/shown-row.ts'
import { episodeAddress } from '../../format/addresses.ts'
import { isImport } from '../../format/is-import.ts'
import type { Turn } from '../conversation.tsx'
import { PictureRow } from '../picture.tsx'
import styles from './dataset-row.module.css'
import type { TurnNode } from './nodes-of-turns.ts'

const contextAtFirst = 800

export function toTurn(turn: ShownTurn, index: number, from: TurnNode | null): Turn {
  const { role, content, learned, pictures } = turn
  return {
    id: String(index),
    role: role === 'text' ? 'all of it in one text' : role,
    content,
    ...(learned !== null && { learned }),
    ...(learned === false && { atFirst: contextAtFirst }),
    ...(pictures && { after: <PictureRow pictures={pictures} of={`turn ${index + 1}`} /> }),
    note: <TurnNote turn={turn} from={from} />,
  }
}

function TurnNote({ turn, from }: { turn: ShownTurn; from: TurnNode | null }) {
  const { cut, label, value } = turn
  const isLinked = from !== null && !isImport(from.origin.source)
  return (
    <>
      {label !== undefined && (
        <span className={label ? styles.turnGood : styles.turnBad}>{label ? 'good step' : 'bad step'}</span>
      )}
      {value !== undefined && <span className={styles.turnValue}>value {formatNumber(value)}</span>}
      {cut !== undefined && (
        <span>{formatBytes(cut)} of it are cut here; the row as in its file has them</span>
      )}
      {isLinked && (
        <Link
          className={styles.turnNode}
          to={episodeAddress(from.origin.source, from.origin.episode, { node: from.node })}
        >
          node {from.node}
        </Link>
      )}
    </>
  )
}
