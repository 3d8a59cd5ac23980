import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatNumber } from '../../../shared/core/client/format-quantity.ts'
import { episodeEndWord } from '../../../shared/core/client/status-words.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Field } from '../../components/field.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { EpisodePlace } from '../../format/addresses.ts'
import { countOf } from '../../format/count-of.ts'
import { runName } from '../../format/run-name.ts'
import { shortText } from '../../format/short-text.ts'
import { api } from '../../service/api.ts'
import { keepOf } from '../../service/keep-of.ts'
import { runQuery } from '../../service/run-query.ts'
import styles from './compare-episodes.module.css'

const most = 50

const mostRuns = 50

export interface Beginning {
  run: string | null
  task: string
  environment: string | null
}

export function ChooseEpisodeDialog({
  side,
  isOpen,
  onClose,
  from,
  onChoose,
}: {
  side: string
  isOpen: boolean
  onClose: () => void
  from: Beginning
  onChoose: (place: EpisodePlace) => void
}) {
  return (
    <Dialog title={`Episode on the ${side.toLowerCase()}`} isOpen={isOpen} onClose={onClose}>
      <Choice from={from} onChoose={onChoose} />
    </Dialog>
  )
}

function Choice({ from, onChoose }: { from: Beginning; onChoose: (place: EpisodePlace) => void }) {
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState(from.run)
  const [task, setTask] = useState(from.task)
  const query = {
    limit: mostRuns,
    ...(from.environment !== null && { environment: from.environment }),
    ...(name !== '' && { name }),
  }
  const found = useQuery({ queryKey: ['runs', query], queryFn: () => api.runs(query) })
  const own = useQuery({ ...runQuery(chosen ?? ''), enabled: chosen !== null })
  const runs = new Map([...(own.data ? [own.data] : []), ...(found.data?.data ?? [])].map(byId))
  const run = chosen ?? runs.keys().next().value ?? null
  return (
    <>
      <Field label="Name of the run" hint="Narrows the runs below.">
        {(field) => <SearchInput {...field} value={name} onSettle={setName} />}
      </Field>
      <Field
        label="Run"
        hint={
          from.environment === null ? 'The newest first.' : `Runs of ${from.environment}, the newest first.`
        }
        error={found.error?.message}
      >
        {(field) => (
          <select {...field} value={run ?? ''} onChange={({ target }) => setChosen(target.value)}>
            {runs.size === 0 && <option value="">{found.isPending ? 'loading …' : 'no run is found'}</option>}
            {[...runs.values()].map((each) => (
              <option key={each.id} value={each.id}>
                {runName(each)} ({each.request.method.id}, {each.id.slice(-8)})
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Task" hint="Holds this text.">
        {(field) => <SearchInput {...field} value={task} onSettle={setTask} />}
      </Field>
      {run !== null && <FoundEpisodes run={run} task={task} onChoose={onChoose} />}
    </>
  )
}

function byId(run: Run): [string, Run] {
  return [run.id, run]
}

function FoundEpisodes({
  run,
  task,
  onChoose,
}: {
  run: string
  task: string
  onChoose: (place: EpisodePlace) => void
}) {
  const query = { limit: most, ...(task !== '' && { task }) }
  const found = useQuery({
    queryKey: ['episodes', run, query],
    queryFn: () => api.episodes(run, query),
    placeholderData: keepOf('episodes', run),
  })
  if (found.error !== null && !found.data) return <ErrorState error={found.error} />
  const episodes = found.data?.data.filter(({ purpose }) => purpose === 'play') ?? []
  return (
    <div className={styles.foundEpisodes}>
      <ul>
        {episodes.map(({ id, epoch, status, result, task: played }) => (
          <li key={id}>
            <span>
              <bdi>{shortText(played, 120)}</bdi>{' '}
              <span className="soft">
                {id}
                {epoch > 0 && `, epoch ${epoch + 1}`}{' '}
                <StatusBadge status={episodeEndWord({ status, limit: result?.limit ?? null })} /> reward{' '}
                {formatNumber(result?.reward ?? null)}
              </span>
            </span>
            <Button aria-label={`Choose ${id}`} onClick={() => onChoose({ run, episode: id })}>
              Choose
            </Button>
          </li>
        ))}
      </ul>
      <p role="status" className={episodes.length > 0 ? 'visually-hidden' : 'soft'}>
        {found.data === undefined
          ? 'Searching …'
          : episodes.length > 0
            ? `${countOf(episodes.length, 'episode')} found`
            : 'No episode of this run has such a task.'}
      </p>
    </div>
  )
}
