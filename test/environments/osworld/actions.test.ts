import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ReadDesktopActions,
  writeDesktopAction,
} from '../../../shared/environments/osworld/actions/desktop-action.ts'
import {
  isKeyboardKey,
  readComputer13,
} from '../../../shared/environments/osworld/actions/read-computer-13.ts'
import { readPyautogui } from '../../../shared/environments/osworld/actions/read-desktop-actions.ts'
import recorded from './recorded/answers.json' with { type: 'json' }

const written = ({ actions, problem }: ReadDesktopActions) => actions?.map(writeDesktopAction) ?? problem
const fenced = (code: string, language = 'python') => `\`\`\`${language}\n${code}\n\`\`\``

/** Where this reads more than OSWorld's code did, or leaves alone what that breaks. */
const otherwise: Record<string, string[] | RegExp> = {
  [fenced("pyautogui.write('a; b')")]: ["pyautogui.write('a; b')"],
  '```import time\ntime.sleep(1)```': ['import time\ntime.sleep(1)'],
  '```WAIT\n```': ['WAIT'],
  'pyautogui.click(1, 2)': ['pyautogui.click(1, 2)'],
  '```python\npyautogui.click(1, 2)': /has no end/,
}

describe('answers with code', () => {
  test.each(recorded.pyautogui)('$answer is read as OSWorld reads it', ({ answer, codes }) => {
    const expected = otherwise[answer] ?? codes
    const read = written(readPyautogui(answer))
    if (expected instanceof RegExp) expect(read).toMatch(expected)
    else expect(read).toEqual(expected)
  })

  test.each(recorded.som)('$answer may name marks', ({ answer, marks, codes }) => {
    const given = marks.map(([x = 0, y = 0, width = 0, height = 0], place) => {
      return { index: place + 1, x, y, width, height }
    })
    const used = (code: string) => code.split('\n').filter((line) => !/^tag_\d+ = /.test(line))
    const defined = (code: string) =>
      Array.from(code.matchAll(/^tag_\d+ ?= ?.*$/gm), ([line]) => line.replace(/\s/g, ''))
    const read = (readPyautogui(answer, given).actions ?? []).map(writeDesktopAction)
    expect(read).toHaveLength(codes.length)
    for (const [place, code] of codes.entries()) {
      // Those that are used are defined alike; OSWorld defines the others too.
      const own = read[place] ?? ''
      expect(defined(code)).toEqual(expect.arrayContaining(defined(own)))
      expect(used(own)).toEqual(code.split('\n').filter((line) => !/^tag_\d+=/.test(line)))
      for (const [name] of own.matchAll(/\btag_\d+(?!\d| =)/g)) expect(own).toContain(`${name} = (`)
    }
  })

  test('an empty answer is none', () => {
    expect(written(readPyautogui('  \n'))).toMatch(/no code in it/)
    expect(written(readPyautogui(fenced('')))).toMatch(/no code in it/)
  })

  test('indentation that all lines have is taken off, and no other', () => {
    expect(written(readPyautogui(fenced('  a()\n  if b:\n    c()')))).toEqual(['a()\nif b:\n  c()'])
    expect(written(readPyautogui(fenced('a()\r\nb()')))).toEqual(['a()\nb()'])
  })

  const codeLine = fc
    .string({ unit: fc.constantFrom(...'abx()[]{},.:;=\'"# 01') })
    .filter((line) => line.trim() !== '' && !line.startsWith(' ') && line === line.trimEnd())
  const word = fc.constantFrom('WAIT', 'DONE', 'FAIL')

  test('any code in blocks comes back whole, with the word at its end as an action of its own', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.array(codeLine, { minLength: 1 }), fc.option(word)), { minLength: 1 }),
        (all) => {
          const answer = all
            .map(([lines, end]) => fenced([...lines, ...(end ? [end] : [])].join('\n')))
            .join('\n')
          const expected = all.flatMap(([lines, end]) => [lines.join('\n'), ...(end ? [end] : [])])
          expect(written(readPyautogui(answer))).toEqual(expected)
        },
      ),
    )
  })

  test('whatever a model writes is read, as actions or as a problem', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('`', '```', '\n', ' ', 'DONE', 'a()', 'python', ';') }),
        (answer) => {
          const { actions, problem } = readPyautogui(answer)
          expect(problem === undefined ? (actions ?? []).length : problem.length).toBeGreaterThan(0)
        },
      ),
    )
  })
})

