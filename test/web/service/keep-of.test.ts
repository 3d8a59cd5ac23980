import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { keepOf } from '../../../web/service/keep-of.ts'

test('what a subject had stays while it is read in another way, and never becomes another subject’s', async () => {
  const client = new QueryClient()
  const asking = (run: string, page: number, queryFn: () => Promise<string>) => ({
    queryKey: ['episodes', run, { page }],
    queryFn,
    placeholderData: keepOf('episodes', run),
  })
  const never = () => new Promise<string>(() => undefined)
  const observer = new QueryObserver(
    client,
    asking('a', 1, async () => 'of a'),
  )
  const stop = observer.subscribe(() => undefined)
  await observer.fetchOptimistic(observer.options as never)
  expect(observer.getCurrentResult().data).toBe('of a')

  observer.setOptions(asking('a', 2, never))
  expect(observer.getCurrentResult()).toMatchObject({ data: 'of a', isPlaceholderData: true })
  observer.setOptions(asking('b', 2, never))
  expect(observer.getCurrentResult().data).toBeUndefined()
  stop()
})
