import { useInfiniteQuery } from '@tanstack/react-query'
import type { Library, LibraryAction } from '../../../shared/core/contracts/library.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Field } from '../../components/field.tsx'
import { FilterRow } from '../../components/filter-row.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { ShowMore } from '../../components/show-more.tsx'
import { showControls } from '../../format/show-controls.ts'
import { withEntry } from '../../format/with-entry.ts'
import { api } from '../../service/api.ts'
import { pageAfterPage } from '../../service/page-after-page.ts'
import { useAddress } from '../../service/use-address.ts'
import { ActionSetSection } from './action-set-section.tsx'
import { actionSets, everyTask, filterActions, readActionFilter } from './action-sets.ts'
import styles from './library-page.module.css'

const pageSize = 200

export function LibraryActions({ library: { complete, id } }: { library: Library }) {
  const [address, setAddress] = useAddress()
  const query = useInfiniteQuery({
    queryKey: ['library', id, 'actions', complete],
    ...pageAfterPage((from) => api.actions(id, { limit: pageSize, ...from })),
    refetchInterval: complete ? false : 5000,
  })
  return (
    <Loaded what="its actions" query={query}>
      {({ pages }) => {
        const actions = pages.flatMap(({ data }) => data)
        if (actions.length === 0) return <NoActions complete={complete} />
        const sets = actionSets(filterActions(actions, readActionFilter(address)))
        return (
          <>
            <ActionFilters actions={actions} />
            {sets.length === 0 && (
              <EmptyState
                title="No action is like that"
                action={
                  <Button onClick={() => setAddress(() => new URLSearchParams())}>Clear the filters</Button>
                }
              />
            )}
            <div className={styles.actionSets}>
              {sets.map((set) => (
                <ActionSetSection key={set.id} set={set} />
              ))}
            </div>
            <ShowMore query={query} />
          </>
        )
      }}
    </Loaded>
  )
}

function NoActions({ complete }: { complete: boolean }) {
  return (
    <EmptyState title={complete ? 'Nothing was learned' : 'Nothing is learned yet'}>
      <p>
        {complete
          ? 'The run ended before an episode that learns had written actions. Its page says how those episodes ended.'
          : 'Actions appear when the first episode that learns has ended.'}
      </p>
    </EmptyState>
  )
}

function ActionFilters({ actions }: { actions: readonly LibraryAction[] }) {
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
