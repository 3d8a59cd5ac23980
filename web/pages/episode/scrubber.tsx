import { Pause, Play, SkipBack, SkipForward, StepBack, StepForward } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { formatCount, formatMoney } from '../../../shared/client/format-quantity.ts'
import type { Growth } from '../../../shared/contracts/growth.ts'
import type { Tree } from '../../../shared/contracts/tree.ts'
import { IconButton } from '../../components/icon-button.tsx'
import { formatSeconds } from '../../format/format-seconds.ts'
import { describeStep } from '../../tree/describe-step.ts'
import styles from './scrubber.module.css'

/** Steps a second. */
const speeds = [1, 4, 15, 60] as const

/** Replays how a search grew, step by step of its journal. */
export function Scrubber({
  tree,
  growth,
  step,
  onStep,
}: {
  tree: Tree
  growth: Growth
  /** How many steps are shown; null: all there are, and those that come. */
  step: number | null
  onStep: (step: number | null) => void
}) {
  const [isPlaying, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<number>(4)
  const slider = useId()
  const last = growth.steps.length
  const shown = Math.min(step ?? last, last)
  const { usage, elapsed } = growth.steps[shown - 1] ?? {}

  useEffect(() => {
    if (!isPlaying) return
    const timer = setTimeout(() => {
      if (shown < last) onStep(shown + 1 === last ? null : shown + 1)
      else setPlaying(false)
    }, 1000 / speed)
    return () => clearTimeout(timer)
  }, [isPlaying, shown, last, speed, onStep])

  function go(to: number) {
    setPlaying(false)
    onStep(to >= last ? null : Math.max(0, to))
  }

  function play() {
    if (!isPlaying && shown === last) onStep(0)
    setPlaying(!isPlaying)
  }

  return (
    <section className={styles.scrubber} aria-label="How the search grew">
      <div className={styles.buttons}>
        <IconButton label="To the start of the search" onClick={() => go(0)} isDisabled={shown === 0}>
          <SkipBack size={16} aria-hidden />
        </IconButton>
        <IconButton label="One step back" onClick={() => go(shown - 1)} isDisabled={shown === 0}>
          <StepBack size={16} aria-hidden />
        </IconButton>
        <IconButton label={isPlaying ? 'Pause the replay' : 'Replay the search'} onClick={play}>
          {isPlaying ? <Pause size={18} aria-hidden /> : <Play size={18} aria-hidden />}
        </IconButton>
        <IconButton label="One step on" onClick={() => go(shown + 1)} isDisabled={shown === last}>
          <StepForward size={16} aria-hidden />
        </IconButton>
        <IconButton label="To the end of the search" onClick={() => go(last)} isDisabled={shown === last}>
          <SkipForward size={16} aria-hidden />
        </IconButton>
        <label className={styles.speed}>
          <span className="visually-hidden">Steps a second</span>
          <select value={speed} onChange={(event) => setSpeed(Number(event.target.value))}>
            {speeds.map((each) => (
              <option key={each} value={each}>
                {each}/s
              </option>
            ))}
          </select>
        </label>
      </div>
      <label htmlFor={slider} className="visually-hidden">
        Step of the search
      </label>
      <input
        id={slider}
        type="range"
        min={0}
        max={last}
        value={shown}
        aria-valuetext={`step ${shown} of ${last}`}
        className={styles.slider}
        onChange={(event) => go(Number(event.target.value))}
      />
      <p className={styles.sums}>
        step {shown} of {last}
        {usage !== undefined && elapsed !== undefined && (
          <>
            {' · '}
            {formatCount(usage.model_calls)} calls · {formatCount(usage.input_tokens + usage.output_tokens)}{' '}
            tokens · {formatMoney(usage.cost)} · {formatSeconds(elapsed)} of work
          </>
        )}
      </p>
      <p className={styles.words} aria-live={isPlaying ? 'off' : 'polite'}>
        <bdi>{describeStep(tree, growth, shown)}</bdi>
      </p>
    </section>
  )
}
