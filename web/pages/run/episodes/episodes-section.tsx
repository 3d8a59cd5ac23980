import { endWords } from '../../../../shared/core/client/end-words.ts'
import { formatCount } from '../../../../shared/core/client/format-quantity.ts'
import { episodeStatusWord } from '../../../../shared/core/client/status-words.ts'
import { episodeEndSchema } from '../../../../shared/core/contracts/episode.ts'
import type { Run } from '../../../../shared/core/contracts/run.ts'
import { InlineField } from '../../../components/inline-field.tsx'
import { ColumnsMenu } from '../../../components/list/columns-menu.tsx'
import { ViewsMenu } from '../../../components/list/views-menu.tsx'
import { SearchInput } from '../../../components/search-input.tsx'
import { Section } from '../../../components/section.tsx'
import { countEnded } from '../../../service/follow-run.ts'
import { useAddress } from '../../../service/use-address.ts'
import { episodeColumns } from './episode-columns.tsx'
import { EpisodeList } from './episode-list.tsx'
import {
  type EpisodeView,
  endReasons,
  episodeStatuses,
  readEpisodeView,
  writeEpisodeView,
} from './episode-view.ts'
import styles from './episodes.module.css'

export function EpisodesSection({ run }: { run: Run }) {
  const [query, setQuery] = useAddress()
  const view = readEpisodeView(query)
  const setView = (next: EpisodeView) => setQuery((now) => writeEpisodeView(now, next))
  return (
    <div id="episodes" className={styles.episodesSection}>
      <Section
        title="Episodes"
        isFlush
        aside={
          <search className={styles.episodesFilters}>
            <StatusFilter run={run} view={view} onView={setView} />
            <ReasonFilter view={view} onView={setView} />
            <InlineField label="Task">
              {(field) => (
                <SearchInput
                  {...field}
                  placeholder="any part of its id"
                  value={view.task ?? ''}
                  onSettle={(task) =>
                    setQuery((now) => writeEpisodeView(now, { ...readEpisodeView(now), task }))
                  }
                />
              )}
            </InlineField>
            <ColumnsMenu columns={episodeColumns(run)} />
            <ViewsMenu list="episodes" />
          </search>
        }
      >
        <EpisodeList run={run} view={view} onView={setView} />
      </Section>
    </div>
  )
}

interface Filter {
  view: EpisodeView
  onView: (view: EpisodeView) => void
}

function ReasonFilter({ view: { reason, ...rest }, onView }: Filter) {
  return (
    <InlineField label="Ended by">
      {(field) => (
        <select
          {...field}
          value={reason ?? ''}
          onChange={({ target }) => {
            const chosen = endReasons.find((each) => each === target.value)
            onView(chosen === undefined ? rest : { ...rest, reason: chosen })
          }}
        >
          <option value="">any reason</option>
          {endReasons.map((each) => (
            <option key={each} value={each}>
              {endWords[each]}
            </option>
          ))}
        </select>
      )}
    </InlineField>
  )
}

function StatusFilter({ run, view: { status, ...rest }, onView }: Filter & { run: Run }) {
  const counts = run.episodes
  const isPaused = run.status === 'paused'
  const label = (word: string, count: number) => `${word} (${formatCount(count)})`
  return (
    <InlineField label="Status">
      {(field) => (
        <select
          {...field}
          value={status ?? ''}
          onChange={({ target }) => {
            const chosen = episodeStatuses.find((each) => each === target.value)
            onView(chosen === undefined ? rest : { ...rest, status: chosen })
          }}
        >
          <option value="">{label('all', counts.total)}</option>
          <optgroup label={label('not ended', counts.waiting + counts.active)}>
            {/* The counts do not separate queued episodes from active ones. */}
            <option value="queued">
              {counts.active === 0
                ? label('waiting', counts.waiting)
                : `waiting, ${isPaused ? 'held' : 'queued'}`}
            </option>
            <option value="running">{isPaused ? 'held, still with a worker' : 'running'}</option>
          </optgroup>
          <optgroup label={label('ended', countEnded(counts))}>
            {episodeEndSchema.options.map((each) => (
              <option key={each} value={each}>
                {label(episodeStatusWord(each), counts[each])}
              </option>
            ))}
          </optgroup>
        </select>
      )}
    </InlineField>
  )
}
