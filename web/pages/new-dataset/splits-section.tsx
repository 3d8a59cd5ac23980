import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { ButtonRow } from '../../components/button-row.tsx'
import styles from '../../components/form/form.module.css'
import type { FormPart } from '../../components/form/use-request-form.ts'
import { Section } from '../../components/section.tsx'
import { withField } from '../../format/with-field.ts'
import type { DatasetDraft } from './dataset-draft.ts'
import rows from './new-dataset-page.module.css'

export function SplitsSection({ draft, onChange, errors }: FormPart<DatasetDraft>) {
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

type Shares = Record<string, number>

export const presets: readonly { name: string; shares: Shares }[] = [
  { name: 'All for training', shares: {} },
  { name: '90 % train, 10 % validation', shares: { train: 0.9, validation: 0.1 } },
  { name: '80 %, 10 %, 10 % test', shares: { train: 0.8, validation: 0.1, test: 0.1 } },
]

/** A split identified by its position: an object would move a name such as `2024` to the front. */
export interface SplitEntry {
  name: string
  /** NaN while the field is empty. */
  share: number
}

export function splitEntries(shares: Shares): SplitEntry[] {
  return Object.entries(shares).map(([name, share]) => ({ name, share }))
}

export function splitShares(entries: readonly SplitEntry[]): Shares {
  return Object.fromEntries(entries.map(({ name, share }) => [name, Number.isFinite(share) ? share : 0]))
}

export function addSplit(entries: readonly SplitEntry[]): SplitEntry[] {
  const shares = splitShares(entries)
  let number = entries.length + 1
  while (`split_${number}` in shares) number += 1
  return [...entries, { name: `split_${number}`, share: round(Math.max(0, 1 - sumOf(shares))) }]
}

export function renameSplit(entries: readonly SplitEntry[], place: number, name: string): SplitEntry[] {
  if (entries.some((entry) => entry.name === name)) return [...entries]
  return entries.map((entry, at) => (at === place ? { ...entry, name } : entry))
}

export function sharesProblem(shares: Shares): string | null {
  if (Object.keys(shares).length === 0) return null
  const empty = Object.entries(shares).find(([, share]) => !(share > 0))
  if (empty !== undefined) return `The share of “${empty[0]}” must be more than 0.`
  const sum = sumOf(shares)
  return Math.abs(sum - 1) <= 1e-9 ? null : `The shares are ${round(sum)} in sum; they must be 1.`
}

function sumOf(shares: Shares): number {
  return Object.values(shares).reduce((total, share) => total + share, 0)
}

function round(value: number): number {
  return Number(value.toFixed(9))
}
