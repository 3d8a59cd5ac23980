import { describe, expect, test } from 'vitest'
import { givesAction } from '../../../shared/play/answers/read-action.ts'
import { parseAnswer } from '../../../shared/play/methods/parse-answer.ts'

const readPlain = (answer: string) => parseAnswer(answer, 'plain').action

describe('an action is read from a label in any dress', () => {
  test.each([
    '**Thought:** a\n**Action:** inventory',
    '**Thought**: a\n**Action**: inventory',
    'Thought: a **Action:** inventory',
    '__Action__: inventory',
    '_Action:_ inventory',
    '***Action:*** inventory',
    '**Action: inventory**',
    '** Action:** inventory',
    '**Action :** inventory',
    '**Action: ** inventory',
    '`Action: inventory`',
    '`Action:` inventory',
    'action: inventory',
    'ACTION: inventory',
    'Action : inventory',
    'Action：inventory',
    'Action： inventory',
    'Action 2: inventory',
    'Action #2: inventory',
    'Action (2): inventory',
    'Action [2]: inventory',
    '**Action 2:** inventory',
    '1. Action: inventory',
    '2) **Action:** inventory',
    '- Action: inventory',
    '* Action: inventory',
    '* **Action:** inventory',
    '• Action: inventory',
    '> Action: inventory',
    '> - **Action**: `inventory`',
    '### Action\ninventory',
    '## Action:\ninventory',
    '### Action: inventory',
    '### **Action**\n\n`inventory`',
    '**Action**\ninventory',
    '**Next action:** inventory',
    '**Final Action**: inventory',
    '### My next action\ninventory',
    'Action 1. inventory',
    'Action_1: inventory',
    '[Action]: inventory',
    '🎬 action: inventory',
    '(Action: inventory)',
    '"Action: inventory"',
    '<action>inventory</action>',
    '<action>\ninventory\n</action>',
    '<thought>a</thought>\n<action>inventory</action>',
    '\u200bAction\u00a0:\u00a0inventory\u200b',
    '\ufeffAction: inventory',
    'Thought: a\r\nAction: inventory\r\n',
    '- Action:\r\ninventory\r\n',
  ])('%j', (answer) => {
    expect(readPlain(answer)).toBe('inventory')
    expect(parseAnswer(answer, 'agent-r').action).toBe('inventory')
    expect(parseAnswer(answer, 'eto', 'textcraft').action).toBe('inventory')
    expect(givesAction(answer)).toBe(true)
  })
})

describe('an action is read from a value in any dress', () => {
  test.each([
    'Action: `inventory`',
    'Action: `inventory`.',
    'Action: ```inventory```',
    'Action: **inventory**',
    'Action:** inventory',
    'Action: *inventory*',
    'Action: _inventory_',
    'Action: "inventory"',
    "Action: 'inventory'",
    'Action: “inventory”',
    'Action: **`inventory`**',
    'Action:\ninventory',
    'Action:\n\n  inventory',
    'Thought: a\r\nAction:\r\ninventory\r\n',
    'Action:\n- inventory',
    'Action:\n```\ninventory\n```',
    'Action:\n```text\ninventory\n```',
    'Action: ```text\ninventory\n```',
    'Action: ```inventory\n```',
    'Action:\n~~~\ninventory\n~~~',
    '```\nThought: a\nAction: inventory\n```',
    'Sure!\n```text\nAction: inventory\n```\nThat is it.',
    'Action: 2. inventory',
    'Action: 2. `inventory`',
    'Action: 2.inventory',
  ])('%j', (answer) => {
    expect(readPlain(answer)).toBe('inventory')
  })

  test('blanks that are none become blanks', () => {
    expect(readPlain('Action: get\u00a01\u202foak\u200b log')).toBe('get 1 oak log')
  })
})

describe('an action is left as it was written', () => {
  test.each([
    'search[red "big" mug: 2 * 3 **bold** `x`]',
    'click[a "b" c]',
    'click[size: 5\u00a0inches]',
    'type [5] [*.txt] [1]',
    'type [12] [say "hi"] [1]',
    'type [5] [<think>] [1]',
    'type [5] [</think>] [1]',
    'In summary, the next action I will perform is ```click [1]```',
    'carry("ball1", "rooma")',
    'fill(\'12\', "text: `a`")',
    'click("a51")',
    '"a" or "b"',
    "'a' or 'b'",
    '`a` or `b`',
    '**a** or **b**',
    '_a_ or _b_',
    '*.txt',
    '__init__ and __main__',
    'move_to desk_1',
    'get_weather {"city": "Bonn", "action": "x"}',
    '{"name": "get_weather", "arguments": {"action": "x"}}',
    '(move a b)',
    '3.5',
    '2.',
    '1.1.1.1',
  ])('%j', (action) => {
    for (const style of ['plain', 'agent-r', 'eto'] as const) {
      expect(parseAnswer(`Thought: t\nAction: ${action}`, style, 'webshop').action).toBe(action)
    }
  })
})

describe('of several labels', () => {
  test.each([
    ['Thought: my last Action: failed\n**Action**: look', 'look'],
    ['Action: a\n**Action:** b', 'b'],
    ['**Action:** a\n**Observation:** x\n**Action:** b', 'a'],
    ['Action: a\n> Observation: x\nAction: b', 'a'],
    ['Thought: the action: none\nAction: a', 'a'],
    ['Action: look\nMy action: done', 'look'],
    ['Action: look\nNext action: take', 'look'],
    ['Action: look\n\nTransaction: none', 'look'],
  ])('%j takes %s', (answer, action) => {
    expect(readPlain(answer)).toBe(action)
  })
})

describe('an inline call of a tool', () => {
  test.each([
    '<tool_call>\n{"name": "act", "arguments": {"action": "inventory"}}\n</tool_call>',
    'Thought: a\n<tool_call>{"name": "act", "arguments": "{\\"action\\": \\"inventory\\"}"}</tool_call>',
    'Thought: a\nAction: <tool_call>{"name": "act", "arguments": {"action": "inventory"}}</tool_call>\nDone.',
    '<tool_call>\n{\n  "name": "act",\n  "arguments": {\n    "action": "inventory"\n  }\n}\n</tool_call>',
    '[TOOL_CALLS][{"name": "act", "arguments": {"action": "inventory"}}]',
    '<function=act>{"action": "inventory"}</function>',
    '<|channel|>analysis<|message|>Action: look<|end|><|start|>assistant<|channel|>commentary to=functions.act <|constrain|>json<|message|>{"action":"inventory"}<|call|>',
    '{"thought": "a", "action": "inventory"}',
    '{"name": "act", "arguments": {"action": "inventory"}}',
    '```json\n{"action": "inventory"}\n```',
  ])('gives its action: %j', (answer) => {
    expect(readPlain(answer)).toBe('inventory')
    expect(givesAction(answer)).toBe(true)
  })

  test.each([
    '<tool_call>{"name": "search", "arguments": {"query": "mug"}}</tool_call>',
    '<tool_call>{"name": "act", "argu',
    'Thought: a\n<tool_call>look</tool_call>',
    'Action: <tool_call>{"name": "search", "arguments": {"query": "mug"}}</tool_call>',
  ])('that is no action’s text is not played: %j', (answer) => {
    expect(readPlain(answer)).toBe('')
    expect(givesAction(answer)).toBe(false)
  })
})

test.each([
  '',
  'Action:',
  '**Action:**',
  'Action: <think>look</think>',
  '<think>Action: look',
  'I would look.',
])('%j gives no action', (answer) => {
  expect(givesAction(answer)).toBe(false)
})
