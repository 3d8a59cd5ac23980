import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount, formatMoney } from '../../../shared/core/client/format-quantity.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import type { RunEvent } from '../../../shared/core/contracts/run-event.ts'
import { SpendingPlot } from '../../charts/spending-plot.tsx'
import { Button } from '../../components/button.tsx'
import { InlineField } from '../../components/inline-field.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/section.tsx'
import { formatSeconds } from '../../format/format-seconds.ts'
import { api } from '../../service/api.ts'
import { countEnded } from '../../service/follow-run.ts'
import { keepOf } from '../../service/keep-of.ts'
import styles from './run-page.module.css'
import { type SpendingMeasure, type SpendingOverTime, spendingOverTime } from './spending-over-time.ts'

// From this number of ended episodes on, the page reads a run's events only on request.
const manyEnded = 500
const liveInterval = 5000

const measures = {
  cost: { name: 'dollars', axis: 'cost', format: formatMoney },
  tokens: { name: 'tokens', axis: 'tokens', format: formatCount },
} satisfies Record<SpendingMeasure, object>

export function SpendingSection({ run }: { run: Run }) {
  const [wanted, setMeasure] = useState<SpendingMeasure | null>(null)
  const [isWanted, setWanted] = useState(false)
  const ended = countEnded(run.episodes)
  const isShown = isWanted || ended < manyEnded
  const measure = wanted ?? ((run.usage.cost ?? 0) > 0 ? 'cost' : 'tokens')
  const isLive = run.status === 'running'
  const events = useQuery({
    queryKey: ['run events', run.id, isLive ? 'live' : `${run.status} ${ended}`],
    queryFn: async ({ signal }) => ({ events: await readEvents(run.id, signal), at: Date.now() }),
    enabled: isShown && ended > 0,
    placeholderData: keepOf('run events', run.id),
    refetchInterval: isLive && liveInterval,
  })
  if (ended === 0) return null
  return (
    <Section
      title="Spending over time"
      aside={
        <InlineField label="Spending in">
          {(field) => (
            <select
              {...field}
              value={measure}
              onChange={({ target }) => setMeasure(target.value as SpendingMeasure)}
            >
              {Object.entries(measures).map(([id, { name }]) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </InlineField>
      }
    >
      {isShown ? (
        <div className={styles.resultsFrame}>
          <Loaded what="the spending" query={events}>
            {({ events: found, at }) => (
              <Drawn spending={spendingOverTime(run, found, measure, at)} measure={measure} />
            )}
          </Loaded>
        </div>
      ) : (
        <p className={styles.curveOffer}>
          <Button onClick={() => setWanted(true)}>Draw the spending</Button>
          <span className="soft">It reads the end of each of {formatCount(ended)} episodes.</span>
        </p>
      )}
    </Section>
  )
}

function Drawn({ spending, measure }: { spending: SpendingOverTime | null; measure: SpendingMeasure }) {
  const { axis, format, name } = measures[measure]
  if (spending === null) return <p>The run has spent no {name} that is known.</p>
  return (
    <SpendingPlot
      label={`Spending in ${name} over time`}
      yAxis={axis}
      format={format}
      points={spending.points}
      ahead={spending.ahead}
      cap={spending.cap}
      note={[
        'An episode counts at its end.',
        ...(spending.ahead === null ? [] : [describeAhead(spending.ahead, format)]),
        ...capNote(spending, format),
      ].join(' ')}
    />
  )
}

function describeAhead(
  { seconds, spent }: { seconds: number; spent: number },
  format: (amount: number) => string,
) {
  return `Dashed: about ${format(spent)} by the last episode, ${formatSeconds(seconds)} after the start, if the others spend as much and come as fast.`
}

function capNote({ cap, reached, ahead }: SpendingOverTime, format: (amount: number) => string): string[] {
  if (cap === null) return []
  if (reached !== null)
    return [`It reaches its limit of ${format(cap)} about ${formatSeconds(reached)} after the start.`]
  return ahead === null ? [`Its limit is ${format(cap)}.`] : [`It stays below its limit of ${format(cap)}.`]
}

// The state of the run comes after the events so far.
async function readEvents(run: string, signal: AbortSignal): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for await (const message of api.events(run, { signal })) {
    if (!('event' in message)) break
    events.push(message.event)
  }
  return events
}
