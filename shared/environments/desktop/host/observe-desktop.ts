import type { SentPicture } from '../../../core/contracts/picture.ts'
import { tableAccessibilityTree } from '../../osworld/observations/accessibility-table.ts'
import { openTableBound } from '../../osworld/observations/bound-table.ts'
import {
  type DesktopMark,
  findDesktopMarks,
  tableDesktopMarks,
} from '../../osworld/observations/desktop-marks.ts'
import { partsOfObservation } from '../../osworld/observations/desktop-observation.ts'
import type { OsworldOptions } from '../../osworld/options.ts'
import { sketchScreen } from './compare-screens.ts'
import type { Machine } from './machine-client.ts'
import { MarkedScreen } from './mark-screen.ts'
import { settleScreen } from './settle-screen.ts'

export interface ShownDesktop {
  table?: string
  pictures: SentPicture[]
  sketch?: string
  marks: readonly DesktopMark[]
}

export async function observeDesktop(machine: Machine, options: OsworldOptions): Promise<ShownDesktop> {
  const { tree, screenshot, marks: isMarked } = partsOfObservation(options.observation)
  const screen = await settleScreen(machine, options)
  const xml = tree || isMarked ? await machine.accessibility() : ''
  const picture = isMarked ? new MarkedScreen(screen) : null
  const marks = picture === null ? [] : findDesktopMarks(xml, (box) => picture.isPlain(box))
  picture?.mark(marks)
  const table = isMarked ? tableDesktopMarks(marks) : tree ? tableAccessibilityTree(xml) : undefined
  const bounded = table === undefined ? undefined : (await openTableBound())(table, options.tree_tokens)
  const shown = picture?.toPng() ?? screen
  return {
    ...(bounded === undefined ? { sketch: sketchScreen(screen) } : { table: bounded }),
    pictures: screenshot ? [{ media_type: 'image/png', data: shown.toString('base64') }] : [],
    marks,
  }
}
