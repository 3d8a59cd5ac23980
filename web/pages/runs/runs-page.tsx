import {
  keepPreviousData,
  notifyManager,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { exampleEnvironment } from '../../../shared/core/contracts/example-environment.ts'
import type { Run, RunFilter } from '../../../shared/core/contracts/run.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { CommandExample } from '../../components/command-example.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState, messageOf } from '../../components/error-state.tsx'
import { columnId } from '../../components/list/column-view.ts'
import { ColumnsMenu } from '../../components/list/columns-menu.tsx'
import { ListHead, sizedTable } from '../../components/list/list-head.tsx'
import {
  isNewestFirst,
  type ListOrder,
  newestFirst,
  orderAfter,
  readOrder,
  sortEntries,
  sortedPage,
  writeOrder,
} from '../../components/list/list-order.ts'
import { SortedNote } from '../../components/list/sorted-note.tsx'
import { useColumns } from '../../components/list/use-columns.ts'
import { useShownPart } from '../../components/list/use-shown-part.ts'
import { ViewsMenu } from '../../components/list/views-menu.tsx'
import { LoadingState } from '../../components/loading-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ShowMore } from '../../components/show-more.tsx'
import { Table } from '../../components/table.tsx'
import { compareAddress } from '../../format/addresses.ts'
import { asksSimulated } from '../../format/asks-simulated.ts'
import { api } from '../../service/api.ts'
import { useEndpoints, useEnvironments, useMethods } from '../../service/catalogue.ts'
import { isGoingOn } from '../../service/follow-run.ts'
import { pageAfterPage } from '../../service/page-after-page.ts'
import type { RunCatalogue } from '../../service/run-catalogue.ts'
import { useAddress } from '../../service/use-address.ts'
import { FilterBar } from './filter-bar.tsx'
import { hasScored, runColumns } from './run-columns.ts'
import { readChosen, readFilters, toRunQuery, withChosen, withoutFilters } from './run-filters.ts'
import { RunRow } from './run-row.tsx'
import styles from './runs-page.module.css'
import { readShown } from './shown-fields.ts'

export function RunsPage() {
  const [address, setAddress] = useAddress()
  const filters = readFilters(address)
  const order = readOrder(address, runColumns.filter(({ sort }) => sort).map(columnId))
  const isSorted = !isNewestFirst(order)
  const query = useRuns(filters, isSorted)
  const columns = useColumns(runColumns)
  const catalogue = {
    methods: useMethods().data ?? [],
    environments: useEnvironments().data ?? [],
    endpoints: useEndpoints().data ?? [],
  }
  const pages = query.data?.pages ?? []
  const runs = pages.flatMap((page) => page.data)
  const { more, shown } = useShownPart(runs.length, query)
  const parts = isSorted
    ? chunksOf(sortRuns(runs, order).slice(0, shown), pageSize)
    : pages.map((page) => page.data)
  const sized = sizedTable(columns.sizes)
  const isFiltered = Object.keys(filters).length > 0

  return (
    <>
      <PageHeader title="Runs" tab="Runs" actions={<Actions />} />
      <FilterBar runs={runs}>
        <ColumnsMenu columns={runColumns} />
        <ViewsMenu list="runs" />
      </FilterBar>
      {isSorted && query.hasNextPage && <SortedNote count={runs.length} />}
      <section className={styles.runList} aria-label="The runs" aria-busy={query.isPlaceholderData}>
        {query.data === undefined ? (
          query.error === null ? (
            <LoadingState what="the runs" />
          ) : (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          )
        ) : runs.length > 0 ? (
          <Table label="Runs" {...sized}>
            <ListHead
              columns={columns}
              sorted={order}
              sortOf={(column) => column.sort && columnId(column)}
              onSort={(column) => {
                const isGreatestFirst = column.isNumber === true || columnId(column) === newestFirst.sort
                setAddress((now) => writeOrder(now, orderAfter(order, columnId(column), isGreatestFirst)))
              }}
            />
            {parts.map((part, at) => (
              <RunRows
                key={(isSorted ? undefined : part[0]?.id) ?? at}
                runs={part}
                catalogue={catalogue}
                hidden={columns.view.hidden}
              />
            ))}
          </Table>
        ) : isFiltered ? (
          <NoneLikeThat isMore={query.hasNextPage} onClear={() => setAddress(withoutFilters)} />
        ) : (
          <NoRuns />
        )}
      </section>
      {runs.length > 0 && <LostRates />}
      <ShowMore query={isSorted ? more : query} />
    </>
  )
}

