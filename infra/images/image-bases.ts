import { z } from 'zod'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import stored from './image-bases.json' with { type: 'json' }

// Null for a tag without a known digest.
export const imageBasesSchema = z.record(
  z.string().regex(/^[a-z][a-z0-9/._-]*:[\w.-]+$/),
  z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .nullable(),
)

export type ImageBases = z.infer<typeof imageBasesSchema>

export const imageBases: ImageBases = imageBasesSchema.parse(stored)

/**
 * Pins the bases of a Dockerfile by digest.
 * @throws EspalierError `invalid_request` for a base that `image-bases.json` lacks
 */
export function pinBases(dockerfile: string, bases: ImageBases = imageBases): string {
  return dockerfile.replace(/^(FROM )(\S+)/gm, (_, word: string, base: string) => {
    const digest = bases[base]
    if (digest === undefined) {
      throw new EspalierError(
        'invalid_request',
        `infra/images/image-bases.json lacks the base image ${base}. Add it: node infra/images/pin-bases.ts`,
      )
    }
    return `${word}${base}${digest === null ? '' : `@${digest}`}`
  })
}

export function basesIn(dockerfile: string): string[] {
  return [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base = '']) => base)
}
