import { workWord } from '../../../shared/core/client/status-words.ts'
import type { Query } from '../../../shared/core/client/transport.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { Button } from '../../components/button.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { countOf } from '../../format/count-of.ts'
import { runName } from '../../format/run-name.ts'
import { showControls } from '../../format/show-controls.ts'
import styles from './compare.module.css'
import { mostRuns } from './compare-choice.ts'

export function FoundRun({
  run,
  chosen,
  onAdd,
}: {
  run: Run
  chosen: readonly string[]
  onAdd: (run: string) => void
}) {
  const { created_at, episodes, id, request, status } = run
  const isChosen = chosen.includes(id)
  const name = runName(run)
  return (
    <li>
      <span className={styles.foundRun}>
        <span dir="auto">{name}</span>
        <span className="soft">
          {showControls(request.environment)}, {request.method.id}, {countOf(episodes.total, 'episode')},
          created <TimeAgo at={created_at} /> <StatusBadge status={workWord(status)} />
        </span>
        {request.name && <span className="identifier">{id}</span>}
      </span>
      <Button
        // An added run keeps the focus.
        aria-disabled={isChosen}
        disabled={!isChosen && chosen.length >= mostRuns}
        aria-label={`${isChosen ? 'Added' : 'Add'}: ${name}${name === id ? '' : `, ${id}`}`}
        onClick={() => {
          if (!isChosen) onAdd(id)
        }}
      >
        {isChosen ? 'Added' : 'Add'}
      </Button>
    </li>
  )
}

const most = 30

const mostMethods = 3

export function searchesFor(
  text: string,
  { environment, methods }: { environment: string | null; methods: readonly string[] },
): Query[] {
  const base: Query = { limit: most, ...(environment !== null && { environment }) }
  if (text === '') return [base]
  const meant = methods.filter((method) => method.includes(text.toLowerCase())).slice(0, mostMethods)
  return [{ ...base, name: text }, ...meant.map((method) => ({ ...base, method }))]
}
