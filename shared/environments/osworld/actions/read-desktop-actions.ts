import type { DesktopMark } from '../observations/desktop-marks.ts'
import type { OsworldOptions } from '../options.ts'
import type { ReadDesktopActions } from './desktop-action.ts'
import { readComputer13 } from './read-computer-13.ts'
import { readPyautogui } from './read-pyautogui.ts'

export function readDesktopActions(
  text: string,
  { action_space }: Pick<OsworldOptions, 'action_space'>,
  marks: readonly DesktopMark[] = [],
): ReadDesktopActions {
  return action_space === 'computer_13' ? readComputer13(text) : readPyautogui(text, marks)
}
