import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { LinkButton } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ShowMore } from '../../components/show-more.tsx'
import { isTraining } from '../../format/describe-training.ts'
import { api } from '../../service/api.ts'
import { pageAfterPage } from '../../service/page-after-page.ts'
import { TrainingsTable } from './trainings-table.tsx'

const pageSize = 50

/** All trainings, newest first; those that are under way are followed. */
export function TrainingsPage() {
  const trainings = useInfiniteQuery({
    queryKey: ['trainings'],
    ...pageAfterPage((from) => api.trainings({ limit: pageSize, ...from })),
    refetchInterval: ({ state: { data } }) => {
      const pages = data?.pages ?? []
      // Every page is read again: many of them less often.
      return pages.some((page) => page.data.some(isTraining)) && 2000 * Math.max(1, pages.length / 4)
    },
  })
  return (
    <>
      <PageHeader
        title="Trainings"
        tab="Trainings"
        lead="Models that learn from datasets: by imitation, from pairs, or from judged steps."
        actions={
          <LinkButton kind="primary" to="/trainings/new">
            <Plus size={16} aria-hidden /> New training
          </LinkButton>
        }
      />
      <Loaded what="the trainings" query={trainings}>
        {({ pages }) => {
          const found = pages.flatMap(({ data }) => data)
          return found.length === 0 ? <NoTrainings /> : <TrainingsTable trainings={found} />
        }}
      </Loaded>
      <ShowMore query={trainings} />
    </>
  )
}

function NoTrainings() {
  return (
    <EmptyState
      title="No trainings yet"
      action={
        <LinkButton kind="primary" to="/trainings/new">
          Begin the first
        </LinkButton>
      }
    >
      <p>
        A training takes a base model and datasets, checks that they fit before anything is spent, and
        registers the model that comes of it. <code>espalier train</code> begins one too.
      </p>
    </EmptyState>
  )
}
