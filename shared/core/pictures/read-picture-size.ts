import { imageSize } from 'image-size'
import { type PixelSize, pixelFault } from '../contracts/picture.ts'

export class TooManyPixelsError extends Error {
  override readonly name = 'TooManyPixelsError'
}

/**
 * Reads the size and type of a picture from its file's header: PNG, JPEG, WebP, GIF, BMP and others. No code decodes
 * a picture before this check.
 * @throws TooManyPixelsError if it is larger than pictures may be; Error for bytes that are no picture
 */
export function readPictureSize(bytes: Uint8Array): PixelSize & { type: string } {
  const { width = 0, height = 0, type = 'unknown', images = [] } = imageSize(bytes)
  // Icon files contain several.
  for (const each of [{ width, height }, ...images]) {
    const fault = pixelFault(each)
    if (fault !== null) throw new TooManyPixelsError(fault)
  }
  return { width, height, type }
}
