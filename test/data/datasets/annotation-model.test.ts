import { expect, test } from 'vitest'
import { type RunRequestInput, runRequestSchema } from '../../../shared/core/contracts/run.ts'
import { annotationModel } from '../../../shared/data/datasets/annotation-model.ts'

const run = (roles: RunRequestInput['roles'] = {}) =>
  runRequestSchema.parse({
    environment: 'textcraft',
    method: { id: 'mcts' },
    model: { endpoint: 'openai', id: 'small', temperature: 0.5, max_tokens: 100 },
    roles,
  })

test('the model that is asked is as the request says, then as the first run says of its verifier, then of its model', () => {
  expect(annotationModel(undefined, run())).toMatchObject({
    endpoint: 'openai',
    id: 'small',
    temperature: 0.5,
  })
  const verified = run({ verifier: { id: 'large', temperature: 0 } })
  expect(annotationModel(undefined, verified)).toMatchObject({
    endpoint: 'openai',
    id: 'large',
    temperature: 0,
  })
  expect(annotationModel({ id: 'own' }, verified)).toMatchObject({
    id: 'own',
    temperature: 0,
    max_tokens: 100,
  })
})

test('a tokenizer is that of the model which the run asked, and of no other', () => {
  const counted = run()
  counted.model.tokenizer = 'model-1'
  expect(annotationModel({ temperature: 0 }, counted).tokenizer).toBe('model-1')
  expect(annotationModel({ id: 'own' }, counted)).not.toHaveProperty('tokenizer')
  const verified = { ...counted, roles: { verifier: { endpoint: 'other' } } }
  expect(annotationModel(undefined, verified)).not.toHaveProperty('tokenizer')
})

test('without a run the request has to name it whole; the rest has its defaults', () => {
  expect(annotationModel({ endpoint: 'vllm', id: 'own' }, null)).toMatchObject({
    endpoint: 'vllm',
    id: 'own',
    temperature: 1,
  })
  for (const asked of [undefined, { id: 'own' }, { endpoint: 'vllm' }]) {
    expect(() => annotationModel(asked, null)).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'model' }),
    )
  }
})
