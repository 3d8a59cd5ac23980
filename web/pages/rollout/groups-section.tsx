import { Link } from 'react-router'
import { formatNumber } from '../../../shared/core/client/format-quantity.ts'
import { episodeId } from '../../../shared/core/contracts/episode-id.ts'
import type { RolloutRun } from '../../../shared/core/contracts/rollout.ts'
import type { GroupFigures } from '../../../shared/core/contracts/rollout-figures.ts'
import { Column } from '../../components/column.tsx'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { episodeAddress } from '../../format/addresses.ts'
import { showControls } from '../../format/show-controls.ts'

const mostRows = 20

export function GroupsSection({
  rollout: { group_size, run },
  groups,
}: {
  rollout: RolloutRun
  groups: readonly GroupFigures[]
}) {
  const newest = groups.slice(-mostRows).toReversed()
  return (
    <Section title="Newest groups" isFlush>
      <Table label="Newest groups">
        <thead>
          <tr>
            <Column isNumber>Group</Column>
            <Column>Task</Column>
            <Column isNumber>Reward</Column>
            <Column isNumber>Variance</Column>
            <Column>Signal</Column>
            <Column isNumber>Entropy</Column>
            <Column isNumber>Lag</Column>
            <Column>Tree</Column>
            <Column>Ended</Column>
          </tr>
        </thead>
        <tbody>
          {newest.map(({ ended_at, entropy, flat, index, lag, reward, sequence, task, variance }) => {
            const first = episodeId(index * group_size)
            return (
              <tr key={sequence}>
                <td className="number">{sequence}</td>
                <td dir="auto">{showControls(task)}</td>
                <td className="number">{formatNumber(reward)}</td>
                <td className="number">{formatNumber(variance, 3)}</td>
                <td>{flat ? 'none' : 'yes'}</td>
                <td className="number">{formatNumber(entropy, 3)}</td>
                <td className="number">{formatNumber(lag, 0)}</td>
                <td>
                  <Link to={episodeAddress(run, first, { colour: 'advantage' })} className="identifier">
                    {first}
                  </Link>
                </td>
                <td>
                  <TimeAgo at={ended_at} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </Table>
    </Section>
  )
}
