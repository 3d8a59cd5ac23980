import type { Random } from '../../../core/random/random.ts'
import { choose } from '../../../core/random/shuffled.ts'
import type { RgbPicture } from './read-picture.ts'

const colours = [
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'blue',
  'purple',
  'pink',
  'brown',
  'black',
  'grey',
  'white',
]

const hues: readonly (readonly [end: number, colour: string])[] = [
  [12, 'red'],
  [38, 'orange'],
  [65, 'yellow'],
  [160, 'green'],
  [195, 'teal'],
  [250, 'blue'],
  [295, 'purple'],
  [345, 'pink'],
  [360, 'red'],
]

/**
 * Side length in pixels of the squares that separate shapes, so that almost touching parts of one shape are joined.
 */
const grain = 4
const pixelStride = 2

/**
 * Describes a picture by measurement: the colour that fills most of the foreground, and the number of shapes. It does
 * not name objects. The right colour has the probability (1 + skill) / 2.
 */
export function describePicture(picture: RgbPicture, skill: number, random: Random): string {
  const { width, height } = picture
  const background = colourAt(picture, 0, 0)
  const isShape = (x: number, y: number) => difference(colourAt(picture, x, y), background) > 40
  const counts = new Map<string, number>()
  const squares = new Set<number>()
  const across = Math.ceil(width / grain)
  for (let y = 0; y < height; y += pixelStride) {
    for (let x = 0; x < width; x += pixelStride) {
      if (!isShape(x, y)) continue
      const name = nameOfColour(colourAt(picture, x, y))
      // Outlines are dark, so colours have a greater weight.
      const weight = ['black', 'grey', 'white', 'brown'].includes(name) ? 1 : 3
      counts.set(name, (counts.get(name) ?? 0) + weight)
      squares.add(Math.floor(y / grain) * across + Math.floor(x / grain))
    }
  }
  const [main = 'white'] = [...counts].toSorted(([, one], [, other]) => other - one).map(([name]) => name)
  const colour = random() < (1 + skill) / 2 ? main : (choose(colours, random) ?? main)
  const shapes = countShapes(squares, across)
  return shapes === 1
    ? `One ${colour} thing on a plain ground.`
    : `${shapes} ${colour} things on a plain ground.`
}

type Colour = readonly [red: number, green: number, blue: number]

function colourAt({ width, pixels }: RgbPicture, x: number, y: number): Colour {
  const at = (y * width + x) * 3
  return [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0]
}

function difference(one: Colour, other: Colour): number {
  return one.reduce((sum, part, at) => sum + Math.abs(part - (other[at] ?? 0)), 0)
}

function nameOfColour([red, green, blue]: Colour): string {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  const range = most - least
  if (range < 28) return most < 90 ? 'black' : most > 225 ? 'white' : 'grey'
  const sector =
    most === red
      ? ((green - blue) / range + 6) % 6
      : most === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4
  const name = hues.find(([end]) => sector * 60 <= end)?.[1] ?? 'red'
  return name === 'orange' && most < 180 ? 'brown' : name
}

/** Counts groups of touching squares. A group much smaller than the largest belongs to another shape. */
function countShapes(squares: ReadonlySet<number>, across: number): number {
  const left = new Set(squares)
  const sizes: number[] = []
  for (const start of squares) {
    if (!left.delete(start)) continue
    const reached = [start]
    for (const at of reached) {
      for (const step of [-across - 1, -across, -across + 1, -1, 1, across - 1, across, across + 1])
        if (left.delete(at + step)) reached.push(at + step)
    }
    sizes.push(reached.length)
  }
  const largest = Math.max(0, ...sizes)
  return sizes.filter((size) => size > largest / 3).length
}
