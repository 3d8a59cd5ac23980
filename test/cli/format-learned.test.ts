import { describe, expect, test } from 'vitest'
import { formatActions, formatLearned, formatNotes, formatOrigin } from '../../cli/format-learned.ts'
import {
  actionExample,
  libraryExample,
  memoryExample,
  noteExample,
} from '../../functions/api/openapi/learned-examples.ts'

describe('memories and libraries for people', () => {
  test('are listed, those whose runs go on marked', () => {
    expect(formatLearned([memoryExample, { ...memoryExample, complete: false }], 100)).toEqual([
      'memory                   environment  method  run',
      'mem-06c5k8q2xg-4hj7k2mn  textcraft    rmcts   ended',
      'mem-06c5k8q2xg-4hj7k2mn  textcraft    rmcts   goes on: run-06c5k8q2xg-4hj7k2mn',
    ])
    expect(formatLearned([], 80)).toHaveLength(1)
    expect(formatOrigin(libraryExample)).toBe(
      'lib-06c5k8q2xg-4hj7k2mn: learnact on pddl, run-06c5k8q2xg-4hj7k2mn',
    )
  })

  test('notes are shown in full, in 80 columns', () => {
    const note = 'Count every ingredient of a recipe. '.repeat(4).trim()
    const lines = formatNotes([{ ...noteExample, note }], 80)
    expect(lines).toEqual([
      '',
      'ep-0000003  textcraft-12  policy, surprise 0.40',
      '  objective   Craft a white bed.',
      '  observation Inventory: 6 white wool.',
      '  action      craft 1 white bed using 3 white wool',
      '  note        Count every ingredient of a recipe. Count every ingredient of a',
      '              recipe. Count every ingredient of a recipe. Count every ingredient',
      '              of a recipe.',
    ])
  })

  test('actions are shown with their signature, scores, lineage and code', () => {
    const updated = {
      round: 1,
      candidate: 1,
      change: 'updated',
      reason: 'It dropped the ball too early.',
    } as const
    const lines = formatActions([{ ...actionExample, lineage: [...actionExample.lineage, updated] }], 80)
    expect(lines).toEqual([
      '',
      'carry(ball, from, to, gripper)  for gripper',
      '  description Picks a ball up, moves to the other room and drops it there.',
      '  heed        The robot must stand in the first room.',
      '  scores      1.80 (success 1.00, step accuracy 0.80, call ratio 0.60)',
      '  created     round 0, candidate 1',
      '  updated     round 1, candidate 1: It dropped the ball too early.',
      '  code',
      '    function carry(ball, from, to, gripper) {',
      "      act('Pick up ' + ball + ' at location ' + from + ' with the ' + gripper + ' gripper.')",
      '    }',
      '  usage',
      '    Action: carry("ball1", "rooma", "roomb", "left")',
    ])
  })

  test('code that would steer the terminal only shows', () => {
    const code = 'function f() {\n\tact("\u001b[2J")\r\n}'
    const lines = formatActions([{ ...actionExample, code }], 80)
    expect(lines.filter((line) => /\p{Cc}/u.test(line))).toEqual([])
    expect(lines).toContain('      act(" [2J")')
  })
})
