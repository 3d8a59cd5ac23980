import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { LinkButton } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ShowMore } from '../../components/show-more.tsx'
import { isBuilding } from '../../format/describe-progress.ts'
import { api } from '../../service/api.ts'
import { pageAfterPage } from '../../service/page-after-page.ts'
import { DatasetsTable } from './datasets-table.tsx'

const pageSize = 50

/** All datasets, newest first; those that are being built are followed. */
export function DatasetsPage() {
  const datasets = useInfiniteQuery({
    queryKey: ['datasets'],
    ...pageAfterPage((from) => api.datasets({ limit: pageSize, ...from })),
    refetchInterval: ({ state: { data } }) => {
      const pages = data?.pages ?? []
      // Every page is read again: many of them less often.
      return pages.some((page) => page.data.some(isBuilding)) && 2000 * Math.max(1, pages.length / 4)
    },
  })
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
      <Loaded what="the datasets" query={datasets}>
        {({ pages }) => {
          const found = pages.flatMap(({ data }) => data)
          return found.length === 0 ? <NoDatasets /> : <DatasetsTable datasets={found} />
        }}
      </Loaded>
      <ShowMore query={datasets} />
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
        One run gives rows of many kinds: what succeeded to imitate, pairs of better and worse answers,
        revised mistakes, values of steps. Each row says which nodes of which tree it is from.
      </p>
    </EmptyState>
  )
}
