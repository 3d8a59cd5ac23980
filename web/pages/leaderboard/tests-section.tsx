import { Link } from 'react-router'
import { formatDifference } from '../../../shared/core/client/format-quantity.ts'
import type { Leaderboard, LeaderboardTest } from '../../../shared/core/contracts/leaderboard.ts'
import { Column } from '../../components/column.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import { compareAddress } from '../../format/addresses.ts'
import { showControls } from '../../format/show-controls.ts'
import { mostRuns } from '../compare/compare-choice.ts'
import { formatPValue } from '../compare/format-figures.ts'
import { nameOfEntry } from './entry-name.tsx'

export function TestsSection({ leaderboard }: { leaderboard: Leaderboard }) {
  const { environments, tests } = leaderboard
  const labelOf = (id: string) => showControls(environments.find((each) => each.id === id)?.label ?? id)
  const sorted = tests.toSorted((left, right) => (left.adjusted_p ?? 2) - (right.adjusted_p ?? 2))
  return (
    <Section title="Paired tests" aside="corrected by Holm, the smallest p first" isFlush>
      {tests.length === 0 ? (
        <EmptyState title="Nothing to compare">No two methods play the same tasks.</EmptyState>
      ) : (
        <Table label="Paired tests between methods">
          <thead>
            <tr>
              <Column>Method</Column>
              <Column>Against</Column>
              <Column>Environment</Column>
              <Column isNumber>Shared tasks</Column>
              <Column isNumber hint="Success of the first minus that of the second, paired by task">
                Difference
              </Column>
              <Column isNumber hint="Tasks with a higher share of successes, and with a lower one">
                Better / worse
              </Column>
              <Column isNumber hint="Of the exact two-sided sign test">
                p
              </Column>
              <Column isNumber hint="Corrected for all tests of this leaderboard (Holm 1979)">
                p, corrected
              </Column>
              <Column isUnseen>Compare</Column>
            </tr>
          </thead>
          <tbody>
            {sorted.map((test) => (
              <tr key={`${test.environment} ${test.entry} ${test.against}`}>
                <th scope="row" dir="auto">
                  {nameOfEntry(leaderboard, test.entry)}
                </th>
                <td dir="auto">{nameOfEntry(leaderboard, test.against)}</td>
                <td dir="auto">{labelOf(test.environment)}</td>
                <td className="number">{test.shared_tasks}</td>
                <td className="number">{formatDifference(test.success_rate)}</td>
                <td className="number">
                  {test.better} / {test.worse}
                </td>
                <td className="number">{formatPValue(test.p_value)}</td>
                <td className="number">{formatPValue(test.adjusted_p)}</td>
                <td>
                  <Link to={compareAddress(runsOf(leaderboard, test))}>
                    Compare
                    <span className="visually-hidden">
                      {' '}
                      {nameOfEntry(leaderboard, test.entry)} with {nameOfEntry(leaderboard, test.against)} in{' '}
                      {labelOf(test.environment)}
                    </span>
                  </Link>
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  )
}

function runsOf({ cells }: Leaderboard, { against, entry, environment }: LeaderboardTest): string[] {
  return [against, entry]
    .flatMap((id) => cells.find((cell) => cell.entry === id && cell.environment === environment)?.runs ?? [])
    .map(({ run }) => run)
    .slice(0, mostRuns)
}
