export interface PictureSize {
  width: number
  height: number
}

const lanczosRadius = 3
const unit = 2 ** 22

/**
 * Resizes one channel of 8 bits as Pillow does with its Lanczos filter: first the rows, rounded to 8 bits, then the
 * columns.
 */
export function resizeChannel(plane: Uint8Array, from: PictureSize, to: PictureSize): Uint8Array {
  const rows = from.width === to.width ? plane : resizeRows(plane, from.width, to.width)
  if (from.height === to.height) return rows
  const turned = transpose(rows, to.width, from.height)
  return transpose(resizeRows(turned, from.height, to.height), to.height, to.width)
}

function resizeRows(plane: Uint8Array, from: number, to: number): Uint8Array {
  const spans = weightSpans(from, to)
  const height = plane.length / from
  const resized = new Uint8Array(height * to)
  for (let y = 0; y < height; y++) {
    for (const [x, { first, weights }] of spans.entries()) {
      let sum = unit / 2
      for (const [index, weight] of weights.entries()) sum += weight * (plane[y * from + first + index] ?? 0)
      resized[y * to + x] = Math.min(255, Math.max(0, Math.floor(sum / unit)))
    }
  }
  return resized
}

interface WeightSpan {
  first: number
  weights: number[]
}

function weightSpans(from: number, to: number): WeightSpan[] {
  const scale = from / to
  const filterScale = Math.max(scale, 1)
  const support = lanczosRadius * filterScale
  return Array.from({ length: to }, (_none, x) => {
    const center = (x + 0.5) * scale
    const first = Math.max(0, Math.trunc(center - support + 0.5))
    const end = Math.min(from, Math.trunc(center + support + 0.5))
    const raw = Array.from({ length: end - first }, (_zero, index) =>
      lanczos((first + index - center + 0.5) / filterScale),
    )
    const sum = raw.reduce((total, weight) => total + weight, 0)
    return { first, weights: raw.map((weight) => roundAway((weight / sum) * unit)) }
  })
}

function lanczos(x: number): number {
  return Math.abs(x) < lanczosRadius ? sinc(x) * sinc(x / lanczosRadius) : 0
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(x * Math.PI) / (x * Math.PI)
}

function roundAway(value: number): number {
  return Math.trunc(value < 0 ? value - 0.5 : value + 0.5)
}

function transpose(plane: Uint8Array, width: number, height: number): Uint8Array {
  const turned = new Uint8Array(plane.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) turned[x * height + y] = plane[y * width + x] ?? 0
  }
  return turned
}
