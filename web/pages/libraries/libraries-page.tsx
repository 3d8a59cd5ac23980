import { useInfiniteQuery } from '@tanstack/react-query'
import { CommandExample } from '../../components/command-example.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { LearnedList } from '../../components/learned/learned-list.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { libraryAddress } from '../../format/addresses.ts'
import { api } from '../../service/api.ts'
import { pageAfterPage } from '../../service/page-after-page.ts'

const pageSize = 50

/** Every library, newest first. */
export function LibrariesPage() {
  const query = useInfiniteQuery({
    queryKey: ['libraries'],
    queryFn: ({ pageParam }) =>
      api.libraries({ limit: pageSize, ...(pageParam !== null && { after: pageParam }) }),
    ...pageAfterPage,
  })
  return (
    <>
      <PageHeader
        title="Libraries"
        tab="Libraries"
        lead="Actions that agents wrote for themselves: functions over the environment’s own actions, tried and mended on training tasks."
      />
      <LearnedList what="libraries" query={query} addressOf={libraryAddress} empty={<NoLibraries />} />
    </>
  )
}

function NoLibraries() {
  return (
    <EmptyState title="No libraries yet">
      <p>
        A run of <code>learnact</code> writes one, unless it is given one. On the command line:
      </p>
      <CommandExample
        label="A run that learns actions"
        text={`espalier run --service ${location.origin} --environment pddl --type gripper \\\n  --method learnact --model simulated`}
      />
    </EmptyState>
  )
}
