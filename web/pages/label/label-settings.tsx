import { episodeStatusWord } from '../../../shared/core/client/status-words.ts'
import { Field } from '../../components/field.tsx'
import { FilterRow } from '../../components/filter-row.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import styles from './label.module.css'
import type { faultsOf, LabelChoice, Outcome, Scale } from './label-choice.ts'

const scales: Record<Scale, string> = { binary: 'good or bad', graded: '1 to 5' }

const outcomes: Record<Outcome, string> = {
  any: 'any',
  succeeded: episodeStatusWord('succeeded'),
  failed: episodeStatusWord('failed'),
  limited: episodeStatusWord('limited'),
}

export function LabelSettings({
  choice: { again, blind, by, name, outcome, scale },
  faults,
  names,
  onChange,
}: {
  choice: LabelChoice
  faults: ReturnType<typeof faultsOf>
  names: readonly string[]
  onChange: (part: Partial<LabelChoice>) => void
}) {
  const others = names.filter((other) => other !== name)
  return (
    <FilterRow>
      <Field
        label="Score"
        hint={
          others.length > 0 ? `Also given here: ${others.join(', ')}.` : 'What is judged, such as `helpful`.'
        }
        error={faults.name}
      >
        {(field) => (
          <SearchInput
            {...field}
            value={name}
            placeholder="helpful"
            onSettle={(to) => onChange({ name: to })}
          />
        )}
      </Field>
      <Field label="Person" hint="Left empty: as your key is called, or `operator`." error={faults.by}>
        {(field) => (
          <SearchInput
            {...field}
            value={by}
            placeholder="your name"
            onSettle={(to) => onChange({ by: to })}
          />
        )}
      </Field>
      <Choice label="Scale" value={scale} words={scales} onChoose={(to) => onChange({ scale: to })} />
      <Choice label="Outcome" value={outcome} words={outcomes} onChoose={(to) => onChange({ outcome: to })} />
      <fieldset className={styles.labelChecks}>
        <legend>Episodes</legend>
        <label>
          <input
            type="checkbox"
            checked={again}
            onChange={({ target }) => onChange({ again: target.checked })}
          />{' '}
          also those judged already
        </label>
        <label>
          <input
            type="checkbox"
            checked={blind}
            onChange={({ target }) => onChange({ blind: target.checked })}
          />{' '}
          hide rewards until judged
        </label>
      </fieldset>
    </FilterRow>
  )
}

function Choice<Value extends string>({
  label,
  value,
  words,
  onChoose,
}: {
  label: string
  value: Value
  words: Record<Value, string>
  onChoose: (value: Value) => void
}) {
  const choices = Object.keys(words) as Value[]
  return (
    <Field label={label}>
      {(field) => (
        <select
          {...field}
          value={value}
          onChange={({ target }) => {
            const chosen = choices.find((choice) => choice === target.value)
            if (chosen !== undefined) onChoose(chosen)
          }}
        >
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {words[choice]}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
