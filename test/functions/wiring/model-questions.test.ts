import { expect, test } from 'vitest'
import { reconcileWith } from '../../../functions/wiring/model-questions.ts'
import type { CallLog } from '../../../shared/play/models/call-log.ts'

const model = { endpoint: 'paid', model: 'tiny' }
const price = { input: 1, cached_input: 0.1, cache_write: 1.25, output: 2 }

function reconcile(log: CallLog | null) {
  const errors: unknown[] = []
  const ask = reconcileWith({ callLog: () => log, price: () => price }, (error) => errors.push(error))
  return { errors, answer: ask(model, 'worker-1') }
}

test('a lost call costs what its endpoint logged, by our own prices', async () => {
  const { answer } = reconcile(async () => ({ input_tokens: 1_000_000, output_tokens: 500_000, cost: 9 }))
  expect(await answer).toEqual({ input_tokens: 1_000_000, output_tokens: 500_000, cost: 2 })
})

test('a lost call that read and wrote the cache costs both shares', async () => {
  const logged = { input_tokens: 1_000_000, cached_tokens: 500_000, output_tokens: 0, cost: null }
  const { answer } = reconcile(async () => ({ ...logged, cache_write_tokens: 400_000 }))
  expect(await answer).toEqual({ ...logged, cost: 0.1 + 0.05 + 0.5 })
})

test('an endpoint that keeps no log, one that has not seen the call, and one that cannot be asked are three answers', async () => {
  expect(await reconcile(null).answer).toBe('unknown')
  expect(await reconcile(async () => 'unseen').answer).toBe('unseen')
  const away = new Error('No answer.')
  const { answer, errors } = reconcile(() => Promise.reject(away))
  expect(await answer).toBe('unreachable')
  expect(errors).toEqual([away])
})
