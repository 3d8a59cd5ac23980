import { expect, test } from 'vitest'
import { describeMethod } from '../../../../shared/methods/describe-method.ts'
import { methods } from '../../../../shared/methods/methods.ts'
import { changedParameters, parameterNames, toExtension } from '../../../../web/pages/run/extension.ts'

test('only parameters that are not as they were are asked for', () => {
  const before = { value: 'none', iterations: 8, types: ['a', 'b'] }
  expect(changedParameters({ ...before, types: ['a', 'b'], iterations: 16 }, before)).toEqual({
    iterations: 16,
  })
})

test('an extension holds the parts that ask for something, and is none where nothing does', () => {
  expect(toExtension({ method: {}, limits: { tokens: 5 }, episode_limits: {} })).toEqual({
    limits: { tokens: 5 },
  })
  expect(toExtension({ method: {}, limits: {}, episode_limits: {} })).toBeNull()
})

test.each(methods.map((method) => [method.id, method] as const))(
  'what %s can be extended by is among the parameters of its schema',
  (_id, method) => {
    const { extendable, parameters } = describeMethod(method)
    expect(parameterNames(parameters)).toEqual(expect.arrayContaining(extendable))
  },
)
