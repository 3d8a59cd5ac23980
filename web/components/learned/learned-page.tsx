import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Library } from '../../../shared/core/contracts/library.ts'
import type { Memory } from '../../../shared/core/contracts/memory.ts'
import { runAddress } from '../../format/addresses.ts'
import { asksSimulated } from '../../format/asks-simulated.ts'
import { runName } from '../../format/run-name.ts'
import { showControls } from '../../format/show-controls.ts'
import { useEndpoints } from '../../service/catalogue.ts'
import { runQuery } from '../../service/run-query.ts'
import { Loaded } from '../loaded.tsx'
import { Notice } from '../notice.tsx'
import { PageHeader } from '../page-header.tsx'
import { TimeAgo } from '../time-ago.tsx'
import { IsComplete } from './learned-table.tsx'
import { UseInRun } from './use-in-run.tsx'

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
  title: string
  list: { to: string; name: string }
  read: (id: string) => Promise<Item>
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

function LearnedFacts({ item: { complete, created_at, id, method, run } }: { item: Memory | Library }) {
  const writer = useQuery(runQuery(run))
  return (
    <>
      {id} · written by {method} in{' '}
      <Link to={runAddress(run)}>{writer.data ? <bdi>{runName(writer.data)}</bdi> : run}</Link> ·{' '}
      <IsComplete complete={complete} /> · <TimeAgo at={created_at} />
    </>
  )
}

function SimulatedNotice({ run }: { run: string }) {
  const writer = useQuery(runQuery(run))
  const endpoints = useEndpoints().data ?? []
  if (writer.data === undefined || !asksSimulated(writer.data, endpoints)) return null
  return (
    <Notice isSpaced>Written by the simulated model: texts and numbers prove plumbing, not quality.</Notice>
  )
}
