import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import { createApiClient } from '../../../shared/core/client/api-client.ts'
import { ApiError } from '../../../shared/core/client/api-error.ts'
import type { Transport } from '../../../shared/core/client/transport.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { countEnded, followRun, hasEnded, reportPause } from '../../../web/service/follow-run.ts'
import { makeRun } from '../../builders/runs.ts'

interface Asked {
  path: string
  after: string | undefined
}

/** A client whose service answers with these streams, one after the other: texts of events, or a failure. */
function follower(streams: (string | Error)[]) {
  const asked: Asked[] = []
  const transport: Transport = {
    address: 'http://service',
    async send(_method, path, { headers = {} } = {}) {
      asked.push({ path, after: headers['Last-Event-ID'] })
      const stream = streams.shift()
      if (stream === undefined) throw new Error('There is no further stream in this test.')
      if (stream instanceof Error) throw stream
      return new Response(stream)
    },
    json: () => Promise.reject(new Error('Only streams are asked for.')),
  }
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  onTestFinished(() => queryClient.clear())
  const signal = new AbortController()
  const follow = () =>
    followRun('run-1', { api: createApiClient(transport), queryClient, signal: signal.signal })
  return { asked, queryClient, follow, abort: () => signal.abort() }
}

const shown = (run: Run) => `event: run\ndata: ${JSON.stringify(run)}\n\n`
const end = 'event: end\ndata: {"status":"succeeded"}\n\n'

const begun = makeRun({ episodes: { waiting: 2 } })
const halfway = makeRun({ episodes: { waiting: 1, succeeded: 1 } })
const done = makeRun({ status: 'succeeded', episodes: { succeeded: 2 } })

/** Watches a query as a page does, and counts how often it is read. */
function watched(queryClient: QueryClient, queryKey: unknown[]) {
  const read = { count: 0 }
  const queryFn = async () => ++read.count
  onTestFinished(
    new QueryObserver(queryClient, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => {}),
  )
  return read
}

test('the run is kept as its events show it, until it has ended', async () => {
  const { asked, follow, queryClient } = follower([shown(begun) + shown(done) + end])
  await follow()
  expect(queryClient.getQueryData(['run', 'run-1'])).toEqual(done)
  expect(asked).toHaveLength(1)
})

test('no event of its history is asked for, also after the stream broke', async () => {
  const broken = new ApiError(503, { type: 'server_error', code: 'internal', message: 'away', param: null })
  const { asked, follow, queryClient } = follower([shown(begun), broken, shown(done) + end])
  await follow()
  expect(queryClient.getQueryData(['run', 'run-1'])).toEqual(done)
  expect(new Set(asked.map(({ after }) => after))).toEqual(new Set([String(Number.MAX_SAFE_INTEGER)]))
  expect(asked).toHaveLength(3)
})

test('episodes and report are read again as episodes end, and once more at the end', async () => {
  const { follow, queryClient } = follower([shown(begun) + shown(halfway) + shown(done) + end])
  queryClient.setQueryData(['run', 'run-1'], begun)
  const episodes = watched(queryClient, ['episodes', 'run-1', 'page', 0])
  const report = watched(queryClient, ['report', 'run-1'])
  const others = watched(queryClient, ['report', 'run-2'])
  await expect.poll(() => [episodes.count, report.count, others.count]).toEqual([1, 1, 1])
  await follow()
  await expect.poll(() => [episodes.count, report.count]).toEqual([2, 2])
  expect(others.count).toBe(1)
})

test('nothing is read again while the run only grows older', async () => {
  const { follow, queryClient } = follower([shown(done) + shown({ ...done, running_seconds: 90 }) + end])
  queryClient.setQueryData(['run', 'run-1'], done)
  const report = watched(queryClient, ['report', 'run-1'])
  await expect.poll(() => report.count).toBe(1)
  await follow()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(report.count).toBe(1)
})

