import { expect, test } from 'vitest'
import { pathTree } from '../../../shared/data/trajectories/read-row.ts'
import { splitTurns } from '../../../shared/data/trajectories/split-turns.ts'

const turns = (...contents: string[]) =>
  contents.map((content, place) => ({
    role: place % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content,
    learned: null,
    at: `messages[${place}]`,
  }))

test('reasoning makes no agreement an action', () => {
  const agreed = '<think>They show Action: look.</think>OK'
  const { head, steps } = splitTurns(turns('Rules.', agreed, 'Task.', '**Action:** look'), null)
  expect(head).toHaveLength(3)
  expect(steps).toEqual([{ message: '**Action:** look', observation: null }])
})

test('an imported row teaches the action outside of its reasoning, and keeps the answer', () => {
  const messages = [
    '<think>Action: get 1 log</think>\n**Action**: `inventory`',
    '<think>Action: get 1 log',
    'look around</think>go north',
  ]
  const steps = messages.map((message) => ({ message, observation: 'seen' }))
  const [, ...nodes] = pathTree([{ role: 'user', content: 'Task.' }], steps, 1)
  expect(nodes.map(({ action }) => action)).toEqual(['inventory', '', 'go north'])
  expect(nodes.map(({ message }) => message)).toEqual(messages)
})
