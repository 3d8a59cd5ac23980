import { useInfiniteQuery } from '@tanstack/react-query'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ShowMore } from '../../components/show-more.tsx'
import { api } from '../../service/api.ts'
import { useModelServers } from '../../service/model-servers.ts'
import { pageAfterPage } from '../../service/page-after-page.ts'
import { ModelsTable } from './models-table.tsx'

const pageSize = 50

/** All registered models, newest first, and how those that are served do. */
export function ModelsPage() {
  const models = useInfiniteQuery({
    queryKey: ['registered-models'],
    ...pageAfterPage((from) => api.registeredModels({ limit: pageSize, ...from })),
  })
  const servers = useModelServers()
  return (
    <>
      <PageHeader
        title="Models"
        tab="Models"
        lead="Weights that are registered here, with what they were made from. One that is served is an endpoint that runs can ask."
      />
      <Loaded what="the models" query={models}>
        {({ pages }) => {
          const found = pages.flatMap(({ data }) => data)
          return found.length === 0 ? (
            <NoModels />
          ) : (
            <ModelsTable models={found} servers={servers.data ?? []} />
          )
        }}
      </Loaded>
      <ShowMore query={models} />
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
