import { PNG } from 'pngjs'
import { readPictureSize } from '../../../core/pictures/read-picture-size.ts'
import { EvaluationError } from './compare-answer.ts'
import { resizeChannel } from './resize-channel.ts'

/** Pixels of 8 bits: red, green, blue and alpha in turn, row by row from the top left. */
export interface PixelPicture {
  width: number
  height: number
  rgba: Uint8Array
  /** True if its pixels are palette indexes, which are never mixed on resizing. */
  isIndexed: boolean
}

export interface GreyPicture {
  width: number
  height: number
  grey: Uint8Array
}

const colourTypeAt = 25
const paletteType = 3

/** @throws EvaluationError if the bytes are no readable PNG. */
export function readPng(bytes: Uint8Array): PixelPicture {
  try {
    readPictureSize(bytes)
    const { width, height, data } = PNG.sync.read(Buffer.from(bytes))
    return { width, height, rgba: data, isIndexed: bytes[colourTypeAt] === paletteType }
  } catch (error) {
    throw new EvaluationError(`The picture is no readable PNG: ${String(error)}`)
  }
}

/** Resizes a picture as Pillow does with its Lanczos filter, and converts it to grey (ITU-R 601-2). */
export function greyAtSize(picture: PixelPicture, width: number, height: number): GreyPicture {
  const { rgba } = resize(picture, width, height)
  const grey = new Uint8Array(width * height)
  for (let pixel = 0; pixel < grey.length; pixel++) {
    const [red = 0, green = 0, blue = 0] = rgba.subarray(pixel * 4, pixel * 4 + 3)
    grey[pixel] = (red * 19595 + green * 38470 + blue * 7471 + 0x8000) >> 16
  }
  return { width, height, grey }
}

function resize(picture: PixelPicture, width: number, height: number): PixelPicture {
  if (picture.width === width && picture.height === height) return picture
  if (picture.isIndexed) return nearest(picture, width, height)
  const isOpaque = picture.rgba.every((byte, index) => index % 4 !== 3 || byte === 255)
  const source = isOpaque ? picture.rgba : mapPixels(picture.rgba, (byte, alpha) => divide255(byte * alpha))
  const rgba = new Uint8Array(width * height * 4)
  for (let channel = 0; channel < 4; channel++) {
    const plane = resizeChannel(takeChannel(source, channel), picture, { width, height })
    for (let pixel = 0; pixel < plane.length; pixel++) rgba[pixel * 4 + channel] = plane[pixel] ?? 0
  }
  const unmultiplied = (byte: number, alpha: number) =>
    alpha === 0 || alpha === 255 ? byte : Math.min(255, Math.trunc((255 * byte) / alpha))
  return { width, height, rgba: isOpaque ? rgba : mapPixels(rgba, unmultiplied), isIndexed: false }
}

function nearest(picture: PixelPicture, width: number, height: number): PixelPicture {
  const columns = nearestPositions(picture.width, width)
  const rgba = new Uint8Array(width * height * 4)
  for (const [y, row] of nearestPositions(picture.height, height).entries()) {
    for (const [x, column] of columns.entries()) {
      const from = (row * picture.width + column) * 4
      rgba.set(picture.rgba.subarray(from, from + 4), (y * width + x) * 4)
    }
  }
  return { width, height, rgba, isIndexed: true }
}

/** The nearest source pixel of each new one. Positions are summed up to reproduce Pillow's rounding. */
function nearestPositions(from: number, to: number): number[] {
  const step = from / to
  let position = step * 0.5
  return Array.from({ length: to }, () => {
    const nearest = Math.min(from - 1, Math.floor(position))
    position += step
    return nearest
  })
}

function takeChannel(rgba: Uint8Array, channel: number): Uint8Array {
  const plane = new Uint8Array(rgba.length / 4)
  for (let pixel = 0; pixel < plane.length; pixel++) plane[pixel] = rgba[pixel * 4 + channel] ?? 0
  return plane
}

function mapPixels(rgba: Uint8Array, change: (byte: number, alpha: number) => number): Uint8Array {
  return rgba.map((byte, index) =>
    index % 4 === 3 ? byte : change(byte, rgba[index - (index % 4) + 3] ?? 0),
  )
}

function divide255(product: number): number {
  const rounded = product + 128
  return ((rounded >> 8) + rounded) >> 8
}
