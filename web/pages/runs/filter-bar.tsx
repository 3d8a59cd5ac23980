import { SlidersHorizontal, X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { workWord } from '../../../shared/core/client/status-words.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { type FilterChoice, FilterChoices, FilterTexts } from '../../components/filter-choices.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { showControls } from '../../format/show-controls.ts'
import { withEntry } from '../../format/with-entry.ts'
import { useEndpoints, useEnvironments, useMethods } from '../../service/catalogue.ts'
import { useExperiments } from '../../service/experiments.ts'
import { useAddress } from '../../service/use-address.ts'
import { activeFilters, type FilterName, readFilters, statuses, withTokens } from './run-filters.ts'
import styles from './runs-page.module.css'

const statusWords = Object.fromEntries(statuses.map((status) => [status, workWord(status)]))

export function FilterBar({ runs, children }: { runs: readonly Run[]; children?: ReactNode }) {
  const [address, setAddress] = useAddress()
  const [isOpen, setOpen] = useState(false)
  const more = useId()
  const filters = readFilters(address)
  const methods = useMethods().data ?? []
  const environments = useEnvironments().data ?? []
  const endpoints = useEndpoints().data ?? []
  const experiments = useExperiments().data ?? []
  const textOf = (name: FilterName) => address.get(name) ?? ''
  const set = (name: FilterName, value: string) => setAddress((now) => withEntry(now, name, value))
  const models = [
    ...endpoints.flatMap((endpoint) => endpoint.models),
    ...runs.map(({ request }) => request.model.id),
  ]
  const choices: FilterChoice<FilterName>[] = [
    ['status', 'Status', statuses, statusWords],
    ['environment', 'Environment', environments.map(({ id }) => id)],
    ['method', 'Method', [...methods.map(({ id }) => id), ...runs.map(({ request }) => request.method.id)]],
    ['model', 'Model', models],
    ['experiment', 'Experiment', experiments.map(({ id }) => id)],
  ]
  const isIdle = textOf('metadata') !== '' && filters.metadata === undefined
  const texts: [FilterName, string, string, (string | null)?][] = [
    ['tag', 'Tag', 'has this tag'],
    ['metadata', 'Metadata', 'name=value', isIdle ? 'Write a name and a value: team=vision.' : null],
  ]
  const active = activeFilters(address)
  return (
    <search className={styles.filters} aria-label="Filters">
      <div className={styles.filterLine}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const text = String(new FormData(event.currentTarget).get('text'))
            setAddress((now) => withTokens(now, text))
          }}
        >
          <SearchInput
            name="text"
            aria-label="Search runs"
            placeholder="a part of the name, or method:mcts status:failed, then Enter"
            value={filters.name ?? ''}
            onSettle={(text) => {
              if (!/[a-z]:/.test(text)) set('name', text)
            }}
          />
          <Button aria-expanded={isOpen} aria-controls={more} onClick={() => setOpen(!isOpen)}>
            <SlidersHorizontal size={16} aria-hidden /> Filters
          </Button>
        </form>
        {children}
      </div>
      {active.length > 0 && (
        <ul className={styles.chips} aria-label="Active filters">
          {active.map(({ name, value }) => (
            <li key={name}>
              <button type="button" className={styles.chip} onClick={() => set(name, '')}>
                <span className="visually-hidden">Remove the filter</span>
                <span className={styles.runSoft}>{name}</span>
                <span dir="auto">
                  {name === 'status' ? (statusWords[value] ?? value) : showControls(value)}
                </span>
                <X size={14} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div id={more} className={styles.moreFilters} hidden={!isOpen}>
        <FilterChoices
          choices={choices}
          textOf={(name) => (name in filters ? textOf(name) : '')}
          onSet={set}
        />
        <FilterTexts texts={texts} textOf={textOf} onSet={set} />
        <Field label="Show fields">
          {(field) => (
            <SearchInput
              {...field}
              placeholder="method.iterations, seed"
              value={address.get('show') ?? ''}
              onSettle={(text) => setAddress((now) => withEntry(now, 'show', text))}
            />
          )}
        </Field>
        <Field label="Archived">
          {(field) => (
            <select
              {...field}
              value={filters.archived ?? ''}
              onChange={({ target }) => set('archived', target.value)}
            >
              <option value="">left out</option>
              <option value="true">only these</option>
              <option value="any">too</option>
            </select>
          )}
        </Field>
      </div>
    </search>
  )
}
