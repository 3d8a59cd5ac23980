import { CommandExample } from '../../components/command-example.tsx'
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
        A training registers its model. Weights from elsewhere are a folder with <code>config.json</code>, the
        tokenizer and <code>.safetensors</code> files. On the command line:
      </p>
      <CommandExample
        label="Register a folder of weights"
        text={`espalier models add ./model --name mine --service ${location.origin}`}
      />
    </EmptyState>
  )
}
