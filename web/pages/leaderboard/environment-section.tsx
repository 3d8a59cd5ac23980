import { Link } from 'react-router'
import {
  formatCount,
  formatMoney,
  formatNumber,
  noNumber,
} from '../../../shared/core/client/format-quantity.ts'
import { episodeStatusWord } from '../../../shared/core/client/status-words.ts'
import type { Leaderboard, LeaderboardCell } from '../../../shared/core/contracts/leaderboard.ts'
import { isRanked } from '../../../shared/core/contracts/ranked-cells.ts'
import { ScatterPlot } from '../../charts/scatter-plot.tsx'
import { Column } from '../../components/column.tsx'
import { Estimate } from '../../components/estimate.tsx'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import { compareAddress, runAddress } from '../../format/addresses.ts'
import { showControls } from '../../format/show-controls.ts'
import { mostRuns } from '../compare/compare-choice.ts'
import { EntryName, nameOfEntry } from './entry-name.tsx'
import styles from './leaderboard.module.css'

export function EnvironmentSection({
  leaderboard,
  environment,
}: {
  leaderboard: Leaderboard
  environment: Leaderboard['environments'][number]
}) {
  const { entries } = leaderboard
  const rows = entries.flatMap((entry, index) => {
    const cell = leaderboard.cells.find(
      (each) => each.entry === entry.id && each.environment === environment.id,
    )
    return cell === undefined ? [] : [{ entry, index, cell }]
  })
  const compared = rows.filter(({ cell }) => cell.comparable)
  const runs = compared.flatMap(({ cell }) => cell.runs.map(({ run }) => run)).slice(0, mostRuns)
  const points = compared
    .filter(({ cell }) => isRanked(cell))
    .map(({ cell, entry }) => ({
      id: entry.id,
      name: nameOfEntry(leaderboard, entry.id),
      x: cell.mean_cost,
      y: cell.success_rate,
      isOnFront: cell.on_front,
    }))
  return (
    <>
      <Section
        title={<span dir="auto">{showControls(environment.label)}</span>}
        aside={
          <>
            {formatCount(environment.tasks)} tasks
            {runs.length > 1 && (
              <>
                {' · '}
                <Link to={compareAddress(runs)}>
                  Compare <span className="visually-hidden">the runs in {environment.label}</span>
                </Link>
              </>
            )}
          </>
        }
        isFlush
      >
        <Table label={`Methods in ${environment.label}`}>
          <thead>
            <tr>
              <Column>Method</Column>
              <Column isNumber>Success</Column>
              <Column isNumber>Reward</Column>
              <Column isNumber hint="Model calls of an episode">
                Calls
              </Column>
              <Column isNumber hint="US dollars of an episode">
                Cost
              </Column>
              <Column hint="No other method is as good or better for as little or less money, and better in one">
                Front
              </Column>
              <Column isNumber hint="Episodes with a reward, of all">
                Scored
              </Column>
              <Column>Runs</Column>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ cell, entry, index }) => (
              <tr key={entry.id}>
                <th scope="row">
                  <EntryName index={index} entry={entry} />
                  {cell.note !== null && <div className={`${styles.soft} ${styles.note}`}>{cell.note}</div>}
                </th>
                <td className="number">
                  <Estimate of={cell.success_rate} />
                </td>
                <td className="number">{formatNumber(cell.reward.mean)}</td>
                <td className="number">{formatNumber(cell.mean_model_calls.mean, 1)}</td>
                <td className="number">{formatMoney(cell.mean_cost.mean)}</td>
                <td>{frontOf(cell)}</td>
                <td className="number">
                  {formatCount(cell.scored)} / {formatCount(cell.episodes)}
                  {cell.errored > 0 && (
                    <div className={styles.soft}>
                      {formatCount(cell.errored)} {episodeStatusWord('errored')}, no zeros
                    </div>
                  )}
                </td>
                <td>
                  <CellRuns cell={cell} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      </Section>
      {points.length > 1 && points.some(({ x }) => (x.mean ?? 0) > 0) && (
        <Section title={`Success against cost: ${showControls(environment.label)}`}>
          <ScatterPlot
            label={`Success rate against US dollars of an episode in ${environment.label}`}
            points={points}
            xAxis="US dollars of an episode"
            yAxis="success rate"
            yDomain={[0, 1]}
            formatX={formatMoney}
          />
        </Section>
      )}
    </>
  )
}

function frontOf({ comparable, on_front, unscored_tasks }: LeaderboardCell): string {
  if (!comparable) return 'not compared'
  if (unscored_tasks > 0) return 'tasks unscored'
  return on_front ? 'on it' : noNumber
}

function CellRuns({ cell: { runs } }: { cell: LeaderboardCell }) {
  return (
    <>
      {runs.map(({ name, run, seed }, at) => (
        <span key={run}>
          {at > 0 && ', '}
          <Link to={runAddress(run)} title={showControls(name ?? run)}>
            <span className={styles.seed}>seed {seed}</span>
          </Link>
        </span>
      ))}
    </>
  )
}
