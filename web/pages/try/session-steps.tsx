import { formatNumber } from '../../../shared/core/client/format-quantity.ts'
import type { PlaySession } from '../../../shared/core/contracts/play-session.ts'
import { Button } from '../../components/button.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Picture } from '../../components/picture.tsx'
import { showControls } from '../../format/show-controls.ts'
import styles from './try-page.module.css'

export function SessionSteps({
  session: { can_undo, steps },
  isBusy,
  onBack,
}: {
  session: PlaySession
  isBusy: boolean
  onBack: (from: number) => void
}) {
  return (
    <ol className={styles.steps} start={0}>
      {steps.map(({ action, done, observation, reward, thought, valid }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step's number is its name
        <li key={place} className={styles.step}>
          <div className={styles.stepHead}>
            <h3>{action === null ? 'Start' : `Step ${place}`}</h3>
            {action !== null && <code dir="auto">{showControls(action)}</code>}
            {!valid && <span className={styles.invalid}>invalid</span>}
            {reward !== null && reward !== 0 && <span>reward {formatNumber(reward)}</span>}
            {done && <span>the task ended</span>}
            {can_undo && place < steps.length - 1 && (
              <Button disabled={isBusy} onClick={() => onBack(place)}>
                Back to here
                <span className="visually-hidden"> {place === 0 ? 'the start' : `step ${place}`}</span>
              </Button>
            )}
          </div>
          {thought !== null && <LongText label="Thought" text={thought} />}
          {observation.map((part, position) =>
            part.type === 'text' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an observation stay as they are
              <LongText key={position} label={`Observation of step ${place}`} text={part.text} />
            ) : (
              <Picture
                key={part.sha256}
                url={part.url}
                mediaType={part.media_type}
                sha256={part.sha256}
                name={`picture ${position} of step ${place}`}
              />
            ),
          )}
        </li>
      ))}
    </ol>
  )
}
