import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { LearnedFacts } from '../../components/learned/learned-facts.tsx'
import { SimulatedNotice } from '../../components/learned/simulated-notice.tsx'
import { UseInRun } from '../../components/learned/use-in-run.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'
import { LibraryActions } from './library-actions.tsx'

/** The actions that a run learned. */
export function LibraryPage() {
  const { library: id = '' } = useParams()
  const library = useQuery({
    queryKey: ['library', id],
    queryFn: () => api.library(id),
    refetchInterval: ({ state }) => (state.data?.complete === false ? 5000 : false),
  })
  return (
    <>
      <PageHeader
        title={
          library.data ? (
            <>
              Actions for <bdi>{showControls(library.data.environment)}</bdi>
            </>
          ) : (
            'Library'
          )
        }
        tab={`Library ${id}`}
        way={[{ to: '/libraries', name: 'Libraries' }]}
        lead={library.data ? <LearnedFacts item={library.data} /> : id}
      />
      <Loaded what="the library" query={library}>
        {(found) => (
          <>
            <SimulatedNotice run={found.run} />
            <LibraryActions library={found} />
            <UseInRun item={found} />
          </>
        )}
      </Loaded>
    </>
  )
}
