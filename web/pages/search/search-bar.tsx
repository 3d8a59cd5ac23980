import { episodeStatusWord } from '../../../shared/core/client/status-words.ts'
import { Field } from '../../components/field.tsx'
import { type FilterChoice, FilterChoices, FilterTexts } from '../../components/filter-choices.tsx'
import { FilterRow } from '../../components/filter-row.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { withEntry } from '../../format/with-entry.ts'
import { useEnvironments, useMethods } from '../../service/catalogue.ts'
import { useExperiments } from '../../service/experiments.ts'
import { useAddress } from '../../service/use-address.ts'
import { outcomes, passageKinds, type SearchFilterName } from './search-choice.ts'
import styles from './search-page.module.css'

const finishReasons = ['stop', 'length', 'content_filter', 'tool_calls']

const outcomeWords = Object.fromEntries(outcomes.map((outcome) => [outcome, episodeStatusWord(outcome)]))

export function SearchBar({ error }: { error: string | null }) {
  const [address, setAddress] = useAddress()
  const methods = useMethods().data ?? []
  const environments = useEnvironments().data ?? []
  const experiments = useExperiments().data ?? []
  const textOf = (name: SearchFilterName | 'q') => address.get(name) ?? ''
  const set = (name: SearchFilterName | 'q', value: string) =>
    setAddress((now) => withEntry(now, name, value))
  const choices: FilterChoice<SearchFilterName>[] = [
    ['kind', 'Kind', passageKinds],
    ['outcome', 'Outcome', outcomes, outcomeWords],
    ['finish_reason', 'Finish reason', finishReasons],
    ['environment', 'Environment', environments.map(({ id }) => id)],
    ['method', 'Method', methods.map(({ id }) => id)],
    ['experiment', 'Experiment', experiments.map(({ id }) => id)],
  ]
  const texts: [SearchFilterName, string, string][] = [
    ['tag', 'Tag', 'has this tag'],
    ['run', 'Run', 'the id of a run'],
  ]
  return (
    <>
      <div className={styles.words}>
        <Field
          label="Words"
          hint={'A passage must have all of them. `"words in a row"`, `beginning*`.'}
          error={error}
        >
          {(field) => (
            <SearchInput
              {...field}
              placeholder="what was seen, answered or noted"
              value={textOf('q')}
              onSettle={(text) => set('q', text)}
            />
          )}
        </Field>
      </div>
      <FilterRow>
        <FilterChoices choices={choices} textOf={textOf} onSet={set} />
        <FilterTexts texts={texts} textOf={textOf} onSet={set} />
      </FilterRow>
    </>
  )
}
