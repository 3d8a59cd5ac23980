import { PNG } from 'pngjs'
import { readPictureSize } from '../../../core/pictures/read-picture-size.ts'
import type { DesktopBox, DesktopMark } from '../../osworld/observations/desktop-marks.ts'

type Colour = readonly [red: number, green: number, blue: number]

const frame: Colour = [255, 0, 0]
const ground: Colour = [0, 0, 0]
const ink: Colour = [255, 255, 255]

const digits = [
  [7, 5, 5, 5, 7],
  [2, 6, 2, 2, 7],
  [7, 1, 7, 4, 7],
  [7, 1, 7, 1, 7],
  [5, 5, 7, 1, 1],
  [7, 4, 7, 1, 7],
  [7, 4, 7, 5, 7],
  [7, 1, 1, 2, 2],
  [7, 5, 7, 5, 7],
  [7, 5, 7, 1, 7],
] as const

const dot = 3
const digitWidth = 4 * dot
const labelHeight = 7 * dot

export class MarkedScreen {
  readonly #picture: PNG

  constructor(bytes: Buffer) {
    readPictureSize(bytes)
    this.#picture = PNG.sync.read(bytes)
  }

  isPlain({ x, y, width, height }: DesktopBox): boolean {
    const { width: across, height: down, data } = this.#picture
    const [left, top] = [Math.max(0, x), Math.max(0, y)]
    const [right, bottom] = [Math.min(across, x + width), Math.min(down, y + height)]
    if (left >= right || top >= bottom) return true
    const first = data.readUInt32BE(4 * (top * across + left))
    for (let row = top; row < bottom; row += 1) {
      for (let column = left; column < right; column += 1) {
        if (data.readUInt32BE(4 * (row * across + column)) !== first) return false
      }
    }
    return true
  }

  mark(marks: readonly DesktopMark[]): void {
    for (const mark of marks) this.#frame(mark)
    for (const mark of marks) this.#label(mark)
  }

  toPng(): Buffer {
    return PNG.sync.write(this.#picture)
  }

  #frame({ x, y, width, height }: DesktopBox): void {
    this.#fill({ x, y, width, height: 1 }, frame)
    this.#fill({ x, y: y + height - 1, width, height: 1 }, frame)
    this.#fill({ x, y, width: 1, height }, frame)
    this.#fill({ x: x + width - 1, y, width: 1, height }, frame)
  }

  #label({ index, x, y, height }: DesktopMark): void {
    const text = String(index)
    const width = text.length * digitWidth + dot
    const top = y + height - labelHeight
    this.#fill({ x, y: top, width, height: labelHeight }, ground)
    for (const [place, character] of Array.from(text).entries()) {
      const rows = digits[Number(character)] ?? []
      for (const [row, bits] of rows.entries()) {
        for (const column of [0, 1, 2].filter((each) => bits & (4 >> each))) {
          const left = x + dot + place * digitWidth + column * dot
          this.#fill({ x: left, y: top + dot + row * dot, width: dot, height: dot }, ink)
        }
      }
    }
  }

  #fill({ x, y, width, height }: DesktopBox, [red, green, blue]: Colour): void {
    const { width: across, height: down, data } = this.#picture
    for (let row = Math.max(0, y); row < Math.min(down, y + height); row += 1) {
      for (let column = Math.max(0, x); column < Math.min(across, x + width); column += 1) {
        const at = 4 * (row * across + column)
        data[at] = red
        data[at + 1] = green
        data[at + 2] = blue
      }
    }
  }
}
