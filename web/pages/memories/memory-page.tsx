import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { LearnedFacts } from '../../components/learned/learned-facts.tsx'
import { SimulatedNotice } from '../../components/learned/simulated-notice.tsx'
import { UseInRun } from '../../components/learned/use-in-run.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'
import { MemoryNotes } from './memory-notes.tsx'

/** The notes that a run wrote, and where they were shown. */
export function MemoryPage() {
  const { memory: id = '' } = useParams()
  const memory = useQuery({
    queryKey: ['memory', id],
    queryFn: () => api.memory(id),
    refetchInterval: ({ state }) => (state.data?.complete === false ? 5000 : false),
  })
  return (
    <>
      <PageHeader
        title={
          memory.data ? (
            <>
              Notes on <bdi>{showControls(memory.data.environment)}</bdi>
            </>
          ) : (
            'Memory'
          )
        }
        tab={`Memory ${id}`}
        way={[{ to: '/memories', name: 'Memories' }]}
        lead={memory.data ? <LearnedFacts item={memory.data} /> : id}
      />
      <Loaded what="the memory" query={memory}>
        {(found) => (
          <>
            <SimulatedNotice run={found.run} />
            <MemoryNotes memory={found} />
            <UseInRun item={found} />
          </>
        )}
      </Loaded>
    </>
  )
}
