import { Plus } from 'lucide-react'
import { LinkButton } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PagedList } from '../../components/paged-list.tsx'
import { isTraining } from '../../format/describe-training.ts'
import { api } from '../../service/api.ts'
import { TrainingsTable } from './trainings-table.tsx'

export function TrainingsPage() {
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
      <PagedList
        what="trainings"
        queryKey={['trainings']}
        ask={api.trainings}
        isChanging={isTraining}
        empty={<NoTrainings />}
      >
        {(found) => <TrainingsTable trainings={found} />}
      </PagedList>
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
