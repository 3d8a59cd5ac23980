import { hash } from 'node:crypto'
import type { Json, JsonObject } from '../../../core/contracts/json.ts'
import type { ShownPart, ShownPicture } from '../../../core/contracts/shown-row.ts'
import { objectKeys } from '../../../core/engine/keys.ts'
import type { Objects } from '../../../core/world/ports.ts'
import { pictureFile } from '../../formats/picture-names.ts'

/** Seconds: the time for which a page is open. */
const signedFor = 3600
const dataAddress = /^data:(image\/[a-z]+);base64,/

/** A stored row with the names of pictures in place of their bytes, as written before the bytes were added. */
export function namePictures(row: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, named(value)]))
}

function named(value: Json): Json {
  if (Array.isArray(value)) return value.map(named)
  if (typeof value === 'object' && value !== null) return namePictures(value)
  const [address, media_type] = typeof value === 'string' ? (dataAddress.exec(value) ?? []) : []
  if (typeof value !== 'string' || address === undefined || media_type === undefined) return value
  const bytes = Buffer.from(value.slice(address.length), 'base64')
  return pictureFile({ sha256: hash('sha256', bytes), media_type })
}

export async function signPictures(
  objects: Pick<Objects, 'sign'>,
  parts: readonly ShownPart[],
): Promise<ShownPart[]> {
  const sign = async (picture: ShownPicture): Promise<ShownPicture> => {
    const { url } = await objects.sign(objectKeys.blob(picture.sha256), { expires_in: signedFor })
    return { ...picture, url }
  }
  return Promise.all(
    parts.map(async (part) => ({
      ...part,
      turns: await Promise.all(
        part.turns.map(async ({ pictures, ...turn }) =>
          pictures === undefined ? turn : { ...turn, pictures: await Promise.all(pictures.map(sign)) },
        ),
      ),
    })),
  )
}
