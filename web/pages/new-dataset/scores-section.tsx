import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import styles from '../../components/form/form.module.css'
import { Section } from '../../components/section.tsx'
import { withField } from '../../format/with-field.ts'
import type { DatasetDraft } from './dataset-draft.ts'
import type { FormPart } from './form-part.ts'
import rows from './new-dataset-page.module.css'

type ScoreFilter = NonNullable<DatasetDraft['scores']>[number]

/** As many as the service takes. */
const most = 10

/** Which scores of people and scorers episodes must have, and within which bounds. */
export function ScoresSection({ draft, onChange, errors }: FormPart) {
  // Names are empty until they are typed: a score is known by its place.
  const [entries, setEntries] = useState<readonly ScoreFilter[]>(() => draft.scores ?? [])
  const placed = entries.map((entry, place) => ({ entry, place }))
  const set = (next: readonly ScoreFilter[]) => {
    setEntries(next)
    onChange(withField(draft, 'scores', next.length === 0 ? undefined : [...next]))
  }
  const fault = errors('').scores ?? Object.values(errors('scores'))[0]
  return (
    <Section title="Scores">
      <div className={styles.stack}>
        <p className="soft">
          Episodes of the runs must have these scores, within these bounds; others are left out and counted.
          Bounds are from 0 to 1. Without a person, the mean of all people counts.
        </p>
        {entries.length > 0 && (
          <ol className={rows.splits}>
            {placed.map(({ entry, place }) => (
              <li key={place} className={rows.score}>
                <input
                  type="text"
                  aria-label={`Name of score ${place + 1}`}
                  placeholder="helpful"
                  autoComplete="off"
                  spellCheck={false}
                  value={entry.name}
                  onChange={({ target }) => set(entries.with(place, { ...entry, name: target.value }))}
                />
                {(['at_least', 'at_most'] as const).map((bound) => (
                  <input
                    key={bound}
                    type="number"
                    aria-label={`${bound === 'at_least' ? 'Least' : 'Greatest'} value of score ${place + 1}`}
                    placeholder={bound === 'at_least' ? 'at least' : 'at most'}
                    min={0}
                    max={1}
                    step={0.05}
                    value={entry[bound] ?? ''}
                    onChange={({ target: { valueAsNumber: value } }) =>
                      set(
                        entries.with(
                          place,
                          withField(entry, bound, Number.isFinite(value) ? value : undefined),
                        ),
                      )
                    }
                  />
                ))}
                <input
                  type="text"
                  aria-label={`Person of score ${place + 1}`}
                  placeholder="by anyone"
                  autoComplete="off"
                  value={entry.by ?? ''}
                  onChange={({ target }) => set(entries.with(place, withField(entry, 'by', target.value)))}
                />
                <Button onClick={() => set(entries.toSpliced(place, 1))}>Remove</Button>
              </li>
            ))}
          </ol>
        )}
        <div>
          <Button disabled={entries.length >= most} onClick={() => set([...entries, { name: '' }])}>
            Add a score
          </Button>
        </div>
        {fault && <p className={styles.error}>{fault}</p>}
      </div>
    </Section>
  )
}
