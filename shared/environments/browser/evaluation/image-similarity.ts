import { type GreyPicture, greyAtSize, type PixelPicture } from './pixel-picture.ts'

/** The side of the square over which means and variances are taken, in pixels. */
const window = 7
/** The usual constants of the index, for values of 8 bits. */
const steadyMean = (0.01 * 255) ** 2
const steadyVariance = (0.03 * 255) ** 2

/**
 * How alike two pictures are, from −1 to 1: the structural similarity index of Wang et al., 2004, as scikit-image computes it by
 * default, over both pictures in grey at the larger width and height. 1 where they are equal. Pictures without any structure,
 * such as two flat colours, come out as alike by their lightness alone: red and blue are above 0.8.
 *
 * Pictures that are both smaller than 7 pixels have no index; they are 1 where they are equal and otherwise 0.
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

/** The mean over each window that lies within the picture, by sums over whole rectangles, which are exact. */
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
