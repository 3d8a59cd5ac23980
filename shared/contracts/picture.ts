import { z } from 'zod'

/** What pictures may be; others are refused where they enter. */
export const pictureTypeSchema = z.enum(['image/png', 'image/jpeg', 'image/webp'])

export type PictureType = z.infer<typeof pictureTypeSchema>

/** Bytes that a picture may have: a screenshot of 4 megapixels as PNG, with room. */
export const largestPicture = 4 * 1024 * 1024
/** Pixels that a picture may have: decoded, each takes 4 bytes. A screen of 8K has half as many. */
export const mostPixels = 2 ** 26
/** Pixels that an edge of a picture may have. */
export const longestPictureEdge = 2 ** 14

export interface PixelSize {
  width: number
  height: number
}

/** Ends a sentence that begins with a picture of too many pixels; null: it may be decoded. */
export function pixelFault({ width, height }: PixelSize): string | null {
  const isSmall = width <= longestPictureEdge && height <= longestPictureEdge && width * height <= mostPixels
  if (isSmall) return null
  return `has ${width} × ${height} pixels, and may have ${mostPixels}, with ${longestPictureEdge} along an edge`
}

/** How many pictures an observation may have. */
export const mostPictures = 8

/** A picture on its way from a host to a worker. */
export const sentPictureSchema = z.strictObject({
  media_type: pictureTypeSchema,
  data: z
    .base64()
    .max(Math.ceil(largestPicture / 3) * 4)
    .describe('The bytes of the file, as base64.'),
})

export type SentPicture = z.infer<typeof sentPictureSchema>

/** A picture that is stored by its digest, as `blobs/{sha256}`. */
export const pictureSchema = z
  .object({
    type: z.literal('blob'),
    sha256: z.string(),
    media_type: z.string(),
    width: z.int().positive().exactOptional().describe('Pixels; known of every picture that a host sent.'),
    height: z.int().positive().exactOptional().describe('Pixels.'),
  })
  .meta({ id: 'Picture' })

export type Picture = z.infer<typeof pictureSchema>
