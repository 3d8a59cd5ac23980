import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Library } from '../../../shared/contracts/library.ts'
import type { Memory } from '../../../shared/contracts/memory.ts'
import { showControls } from '../../format/show-controls.ts'
import { Loaded } from '../loaded.tsx'
import { PageHeader } from '../page-header.tsx'
import { LearnedFacts } from './learned-facts.tsx'
import { SimulatedNotice } from './simulated-notice.tsx'
import { UseInRun } from './use-in-run.tsx'

/** A memory or a library: where it comes from, what is in it, and how another run is given it. */
export function LearnedPage<Item extends Memory | Library>({
  id,
  name,
  title,
  list,
  read,
  children,
}: {
  id: string
  name: 'Memory' | 'Library'
  /** The text before the environment that it is for. */
  title: string
  /** The page of all of its like. */
  list: { to: string; name: string }
  read: (id: string) => Promise<Item>
  /** What is in it. */
  children: (item: Item) => ReactNode
}) {
  const what = name.toLowerCase()
  const query = useQuery({
    queryKey: [what, id],
    queryFn: () => read(id),
    refetchInterval: ({ state }) => (state.data?.complete === false ? 5000 : false),
  })
  return (
    <>
      <PageHeader
        title={
          query.data ? (
            <>
              {title} <bdi>{showControls(query.data.environment)}</bdi>
            </>
          ) : (
            name
          )
        }
        tab={`${name} ${id}`}
        way={[list]}
        lead={query.data ? <LearnedFacts item={query.data} /> : id}
      />
      <Loaded what={`the ${what}`} query={query}>
        {(found) => (
          <>
            <SimulatedNotice run={found.run} />
            {children(found)}
            <UseInRun item={found} />
          </>
        )}
      </Loaded>
    </>
  )
}
