import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import { createApiClient } from '../../../shared/core/client/api-client.ts'
import type { Transport } from '../../../shared/core/client/transport.ts'
import type { RolloutRun } from '../../../shared/core/contracts/rollout.ts'
import { followRollout } from '../../../web/service/follow-rollout.ts'

test('the rollout is kept as its events show it, behind the groups that the figures have, and figures are read again', async () => {
  const now = { id: 'rollout-1', status: 'running', groups: { total: 4, finished: 2, complete: 2 } }
  const done = { ...now, status: 'succeeded', groups: { total: 4, finished: 4, complete: 4 } }
  const asked: (string | undefined)[] = []
  const transport: Transport = {
    address: 'http://service',
    async send(_method, _path, { headers = {} } = {}) {
      asked.push(headers['Last-Event-ID'])
      const group = 'id: 3\nevent: group.finished\ndata: {"type":"group.finished"}\n\n'
      return new Response(
        `${group}event: rollout\ndata: ${JSON.stringify(done)}\n\nevent: end\ndata: {"status":"succeeded"}\n\n`,
      )
    },
    json: () => Promise.reject(new Error('Only streams are asked for.')),
  }
  const queryClient = new QueryClient()
  onTestFinished(() => queryClient.clear())
  queryClient.setQueryData(['rollout', 'rollout-1'], now as RolloutRun)
  let reads = 0
  const figures = {
    queryKey: ['rollout-figures', 'rollout-1'],
    queryFn: async () => ++reads,
    staleTime: Infinity,
  }
  onTestFinished(new QueryObserver(queryClient, figures).subscribe(() => {}))
  await followRollout('rollout-1', {
    api: createApiClient(transport),
    queryClient,
    signal: new AbortController().signal,
  })
  expect(asked).toEqual(['2'])
  expect(queryClient.getQueryData(['rollout', 'rollout-1'])).toEqual(done)
  await expect.poll(() => reads).toBe(2)
})
