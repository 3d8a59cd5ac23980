import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { Tree } from '../../../shared/core/contracts/tree.ts'
import { type EpisodePlace, episodeAddress } from '../../format/addresses.ts'
import { shortText } from '../../format/short-text.ts'
import { showControls } from '../../format/show-controls.ts'
import { NodePictures } from '../episode/node-pictures.tsx'
import { type AlignedRow, actionOfTurn, type NumberedStep, numbersOf, titleOf } from './aligned-rows.ts'
import styles from './compare-episodes.module.css'
import { type TextPart, textDifference } from './text-difference.ts'

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

function StepCell({
  side,
  place,
  step: { number, turn },
  action,
  observation,
}: {
  side: string
  place: EpisodePlace
  step: NumberedStep
  action: readonly TextPart[]
  observation: readonly TextPart[]
}) {
  const { node, said, shown, pictures, outcome } = turn
  const hasThoughts = said !== actionOfTurn(turn)
  return (
    <div className={styles.stepCell}>
      <p className={styles.stepHead}>
        <span className={styles.stepNumber}>
          <span className="visually-hidden">{side}, </span>step {number}
        </span>
        <Link to={episodeAddress(place.run, place.episode, { node })}>node {node}</Link>
        {outcome.length > 0 && <span>{outcome.join(' · ')}</span>}
      </p>
      <h4 className={styles.stepPart}>Action</h4>
      <MarkedText label={`Action, ${side.toLowerCase()}, step ${number}`} parts={action} />
      {hasThoughts && (
        <details className={styles.stepSaid}>
          <summary>All that the model wrote</summary>
          <MarkedText
            label={`Answer, ${side.toLowerCase()}, step ${number}`}
            parts={[{ text: said, isOnlyHere: false }]}
          />
        </details>
      )}
      <h4 className={styles.stepPart}>Observation</h4>
      {shown === '' ? (
        <p className="soft">Nothing.</p>
      ) : (
        <MarkedText label={`Observation, ${side.toLowerCase()}, step ${number}`} parts={observation} />
      )}
      {pictures.length > 0 && <NodePictures {...place} node={node} />}
    </div>
  )
}

/** Characters shown; the step's node has the whole text. */
const most = 20_000

function MarkedText({ label, parts }: { label: string; parts: readonly TextPart[] }) {
  const shown: { at: number; text: string; isOnlyHere: boolean }[] = []
  let at = 0
  for (const { text, isOnlyHere } of parts) {
    if (at < most) shown.push({ at, text: text.slice(0, most - at), isOnlyHere })
    at += text.length
  }
  return (
    <section className={styles.markedFrame} aria-label={label} tabIndex={isLong(parts) ? 0 : undefined}>
      <pre dir="auto" className={styles.markedText}>
        {shown.map((part) =>
          part.isOnlyHere ? (
            <mark key={part.at} className={styles.onlyHere}>
              {showControls(part.text)}
            </mark>
          ) : (
            <span key={part.at}>{showControls(part.text)}</span>
          ),
        )}
      </pre>
      {at > most && <p className="soft">Cut here; the node has the whole text.</p>}
    </section>
  )
}

function isLong(parts: readonly TextPart[]): boolean {
  const text = parts.map((part) => part.text).join('')
  return text.length > 600 || text.split('\n', 13).length > 12
}
