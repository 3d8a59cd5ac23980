import type { DesktopMark } from '../observations/desktop-marks.ts'
import type { OsworldOptions } from '../options.ts'
import { type DesktopAction, type ReadDesktopActions, readDesktopWord } from './desktop-action.ts'
import { readFencedBlocks } from './fenced-blocks.ts'
import { readComputer13 } from './read-computer-13.ts'

export function readDesktopActions(
  text: string,
  { action_space }: Pick<OsworldOptions, 'action_space'>,
  marks: readonly DesktopMark[] = [],
): ReadDesktopActions {
  return action_space === 'computer_13' ? readComputer13(text) : readPyautogui(text, marks)
}

/**
 * Reads an answer in OSWorld's action space `pyautogui`: blocks of Python between triple back-ticks, each of which
 * may be or end with WAIT, DONE or FAIL. Without back-ticks, one of these words, or code alone. Unlike in OSWorld,
 * code stays unchanged: there a semicolon also ends a line inside a string.
 * @param marks of the screenshot, with the observation `som`: `tag_N` in the code is the middle of the mark N
 */
export function readPyautogui(
  text: string,
  marks: readonly Pick<DesktopMark, 'index' | 'x' | 'y' | 'width' | 'height'>[] = [],
): ReadDesktopActions {
  const { blocks, isOpen } = readFencedBlocks(text)
  if (isOpen) return { problem: 'The code has no end: close its block with three back-ticks.' }
  const named = blocks.length === 0 ? [text] : blocks
  const actions = named.flatMap(readBlock)
  if (actions.length === 0) return { problem: 'There is no code in it, and none of WAIT, DONE and FAIL.' }
  return { actions: actions.map((action) => defineMarks(action, marks)) }
}

function readBlock(block: string): DesktopAction[] {
  const lines = trimLines(block).split('\n')
  const last = lines.at(-1) ?? ''
  const [, before = '', end = ''] = /^(?:(.*);)?[ \t]*(WAIT|DONE|FAIL)[ \t]*;?[ \t]*$/.exec(last) ?? []
  const said = readDesktopWord(end)
  const code = trimLines([...lines.slice(0, -1), said === null ? last : before].join('\n'))
  const done: DesktopAction[] = code === '' ? [] : [{ kind: 'code', code }]
  return said === null ? done : [...done, said]
}

function trimLines(code: string): string {
  const body = code
    .replace(/\r\n?/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
  const indent = /^[ \t]+/.exec(body)?.[0] ?? ''
  const isCommon = body.split('\n').every((line) => line.trim() === '' || line.startsWith(indent))
  return isCommon
    ? body
        .split('\n')
        .map((line) => line.slice(line.startsWith(indent) ? indent.length : line.length))
        .join('\n')
    : body.trimStart()
}

function defineMarks(action: DesktopAction, marks: Parameters<typeof readPyautogui>[1]): DesktopAction {
  if (action.kind !== 'code') return action
  const used = new Set(Array.from(action.code.matchAll(/\btag_(\d+)\b/g), ([, number]) => Number(number)))
  const lines = (marks ?? [])
    .filter(({ index }) => used.has(index))
    .map(({ index, x, y, width, height }) => {
      return `tag_${index} = (${x + Math.floor(width / 2)}, ${y + Math.floor(height / 2)})`
    })
  return { kind: 'code', code: [...lines, action.code].join('\n') }
}
