import { workWord } from '../../../shared/core/client/status-words.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { Field } from '../../components/field.tsx'
import { type FilterChoice, FilterChoices, FilterTexts } from '../../components/filter-choices.tsx'
import { FilterRow } from '../../components/filter-row.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { withEntry } from '../../format/with-entry.ts'
import { useEndpoints, useEnvironments, useMethods } from '../../service/catalogue.ts'
import { useExperiments } from '../../service/experiments.ts'
import { useAddress } from '../../service/use-address.ts'
import { type FilterName, readFilters, statuses } from './run-filters.ts'

const statusWords = Object.fromEntries(statuses.map((status) => [status, workWord(status)]))

export function FilterBar({ runs }: { runs: readonly Run[] }) {
  const [address, setAddress] = useAddress()
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
  const texts: [FilterName, string, string][] = [
    ['tag', 'Tag', 'has this tag'],
    ['metadata', 'Metadata', 'name=value'],
  ]
  return (
    <FilterRow>
      <Field label="Name">
        {(field) => (
          <SearchInput {...field} value={filters.name ?? ''} onSettle={(text) => set('name', text)} />
        )}
      </Field>
      <FilterChoices choices={choices} textOf={textOf} onSet={set} />
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
    </FilterRow>
  )
}
