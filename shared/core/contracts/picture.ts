import { z } from 'zod'

export const pictureTypeSchema = z.enum(['image/png', 'image/jpeg', 'image/webp'])

/** Maximum bytes of a picture: a screenshot of 4 megapixels as PNG, with room. */
export const largestPicture = 4 * 1024 * 1024
/** Maximum pixels of a picture: decoded, each takes 4 bytes. A screen of 8K has half as many. */
export const mostPixels = 2 ** 26
export const longestPictureEdge = 2 ** 14

export interface PixelSize {
  width: number
  height: number
}

export function pixelFault({ width, height }: PixelSize): string | null {
  const isSmall = width <= longestPictureEdge && height <= longestPictureEdge && width * height <= mostPixels
  if (isSmall) return null
  return `has ${width} × ${height} pixels, and may have ${mostPixels}, with ${longestPictureEdge} along an edge`
}

export const mostPictures = 8

export const sentPictureSchema = z.strictObject({
  media_type: pictureTypeSchema,
  data: z
    .base64()
    .max(Math.ceil(largestPicture / 3) * 4)
    .describe('The bytes of the file, as base64.'),
})

export type SentPicture = z.infer<typeof sentPictureSchema>

export const pictureSchema = z
  .object({
    type: z.literal('blob'),
    sha256: z.string(),
    media_type: z.string(),
    width: z.int().positive().exactOptional().describe('Pixels; known for every picture that a host sent.'),
    height: z.int().positive().exactOptional().describe('Pixels.'),
  })
  .meta({ id: 'Picture' })

export type Picture = z.infer<typeof pictureSchema>
