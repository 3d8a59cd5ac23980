import { EmptyState } from '../../components/empty-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PagedList } from '../../components/paged-list.tsx'
import { api } from '../../service/api.ts'
import { useModelServers } from '../../service/model-servers.ts'
import { ModelsTable } from './models-table.tsx'

export function ModelsPage() {
  const servers = useModelServers()
  return (
    <>
      <PageHeader
        title="Models"
        tab="Models"
        lead="Weights that are registered here, with what they were made from. One that is served is an endpoint that runs can ask."
      />
      <PagedList
        what="models"
        queryKey={['registered-models']}
        ask={api.registeredModels}
        empty={<NoModels />}
      >
        {(found) => <ModelsTable models={found} servers={servers.data ?? []} />}
      </PagedList>
    </>
  )
}

function NoModels() {
  return (
    <EmptyState title="No models yet">
      <p>
        A training registers what it makes. Weights from elsewhere come in by{' '}
        <code>espalier models add FOLDER</code>.
      </p>
    </EmptyState>
  )
}
