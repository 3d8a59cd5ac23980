import type { UseQueryResult } from '@tanstack/react-query'
import { Pause, Play, SkipBack, SkipForward, StepBack, StepForward } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { formatCount, formatMoney } from '../../../shared/core/client/format-quantity.ts'
import type { Growth } from '../../../shared/core/contracts/growth.ts'
import type { Tree } from '../../../shared/core/contracts/tree.ts'
import { Button } from '../../components/button.tsx'
import { messageOf } from '../../components/error-state.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { formatSeconds } from '../../format/format-seconds.ts'
import { describeStep } from '../../tree/describe-node.ts'
import styles from './tree-explorer.module.css'

const speeds = [1, 4, 15, 60] as const

export function Scrubber({
  tree,
  growth: { data: growth, error, refetch },
  step,
  onStep,
}: {
  tree: Tree
  growth: Pick<UseQueryResult<Growth>, 'data' | 'error' | 'refetch'>
  /** The number of shown steps; null shows all of them and follows new ones. */
  step: number | null
  onStep: (step: number | null) => void
}) {
  const [isPlaying, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<number>(4)
  const slider = useId()
  const isKnown = growth !== undefined
  const last = growth?.steps.length ?? step ?? 0
  const shown = Math.min(step ?? last, last)
  const { usage, elapsed } = growth?.steps[shown - 1] ?? {}

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
      <div className={styles.scrubberButtons}>
        <IconButton
          label="To the start of the search"
          onClick={() => go(0)}
          isDisabled={!isKnown || shown === 0}
        >
          <SkipBack size={16} aria-hidden />
        </IconButton>
        <IconButton label="One step back" onClick={() => go(shown - 1)} isDisabled={!isKnown || shown === 0}>
          <StepBack size={16} aria-hidden />
        </IconButton>
        <IconButton
          label={isPlaying ? 'Pause the replay' : 'Replay the search'}
          onClick={play}
          isDisabled={!isKnown}
        >
          {isPlaying ? <Pause size={18} aria-hidden /> : <Play size={18} aria-hidden />}
        </IconButton>
        <IconButton label="One step on" onClick={() => go(shown + 1)} isDisabled={!isKnown || shown === last}>
          <StepForward size={16} aria-hidden />
        </IconButton>
        <IconButton
          label="To the end of the search"
          onClick={() => go(last)}
          isDisabled={!isKnown || shown === last}
        >
          <SkipForward size={16} aria-hidden />
        </IconButton>
        <label className={styles.scrubberSpeed}>
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
        disabled={!isKnown}
        aria-valuetext={isKnown ? `step ${shown} of ${last}` : 'not known yet'}
        className={styles.scrubberSlider}
        onChange={(event) => go(Number(event.target.value))}
      />
      <div className={styles.scrubberSums}>
        {isKnown && `step ${shown} of ${last}`}
        {!isKnown && error !== null && <Button onClick={() => void refetch()}>Try again</Button>}
        {usage !== undefined && elapsed !== undefined && (
          <>
            {' · '}
            {formatCount(usage.model_calls)} calls · {formatCount(usage.input_tokens + usage.output_tokens)}{' '}
            tokens · {formatMoney(usage.cost)} · {formatSeconds(elapsed)} of work
          </>
        )}
      </div>
      <p className={styles.scrubberWords} aria-live={isPlaying ? 'off' : 'polite'}>
        <bdi>{isKnown ? describeStep(tree, growth, shown) : whyUnknown(error, step)}</bdi>
      </p>
    </section>
  )
}

function whyUnknown(error: Error | null, step: number | null): string {
  const why = error === null ? 'Loading the steps of the search …' : messageOf(error)
  return step === null ? why : `${why} This is the whole tree, not step ${step}.`
}
