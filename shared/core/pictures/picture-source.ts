import { EspalierError } from '../contracts/errors.ts'
import type { Picture } from '../contracts/picture.ts'
import { objectKeys } from '../engine/keys.ts'
import type { World } from '../world/ports.ts'

export interface PictureSource {
  data(picture: Picture): Promise<string>
  /**
   * An address from which an endpoint can download it without a key for a while.
   * @throws EspalierError `not_supported`
   */
  address(picture: Picture): Promise<string>
}

/** Bytes of cached `data:` addresses: a search asks about the same screenshots repeatedly. */
const kept = 64 * 1024 * 1024
/** Seconds: longer than a call with all of its retries. */
const signedFor = 3600

export function openPictureSource(objects: Pick<World['objects'], 'get' | 'sign'>): PictureSource {
  const addresses = new Map<string, string>()
  let bytes = 0
  return {
    async data({ sha256, media_type }) {
      const known = addresses.get(sha256)
      if (known !== undefined) return known
      const stored = await objects.get(objectKeys.blob(sha256))
      if (stored === null) {
        throw new EspalierError(
          'not_found',
          `The picture ${sha256} is stored no more, and a prompt has to show it. Play the episode again.`,
        )
      }
      const address = `data:${media_type};base64,${Buffer.from(stored.body).toString('base64')}`
      addresses.set(sha256, address)
      bytes += address.length
      for (const [oldest, { length }] of addresses) {
        if (bytes <= kept || oldest === sha256) break
        addresses.delete(oldest)
        bytes -= length
      }
      return address
    },
    async address({ sha256 }) {
      const { url } = await objects.sign(objectKeys.blob(sha256), { expires_in: signedFor })
      if (URL.canParse(url)) return url
      throw new EspalierError(
        'not_supported',
        'This service stores pictures where no endpoint can download them. Set pictures.send of the endpoint to "data".',
      )
    },
  }
}
