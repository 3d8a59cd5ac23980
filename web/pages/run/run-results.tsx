import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'react-router'
import { provenanceNotice } from '../../../shared/core/contracts/provenance.ts'
import type { GroupReport, Report } from '../../../shared/core/contracts/report.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { IntervalPlot } from '../../charts/interval-plot.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Estimate } from '../../components/estimate.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { Section } from '../../components/section.tsx'
import { Stat, Stats } from '../../components/stat.tsx'
import { Table } from '../../components/table.tsx'
import { countOf } from '../../format/count-of.ts'
import { hasEnded } from '../../service/follow-run.ts'
import { EffortStats } from './effort-stats.tsx'
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

function DrawsTable({ draws }: { draws: Report['draws'] }) {
  return (
    <div className={styles.resultPart}>
      <h3>Several episodes of a task</h3>
      <Table label="Chances of success in k episodes of a task">
        <thead>
          <tr>
            <th scope="col">k</th>
            <th scope="col">pass@k: one of k succeeds</th>
            <th scope="col">pass^k: all k succeed</th>
            <th scope="col">best reward of k</th>
          </tr>
        </thead>
        <tbody>
          {draws.map(({ k, pass_at_k, pass_hat_k, best_of_k }) => (
            <tr key={k}>
              <th scope="row">{k}</th>
              <td>
                <Estimate of={pass_at_k} />
              </td>
              <td>
                <Estimate of={pass_hat_k} />
              </td>
              <td>
                <Estimate of={best_of_k} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}

function GroupPlots({ report: { by_difficulty, by_level = [], by_type } }: { report: Report }) {
  if (by_type === null) {
    return (
      <p className={styles.missingPlots}>
        Types of task are not known any more: the environment cannot be opened over the data that this run was
        played on.
      </p>
    )
  }
  const isWorth = (groups: readonly GroupReport[] | null) => groups !== null && groups.length > 0
  if (![by_type, by_difficulty, by_level].some(isWorth)) return null
  return (
    <div className={styles.groupPlots}>
      <GroupPlot label="By type of task" groups={by_type} />
      <GroupPlot label="By difficulty: the least steps of a solution" groups={by_difficulty ?? []} />
      <GroupPlot label="By level: the benchmark’s own labels" groups={by_level} />
    </div>
  )
}

function GroupPlot({ label, groups }: { label: string; groups: readonly GroupReport[] }) {
  if (groups.length === 0) return null
  const rows = groups.map((group) => ({
    name: group.name,
    estimate: group.success_rate,
    note: basisOf(group),
  }))
  return <IntervalPlot label={label} rows={rows} domain={[0, 1]} axis="success rate" />
}

function basisOf({ episodes, success_rate: { count }, tasks }: GroupReport): string {
  if (count < episodes) return `${count.toLocaleString('en')} of ${countOf(episodes, 'episode')}`
  return episodes === tasks
    ? countOf(tasks, 'task')
    : `${countOf(tasks, 'task')}, ${countOf(episodes, 'episode')}`
}
