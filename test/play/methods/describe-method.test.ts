import { describe, expect, test } from 'vitest'
import { methodInfoSchema } from '../../../shared/core/contracts/catalogue.ts'
import { describeMethod } from '../../../shared/play/methods/describe-method.ts'
import { builtinMethods, openMethods } from '../../../shared/play/methods/methods.ts'
import { slotsOf } from '../../../shared/play/search/prompt-template.ts'

interface Variant {
  properties: Record<string, object>
}

describe.each(builtinMethods.map((method) => [method.id, method] as const))('%s', (_id, method) => {
  test('is described as the contract says, and the description is JSON', () => {
    const info = describeMethod(method)
    expect(methodInfoSchema.parse(JSON.parse(JSON.stringify(info)))).toEqual(info)
  })

  test('says of every parameter what it is', () => {
    const { anyOf, properties } = describeMethod(method).parameters as {
      anyOf?: Variant[]
      properties?: Variant['properties']
    }
    for (const variant of anyOf ?? [{ properties: properties ?? {} }]) {
      for (const [name, schema] of Object.entries(variant.properties)) {
        if (!('const' in schema)) expect(schema, name).toHaveProperty('description')
      }
    }
  })

  test('lists its prompts, each once, with the slots that a run can fill in', () => {
    const { prompts } = describeMethod(method)
    expect(new Set(prompts.map(({ id }) => id)).size).toBe(prompts.length)
    expect(prompts.length).toBeGreaterThan(0)
    for (const { slots, text } of prompts) expect(slots).toEqual(slotsOf(text))
  })

  test('names a role for every call that its effort counts', () => {
    const { roles } = describeMethod(method)
    const parameters = method.parameters.parse({})
    const { others = [] } = method.effort(parameters, { max_steps: 10, steps: Number.POSITIVE_INFINITY })
    expect(roles).toEqual(expect.arrayContaining(others.map(({ role }) => role)))
  })
})

test.each([
  ['react', [], null],
  ['mcts', ['value', 'debate'], null],
  ['rmcts', ['value', 'debate', 'reflection', 'embedding'], 'memory'],
])('%s can ask %j and leaves %j', (id, roles, writes) => {
  expect(describeMethod(openMethods().find(id))).toMatchObject({ roles, writes })
})

test.each([
  ['react', ['max_steps']],
  ['reflexion', ['max_steps', 'retry']],
  ['mcts', ['iterations']],
  ['best-of-n', ['attempts']],
  ['fork-rollouts', ['forks']],
  ['rmcts', []],
])('%s can be extended by %j', (id, extendable) => {
  expect(describeMethod(openMethods().find(id)).extendable).toEqual(extendable)
})
