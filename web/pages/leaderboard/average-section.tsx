import { formatMoney, noNumber } from '../../../shared/core/client/format-quantity.ts'
import type { Leaderboard } from '../../../shared/core/contracts/leaderboard.ts'
import { isComparableEverywhere } from '../../../shared/core/contracts/ranked-cells.ts'
import { Column } from '../../components/column.tsx'
import { Estimate } from '../../components/estimate.tsx'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import { EntryName } from './entry-name.tsx'

export function AverageSection({ leaderboard }: { leaderboard: Leaderboard }) {
  const { entries, environments } = leaderboard
  return (
    <Section title="Average" aside={`of ${environments.length} environments`} isFlush>
      <Table label="Averages over the environments">
        <thead>
          <tr>
            <Column>Method</Column>
            <Column isNumber>Success</Column>
            <Column isNumber>Cost</Column>
            <Column>Front</Column>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, index) => (
            <tr key={entry.id}>
              <th scope="row">
                <EntryName index={index} entry={entry} />
              </th>
              {entry.average === null ? (
                <td colSpan={3}>
                  {isComparableEverywhere(leaderboard, entry.id)
                    ? 'tasks without a reward in an environment'
                    : 'not in every environment on the tasks of its neighbours'}
                </td>
              ) : (
                <>
                  <td className="number">
                    <Estimate of={entry.average.success_rate} />
                  </td>
                  <td className="number">{formatMoney(entry.average.mean_cost)}</td>
                  <td>{entry.average.on_front ? 'on it' : noNumber}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  )
}
