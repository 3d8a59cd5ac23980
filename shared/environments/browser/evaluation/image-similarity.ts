import { type GreyPicture, greyAtSize, type PixelPicture } from './pixel-picture.ts'

const window = 7
const steadyMean = (0.01 * 255) ** 2
const steadyVariance = (0.03 * 255) ** 2

/**
 * The similarity of two pictures, from −1 to 1. It is the structural similarity index of Wang et al., 2004, as
 * scikit-image computes it by default, over both pictures in grey at the larger width and height. 1 for equal
 * pictures. Pictures without structure, such as two flat colours, are compared by lightness alone: red and blue are
 * above 0.8. Two pictures smaller than 7 pixels have no index: 1 if equal, otherwise 0.
 */
export function imageSimilarity(a: PixelPicture, b: PixelPicture): number {
  const width = Math.max(a.width, b.width)
  const height = Math.max(a.height, b.height)
  const first = greyAtSize(a, width, height)
  const second = greyAtSize(b, width, height)
  if (width < window || height < window) {
    return first.grey.every((value, index) => value === second.grey[index]) ? 1 : 0
  }
  const meanA = windowMeans(first, (index) => first.grey[index] ?? 0)
  const meanB = windowMeans(first, (index) => second.grey[index] ?? 0)
  const meanAA = windowMeans(first, (index) => (first.grey[index] ?? 0) ** 2)
  const meanBB = windowMeans(first, (index) => (second.grey[index] ?? 0) ** 2)
  const meanAB = windowMeans(first, (index) => (first.grey[index] ?? 0) * (second.grey[index] ?? 0))
  const sample = window ** 2 / (window ** 2 - 1)
  let sum = 0
  for (const [index, x] of meanA.entries()) {
    const y = meanB[index] ?? 0
    const varianceA = sample * ((meanAA[index] ?? 0) - x * x)
    const varianceB = sample * ((meanBB[index] ?? 0) - y * y)
    const covariance = sample * ((meanAB[index] ?? 0) - x * y)
    const likeness = (2 * x * y + steadyMean) * (2 * covariance + steadyVariance)
    sum += likeness / ((x * x + y * y + steadyMean) * (varianceA + varianceB + steadyVariance))
  }
  return sum / meanA.length
}

function windowMeans({ width, height }: GreyPicture, value: (index: number) => number): Float64Array {
  const sums = new Float64Array((width + 1) * (height + 1))
  const at = (x: number, y: number) => sums[y * (width + 1) + x] ?? 0
  for (let y = 0; y < height; y++) {
    let row = 0
    for (let x = 0; x < width; x++) {
      row += value(y * width + x)
      sums[(y + 1) * (width + 1) + x + 1] = at(x + 1, y) + row
    }
  }
  const columns = width - window + 1
  const means = new Float64Array(columns * (height - window + 1))
  for (let index = 0; index < means.length; index++) {
    const x = index % columns
    const y = (index - x) / columns
    const total = at(x + window, y + window) - at(x, y + window) - at(x + window, y) + at(x, y)
    means[index] = total / window ** 2
  }
  return means
}
