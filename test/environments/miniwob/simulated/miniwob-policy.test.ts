import { describe, expect, test } from 'vitest'
import type { Message } from '../../../../shared/core/contracts/message.ts'
import { readAction } from '../../../../shared/environments/simulated/policy.ts'
import { simulatedScore } from '../../../../shared/play/simulated/classification.ts'
import { readTranscript } from '../../../../shared/play/simulated/questions/read-transcript.ts'
import { gradeState } from '../../../../shared/play/simulated/questions/verdict.ts'
import { answerPrompt } from '../../../../shared/play/simulated/simulated-policy.ts'

const rules: Message = { role: 'system', content: 'You use a web page, and do what its objective says.' }

/** A page as the host of MiniWoB++ shows it; its first line is the page itself. */
function shown(objective: string, ...lines: readonly string[]): Message {
  const tree = ["RootWebArea 'Task' focused: True", `\tStaticText '${objective}'`, ...lines]
  const numbered = tree.map((line, at) => line.replace(/\S/, (letter) => `[${at + 1}] ${letter}`))
  return {
    role: 'user',
    content: `Objective: ${objective}\n\nTab 0 (current): Task\n\n${numbered.join('\n')}`,
  }
}

const agent = (action: string): Message => ({
  role: 'assistant',
  content: `Thought: Next.\nAction: ${action}`,
})

function actionFor(messages: readonly Message[], skill = 1, seed = 0): string {
  return readAction(answerPrompt([rules, ...messages], { skill, seed: 0 }, { seed, choice: 0 })) ?? ''
}

const logIn = 'Enter the username "ann" and the password "x1" into the text fields and press login.'
const logInPage = (name: string, word: string) =>
  shown(
    logIn,
    "\tStaticText 'Username'",
    "\ttextbox '' required: False",
    ...(name === '' ? [] : [`\t\tStaticText '${name}'`]),
    "\tStaticText 'Password'",
    "\ttextbox '' required: False",
    ...(word === '' ? [] : [`\t\tStaticText '${'•'.repeat(word.length)}'`]),
    "\tbutton 'Login'",
  )

describe('the policy for pages, without mistakes', () => {
  const list = 'Select b, c and click Submit.'
  const boxes = (...checked: readonly string[]) =>
    shown(
      list,
      ...['a', 'b', 'c'].map((name) => `\tcheckbox '${name}' checked: ${checked.includes(name)}`),
      "\tbutton 'Submit'",
    )

  test.each([
    ['Click on the "ok" button.', ["\tbutton 'no'", "\tbutton 'ok'"], 'click [4]'],
    ['Focus into the 2nd input textbox.', ["\ttextbox ''", "\ttextbox ''"], 'click [4]'],
    [
      'Solve for x and type your answer into the textbox.',
      ["\tStaticText '4 + x = 1'", "\ttextbox ''"],
      'type [4] [-3] [0]',
    ],
    [
      'Select Ann from the list and click Submit.',
      [
        "\tcombobox '' expanded: False",
        "\t\toption 'Bob' selected: True",
        "\t\toption 'Ann' selected: False",
      ],
      'type [3] [Ann] [1]',
    ],
    [
      'Enter the value of Color into the text field and press Submit.',
      ["\tcell 'Color'", "\tcell 'gray'", "\ttextbox ''", "\tbutton 'Submit'"],
      'type [5] [gray] [0]',
    ],
  ])('%s', (objective, lines, action) => {
    expect(actionFor([shown(objective, ...lines)])).toBe(action)
  })

  test('goes from page to page until the objective is reached', () => {
    expect(actionFor([boxes()])).toBe('click [4]')
    expect(actionFor([boxes('a')])).toBe('click [3]')
    expect(actionFor([boxes('b', 'c')])).toBe('click [6]')
  })

  test('knows a password by what was typed, and empties a field that holds something else', () => {
    const first = logInPage('', '')
    expect(actionFor([first])).toBe('type [4] [ann] [0]')
    const second = [first, agent('type [4] [ann] [0]'), logInPage('ann', '')]
    expect(actionFor(second)).toBe('type [7] [x1] [0]')
    const third = [...second, agent('type [7] [x1] [0]'), logInPage('ann', 'x1')]
    expect(actionFor(third)).toBe('click [9]')
    expect(actionFor([logInPage('bob', '')])).toBe('clear [4]')
  })

  test('a set of marks is read too, and Playwright is written where the prompt has it', () => {
    const marks = '[] [StaticText] [Username]\n[1] [INPUT] []\n[2] [INPUT] []\n[3] [BUTTON] [Login]'
    expect(actionFor([{ role: 'user', content: `Objective: ${logIn}\n\n${marks}` }])).toBe(
      'type [1] [ann] [0]',
    )
    const playwright: Message = {
      role: 'system',
      content: 'Write page.get_by_role("button", name="x").click()',
    }
    const page = shown('Click on the "ok" button.', "\tbutton 'ok'")
    const answer = answerPrompt([playwright, page], { skill: 1, seed: 0 }, { seed: 0, choice: 0 })
    expect(readAction(answer)).toBe('page.get_by_role("button", name="ok", exact=True).click()')
  })

  test('of objectives that it does not know it tries what can be clicked on', () => {
    const page = shown('Draw a circle.', "\timage ''", "\tbutton 'Submit'")
    const tried = Array.from({ length: 20 }, (_, seed) => actionFor([page], 1, seed))
    expect(new Set(tried)).toEqual(new Set(['click [3]', 'click [4]']))
  })
})

test('with less skill it errs as often as it is said to, and differently each time', () => {
  const page = shown('Click on the "ok" button.', "\tbutton 'no'", "\tbutton 'ok'", "\ttextbox ''")
  const answers = Array.from({ length: 300 }, (_, seed) => actionFor([page], 0.5, seed))
  const right = answers.filter((action) => action === 'click [4]').length
  expect(right).toBeGreaterThan(140)
  expect(right).toBeLessThan(230)
  expect(new Set(answers).size).toBeGreaterThan(4)
})

describe('how far a page is', () => {
  const start = logInPage('', '')
  const named = logInPage('ann', '')
  const whole = [
    start,
    agent('type [4] [ann] [0]'),
    named,
    agent('type [7] [x1] [0]'),
    logInPage('ann', 'x1'),
  ]

  test('is graded by what is missing', () => {
    expect(gradeState(whole.slice(0, 3))).toBe('C')
    expect(gradeState(whole)).toBe('B')
    expect(gradeState([...whole, agent('click [9]'), logInPage('ann', 'x1')])).toBe('A')
    expect(gradeState([start, agent('click [7]'), start])).toBe('D')
    const refused = { ...start, content: `There is no element [99].\n\n${start.content}` }
    expect(gradeState([start, agent('click [99]'), refused])).toBe('E')
    expect(simulatedScore(whole, { skill: 1, seed: 0 })).toBe(0.7)
  })

  test('is read from a transcript, whose last page ends before the question', () => {
    const [first, action, last] = whole
    const text = `--- Environment, start\n${first?.content}\n--- Agent, turn 1\n${action?.content}\n--- Environment, turn 1\n${last?.content}\n\nWhere does it stand?`
    expect(readTranscript(text)).toEqual([first, action, last])
  })
})
