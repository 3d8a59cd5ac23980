import { imageSize } from 'image-size'
import { type PixelSize, pixelFault } from '../contracts/picture.ts'

/** A file whose head says that it has more pixels than are decoded. */
export class TooManyPixelsError extends Error {
  override readonly name = 'TooManyPixelsError'
}

/**
 * The size and the kind of a picture, from the head of its file: PNG, JPEG, WebP, GIF, BMP and the like. Nothing decodes a
 * picture before this has read its size.
 *
 * @throws TooManyPixelsError if it is larger than pictures may be; Error for bytes that are no picture
 */
export function readPictureSize(bytes: Uint8Array): PixelSize & { type: string } {
  const { width = 0, height = 0, type = 'unknown', images = [] } = imageSize(bytes)
  // Files of icons hold several.
  for (const each of [{ width, height }, ...images]) {
    const fault = pixelFault(each)
    if (fault !== null) throw new TooManyPixelsError(fault)
  }
  return { width, height, type }
}
