import type { OsworldOptions } from '../options.ts'
import { accessibilityColumns } from './accessibility-table.ts'
import { markColumns } from './desktop-marks.ts'

/** What is said of the desktop in one turn. */
export interface SeenDesktop {
  instruction: string
  /** What the last action led to, where that has to be said: an error, or what the agent wrote that is no action. */
  notice?: string
  /** Of the accessibility tree or of the marks, as the observation has it; absent: only the screenshot shows the screen. */
  table?: string
}

/** The text of an observation. Pictures stand beside it. */
export function describeDesktop({ instruction, notice, table }: SeenDesktop): string {
  const lines = [
    `Objective: ${instruction}`,
    ...(notice === undefined ? [] : ['', notice]),
    '',
    ...(table === undefined ? ['The screenshot shows the screen.'] : [table]),
  ]
  return lines.join('\n')
}

/** Whether a text has a table of the screen in it. */
export function findDesktopTable(text: string): number {
  return [accessibilityColumns, markColumns]
    .map((columns) => text.indexOf(`\n${columns}`))
    .reduce((one, other) => Math.max(one, other), -1)
}

/** What of the screen an observation has. */
export function partsOfObservation(observation: OsworldOptions['observation']) {
  return {
    tree: observation === 'a11y_tree' || observation === 'screenshot_a11y_tree',
    screenshot: observation !== 'a11y_tree',
    marks: observation === 'som',
  }
}
