import { CommandExample } from '../../components/command-example.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { LearnedList } from '../../components/learned/learned-list.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { libraryAddress } from '../../format/addresses.ts'
import { api } from '../../service/api.ts'

export function LibrariesPage() {
  return (
    <>
      <PageHeader
        title="Libraries"
        tab="Libraries"
        lead="Actions that agents wrote for themselves: functions over the environment’s own actions, tried and mended on training tasks."
      />
      <LearnedList what="libraries" read={api.libraries} addressOf={libraryAddress} empty={<NoLibraries />} />
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
