import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { BrowserAction } from '../../../shared/environments/browser/actions/browser-action.ts'
import { parseIdAction } from '../../../shared/environments/browser/actions/parse-id-action.ts'
import { parsePlaywrightAction } from '../../../shared/environments/browser/actions/parse-playwright-action.ts'
import { miniwobGuide } from '../../../shared/environments/miniwob/guide.ts'
import { readDesktopActions } from '../../../shared/environments/osworld/actions/read-desktop-actions.ts'
import { osworldGuide } from '../../../shared/environments/osworld/guide.ts'
import { osworldOptions } from '../../../shared/environments/osworld/options.ts'
import {
  type ActionTool,
  actionOfCall,
  actionToolSchema,
  callOfAction,
} from '../../../shared/environments/tools/action-tool.ts'
import { webarenaGuide } from '../../../shared/environments/webarena/guide.ts'
import { webarenaOptions } from '../../../shared/environments/webarena/options.ts'

const pages = webarenaGuide(webarenaOptions('webarena').parse({ action_set: 'id' })).tools ?? []
const chains = webarenaGuide(webarenaOptions('webarena').parse({ action_set: 'playwright' })).tools ?? []
const spaces = { computer_13: desktopTools('computer_13'), pyautogui: desktopTools('pyautogui') } as const

function desktopTools(action_space: 'computer_13' | 'pyautogui'): readonly ActionTool[] {
  return osworldGuide(osworldOptions.parse({ action_space })).tools ?? []
}

test.each(Object.entries({ miniwob: miniwobGuide.tools ?? [], pages, chains, ...spaces }))(
  'the tools of %s are well formed and have each a name of their own',
  (_, tools) => {
    expect(tools.length).toBeGreaterThan(0)
    for (const tool of tools) actionToolSchema.parse(tool)
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
  },
)

/** A text of one line, with brackets and spaces at its ends. */
const line = fc
  .string({ minLength: 1, unit: fc.constantFrom(...'ab [] 01é"\\') })
  .filter((text) => text.length > 0)
const id = fc.nat(99_999)

const pageCall = fc.oneof(
  fc.record({ name: fc.constantFrom('click', 'clear', 'hover'), arguments: fc.record({ id }) }),
  fc.record({
    name: fc.constant('type'),
    arguments: fc.record({ id, text: line, press_enter: fc.constantFrom(0, 1) }),
  }),
  fc.record({ name: fc.constant('press'), arguments: fc.record({ keys: line }) }),
  fc.record({
    name: fc.constant('scroll'),
    arguments: fc.record({ direction: fc.constantFrom('up', 'down') }),
  }),
  fc.record({ name: fc.constant('tab_focus'), arguments: fc.record({ tab: fc.nat(99) }) }),
  fc.record({ name: fc.constant('goto'), arguments: fc.record({ address: line }) }),
  fc.record({ name: fc.constant('stop'), arguments: fc.record({ answer: line }) }),
  fc.record({
    name: fc.constantFrom('new_tab', 'close_tab', 'go_back', 'go_forward'),
    arguments: fc.constant({}),
  }),
)

/** The action of a call, as the environment has it. */
function pageAction({ name, arguments: given }: { name: string; arguments: JsonObject }): BrowserAction {
  switch (name) {
    case 'click':
    case 'clear':
    case 'hover':
      return { kind: name, element: String(given.id) }
    case 'type':
      return {
        kind: 'type',
        element: String(given.id),
        text: `${given.text}${given.press_enter ? '\n' : ''}`,
      }
    case 'press':
      return { kind: 'press', keys: String(given.keys) }
    case 'scroll':
      return { kind: 'scroll', direction: given.direction as 'up' | 'down' }
    case 'tab_focus':
      return { kind: 'focus_tab', tab: given.tab as number }
    case 'goto':
      return { kind: 'goto', url: String(given.address) }
    case 'stop':
      return { kind: 'stop', answer: String(given.answer) }
    default:
      return { kind: name as 'new_tab' }
  }
}

function actionText(call: { name: string; arguments: JsonObject }, tools: readonly ActionTool[]): string {
  const read = actionOfCall(call, tools)
  if ('feedback' in read) throw new Error(read.feedback)
  return read.action
}

