import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { noNumber } from '../../../shared/core/client/format-quantity.ts'
import type { WorkerInfo } from '../../../shared/core/contracts/machine.ts'
import { Column } from '../../components/column.tsx'
import { CommandExample } from '../../components/command-example.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Table } from '../../components/table.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { episodeAddress } from '../../format/addresses.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'

const refreshEvery = 5000
const shownEpisodes = 3

export function WorkersPage() {
  const workers = useQuery({ queryKey: ['workers'], queryFn: api.workers, refetchInterval: refreshEvery })
  return (
    <>
      <PageHeader
        title="Workers"
        tab="Workers"
        lead="The processes that play episodes, on this machine and on those that joined."
      />
      <Loaded what="the workers" query={workers}>
        {({ data }) => (data.length === 0 ? <NoWorkers /> : <WorkersTable workers={data} />)}
      </Loaded>
    </>
  )
}

function NoWorkers() {
  return (
    <EmptyState title="No workers">
      <p>Runs wait until a worker starts. On the command line of another machine:</p>
      <CommandExample
        label="A worker that joins"
        text={`espalier worker --join ${location.origin} --places 100`}
      />
    </EmptyState>
  )
}

function WorkersTable({ workers }: { workers: readonly WorkerInfo[] }) {
  return (
    <Table isFramed label="Workers">
      <thead>
        <tr>
          <Column>Worker</Column>
          <Column>State</Column>
          <Column>Machine</Column>
          <Column>Labels</Column>
          <Column isNumber>Episodes</Column>
          <Column>Episodes of yours</Column>
          <Column>Last heartbeat</Column>
        </tr>
      </thead>
      <tbody>
        {workers.map((worker) => (
          <Row key={worker.id} worker={worker} />
        ))}
      </tbody>
    </Table>
  )
}

function Row({ worker }: { worker: WorkerInfo }) {
  const { capacity, episodes, heard_at, host, id, kind, labels, playing, status, version } = worker
  return (
    <tr>
      <td className="identifier">{showControls(id)}</td>
      <td>
        <StatusBadge status={status} />
      </td>
      <td dir="auto">
        {showControls(host)}
        <div className="soft">
          {kind}, version {showControls(version)}
        </div>
      </td>
      <td>{labels.length === 0 ? noNumber : labels.join(', ')}</td>
      <td className="number">
        {playing} of {capacity}
      </td>
      <td>
        {episodes.slice(0, shownEpisodes).map(({ run, episode }) => (
          <div key={`${run} ${episode}`}>
            <Link to={episodeAddress(run, episode)} className="identifier">
              {showControls(`${run} ${episode}`)}
            </Link>
          </div>
        ))}
        {episodes.length > shownEpisodes && (
          <div className="soft">and {episodes.length - shownEpisodes} more</div>
        )}
        {episodes.length === 0 && noNumber}
      </td>
      <td>
        <TimeAgo at={heard_at} />
      </td>
    </tr>
  )
}
