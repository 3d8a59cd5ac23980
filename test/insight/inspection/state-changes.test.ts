import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json, JsonObject } from '../../../shared/core/contracts/json.ts'
import type { StateChange } from '../../../shared/core/contracts/node-detail.ts'
import { stateChanges } from '../../../shared/insight/inspection/describe-node.ts'

const key = fc.oneof(fc.constantFrom('a', 'b', 'toString', 'constructor', 'hasOwnProperty'), fc.string())
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Json>(null, true, 0, 1, '', 'x'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      key.filter((each) => each !== '__proto__'),
      tie('value'),
      { maxKeys: 3, noNullPrototype: true },
    ),
  ),
}))
const state = fc.dictionary(
  key.filter((each) => each !== '__proto__'),
  value,
  { maxKeys: 4, noNullPrototype: true },
) as fc.Arbitrary<JsonObject>

test('the changes, made to the state before, come to the state after', () => {
  fc.assert(
    fc.property(state, state, (before, after) => {
      expect(change(before, stateChanges(before, after))).toEqual(after)
    }),
  )
})

test('equal states have no changes, and each change is one', () => {
  fc.assert(
    fc.property(state, state, (before, after) => {
      expect(stateChanges(before, structuredClone(before))).toEqual([])
      for (const { before: one, after: other } of stateChanges(before, after)) expect(one).not.toEqual(other)
    }),
  )
})

test('changes say where, from what and to what', () => {
  const before = { inventory: { log: 2, stick: 1 }, seen: ['a'], done: false }
  const after = { inventory: { log: 1, planks: 4 }, seen: ['a', 'b'], done: false }
  expect(stateChanges(before, after)).toEqual([
    { type: 'changed', path: ['inventory', 'log'], before: 2, after: 1 },
    { type: 'removed', path: ['inventory', 'stick'], before: 1 },
    { type: 'added', path: ['inventory', 'planks'], after: 4 },
    { type: 'added', path: ['seen', 1], after: 'b' },
  ])
})

type Held = { [key: string | number]: Json | undefined }

function change(before: JsonObject, changes: readonly StateChange[]): JsonObject {
  const made = structuredClone(before)
  // From the end, so that what leaves a list does not move the rest.
  for (const { type, path, after } of changes.toReversed()) {
    const holder = path.slice(0, -1).reduce<Held>((at, each) => at[each] as unknown as Held, made as Held)
    const last = path.at(-1) as string | number
    if (type !== 'removed') holder[last] = after
    else if (Array.isArray(holder)) holder.splice(Number(last), 1)
    else delete holder[last]
  }
  return made
}
