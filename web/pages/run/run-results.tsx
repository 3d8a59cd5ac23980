import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'react-router'
import { provenanceNotice } from '../../../shared/core/contracts/provenance.ts'
import type { Report } from '../../../shared/core/contracts/report.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Estimate } from '../../components/estimate.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { Section } from '../../components/section.tsx'
import { Stat, Stats } from '../../components/stat.tsx'
import { countOf } from '../../format/count-of.ts'
import { hasEnded } from '../../service/follow-run.ts'
import { DrawsTable } from './draws-table.tsx'
import { EffortStats } from './effort-stats.tsx'
import { GroupPlots } from './group-plots.tsx'
import styles from './run-page.module.css'

export function RunResults({ run, report }: { run: Run; report: UseQueryResult<Report> }) {
  const { failed, limited, succeeded } = run.episodes
  const isOver = hasEnded(run)
  const isAwaited = report.data === undefined && succeeded + failed + limited > 0
  return (
    <Section title="Results" aside={<Link to="/guide/reports">How these figures are computed</Link>}>
      <div className={isAwaited ? styles.resultsFrame : undefined}>
        <Loaded what="the report" query={report}>
          {(found) =>
            found.success_rate.count + (found.mean_steps === null ? 0 : 1) === 0 ? (
              <EmptyState title={isOver ? 'No results' : 'No results yet'}>
                {isOver
                  ? 'No episode was played to its end, so there is nothing to compute.'
                  : 'They appear as soon as the first episode that plays a task has ended.'}
              </EmptyState>
            ) : (
              <Figures report={found} />
            )
          }
        </Loaded>
      </div>
    </Section>
  )
}

function Figures({ report }: { report: Report }) {
  const { draws, grounding_accuracy, progress_rate, provenance, reward, simulated, success_rate } = report
  return (
    <>
      {simulated && (
        <Notice isSpaced>Played by the simulated model: these numbers prove plumbing, not quality.</Notice>
      )}
      <Notice isSpaced>{provenanceNotice(provenance)}</Notice>
      <Stats>
        <Stat
          name="Success rate"
          note={`${countOf(success_rate.count, 'episode')} with a reward, ${countOf(success_rate.tasks, 'task')}`}
        >
          <Estimate of={success_rate} />
        </Stat>
        <Stat name="Reward" note="mean of the same">
          <Estimate of={reward} />
        </Stat>
        {progress_rate.mean !== null && (
          <Stat name="Progress rate" note="of the goal, at best">
            <Estimate of={progress_rate} />
          </Stat>
        )}
        {grounding_accuracy.mean !== null && (
          <Stat name="Grounding" note="share of valid actions">
            <Estimate of={grounding_accuracy} />
          </Stat>
        )}
      </Stats>
      {draws.length > 1 && <DrawsTable draws={draws} />}
      <GroupPlots report={report} />
      <EffortStats report={report} />
    </>
  )
}
