import type { LibraryAction } from '../../../shared/core/contracts/library.ts'
import { Field } from '../../components/field.tsx'
import { FilterRow } from '../../components/filter-row.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { showControls } from '../../format/show-controls.ts'
import { withEntry } from '../../format/with-entry.ts'
import { useAddress } from '../../service/use-address.ts'
import { everyTask } from './read-action-filter.ts'

export function ActionFilters({ actions }: { actions: readonly LibraryAction[] }) {
  const [address, setAddress] = useAddress()
  const groups = [...new Set(actions.map(({ group }) => group ?? everyTask))]
  const set = (name: string, value: string) => setAddress((now) => withEntry(now, name, value))
  return (
    <FilterRow>
      <Field label="Text">
        {(field) => (
          <SearchInput {...field} value={address.get('text') ?? ''} onSettle={(text) => set('text', text)} />
        )}
      </Field>
      {groups.length > 1 && (
        <Field label="Group of tasks">
          {(field) => (
            <select
              {...field}
              value={address.get('group') ?? ''}
              onChange={({ target }) => set('group', target.value)}
            >
              <option value="">any</option>
              {groups.map((group) => (
                <option key={group} value={group}>
                  {group === everyTask ? 'for every task' : showControls(group)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </FilterRow>
  )
}
