import { expect, test } from 'vitest'
import { act } from '../../../shared/play/methods/act/act.ts'
import { checkBeginnings } from '../../../shared/play/methods/beginnings.ts'
import { react } from '../../../shared/play/methods/react/react.ts'
import { observationText } from '../../../shared/play/search/conversation.ts'
import { createCorridor } from './corridor.ts'
import { playKilled, playMethod } from './play-method.ts'

const bad = ['Thought: It must be behind me.\nAction: look', 'Thought: On.\nAction: forward', 'Action: fly']

const played = (parameters: object) => ({
  method: react,
  environment: createCorridor(),
  answer: () => 'Thought: On.\nAction: forward',
  parameters,
})

test('the model goes on after a given beginning, which costs no call and no step of its own', async () => {
  const { requests, tree } = await playMethod(played({ beginnings: { 'goal-3': bad }, max_steps: 2 }))
  expect(tree.nodes.map(({ action }) => action)).toEqual([
    null,
    'look',
    'forward',
    'fly',
    'forward',
    'forward',
  ])
  expect(tree.nodes[3]).toMatchObject({ valid: false })
  expect(tree.isSolved).toBe(true)
  expect(requests).toHaveLength(2)
  const said = requests[0]?.messages.map(({ content, role }) => [role, content]).slice(2)
  expect(said).toEqual([
    ['assistant', bad[0]],
    ['user', 'At 0.'],
    ['assistant', bad[1]],
    ['user', 'At 1.'],
    ['assistant', bad[2]],
    ['user', 'Nothing happens.'],
  ])
})

test('other tasks begin at their start, and a beginning may end the task', async () => {
  const other = await playMethod(played({ beginnings: { 'goal-2': bad } }))
  expect(other.tree.nodes[1]).toMatchObject({ action: 'forward' })
  expect(other.requests).toHaveLength(3)
  const forward = Array.from({ length: 5 }, () => 'Action: forward')
  const whole = await playMethod({ ...played({ beginnings: { 'goal-3': forward } }), method: act })
  expect(whole.requests).toEqual([])
  expect(whole.tree.nodes).toHaveLength(4)
  expect(observationText(whole.tree.best.observation)).toBe('At 3.')
})

test('a killed episode comes to the same bytes', async () => {
  const { resumed, whole } = await playKilled(played({ beginnings: { 'goal-3': bad } }))
  expect(resumed.map(({ bytes }) => bytes)).toEqual(resumed.map(() => whole.bytes))
})

test('a beginning of a task that is not played is refused', () => {
  const given = { beginnings: { 'goal-1': ['Action: look'], 'goal-9': ['Action: look'] } }
  expect(() => checkBeginnings(given, [{ id: 'goal-1' }])).toThrow(
    /the task "goal-9", which this run does not play/,
  )
  expect(() => checkBeginnings(given, [{ id: 'goal-1' }, { id: 'goal-9' }])).not.toThrow()
  expect(() => checkBeginnings({}, [])).not.toThrow()
})