describe('a call in a page', () => {
  test('is the action that its parser reads, and the action is the call', () => {
    fc.assert(
      fc.property(pageCall, (call) => {
        const action = actionText(call, pages)
        expect(parseIdAction(action)).toEqual(pageAction(call))
        expect(callOfAction(action, pages)).toEqual(call)
      }),
    )
  })

  test('exists for every kind of action, and for the actions of the example', () => {
    const kinds = fc.sample(pageCall, 300).map((call) => pageAction(call).kind)
    expect([...new Set(kinds)].toSorted()).toEqual([
      'clear',
      'click',
      'close_tab',
      'focus_tab',
      'go_back',
      'go_forward',
      'goto',
      'hover',
      'new_tab',
      'press',
      'scroll',
      'stop',
      'type',
    ])
    for (const { action } of miniwobGuide.example?.turns ?? []) {
      expect(callOfAction(action, miniwobGuide.tools ?? []), action).not.toBeNull()
    }
  })

  test.each([
    [{ name: 'click', arguments: { id: 'the button' } }, '"id"'],
    [{ name: 'type', arguments: { id: 1, text: 'a\nb', press_enter: 0 } }, '"text"'],
    [{ name: 'type', arguments: { id: 1, text: 'a' } }, '"press_enter"'],
    [{ name: 'scroll', arguments: { direction: 'left' } }, '"direction"'],
    [{ name: 'stop', arguments: {} }, '"answer"'],
  ])('%j has feedback', (call, feedback) => {
    expect(actionOfCall(call, pages)).toEqual({ feedback: expect.stringContaining(feedback) })
  })

  test('in Playwright’s action set is its code', () => {
    const code = 'page.get_by_role("link", name="Orders").click()'
    const action = actionText({ name: 'playwright', arguments: { code } }, chains)
    expect(parsePlaywrightAction(action)).toMatchObject({ code })
    expect(callOfAction(action, chains)).toEqual({ name: 'playwright', arguments: { code } })
  })
})

const place = fc.record({ x: fc.nat(1919), y: fc.nat(1079) })
const button = fc.constantFrom('left', 'right', 'middle')
const clicks = fc.integer({ min: 1, max: 3 })
const some = { requiredKeys: [] as never[] }
const key = fc.constantFrom('enter', 'Ctrl', 'f5', 'a', ' ', '"', '~')
const amount = fc.integer({ min: -20, max: 20 })
const named = <Given>(names: readonly string[], given: fc.Arbitrary<Given>) =>
  fc.record({ name: fc.constantFrom(...names), arguments: given })

const desktopCall = fc.oneof(
  named(['move_to', 'drag_to', 'right_click', 'double_click'], place),
  named(['right_click_here', 'double_click_here', 'wait', 'done', 'fail'], fc.constant({})),
  named(
    ['click'],
    fc.tuple(place, fc.record({ button, num_clicks: clicks }, some)).map(([at, how]) => ({ ...at, ...how })),
  ),
  named(['click_here'], fc.record({ button, num_clicks: clicks }, some)),
  named(['mouse_down', 'mouse_up'], fc.record({ button }, some)),
  named(['scroll'], fc.record({ dy: amount, dx: amount }, { requiredKeys: ['dy'] })),
  named(['scroll_sideways'], fc.record({ dx: amount })),
  named(['typing'], fc.record({ text: fc.string({ unit: fc.constantFrom(...'ab "\\\n{}é') }) })),
  named(['press', 'key_down', 'key_up'], fc.record({ key })),
  named(['hotkey'], fc.record({ keys: fc.array(key, { minLength: 1, maxLength: 3 }) })),
)

describe('a call on a desktop', () => {
  test('of computer_13 is an action that its parser reads, and the action is the call', () => {
    fc.assert(
      fc.property(desktopCall, (call) => {
        const given = call.arguments as JsonObject
        const action = actionText({ name: call.name, arguments: given }, spaces.computer_13)
        const read = readDesktopActions(action, { action_space: 'computer_13' })
        expect(read.problem).toBeUndefined()
        expect(read.actions).toHaveLength(1)
        const back = callOfAction(action, spaces.computer_13)
        expect(back).toEqual({ name: call.name, arguments: { ...given } })
      }),
    )
  })

  test('of code runs the code as it stands, indented lines included', () => {
    const lines = fc.array(fc.constantFrom('x = 1', '  y = 2', '', '# `one`', 'pyautogui.click(1, 2)'), {
      minLength: 1,
    })
    fc.assert(
      fc.property(
        lines.map((each) => each.join('\n')).filter((code) => code.trim() !== '' && code === code.trim()),
        (code) => {
          const call = { name: 'run_code', arguments: { code } }
          const action = actionText(call, spaces.pyautogui)
          expect(readDesktopActions(action, { action_space: 'pyautogui' })).toEqual({
            actions: [{ kind: 'code', code }],
          })
          expect(callOfAction(action, spaces.pyautogui)).toEqual(call)
        },
      ),
    )
    for (const code of ['a\n```\nb', ' ', ''])
      expect(actionOfCall({ name: 'run_code', arguments: { code } }, spaces.pyautogui)).toHaveProperty(
        'feedback',
      )
  })
})
