import { useEffect, useState } from 'react'
import { formatCount, formatNumber } from '../../../shared/core/client/format-quantity.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { Section } from '../../components/section.tsx'
import { Stat, Stats } from '../../components/stat.tsx'
import { formatSeconds } from '../../format/format-seconds.ts'
import { countEnded, hasEnded } from '../../service/follow-run.ts'
import { addPacePoint, formatLeft, type Pace, type PacePoint, paceOf, pacePoint } from './run-pace.ts'
import styles from './run-page.module.css'
import { StatusBar } from './status-bar.tsx'

export function RunProgress({ run }: { run: Run }) {
  const { episodes, learning_episodes, running_seconds } = run
  const pace = usePace(run)
  const ended = countEnded(episodes)
  const isOver = hasEnded(run)
  return (
    <Section
      title="Progress"
      aside={
        <span>
          {formatCount(ended)} of {formatCount(episodes.total)} episodes ended
          {learning_episodes > 0 && `; ${formatCount(learning_episodes)} of them to learn for the others`}
        </span>
      }
    >
      <StatusBar episodes={episodes} isPaused={run.status === 'paused'} />
      <div className={styles.runPace}>
        <Stats>
          <Stat name="Episodes a minute" note={isOver ? 'while it ran' : 'over all its running time'}>
            {formatRate(pace.overall)}
          </Stat>
          {!isOver && (
            <Stat name="Recent rate" note="over the last minute, while this page watches">
              {formatRate(run.status === 'running' ? pace.recent : null)}
            </Stat>
          )}
          {!isOver && (
            <Stat name="Time left" note={run.status === 'paused' ? 'not while it is paused' : 'at this rate'}>
              {pace.left === null ? '–' : `about ${formatLeft(pace.left)}`}
            </Stat>
          )}
          <Stat name="Time running" note="pauses left out">
            {formatSeconds(running_seconds)}
          </Stat>
        </Stats>
      </div>
    </Section>
  )
}

function formatRate(rate: number | null): string {
  if (rate === null) return '–'
  return rate < 10 ? formatNumber(rate, 1) : formatCount(rate)
}

function usePace(run: Run): Pace {
  const [points, setPoints] = useState<readonly PacePoint[]>(() => [pacePoint(run)])
  useEffect(() => setPoints((seen) => addPacePoint(seen, pacePoint(run))), [run])
  return paceOf(points, run)
}
