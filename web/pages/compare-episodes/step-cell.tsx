import { Link } from 'react-router'
import { type EpisodePlace, episodeAddress } from '../../format/addresses.ts'
import { NodePictures } from '../episode/node-pictures.tsx'
import { actionOfTurn, type NumberedStep } from './aligned-rows.ts'
import styles from './compare-episodes.module.css'
import { MarkedText } from './marked-text.tsx'
import type { TextPart } from './text-difference.ts'

export function StepCell({
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
