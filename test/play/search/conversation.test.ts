import { expect, test } from 'vitest'
import { layOutHead, observationTurn, toConversation } from '../../../shared/play/search/conversation.ts'
import { rootNode, treeNode, treeOf } from '../../builders/trees.ts'

const example = [
  { role: 'user' as const, content: 'another task' },
  { role: 'assistant' as const, content: 'Action: done' },
]

test('the instruction is a system text, or a turn that is agreed to before the example is played', () => {
  expect(layOutHead('rules', null, { content: 'task' }).map(({ role, content }) => [role, content])).toEqual([
    ['system', 'rules'],
    ['user', 'task'],
  ])
  expect(
    layOutHead('rules', example, { content: 'task' }).map(({ role, content }) => [role, content]),
  ).toEqual([
    ['user', 'rules'],
    ['assistant', 'OK'],
    ['user', 'another task'],
    ['assistant', 'Action: done'],
    ['user', 'task'],
  ])
})

test.each([
  [{ environment: 'alfworld' }, 'seen'],
  [{ environment: 'alfworld', layout: 'eto' as const }, 'Observation: seen'],
  [{ environment: 'webshop', layout: 'eto' as const }, 'Observation:\nseen'],
])('an observation in %j is shown as %j', (place, shown) => {
  expect(observationTurn(place, 'seen')).toBe(shown)
})

test('a tree in ETO’s layout is learned from as its experts are: without the example, with the marks', () => {
  const played = treeOf(1, [rootNode, treeNode(0, 'a')], {
    messages: layOutHead('rules', example, { content: 'task' }),
  })
  const laidOut = { ...played, layout: 'eto' as const }
  const learned = toConversation(laidOut)
  expect(learned.messages).toEqual([played.messages[0], played.messages[1], played.messages[4]])
  expect(learned.nodes.map(({ observation }) => observation)).toEqual([
    rootNode.observation,
    [{ type: 'text', text: 'Observation: saw a' }],
  ])
  expect(toConversation(played)).toBe(played)
})
