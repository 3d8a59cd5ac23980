import { exampleEnvironment } from '../../../shared/core/contracts/example-environment.ts'
import { CommandExample } from '../../components/command-example.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { LearnedList } from '../../components/learned/learned-list.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { memoryAddress } from '../../format/addresses.ts'
import { api } from '../../service/api.ts'

export function MemoriesPage() {
  return (
    <>
      <PageHeader
        title="Memories"
        tab="Memories"
        lead="What episodes noted for later ones: what surprised them, and what they would do otherwise."
      />
      <LearnedList what="memories" read={api.memories} addressOf={memoryAddress} empty={<NoMemories />} />
    </>
  )
}

function NoMemories() {
  return (
    <EmptyState title="No memories yet">
      <p>
        A run of <code>rmcts</code> writes one after each task, a run of <code>reflexion</code> before all of
        them. On the command line:
      </p>
      <CommandExample
        label="A run that writes a memory"
        text={`espalier run --service ${location.origin} --environment ${exampleEnvironment} \\\n  --method rmcts --model simulated --limit 8`}
      />
    </EmptyState>
  )
}
