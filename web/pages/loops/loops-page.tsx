import { Plus } from 'lucide-react'
import { Link } from 'react-router'
import { formatMoney, noNumber } from '../../../shared/core/client/format-quantity.ts'
import { workWord } from '../../../shared/core/client/status-words.ts'
import type { Loop } from '../../../shared/core/contracts/loop.ts'
import { LinkButton } from '../../components/button.tsx'
import { Column } from '../../components/column.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PagedList } from '../../components/paged-list.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Table } from '../../components/table.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { loopAddress } from '../../format/addresses.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'

export function LoopsPage() {
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
      <PagedList what="loops" queryKey={['loops']} ask={api.loops} isChanging={isGoing} empty={<NoLoops />}>
        {(found) => <LoopsTable loops={found} />}
      </PagedList>
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
              <StatusBadge status={workWord(loop.status)} />
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
