import { z } from 'zod'
import { parseJson } from '../../../core/contracts/parse-json.ts'
import { pythonRepr } from '../../python-text.ts'
import { type DesktopAction, type ReadDesktopActions, readDesktopWord } from './desktop-action.ts'
import { readFencedBlocks } from './fenced-blocks.ts'

const named = `
accept add alt altleft altright apps backspace browserback browserfavorites browserforward browserhome browserrefresh browsersearch
browserstop capslock clear command convert ctrl ctrlleft ctrlright decimal del delete divide down end enter esc escape execute f1 f2 f3
f4 f5 f6 f7 f8 f9 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 f21 f22 f23 f24 final fn hanguel hangul hanja help home insert junja kana
kanji launchapp1 launchapp2 launchmail launchmediaselect left modechange multiply nexttrack nonconvert num0 num1 num2 num3 num4 num5
num6 num7 num8 num9 numlock option optionleft optionright pagedown pageup pause pgdn pgup playpause prevtrack print printscreen prntscrn
prtsc prtscr return right scrolllock select separator shift shiftleft shiftright sleep space stop subtract tab up volumedown volumemute
volumeup win winleft winright yen
`

const names = new Set(named.trim().split(/\s+/))
/** ASCII from the blank to the tilde without capitals, because keys are compared in lower case. */
const single = /^[\t\n\r -@[-~]$/

export function isKeyboardKey(key: string): boolean {
  const lower = key.toLowerCase()
  return single.test(lower) || names.has(lower)
}

const place = z.number().min(0)
const button = z.enum(['left', 'right', 'middle']).optional()
const key = z.string().refine(isKeyboardKey, 'must be a key of pyautogui, such as enter, ctrl, f5 or a')
const nowhere = z.strictObject({})
const somewhere = z.strictObject({ x: place, y: place })
const buttonOnly = z.strictObject({ button })

const clickSchema = z
  .strictObject({
    button,
    x: place.optional(),
    y: place.optional(),
    num_clicks: z.int().min(1).max(3).optional(),
  })
  .refine(({ x, y }) => (x === undefined) === (y === undefined), 'x and y go together')

const scrollSchema = z
  .strictObject({ dx: z.number().optional(), dy: z.number().optional() })
  .refine(({ dx, dy }) => dx !== undefined || dy !== undefined, 'needs dx or dy')

const kinds = {
  // OSWorld draws the duration and the curve of the move. Here every move is the same.
  MOVE_TO: kind(z.union([somewhere, nowhere]), (at) =>
    'x' in at ? `pyautogui.moveTo(${at.x}, ${at.y}, 0.5, pyautogui.easeInOutQuad)` : 'pyautogui.moveTo()',
  ),
  CLICK: kind(clickSchema, ({ button: which, x, y, num_clicks: clicks }) =>
    call('click', { button: which && pythonRepr(which), x, y, clicks }),
  ),
  MOUSE_DOWN: kind(buttonOnly, ({ button: which }) =>
    call('mouseDown', { button: which && pythonRepr(which) }),
  ),
  MOUSE_UP: kind(buttonOnly, ({ button: which }) => call('mouseUp', { button: which && pythonRepr(which) })),
  RIGHT_CLICK: kind(z.union([somewhere, nowhere]), (at) => call('rightClick', at)),
  DOUBLE_CLICK: kind(z.union([somewhere, nowhere]), (at) => call('doubleClick', at)),
  DRAG_TO: kind(
    somewhere,
    ({ x, y }) => `pyautogui.dragTo(${x}, ${y}, duration=1.0, button='left', mouseDownUp=True)`,
  ),
  SCROLL: kind(scrollSchema, ({ dx, dy }) =>
    [
      ...(dx === undefined ? [] : [`pyautogui.hscroll(${dx})`]),
      ...(dy === undefined ? [] : [`pyautogui.vscroll(${dy})`]),
    ].join('\n'),
  ),
  TYPING: kind(
    z.strictObject({ text: z.string() }),
    ({ text }) => `pyautogui.typewrite(${pythonRepr(text)})`,
  ),
  PRESS: kind(z.strictObject({ key }), (given) => `pyautogui.press(${pythonRepr(given.key)})`),
  KEY_DOWN: kind(z.strictObject({ key }), (given) => `pyautogui.keyDown(${pythonRepr(given.key)})`),
  KEY_UP: kind(z.strictObject({ key }), (given) => `pyautogui.keyUp(${pythonRepr(given.key)})`),
  HOTKEY: kind(
    z.strictObject({ keys: z.array(key).min(1) }),
    ({ keys }) => `pyautogui.hotkey(${keys.map(pythonRepr).join(', ')})`,
  ),
}

interface Kind {
  toCode(parameters: unknown): { code: string } | { problem: string }
}

function kind<Parameters>(schema: z.ZodType<Parameters>, write: (parameters: Parameters) => string): Kind {
  return {
    toCode(parameters) {
      const read = schema.safeParse(parameters)
      if (read.success) return { code: write(read.data) }
      const [issue] = read.error.issues
      const at = issue?.path.length ? `${issue.path.join('.')}: ` : ''
      return { problem: `${at}${issue?.message ?? 'not understood'}` }
    },
  }
}

function call(name: string, given: Readonly<Record<string, string | number | undefined>>): string {
  const named = Object.entries(given).filter(([, value]) => value !== undefined)
  return `pyautogui.${name}(${named.map(([each, value]) => `${each}=${value}`).join(', ')})`
}

const actionSchema = z.looseObject({
  action_type: z.string(),
  parameters: z.record(z.string(), z.unknown()).optional(),
})

/**
 * Reads an answer in OSWorld's action space `computer_13`: JSON objects with `action_type` and its parameters, in a
 * block each or alone, or one of WAIT, DONE and FAIL.
 * @example
 * readComputer13('{"action_type": "CLICK", "parameters": {"x": 10, "y": 20}}')
 * // { actions: [{ kind: 'code', code: 'pyautogui.click(x=10, y=20)' }] }
 */
export function readComputer13(text: string): ReadDesktopActions {
  const { blocks, isOpen } = readFencedBlocks(text)
  if (isOpen) return { problem: 'The JSON has no end: close its block with three back-ticks.' }
  const actions: DesktopAction[] = []
  for (const block of blocks.length === 0 ? [text] : blocks) {
    const read = readOne(block)
    if ('problem' in read) return read
    actions.push(read)
  }
  return { actions }
}

function readOne(block: string): DesktopAction | { problem: string } {
  const said = readDesktopWord(block)
  if (said !== null) return said
  const parsed = actionSchema.safeParse(parseJson(block))
  if (!parsed.success) {
    return {
      problem:
        'This is no action: it has to be WAIT, DONE, FAIL, or JSON such as {"action_type": "CLICK", "x": 10, "y": 20}.',
    }
  }
  const { action_type: type, parameters, ...rest } = parsed.data
  const word = readDesktopWord(type)
  if (word !== null) return word
  if (!Object.hasOwn(kinds, type)) {
    return {
      problem: `There is no action ${type}. There are ${Object.keys(kinds).join(', ')}, WAIT, DONE and FAIL.`,
    }
  }
  const written = kinds[type as keyof typeof kinds].toCode(parameters ?? rest)
  return 'code' in written ? { kind: 'code', code: written.code } : { problem: `${type}: ${written.problem}` }
}
