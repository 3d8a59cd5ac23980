import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Message } from '../../../../shared/core/contracts/message.ts'
import { writeDesktopAction } from '../../../../shared/environments/osworld/actions/desktop-action.ts'
import { readDesktopActions } from '../../../../shared/environments/osworld/actions/read-desktop-actions.ts'
import { osworldGuide } from '../../../../shared/environments/osworld/guide.ts'
import { tableAccessibilityTree } from '../../../../shared/environments/osworld/observations/accessibility-table.ts'
import {
  type DesktopMark,
  findDesktopMarks,
  tableDesktopMarks,
} from '../../../../shared/environments/osworld/observations/desktop-marks.ts'
import { describeDesktop } from '../../../../shared/environments/osworld/observations/desktop-observation.ts'
import { osworldOptions } from '../../../../shared/environments/osworld/options.ts'
import { parseAnswer } from '../../../../shared/play/methods/parse-answer.ts'
import { gradeState } from '../../../../shared/play/simulated/questions/verdict.ts'
import { answerPrompt } from '../../../../shared/play/simulated/simulated-policy.ts'

const xml = readFileSync(resolve(import.meta.dirname, '../../osworld/recorded/desktop.xml'), 'utf8')
const marks = findDesktopMarks(xml, () => false)
const table = tableAccessibilityTree(xml)

interface Turn {
  instruction: string
  given?: Parameters<typeof osworldOptions.parse>[0]
  skill?: number
  seed?: number
}

/** Plays against a screen that never changes, until it ends the task; what it did, turn by turn. */
function play({ instruction, given = {}, skill = 0.5, seed = 0 }: Turn): string[][] {
  const options = osworldOptions.parse(given)
  const seen: DesktopMark[] = options.observation === 'som' ? marks : []
  const shown = {
    a11y_tree: table,
    screenshot_a11y_tree: table,
    som: tableDesktopMarks(marks),
    screenshot: undefined,
  }
  const look = (notice?: string): Message => {
    const part = shown[options.observation]
    const parts = { ...(notice !== undefined && { notice }), ...(part !== undefined && { table: part }) }
    return { role: 'user', content: describeDesktop({ instruction, ...parts }) }
  }
  const messages: Message[] = [{ role: 'system', content: osworldGuide(options).rules }, look()]
  const turns: string[][] = []
  for (let turn = 0; turn < 30; turn += 1) {
    const answer = answerPrompt(messages, { skill, seed: 7 }, { seed, choice: 0 })
    const { action } = parseAnswer(answer, 'plain', 'desktop', true)
    const { actions, problem } = readDesktopActions(action, options, seen)
    turns.push(actions?.map(writeDesktopAction) ?? [`none: ${problem}`])
    if (actions?.some(({ kind }) => kind === 'done' || kind === 'fail')) return turns
    messages.push({ role: 'assistant', content: answer }, look(problem))
  }
  return turns
}

describe.each([
  { observation: 'a11y_tree', action_space: 'pyautogui' },
  { observation: 'screenshot_a11y_tree', action_space: 'computer_13' },
  { observation: 'screenshot', action_space: 'pyautogui' },
  { observation: 'som', action_space: 'pyautogui' },
] as const)('the policy for desktops, with $observation and $action_space', (given) => {
  test.each([0, 0.5, 1])('ends every task, with a skill of %d', (skill) => {
    for (let seed = 0; seed < 25; seed += 1) {
      const turns = play({ instruction: 'Write 5 into the cell A1.', given, skill, seed })
      expect(turns.at(-1)?.join()).toMatch(/^(?:DONE|FAIL)$/)
      expect(turns.length).toBeLessThanOrEqual(12)
    }
  })

  test('writes actions that are understood, but for its slips', () => {
    const turns = Array.from({ length: 40 }, (_, seed) =>
      play({ instruction: 'Save the file.', given, skill: 0.3, seed }),
    ).flat()
    const none = turns.filter(([first = '']) => first.startsWith('none: '))
    if (given.action_space === 'pyautogui') expect(none).toEqual([])
    else expect(none.every(([first]) => first?.includes('no action TOUCH'))).toBe(true)
    expect(none.length).toBeLessThan(turns.length / 5)
    expect(new Set(turns.map((turn) => turn.join())).size).toBeGreaterThan(10)
  })
})

test('it is the same for the same seed, and another for another', () => {
  const one = play({ instruction: 'Save the file.', seed: 3 })
  expect(play({ instruction: 'Save the file.', seed: 3 })).toEqual(one)
  const others = Array.from({ length: 8 }, (_, seed) =>
    JSON.stringify(play({ instruction: 'Save the file.', seed })),
  )
  expect(new Set(others).size).toBeGreaterThan(4)
})

test('it clicks on what the objective names', () => {
  const [first] = play({ instruction: 'Open the File menu.', skill: 1 })
  expect(first).toEqual(['pyautogui.click(20, 40)'])
  const [marked] = play({ instruction: 'Open the File menu.', given: { observation: 'som' }, skill: 1 })
  expect(marked).toEqual(['tag_1 = (20, 40)\npyautogui.click(tag_1)'])
})

test('it types a command that it knows into a terminal, with Enter on a line of its own, and says that it is done', () => {
  const instruction =
    'Rename the folder drafts_may in my home folder to drafts_june. What is in it stays as it is.'
  expect(play({ instruction, skill: 1 })).toEqual([
    [
      'pyautogui.write("mv ~/drafts_may ~/drafts_june", interval=0.02)\ntime.sleep(0.2)\npyautogui.press("enter")',
    ],
    ['DONE'],
  ])
})

describe('the judge of desktops', () => {
  const shown = (notice?: string): Message => ({
    role: 'user',
    content: describeDesktop({
      instruction: 'Rename the folder a in my home folder to b.',
      table,
      ...(notice !== undefined && { notice }),
    }),
  })
  const typed: Message = {
    role: 'assistant',
    content: 'Action: ```python\npyautogui.write("mv ~/a ~/b", interval=0.02)\n```',
  }
  const other: Message = { role: 'assistant', content: 'Action: ```python\npyautogui.click(1, 2)\n```' }

  const done: Message = { role: 'assistant', content: 'Action: ```DONE```' }

  test('sees that the command was typed, that it was said, and that an action failed', () => {
    expect(gradeState([shown(), typed, shown()])).toBe('B')
    expect(gradeState([shown(), typed, shown(), done, shown()])).toBe('A')
    expect(gradeState([shown(), other, shown()])).toBe('D')
    expect(gradeState([shown(), other, shown("NameError: name 'x' is not defined")])).toBe('E')
  })
})
