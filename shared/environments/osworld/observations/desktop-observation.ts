import type { OsworldOptions } from '../options.ts'
import { accessibilityColumns } from './accessibility-table.ts'
import { markColumns } from './desktop-marks.ts'

export interface SeenDesktop {
  instruction: string
  notice?: string
  table?: string
}

export function describeDesktop({ instruction, notice, table }: SeenDesktop): string {
  const lines = [
    `Objective: ${instruction}`,
    ...(notice === undefined ? [] : ['', notice]),
    '',
    ...(table === undefined ? ['The screenshot shows the screen.'] : [table]),
  ]
  return lines.join('\n')
}

export function findDesktopTable(text: string): number {
  return [accessibilityColumns, markColumns]
    .map((columns) => text.indexOf(`\n${columns}`))
    .reduce((one, other) => Math.max(one, other), -1)
}

export function partsOfObservation(observation: OsworldOptions['observation']) {
  return {
    tree: observation === 'a11y_tree' || observation === 'screenshot_a11y_tree',
    screenshot: observation !== 'a11y_tree',
    marks: observation === 'som',
  }
}
