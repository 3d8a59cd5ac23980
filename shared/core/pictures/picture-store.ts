import { hash } from 'node:crypto'
import { EspalierError } from '../contracts/errors.ts'
import { largestPicture, type Picture, type SentPicture } from '../contracts/picture.ts'
import { objectKeys } from '../engine/keys.ts'
import type { World } from '../world/ports.ts'

export interface PictureStore {
  /**
   * Stores a picture, and measures it.
   * @throws EspalierError `environment_failed` for bytes that are no picture of their labelled type
   */
  put(sent: SentPicture): Promise<Picture>
}

const remembered = 5000

export const unkeptPictures: PictureStore = {
  put: async ({ media_type, data }) => {
    const bytes = Buffer.from(data, 'base64')
    return {
      type: 'blob',
      sha256: hash('sha256', bytes),
      media_type,
      ...(await measurePicture(bytes, media_type)),
    }
  },
}

export function openPictureStore(objects: Pick<World['objects'], 'put'>): PictureStore {
  const stored = new Map<string, Picture>()
  return {
    async put({ media_type, data }) {
      const bytes = Buffer.from(data, 'base64')
      const sha256 = hash('sha256', bytes)
      const known = stored.get(sha256)
      if (known !== undefined) return known
      const picture: Picture = {
        type: 'blob',
        sha256,
        media_type,
        ...(await measurePicture(bytes, media_type)),
      }
      await objects.put(objectKeys.blob(sha256), bytes, { if_none_match: '*', content_type: media_type })
      if (stored.size >= remembered) stored.clear()
      stored.set(sha256, picture)
      return picture
    },
  }
}

/** Width and height in pixels, from the file's header. The reader loads with the first picture. */
async function measurePicture(
  bytes: Uint8Array,
  mediaType: string,
): Promise<{ width: number; height: number }> {
  const { readPictureSize, TooManyPixelsError } = await import('./read-picture-size.ts')
  const refuse = (why: string) =>
    new EspalierError(
      'environment_failed',
      `The environment showed a picture that ${why}. Send a PNG, JPEG or WebP file of at most ${largestPicture} bytes, labelled with its media type.`,
    )
  if (bytes.byteLength > largestPicture) throw refuse(`has ${bytes.byteLength} bytes`)
  let found: ReturnType<typeof readPictureSize>
  try {
    found = readPictureSize(bytes)
  } catch (error) {
    if (error instanceof TooManyPixelsError) throw refuse(error.message)
    throw refuse(`cannot be read (${error instanceof Error ? error.message : String(error)})`)
  }
  const { width, height, type } = found
  const label = mediaType.slice('image/'.length).replace('jpeg', 'jpg')
  if (type !== label) throw refuse(`is labelled ${mediaType} and is ${type}`)
  if (width < 1 || height < 1) throw refuse('has no pixels')
  return { width, height }
}
