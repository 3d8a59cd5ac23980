import type { ScreenElement } from './read-desktop.ts'

export type DesktopMove = DesktopDeed | { readonly kind: 'WAIT' | 'DONE' | 'FAIL' }

type DesktopDeed =
  | { readonly kind: 'click' | 'double_click'; readonly on: ScreenElement }
  | { readonly kind: 'point'; readonly x: number; readonly y: number }
  | { readonly kind: 'type'; readonly text: string; readonly withEnter: boolean }
  | { readonly kind: 'keys'; readonly keys: readonly string[] }
  | { readonly kind: 'scroll'; readonly by: number }
  | { readonly kind: 'slip' }

export function writeDesktopMove(move: DesktopMove, inJson: boolean): string {
  if (isWord(move)) return `\`\`\`${move.kind}\`\`\``
  return inJson
    ? writeJson(move)
        .map((action) => `\`\`\`json\n${JSON.stringify(action)}\n\`\`\``)
        .join('\n')
    : `\`\`\`python\n${writeCode(move)}\n\`\`\``
}

function isWord(move: DesktopMove): move is Exclude<DesktopMove, DesktopDeed> {
  return move.kind === 'WAIT' || move.kind === 'DONE' || move.kind === 'FAIL'
}

function writeCode(move: DesktopDeed): string {
  switch (move.kind) {
    case 'click':
      return `pyautogui.click(${placeOf(move.on)})`
    case 'double_click':
      return `pyautogui.doubleClick(${placeOf(move.on)})`
    case 'point':
      return `pyautogui.click(${move.x}, ${move.y})`
    case 'type':
      return `pyautogui.write(${JSON.stringify(move.text)}, interval=0.02)${move.withEnter ? '\ntime.sleep(0.2)\npyautogui.press("enter")' : ''}`
    case 'keys':
      return `pyautogui.hotkey(${move.keys.map((key) => JSON.stringify(key)).join(', ')})`
    case 'scroll':
      return `pyautogui.scroll(${move.by})`
    case 'slip':
      return 'pyautogui.clickk(10, 10)'
  }
}

function placeOf({ mark, at }: ScreenElement): string {
  return mark === null ? (at ?? [960, 540]).join(', ') : `tag_${mark}`
}

function writeJson(move: DesktopDeed): object[] {
  switch (move.kind) {
    case 'click':
    case 'double_click': {
      const [x, y] = move.on.at ?? [960, 540]
      return [{ action_type: move.kind === 'click' ? 'CLICK' : 'DOUBLE_CLICK', x, y }]
    }
    case 'point':
      return [{ action_type: 'CLICK', x: move.x, y: move.y }]
    case 'type': {
      const enter = move.withEnter ? [{ action_type: 'PRESS', key: 'enter' }] : []
      return [{ action_type: 'TYPING', text: move.text }, ...enter]
    }
    case 'keys':
      return [{ action_type: 'HOTKEY', keys: move.keys }]
    case 'scroll':
      return [{ action_type: 'SCROLL', dy: move.by }]
    case 'slip':
      return [{ action_type: 'TOUCH', x: 1 }]
  }
}