describe('answers with JSON', () => {
  test.each([
    ['{"action_type": "MOVE_TO", "x": 3, "y": 4}', 'pyautogui.moveTo(3, 4, 0.5, pyautogui.easeInOutQuad)'],
    ['{"action_type": "CLICK"}', 'pyautogui.click()'],
    ['{"action_type": "CLICK", "parameters": {"x": 10, "y": 20.5}}', 'pyautogui.click(x=10, y=20.5)'],
    [
      '{"action_type": "CLICK", "button": "right", "x": 1, "y": 2, "num_clicks": 2}',
      "pyautogui.click(button='right', x=1, y=2, clicks=2)",
    ],
    ['{"action_type": "MOUSE_DOWN", "button": "left"}', "pyautogui.mouseDown(button='left')"],
    ['{"action_type": "MOUSE_UP"}', 'pyautogui.mouseUp()'],
    ['{"action_type": "RIGHT_CLICK", "x": 1, "y": 2}', 'pyautogui.rightClick(x=1, y=2)'],
    ['{"action_type": "DOUBLE_CLICK"}', 'pyautogui.doubleClick()'],
    [
      '{"action_type": "DRAG_TO", "x": 1, "y": 2}',
      "pyautogui.dragTo(1, 2, duration=1.0, button='left', mouseDownUp=True)",
    ],
    ['{"action_type": "SCROLL", "dx": 1, "dy": -3}', 'pyautogui.hscroll(1)\npyautogui.vscroll(-3)'],
    ['{"action_type": "TYPING", "text": "it\'s \\"5\\"\\n\\\\"}', `pyautogui.typewrite('it\\'s "5"\\n\\\\')`],
    ['{"action_type": "PRESS", "key": "enter"}', "pyautogui.press('enter')"],
    ['{"action_type": "PRESS", "key": "\'"}', `pyautogui.press("'")`],
    ['{"action_type": "KEY_DOWN", "key": "Shift"}', "pyautogui.keyDown('Shift')"],
    ['{"action_type": "KEY_UP", "key": "shift"}', "pyautogui.keyUp('shift')"],
    ['{"action_type": "HOTKEY", "keys": ["ctrl", "s"]}', "pyautogui.hotkey('ctrl', 's')"],
    ['{"action_type": "DONE"}', 'DONE'],
    ['WAIT', 'WAIT'],
  ])('%s does %s', (json, code) => {
    expect(written(readComputer13(json))).toEqual([code])
    expect(written(readComputer13(`I do this.\n${fenced(json, 'json')}`))).toEqual([code])
    expect(written(readComputer13(fenced(json, '')))).toEqual([code])
  })

  test('several blocks are several actions', () => {
    const answer = [fenced('{"action_type": "PRESS", "key": "a"}', 'json'), fenced('FAIL', '')].join('\n')
    expect(written(readComputer13(answer))).toEqual(["pyautogui.press('a')", 'FAIL'])
  })

  test.each([
    ['click there', /has to be WAIT, DONE, FAIL, or JSON/],
    ['{"action_type": "JUMP"}', /no action JUMP\. There are MOVE_TO/],
    ['{"action_type": "toString"}', /no action toString/],
    ['{"action_type": "MOVE_TO", "x": 3}', /^MOVE_TO: /],
    ['{"action_type": "CLICK", "x": 3}', /^CLICK: x and y go together/],
    ['{"action_type": "CLICK", "x": "3", "y": 4}', /^CLICK: x: /],
    ['{"action_type": "CLICK", "button": "left\') or evil(\'"}', /^CLICK: button: /],
    ['{"action_type": "SCROLL"}', /^SCROLL: needs dx or dy/],
    ['{"action_type": "PRESS", "key": "enter\')"}', /^PRESS: key: must be a key/],
    ['{"action_type": "HOTKEY", "keys": []}', /^HOTKEY: keys: /],
    ['{"action_type": "TYPING"}', /^TYPING: text: /],
    ['```json\n{"action_type": "DONE"}', /has no end/],
  ])('%s is refused', (answer, problem) => {
    expect(written(readComputer13(answer))).toMatch(problem)
  })

  test('no text leaves the quotes of the code', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const [code = ''] = written(
          readComputer13(JSON.stringify({ action_type: 'TYPING', text })),
        ) as string[]
        const [, quote = '', body = ''] = /^pyautogui\.typewrite\((['"])(.*)\1\)$/.exec(code) ?? []
        expect(quote).not.toBe('')
        // What is left without escapes has neither the quote nor a back-slash.
        const bare = body.replace(/\\(?:[\\'"tnr]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})/g, '')
        expect(bare).not.toContain(quote)
        expect(bare).not.toContain('\\')
      }),
    )
  })
})

test('keys have the names that pyautogui knows', () => {
  for (const key of ['a', 'A', '~', ' ', '\t', 'enter', 'F12', 'ctrlright', '`', '{'])
    expect(isKeyboardKey(key)).toBe(true)
  for (const key of ['', 'aa', 'f25', 'é', 'control', '\\n']) expect(isKeyboardKey(key)).toBe(false)
})
