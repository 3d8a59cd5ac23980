import { PNG } from 'pngjs'
import { readPictureSize } from '../../../core/pictures/read-picture-size.ts'
import { findDesktopTable } from '../../osworld/observations/desktop-observation.ts'
import type { SeenResult } from '../../session-source.ts'

const clock =
  /\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\.?)?|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,?\s+(?:\d{1,2}\s+\w+|\w+\s+\d{1,2})(?:,?\s+\d{4})?/g

/**
 * The grid of a sketch. A cell of a screen of 1920 by 1080 has 30 by 30 pixels: a clock and a cursor cover a few of
 * them.
 */
const [across, down] = [64, 36]
const shades = 32

/**
 * The minimum equal share of two screens. Programs differ in details from start to start. Of 96 screens of our tasks
 * after the same actions on two desktops, at least 966 of 1,000 cells were alike, except Calc and Writer with at
 * least 936.
 */
const least = { rows: 0.8, cells: 0.95 } as const

export interface ScreenComparison {
  of: keyof typeof least | null
  likeness: number
  isSame: boolean
}

export function compareScreens(one: SeenResult, other: SeenResult): ScreenComparison {
  const compared = (of: keyof typeof least, likeness: number): ScreenComparison => ({
    of,
    likeness,
    isSame: likeness >= least[of],
  })
  const [left, right] = [rowsOf(one.observation), rowsOf(other.observation)]
  if (left !== null && right !== null) return compared('rows', likenessOfRows(left, right))
  if (one.screen === undefined || other.screen === undefined) return { of: null, likeness: 1, isSame: true }
  return compared('cells', likenessOfSketches(one.screen, other.screen))
}

function likenessOfRows(left: string[], right: string[]): number {
  const counts = new Map<string, number>()
  for (const row of left) counts.set(row, (counts.get(row) ?? 0) + 1)
  let common = 0
  for (const row of right) {
    const count = counts.get(row) ?? 0
    if (count === 0) continue
    counts.set(row, count - 1)
    common += 1
  }
  return (2 * common) / (left.length + right.length)
}

function rowsOf(text: string): string[] | null {
  const start = findDesktopTable(text)
  return start === -1 ? null : text.slice(start).replace(clock, '…').trim().split('\n')
}

/**
 * The mean brightness of each cell of a screenshot, row by row, one digit each. A replay compares it if the agent
 * sees only pictures.
 * @param bytes a PNG
 */
export function sketchScreen(bytes: Buffer): string {
  readPictureSize(bytes)
  const picture = PNG.sync.read(bytes)
  const edge = (part: number, parts: number, length: number) => Math.floor((part * length) / parts)
  return Array.from({ length: across * down }, (_, cell) => {
    const [column, row] = [cell % across, Math.floor(cell / across)]
    const brightness = meanBrightness(picture, {
      left: edge(column, across, picture.width),
      top: edge(row, down, picture.height),
      right: edge(column + 1, across, picture.width),
      bottom: edge(row + 1, down, picture.height),
    })
    return Math.floor((brightness * shades) / 256).toString(shades)
  }).join('')
}

function meanBrightness(
  { data, width }: PNG,
  { left, top, right, bottom }: { left: number; top: number; right: number; bottom: number },
): number {
  let sum = 0
  for (let row = top; row < bottom; row += 1) {
    for (let at = 4 * (row * width + left); at < 4 * (row * width + right); at += 4) {
      sum += 299 * data.readUInt8(at) + 587 * data.readUInt8(at + 1) + 114 * data.readUInt8(at + 2)
    }
  }
  return sum / 1000 / Math.max(1, (right - left) * (bottom - top))
}

function likenessOfSketches(one: string, other: string): number {
  if (one.length !== other.length) return 0
  const alike = Array.from(one).filter((shade, cell) => {
    return Math.abs(Number.parseInt(shade, shades) - Number.parseInt(other[cell] ?? '', shades)) <= 1
  })
  return alike.length / one.length
}
