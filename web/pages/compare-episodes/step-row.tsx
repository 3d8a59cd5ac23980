import { useMemo, useState } from 'react'
import type { Tree } from '../../../shared/core/contracts/tree.ts'
import type { EpisodePlace } from '../../format/addresses.ts'
import { shortText } from '../../format/short-text.ts'
import { type AlignedRow, actionOfTurn, numbersOf, titleOf } from './aligned-rows.ts'
import styles from './compare-episodes.module.css'
import { MarkedText } from './marked-text.tsx'
import { StepCell } from './step-cell.tsx'
import { textDifference } from './text-difference.ts'

export function StepRow({
  row,
  places,
}: {
  row: AlignedRow
  places: { left: EpisodePlace; right: EpisodePlace }
}) {
  const { left, right, differs } = row
  const [isOpen, setOpen] = useState(false)
  if (left !== null && right !== null && differs?.length === 0) {
    return (
      <details className={styles.equalRow} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span className={styles.equalNumber}>{numbersOf(left, right)}</span>
          <bdi className={styles.equalAction}>{shortText(actionOfTurn(left.turn), 200)}</bdi>
          <span className={styles.equalWord}>equal</span>
        </summary>
        {isOpen && <Cells row={row} places={places} />}
      </details>
    )
  }
  return (
    <>
      <h3 className={styles.rowTitle}>{titleOf(row)}</h3>
      <Cells row={row} places={places} />
    </>
  )
}

function Cells({
  row: { left, right },
  places,
}: {
  row: AlignedRow
  places: { left: EpisodePlace; right: EpisodePlace }
}) {
  const [ownAction, otherAction] = [left, right].map((step) => step && actionOfTurn(step.turn))
  const [ownShown, otherShown] = [left, right].map((step) => step?.turn.shown)
  const action = useMemo(() => differenceOf(ownAction, otherAction), [ownAction, otherAction])
  const observation = useMemo(() => differenceOf(ownShown, otherShown), [ownShown, otherShown])
  const sides = { left, right }
  return (
    <div className={styles.stepCells}>
      {(['left', 'right'] as const).map((name) => {
        const step = sides[name]
        return step === null ? (
          <p key={name} className={styles.noStep}>
            no such step on the {name}
          </p>
        ) : (
          <StepCell
            key={name}
            side={name === 'left' ? 'Left' : 'Right'}
            place={places[name]}
            step={step}
            action={action[name]}
            observation={observation[name]}
          />
        )
      })}
    </div>
  )
}

/** Marks nothing in a text without a counterpart, because all of it would be marked. */
function differenceOf(left: string | null | undefined, right: string | null | undefined) {
  if (typeof left === 'string' && typeof right === 'string') return textDifference(left, right)
  const plain = (text: string | null | undefined) => [{ text: text ?? '', isOnlyHere: false }]
  return { left: plain(left), right: plain(right) }
}

export function HeadRow({ left, right }: { left: Tree; right: Tree }) {
  const [own, other] = [textOf(left), textOf(right)]
  const difference = useMemo(() => textDifference(own, other), [own, other])
  return (
    <details className={styles.equalRow}>
      <summary>
        <span className={styles.equalNumber}>0</span>
        <span className={styles.equalAction}>
          Before the first action: instructions and first observation
        </span>
        <span className={styles.equalWord}>{own === other ? 'equal' : 'differs'}</span>
      </summary>
      <div className={styles.stepCells}>
        <MarkedText label="Before the first action, left" parts={difference.left} />
        <MarkedText label="Before the first action, right" parts={difference.right} />
      </div>
    </details>
  )
}

function textOf({ messages }: Tree): string {
  return messages.map(({ role, content }) => `${role}:\n${content}`).join('\n\n')
}