// A list of two loaded pages, and its number of requests.
async function watchedPages(queryClient: QueryClient) {
  const read = { count: 0 }
  const observer = new InfiniteQueryObserver(queryClient, {
    queryKey: ['episodes', 'run-1', 'ordered', {}],
    queryFn: async () => ++read.count,
    initialPageParam: 0,
    getNextPageParam: (_last, pages: number[]) => pages.length,
    staleTime: Infinity,
  })
  onTestFinished(observer.subscribe(() => {}))
  await expect.poll(() => read.count).toBe(1)
  await observer.fetchNextPage()
  return read
}

test('a list that was read on page by page stays as it is while the run goes on', async () => {
  const { abort, follow, queryClient } = follower([shown(begun) + shown(halfway)])
  const first = watched(queryClient, ['episodes', 'run-1', 'page', 0])
  const pages = await watchedPages(queryClient)
  const following = follow()
  await expect.poll(() => first.count).toBe(2)
  abort()
  await following
  expect(pages.count).toBe(2)
})

test('the end of a run reads also a list of several pages again, if its page leaves the stream at once too', async () => {
  for (const leaves of [false, true]) {
    const { abort, follow, queryClient } = follower([shown(halfway) + shown(done) + end])
    queryClient.setQueryData(['run', 'run-1'], begun)
    const pages = await watchedPages(queryClient)
    const unsubscribe = queryClient.getQueryCache().subscribe(() => {
      if (leaves && queryClient.getQueryData<Run>(['run', 'run-1'])?.status === 'succeeded') abort()
    })
    await follow()
    unsubscribe()
    await expect.poll(() => pages.count).toBe(4)
  }
})

test('the end of a run restarts reads in progress, the first ones too', async () => {
  for (const isFirst of [false, true]) {
    const { follow, queryClient } = follower([shown(halfway) + shown(done) + end])
    queryClient.setQueryData(['run', 'run-1'], begun)
    const beforeTheEnd = Promise.withResolvers<string>()
    const keys = [
      ['episodes', 'run-1', 'page', 0],
      ['report', 'run-1'],
    ]
    const began = keys.map(() => 0)
    for (const [place, queryKey] of keys.entries()) {
      if (!isFirst) queryClient.setQueryData(queryKey, 'old', { updatedAt: 1 })
      const queryFn = () => ((began[place] as number)++ === 0 ? beforeTheEnd.promise : 'whole')
      onTestFinished(new QueryObserver(queryClient, { queryKey, queryFn }).subscribe(() => {}))
    }
    await expect.poll(() => began).toEqual([1, 1])
    await follow()
    await expect.poll(() => began).toEqual([2, 2])
    beforeTheEnd.resolve('part')
    await expect
      .poll(() => keys.map((queryKey) => queryClient.getQueryData(queryKey)))
      .toEqual(['whole', 'whole'])
  }
})

test('a service that refuses is not asked again', async () => {
  const refusal = new ApiError(403, {
    type: 'permission_error',
    code: 'missing_scope',
    message: 'The key lacks the scope "runs:read".',
    param: null,
  })
  const { asked, follow } = follower([refusal])
  await expect(follow()).rejects.toThrow('runs:read')
  expect(asked).toHaveLength(1)
})

test('who leaves the page ends the following', async () => {
  const { abort, asked, follow } = follower([shown(begun)])
  const following = follow()
  await expect.poll(() => asked.length).toBe(1)
  abort()
  await following
  expect(asked).toHaveLength(1)
})

test('the report of a large run is read less often', () => {
  expect([40, 1000, 100_000].map(reportPause)).toEqual([2000, 2000, 200_000])
})

test('a run has ended when none of its episodes is left to play', () => {
  expect([begun, done].map(hasEnded)).toEqual([false, true])
  expect(countEnded(makeRun({ episodes: { succeeded: 1, failed: 2, errored: 3, active: 4 } }).episodes)).toBe(
    6,
  )
})
