import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Field } from '../../components/field.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { countOf } from '../../format/count-of.ts'
import { api } from '../../service/api.ts'
import { useMethods } from '../../service/catalogue.ts'
import styles from './compare.module.css'
import { FoundRun, searchesFor } from './found-run.tsx'

export function AddRunDialog({
  isOpen,
  onClose,
  chosen,
  environment,
  onAdd,
}: {
  isOpen: boolean
  onClose: () => void
  chosen: readonly string[]
  /** The environment of the chosen runs, because runs of others share no tasks with them. Null if none is chosen. */
  environment: string | null
  onAdd: (run: string) => void
}) {
  return (
    <Dialog title="Add a run" isOpen={isOpen} onClose={onClose}>
      <Search chosen={chosen} environment={environment} onAdd={onAdd} />
    </Dialog>
  )
}

function Search({
  chosen,
  environment,
  onAdd,
}: {
  chosen: readonly string[]
  environment: string | null
  onAdd: (run: string) => void
}) {
  const [wanted, setWanted] = useState('')
  const methods = useMethods()
  const searches = searchesFor(wanted, {
    environment,
    methods: (methods.data ?? []).map(({ id }) => id),
  })
  const answers = useQueries({
    queries: searches.map((query) => ({
      queryKey: ['runs', query],
      queryFn: () => api.runs(query),
      placeholderData: (previous: Awaited<ReturnType<typeof api.runs>> | undefined) => previous,
    })),
  })
  const found = new Map(answers.flatMap(({ data }) => data?.data ?? []).map((run) => [run.id, run]))
  const error = answers.find((answer) => answer.error !== null)?.error
  return (
    <>
      <Field
        label="Name or method"
        hint={environment === null ? 'The newest come first.' : `Runs of ${environment}, the newest first.`}
      >
        {(field) => <SearchInput {...field} value={wanted} onSettle={setWanted} />}
      </Field>
      <div className={styles.foundRuns}>
        {error ? (
          <ErrorState error={error} />
        ) : (
          <ul>
            {[...found.values()].map((run) => (
              <FoundRun key={run.id} run={run} chosen={chosen} onAdd={onAdd} />
            ))}
          </ul>
        )}
        {!error && (
          <p role="status" className={found.size > 0 ? 'visually-hidden' : undefined}>
            {found.size > 0
              ? `${countOf(found.size, 'run')} found`
              : answers.some(({ isPending }) => isPending)
                ? 'Searching …'
                : 'No run is found.'}
          </p>
        )}
      </div>
    </>
  )
}
