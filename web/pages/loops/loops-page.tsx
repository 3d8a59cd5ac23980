import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { Link } from 'react-router'
import { formatMoney, noNumber } from '../../../shared/client/format-quantity.ts'
import type { Loop } from '../../../shared/contracts/loop.ts'
import { LinkButton } from '../../components/button.tsx'
import { Column } from '../../components/column.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ShowMore } from '../../components/show-more.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Table } from '../../components/table.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { loopAddress } from '../../format/addresses.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'
import { pageAfterPage } from '../../service/page-after-page.ts'

const pageSize = 50

/** All loops, newest first; those that run are followed. */
export function LoopsPage() {
  const loops = useInfiniteQuery({
    queryKey: ['loops'],
    ...pageAfterPage((from) => api.loops({ limit: pageSize, ...from })),
    refetchInterval: ({ state: { data } }) =>
      (data?.pages ?? []).some((page) => page.data.some(isGoing)) && 3000,
  })
  return (
    <>
      <PageHeader
        title="Loops"
        tab="Loops"
        lead="Rounds of exploration, dataset, training, serving and evaluation that make a model better."
        actions={
          <LinkButton kind="primary" to="/loops/new">
            <Plus size={16} aria-hidden /> New loop
          </LinkButton>
        }
      />
      <Loaded what="the loops" query={loops}>
        {({ pages }) => {
          const found = pages.flatMap(({ data }) => data)
          return found.length === 0 ? <NoLoops /> : <LoopsTable loops={found} />
        }}
      </Loaded>
      <ShowMore query={loops} />
    </>
  )
}

export function isGoing({ status }: Pick<Loop, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

function LoopsTable({ loops }: { loops: readonly Loop[] }) {
  return (
    <Table isFramed label="Loops">
      <thead>
        <tr>
          <Column>Loop</Column>
          <Column>Recipe</Column>
          <Column>Environment</Column>
          <Column>Status</Column>
          <Column isNumber>Round</Column>
          <Column>Best</Column>
          <Column isNumber>Cost</Column>
          <Column>Created</Column>
        </tr>
      </thead>
      <tbody>
        {loops.map((loop) => (
          <tr key={loop.id}>
            <td>
              <Link to={loopAddress(loop.id)} dir="auto" className={loop.name === null ? 'identifier' : ''}>
                {showControls(loop.name ?? loop.id)}
              </Link>
            </td>
            <td>{loop.request.recipe}</td>
            <td>{loop.request.environment}</td>
            <td>
              <StatusBadge status={loop.status} />
            </td>
            <td className="number">
              {loop.progress.round} of {loop.progress.rounds}
            </td>
            <td>{loop.best === null ? noNumber : `round ${loop.best.round}`}</td>
            <td className="number">{formatMoney(loop.usage.cost)}</td>
            <td>
              <TimeAgo at={loop.created_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function NoLoops() {
  return (
    <EmptyState
      title="No loops yet"
      action={
        <LinkButton kind="primary" to="/loops/new">
          Begin the first
        </LinkButton>
      }
    >
      <p>
        Its rounds, with intervals against the start and a control, are shown here.{' '}
        <code>espalier loop RECIPE</code> begins one too.
      </p>
    </EmptyState>
  )
}
