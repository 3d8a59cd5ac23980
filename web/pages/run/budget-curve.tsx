import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BudgetKind } from '../../../shared/core/contracts/curve.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { LinePlot } from '../../charts/line-plot.tsx'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { InlineField } from '../../components/inline-field.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/section.tsx'
import { runName } from '../../format/run-name.ts'
import { api } from '../../service/api.ts'
import { hasEnded } from '../../service/follow-run.ts'
import { keepOf } from '../../service/keep-of.ts'
import { efforts } from '../compare/effort.ts'
import { readNote } from '../compare/format-figures.ts'
import styles from './run-page.module.css'

/** From this number of episodes on, the page reads their journals only on request. */
const manyEpisodes = 50

export function BudgetCurve({ run }: { run: Run }) {
  const [over, setOver] = useState<BudgetKind>('calls')
  const [isWanted, setWanted] = useState(false)
  const { failed, limited, succeeded } = run.episodes
  const isShown = isWanted || (hasEnded(run) && succeeded + failed + limited < manyEpisodes)
  const curves = useQuery({
    queryKey: ['curves', [run.id], over],
    queryFn: () => api.curves([run.id], over),
    enabled: isShown,
    placeholderData: keepOf('curves', [run.id]),
    staleTime: 60_000,
  })
  return (
    <Section
      title="Success against budget"
      aside={
        <InlineField label="Budget in">
          {(field) => (
            <select {...field} value={over} onChange={({ target }) => setOver(target.value as BudgetKind)}>
              {Object.entries(efforts).map(([id, { name }]) => (
                <option key={id} value={id}>
                  {name.toLowerCase()}
                </option>
              ))}
            </select>
          )}
        </InlineField>
      }
    >
      {isShown ? (
        <div className={styles.resultsFrame} aria-busy={curves.isFetching}>
          <Loaded what="the curve" query={curves}>
            {(found) =>
              (found.curves[0]?.points.length ?? 0) === 0 ? (
                <EmptyState title="No curve">No episode has a reward yet.</EmptyState>
              ) : (
                <>
                  <LinePlot
                    label={`Success rate by ${efforts[found.over].axis}`}
                    series={found.curves.map(({ points }) => ({
                      id: run.id,
                      name: runName(run),
                      points: points.map(({ budget, success_rate, ended }) => ({
                        x: budget,
                        y: success_rate,
                        ended,
                      })),
                    }))}
                    xAxis={efforts[found.over].axis}
                    yAxis="success rate"
                    yDomain={[0, 1]}
                    formatX={efforts[found.over].format}
                  />
                  <p className="soft">{readNote(found)}</p>
                </>
              )
            }
          </Loaded>
        </div>
      ) : (
        <p className={styles.curveOffer}>
          <Button onClick={() => setWanted(true)}>Draw the curve</Button>
          <span className="soft">It reads the journals of at most 500 episodes.</span>
        </p>
      )}
    </Section>
  )
}
