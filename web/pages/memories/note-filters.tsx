import type { Memory } from '../../../shared/core/contracts/memory.ts'
import { Field } from '../../components/field.tsx'
import { FilterRow } from '../../components/filter-row.tsx'
import { useReaders } from '../../components/learned/use-readers.ts'
import { SearchInput } from '../../components/search-input.tsx'
import { runName } from '../../format/run-name.ts'
import { showControls } from '../../format/show-controls.ts'
import { withEntry } from '../../format/with-entry.ts'
import { useAddress } from '../../service/use-address.ts'
import { type NoteChoice, sides, sorts } from './note-choice.ts'

export function NoteFilters({ memory: { environment, id }, choice }: { memory: Memory; choice: NoteChoice }) {
  const [, setAddress] = useAddress()
  const readers = useReaders({ id, environment, parameter: 'memory_from' })
  const set = (name: string, value: string) => setAddress((now) => withEntry(now, name, value))
  return (
    <FilterRow>
      <Field label="Text">
        {(field) => <SearchInput {...field} value={choice.text} onSettle={(text) => set('text', text)} />}
      </Field>
      <Field label="Side">
        {(field) => (
          <select {...field} value={choice.side ?? ''} onChange={({ target }) => set('side', target.value)}>
            <option value="">any</option>
            {Object.entries(sides).map(([side, name]) => (
              <option key={side} value={side}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Order">
        {(field) => (
          <select {...field} value={choice.sort} onChange={({ target }) => set('sort', target.value)}>
            {Object.entries(sorts).map(([sort, name]) => (
              <option key={sort} value={sort}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {(readers.length > 0 || choice.shownIn !== null) && (
        <Field label="Shown in">
          {(field) => (
            <select
              {...field}
              value={choice.shownIn ?? ''}
              onChange={({ target }) => set('in', target.value)}
            >
              <option value="">the run that wrote them</option>
              {choice.shownIn !== null && readers.every((reader) => reader.id !== choice.shownIn) && (
                <option value={choice.shownIn}>{showControls(choice.shownIn)}</option>
              )}
              {readers.map((reader) => (
                <option key={reader.id} value={reader.id}>
                  {runName(reader)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </FilterRow>
  )
}
