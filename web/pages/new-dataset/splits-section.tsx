import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { ButtonRow } from '../../components/button-row.tsx'
import styles from '../../components/form/form.module.css'
import { Section } from '../../components/section.tsx'
import { withField } from '../../format/with-field.ts'
import type { FormPart } from './form-part.ts'
import rows from './new-dataset-page.module.css'
import {
  addSplit,
  presets,
  renameSplit,
  type SplitEntry,
  sharesProblem,
  splitEntries,
  splitShares,
} from './split-shares.ts'

export function SplitsSection({ draft, onChange, errors }: FormPart) {
  const [entries, setEntries] = useState(() => splitEntries(draft.splits ?? {}))
  // Names change while they are typed, so the position identifies a split.
  const placed = entries.map((entry, place) => ({ ...entry, place }))
  const splits = splitShares(entries)
  const set = (next: SplitEntry[]) => {
    setEntries(next)
    onChange(withField(draft, 'splits', splitShares(next)))
  }
  const faults = errors('splits')
  const fault = errors('').splits
  const problem = sharesProblem(splits)
  return (
    <Section title="Splits">
      <div className={styles.stack}>
        <p className="soft">
          Tasks are divided, not rows: nothing of a task, and no prompt, is in two splits. Which task goes
          where follows from the seed.
        </p>
        <ButtonRow>
          {presets.map(({ name, shares }) => (
            <Button
              key={name}
              className={rows.splitPreset ?? ''}
              aria-pressed={JSON.stringify(shares) === JSON.stringify(splits)}
              onClick={() => set(splitEntries(shares))}
            >
              {name}
            </Button>
          ))}
        </ButtonRow>
        {entries.length > 0 && (
          <ol className={rows.splits}>
            {placed.map(({ name, share, place }) => (
              <li key={place} className={rows.split}>
                <input
                  type="text"
                  aria-label={`Name of split ${place + 1}`}
                  autoComplete="off"
                  spellCheck={false}
                  value={name}
                  onChange={({ target }) => set(renameSplit(entries, place, target.value))}
                />
                <input
                  type="number"
                  aria-label={`Share of ${name}`}
                  min={0}
                  max={1}
                  step={0.05}
                  value={Number.isFinite(share) ? share : ''}
                  onChange={({ target }) => set(entries.with(place, { name, share: target.valueAsNumber }))}
                />
                <Button onClick={() => set(entries.toSpliced(place, 1))}>Remove</Button>
                {faults[name] && <p className={styles.error}>{faults[name]}</p>}
              </li>
            ))}
          </ol>
        )}
        {entries.length > 0 && (
          <div>
            <Button onClick={() => set(addSplit(entries))}>Add a split</Button>
          </div>
        )}
        {problem !== null ? (
          <p className={styles.error}>{problem}</p>
        ) : (
          fault && <p className={styles.error}>{fault}</p>
        )}
      </div>
    </Section>
  )
}
