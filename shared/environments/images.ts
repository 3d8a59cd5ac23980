import { browsergymImage } from './browsergym/image.ts'
import { definitions } from './environments.ts'
import type { ImageFacts } from './image-facts.ts'
import { programImage } from './program/image.ts'

/** Hosts of pure environments, for those who want them on a host. */
const pureImage: ImageFacts = { id: 'env-host', folder: 'containers/env-host', needs: [] }

export const images: readonly ImageFacts[] = [
  ...new Set([pureImage, ...definitions.flatMap(({ image }) => image ?? []), browsergymImage, programImage]),
]

export function findImage(id: string): ImageFacts | undefined {
  return images.find((image) => image.id === id)
}
