import type { Message } from '../../core/contracts/message.ts'
import type { Picture } from '../../core/contracts/picture.ts'
import type { ShownPicture } from '../../core/contracts/shown-row.ts'

export const pictureFolder = 'images'

const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
}

export interface NamedPicture {
  sha256: string
  media_type: string
}

export function pictureFile({ sha256, media_type }: Pick<Picture, 'sha256' | 'media_type'>): string {
  const [extension = 'png'] = Object.entries(mediaTypes).find(([, type]) => type === media_type) ?? []
  return `${pictureFolder}/${sha256}.${extension}`
}

export function readPictureFile(name: string): NamedPicture | null {
  const [, sha256, extension = ''] = /^images\/([0-9a-f]{64})\.(png|jpg|webp)$/.exec(name) ?? []
  const media_type = mediaTypes[extension]
  return sha256 === undefined || media_type === undefined ? null : { sha256, media_type }
}

export function pictureFiles(messages: readonly Message[]): string[] {
  return messages.flatMap(({ pictures = [] }) => pictures.map(pictureFile))
}

export function toShownPicture(name: string): ShownPicture {
  const named = readPictureFile(name)
  if (named === null) throw new Error(`A row names "${name}", which is no picture of a dataset.`)
  return { ...named, url: null }
}
