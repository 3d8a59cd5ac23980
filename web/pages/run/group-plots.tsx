import type { GroupReport, Report } from '../../../shared/core/contracts/report.ts'
import { IntervalPlot } from '../../charts/interval-plot.tsx'
import { countOf } from '../../format/count-of.ts'
import styles from './run-page.module.css'

export function GroupPlots({ report: { by_difficulty, by_type } }: { report: Report }) {
  if (by_type === null) {
    return (
      <p className={styles.missingPlots}>
        Types of task are not known any more: the environment cannot be opened over the data that this run was
        played on.
      </p>
    )
  }
  const isWorth = (groups: readonly GroupReport[] | null) => groups !== null && groups.length > 0
  if (!isWorth(by_type) && !isWorth(by_difficulty)) return null
  return (
    <div className={styles.groupPlots}>
      <GroupPlot label="By type of task" groups={by_type} />
      <GroupPlot label="By difficulty: the least steps of a solution" groups={by_difficulty ?? []} />
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
