import { expect, test } from 'vitest'
import { formatNode } from '../../cli/format-node.ts'
import { nodeExample } from '../../functions/api/openapi/inspection-examples.ts'
import type { ModelCall } from '../../shared/core/contracts/node-detail.ts'

test('a node is shown from the action that led there to its verdicts', () => {
  const lines = formatNode(nodeExample, 100)
  expect(lines.slice(0, 3)).toEqual([
    `node         #1 of ep-0000007 in ${nodeExample.run}`,
    'place        depth 1, below #0; children #4',
    'action       get 3 white wool',
  ])
  expect(lines).toContain('worth        0.50 over 2 visits, prior 0.60, reward 0.00')
  expect(lines).toContain('used         1 call, 812 + 31 tokens, $0.0003')
  expect(lines).toContain('changed      + inventory › white wool: 3')
  expect(lines).toContain('judged       0.50, the mean of 0.50 unread')
  expect(lines.filter((line) => line.startsWith('led here'))).toHaveLength(1)
  expect(lines).toContain('  answer (stop)')
  expect(lines.indexOf('  answer 2 (stop)')).toBeGreaterThan(lines.indexOf('    Status code: C'))
})

test('an answer that was cut says so, and what was spent on reasoning stands apart', () => {
  const proposal: ModelCall = {
    ...(nodeExample.proposal as ModelCall),
    answers: [''],
    endings: [{ finish_reason: 'length', fault: 'cut' }],
    usage: { model_calls: 1, input_tokens: 800, output_tokens: 512, reasoning_tokens: 512, cost: null },
  }
  const lines = formatNode({ ...nodeExample, proposal }, 100)
  expect(lines).toContain('  answer (length: cut at max_tokens)')
  expect(lines.find((line) => line.startsWith('led here'))).toContain('512 tokens (512 reasoning)')
})

test('a prompt that several calls share is shown once', () => {
  const expansions = [0, 1, 2].map(
    (place): ModelCall => ({
      ...(nodeExample.proposal as ModelCall),
      key: `node/1/sample/${place}`,
    }),
  )
  const lines = formatNode({ ...nodeExample, proposal: null, judgement: null, expansions }, 100)
  expect(lines.filter((line) => line === '    You craft items in Minecraft.')).toHaveLength(1)
  expect(lines.filter((line) => line === '  the prompt is the one before')).toHaveLength(2)
})

test('nothing that was said steers the terminal, and code keeps its indent', () => {
  const action = 'say \u001b[2J\u0007 hello'
  const observation = [
    { type: 'text' as const, text: 'function f() {\n  act("\u001b]0;x\u0007")\n}' },
    { type: 'blob' as const, sha256: action, media_type: action, url: null },
  ]
  const judgement = {
    ...(nodeExample.judgement as NonNullable<typeof nodeExample.judgement>),
    checks: action,
  }
  const lines = formatNode(
    { ...nodeExample, node: { ...nodeExample.node, action }, observation, judgement, state_note: action },
    60,
  )
  expect(lines.join('')).not.toMatch(/\p{Cc}/u)
  expect(lines).toContain('      act(" ]0;x ")')
})
