import { expect, test } from 'vitest'
import { describeMethod } from '../../../../shared/play/methods/describe-method.ts'
import { builtinMethods, openMethods } from '../../../../shared/play/methods/methods.ts'
import {
  changedParameters,
  extensionProblems,
  parameterNames,
  removedLimits,
  toExtension,
} from '../../../../web/pages/run/extension.ts'

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

test('a limit that a run has is not taken away by emptying it', () => {
  const fault = 'A limit can be raised, not removed.'
  expect(removedLimits({ cost: 2 }, { cost: 1, tokens: 300 })).toEqual({ tokens: fault })
  expect(removedLimits({ cost: 2, time: 60 }, { cost: 1 })).toEqual({})
})

test('what is wrong with the parameters of an extension is found, of those that it can have', () => {
  const mcts = describeMethod(openMethods().find('mcts'))
  const before = { value: 'none', iterations: 8, samples: 'of an earlier version' }
  expect(extensionProblems(mcts, { ...before, iterations: 16 }, before)).toEqual({})
  expect(extensionProblems(mcts, { ...before, iterations: 'abc' }, before)).toEqual({
    iterations: 'It must be a whole number.',
  })
  expect(extensionProblems(mcts, { value: 'none' }, before)).toEqual({ iterations: 'It must be given.' })
})

test.each(builtinMethods.map((method) => [method.id, method] as const))(
  'what %s can be extended by is among the parameters of its schema',
  (_id, method) => {
    const { extendable, parameters } = describeMethod(method)
    expect(parameterNames(parameters)).toEqual(expect.arrayContaining(extendable))
  },
)
