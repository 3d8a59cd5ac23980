import type { JsonObject } from '../../../core/contracts/json.ts'
import type { ActionTool } from '../../tools/action-tool.ts'

const place = { type: 'number', minimum: 0 }
const at = { x: place, y: place }
const button = { type: 'string', enum: ['left', 'right', 'middle'] }
const num_clicks = { type: 'integer', minimum: 1, maximum: 3 }
const distance = { type: 'number' }
const text = { type: 'string', contentMediaType: 'text/plain' }
const key = { ...text, minLength: 1, description: 'A key of pyautogui, such as enter, ctrl, f5 or a.' }

function tool(
  name: string,
  description: string,
  type: string,
  required: JsonObject = {},
  optional: JsonObject = {},
): ActionTool {
  return {
    name,
    description,
    schema: {
      type: 'object',
      properties: { ...required, ...optional },
      required: Object.keys(required),
      additionalProperties: false,
    },
    action: `\`\`\`json\n{"action_type": "${type}", "parameters": {*}}\n\`\`\``,
  }
}

function word(name: string, description: string): ActionTool {
  const schema = { type: 'object', properties: {}, additionalProperties: false }
  return { name, description, schema, action: name.toUpperCase() }
}

const words: readonly ActionTool[] = [
  word('wait', 'Waits a moment.'),
  word('done', 'Ends the task: the objective is reached.'),
  word('fail', 'Ends the task: the objective cannot be reached.'),
]

/**
 * OSWorld's action space `computer_13`. Clicks without a place are tools of their own, as a JSON Schema of one object
 * cannot say that x and y go together.
 */
export const computer13Tools: readonly ActionTool[] = [
  tool('move_to', 'Moves the mouse.', 'MOVE_TO', at),
  tool('click', 'Clicks at a place.', 'CLICK', at, { button, num_clicks }),
  tool('click_here', 'Clicks where the mouse is.', 'CLICK', {}, { button, num_clicks }),
  tool('mouse_down', 'Presses a button of the mouse.', 'MOUSE_DOWN', {}, { button }),
  tool('mouse_up', 'Releases a button of the mouse.', 'MOUSE_UP', {}, { button }),
  tool('right_click', 'Clicks the right button at a place.', 'RIGHT_CLICK', at),
  tool('right_click_here', 'Clicks the right button where the mouse is.', 'RIGHT_CLICK'),
  tool('double_click', 'Clicks twice at a place.', 'DOUBLE_CLICK', at),
  tool('double_click_here', 'Clicks twice where the mouse is.', 'DOUBLE_CLICK'),
  tool('drag_to', 'Moves the mouse with the left button held.', 'DRAG_TO', at),
  tool('scroll', 'Scrolls up, or down if negative.', 'SCROLL', { dy: distance }, { dx: distance }),
  tool('scroll_sideways', 'Scrolls right, or left if negative.', 'SCROLL', { dx: distance }),
  tool('typing', 'Types a text.', 'TYPING', { text }),
  tool('press', 'Presses a key and releases it.', 'PRESS', { key }),
  tool('key_down', 'Presses a key.', 'KEY_DOWN', { key }),
  tool('key_up', 'Releases a key.', 'KEY_UP', { key }),
  tool('hotkey', 'Presses keys together.', 'HOTKEY', { keys: { type: 'array', minItems: 1, items: key } }),
  ...words,
]

export const codeTools: readonly ActionTool[] = [
  {
    name: 'run_code',
    description: 'Runs a program of its own, in which pyautogui and time are imported.',
    schema: {
      type: 'object',
      properties: {
        code: {
          type: 'string',
          minLength: 1,
          // Back-ticks would end the block.
          pattern: '^(?![\\s\\S]*```)[\\s\\S]*\\S',
          contentMediaType: 'text/x-python',
        },
      },
      required: ['code'],
      additionalProperties: false,
    },
    action: '```python\n{code}\n```',
  },
  ...words,
]