function Actions() {
  const [address] = useAddress()
  const chosen = readChosen(address)
  return (
    <>
      {chosen.length < 2 ? (
        <Button disabled>Choose runs to compare</Button>
      ) : (
        <LinkButton to={compareAddress(chosen)}>Compare {chosen.length} runs</LinkButton>
      )}
      <LinkButton to="/runs/new" kind="primary">
        New run
      </LinkButton>
    </>
  )
}

function NoneLikeThat({ isMore, onClear }: { isMore: boolean; onClear: () => void }) {
  return (
    <EmptyState title="No run is like that" action={<Button onClick={onClear}>Clear the filters</Button>}>
      {isMore
        ? 'None of the newest 1,000. Older ones were not looked at yet.'
        : 'No run passes all the filters.'}
    </EmptyState>
  )
}

function NoRuns() {
  return (
    <EmptyState
      title="No runs yet"
      action={
        <LinkButton to="/runs/new" kind="primary">
          New run
        </LinkButton>
      }
    >
      <p>
        A run plays an environment’s tasks with one method and one model, and keeps every tree it grows. The
        simulated model needs no key and costs nothing. On the command line:
      </p>
      <CommandExample
        label="A first run on the command line"
        text={`espalier run --service ${location.origin} --environment ${exampleEnvironment} \\\n  --method mcts --model simulated --limit 20`}
      />
    </EmptyState>
  )
}

/** Reports that success rates of any page could not be loaded. Its line is reserved, so that nothing moves. */
function LostRates() {
  const client = useQueryClient()
  const cache = client.getQueryCache()
  const shown = { queryKey: successKey, type: 'active' } as const
  const error = useSyncExternalStore(
    (onChange) => cache.subscribe(notifyManager.batchCalls(onChange)),
    () => cache.findAll(shown).find(({ state }) => state.status === 'error')?.state.error ?? null,
  )
  return (
    <div role="status" className={styles.lostRates}>
      {error !== null && (
        <>
          <span>Success rates could not be loaded: {messageOf(error)}</span>
          <Button onClick={() => void client.refetchQueries(shown)}>Try again</Button>
        </>
      )}
    </div>
  )
}

function sortRuns(runs: readonly Run[], { order, sort }: ListOrder): readonly Run[] {
  const column = runColumns.find((each) => columnId(each) === sort)
  return column?.sort === undefined ? runs : sortEntries(runs, column.sort, order)
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}

function RunRows({
  runs,
  catalogue,
  hidden,
}: {
  runs: readonly Run[]
  catalogue: RunCatalogue
  hidden: ReadonlySet<string>
}) {
  const [address, setAddress] = useAddress()
  const { data: rates, isError } = useSuccessRates(runs)
  const chosen = readChosen(address)
  const shown = readShown(address)
  return (
    <tbody>
      {runs.map((run) => (
        <RunRow
          key={run.id}
          run={run}
          facts={{ ...factsOf(run, catalogue), rate: rates?.get(run.id), isRateLost: isError }}
          shown={shown}
          hidden={hidden}
          isChosen={chosen.includes(run.id)}
          onChoose={(isChosen) => setAddress((now) => withChosen(now, run.id, isChosen))}
        />
      ))}
    </tbody>
  )
}

function factsOf(run: Run, { endpoints, environments, methods }: RunCatalogue) {
  return {
    method: methods.find(({ id }) => id === run.request.method.id),
    environment: environments.find(({ id }) => id === run.request.environment),
    isSimulated: asksSimulated(run, endpoints),
  }
}

const pageSize = 25

const successKey = ['success'] as const

function useRuns(filters: RunFilter, isSorted: boolean) {
  const limit = isSorted ? sortedPage : pageSize
  return useInfiniteQuery({
    queryKey: ['runs', filters, 'pages', limit],
    ...pageAfterPage((from) => api.runs({ ...toRunQuery(filters), limit, ...from })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => {
      const pages = data?.pages ?? []
      const isActive = pages.some((page) => page.data.some(isGoingOn))
      // Each refetch reads every loaded page, so poll less often if there are many.
      const count = pages.reduce((sum, page) => sum + page.data.length, 0)
      return (isActive ? 2000 : 15_000) * Math.max(1, count / (4 * pageSize))
    },
  })
}

function useSuccessRates(runs: readonly Run[]) {
  const asked = runs.filter(hasScored)
  const counts = asked.map(({ id, episodes: { succeeded, failed, limited, total } }) =>
    [id, succeeded, failed, limited, total].join(' '),
  )
  return useQuery({
    queryKey: [...successKey, counts],
    queryFn: async () => {
      const { rates } = await api.success(asked.map(({ id }) => id))
      return new Map(rates.map((rate) => [rate.run, rate]))
    },
    enabled: asked.length > 0,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
}
