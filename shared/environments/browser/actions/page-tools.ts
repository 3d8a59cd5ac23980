import type { JsonObject } from '../../../core/contracts/json.ts'
import type { ActionTool } from '../../tools/action-tool.ts'

const line = { type: 'string', minLength: 1, pattern: '^[^\\n]+$', contentMediaType: 'text/plain' }
const number = { type: 'integer', minimum: 0 }
const element = {
  ...number,
  description: 'The number in brackets before the element in the newest observation.',
}

function tool(name: string, description: string, action: string, properties: JsonObject = {}): ActionTool {
  const required = Object.keys(properties)
  return {
    name,
    description,
    schema: { type: 'object', properties, required, additionalProperties: false },
    action,
  }
}

export const pageTools: readonly ActionTool[] = [
  tool('click', 'Clicks on the middle of an element.', 'click [{id}]', { id: element }),
  tool('type', 'Clicks on an element and types a text.', 'type [{id}] [{text}] [{press_enter}]', {
    id: element,
    text: line,
    press_enter: { type: 'integer', enum: [0, 1], description: '1: Enter follows the text.' },
  }),
  tool('clear', 'Empties a text field.', 'clear [{id}]', { id: element }),
  tool('hover', 'Moves the mouse to an element.', 'hover [{id}]', { id: element }),
  tool('press', 'Presses keys.', 'press [{keys}]', {
    keys: { ...line, description: 'Such as Enter, ArrowDown or Control+a.' },
  }),
  tool('scroll', 'Scrolls the page.', 'scroll [{direction}]', {
    direction: { type: 'string', enum: ['up', 'down'] },
  }),
]

export const browserTools: readonly ActionTool[] = [
  tool('new_tab', 'Opens a tab.', 'new_tab'),
  tool('tab_focus', 'Changes the tab.', 'tab_focus [{tab}]', {
    tab: { ...number, description: 'The first has the number 0.' },
  }),
  tool('close_tab', 'Closes the tab.', 'close_tab'),
  tool('goto', 'Opens an address.', 'goto [{address}]', { address: line }),
  tool('go_back', 'Goes back in the history of the tab.', 'go_back'),
  tool('go_forward', 'Goes forward in the history of the tab.', 'go_forward'),
]

export function stopTool(description: string): ActionTool {
  return tool('stop', description, 'stop [{answer}]', { answer: line })
}

/** The tool of Playwright's action set: its chains name elements in too many ways for arguments. */
export const playwrightTool: ActionTool = tool('playwright', 'Takes one action in a page.', '{code}', {
  code: { type: 'string', minLength: 1, description: 'One call that begins with page., as the rules show.' },
})
