import type { EnvironmentGuide } from '../environment.ts'
import { codeTools, computer13Tools } from './actions/desktop-tools.ts'
import type { OsworldOptions } from './options.ts'

/** The first line of the rules. The simulated model recognises the environment by it. */
export const osworldOpening = 'You use a desktop computer, and do what the objective says.'

const shown = {
  a11y_tree:
    'You see the accessibility tree of the screen as a table: for each element its tag, name and text, the place of its top left corner, and its size, in pixels.',
  screenshot: 'You see a screenshot.',
  screenshot_a11y_tree:
    'You see a screenshot, and the accessibility tree of the screen as a table: for each element its tag, name and text, the place of its top left corner, and its size, in pixels.',
  som: 'You see a screenshot with numbered marks on what can be used, and a table of the marks.',
} as const

const code = `Each of your actions is Python code in a block between triple back-ticks, which may have several lines:
\`\`\`python
pyautogui.click(960, 540)
pyautogui.write("text", interval=0.02)
\`\`\`
- pyautogui and time are imported. There are pyautogui.click, doubleClick, rightClick, moveTo, dragTo, scroll, write, press, hotkey and others. Do not take screenshots, or look for pictures on the screen.
- Each action is a program of its own: nothing that one defines is there for the next.`

const words = {
  python: `In place of code a block may hold one word:
- WAIT: waits a moment
- DONE: the objective is reached; ends the task
- FAIL: the objective cannot be reached; ends the task`,
  json: `An action may also be one word:
- WAIT: waits a moment
- DONE: the objective is reached; ends the task
- FAIL: the objective cannot be reached; ends the task`,
}

const json = `Each of your actions is a JSON object in a block between triple back-ticks:
\`\`\`json
{"action_type": "CLICK", "x": 960, "y": 540}
\`\`\`
- MOVE_TO: x, y
- CLICK: button (left, right, middle), x, y, num_clicks (1 to 3); each may be left out
- MOUSE_DOWN, MOUSE_UP: button, which may be left out
- RIGHT_CLICK, DOUBLE_CLICK: x, y; both may be left out
- DRAG_TO: x, y, with the left button held
- SCROLL: dx, dy; up and right are positive
- TYPING: text
- PRESS, KEY_DOWN, KEY_UP: key, such as enter or f5
- HOTKEY: keys, a list such as ["ctrl", "s"]`

const marks =
  'The middle of a mark is a variable of the code: pyautogui.click(tag_3) clicks on the mark 3. Use it rather than numbers of your own.'

export function osworldGuide({ observation, action_space: space }: OsworldOptions): EnvironmentGuide {
  const isCode = space === 'pyautogui'
  const lines = [
    osworldOpening,
    `${shown[observation]} The screen has 1920 by 1080 pixels; (0, 0) is its top left corner.`,
    isCode ? code : json,
    ...(observation === 'som' ? [marks] : []),
    isCode ? words.python : words.json,
    'The task counts as done only once you say DONE.',
    'You are logged in as user; the home folder is /home/user. No password is asked for, sudo runs commands as user, and no other computer can be reached.',
  ]
  const tools = isCode ? codeTools : computer13Tools
  return { rules: lines.join('\n'), blocks: true, tools, example: null }
}
