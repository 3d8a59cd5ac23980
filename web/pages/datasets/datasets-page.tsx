import { Plus } from 'lucide-react'
import { LinkButton } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PagedList } from '../../components/paged-list.tsx'
import { isBuilding } from '../../format/describe-progress.ts'
import { api } from '../../service/api.ts'
import { DatasetsTable } from './datasets-table.tsx'

export function DatasetsPage() {
  return (
    <>
      <PageHeader
        title="Datasets"
        tab="Datasets"
        lead="Training rows made from runs and imported trajectories, in the format of the trainer at hand."
        actions={
          <LinkButton kind="primary" to="/datasets/new">
            <Plus size={16} aria-hidden /> New dataset
          </LinkButton>
        }
      />
      <PagedList
        what="datasets"
        queryKey={['datasets']}
        ask={api.datasets}
        isChanging={isBuilding}
        empty={<NoDatasets />}
      >
        {(found) => <DatasetsTable datasets={found} />}
      </PagedList>
    </>
  )
}

function NoDatasets() {
  return (
    <EmptyState
      title="No datasets yet"
      action={
        <LinkButton kind="primary" to="/datasets/new">
          Build the first
        </LinkButton>
      }
    >
      <p>
        One run gives rows of many kinds: solved episodes to imitate, pairs of better and worse answers,
        revised mistakes, values of steps. Each row says which nodes of which tree it is from.
      </p>
    </EmptyState>
  )
}
