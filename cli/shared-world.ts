import { wrongUsage } from './command-error.ts'

export interface SharedWorld {
  world: string
  objects: string
  name: string
}

export const worldFlag = [
  '--world <address>',
  'a world that several machines share: postgres://user@host/database (or ESPALIER_WORLD, which hides its password)',
] as const

export const objectsFlag = [
  '--objects <place>',
  "storage of the shared world's objects: a folder that all its machines mount, or s3://bucket (or ESPALIER_OBJECTS)",
] as const

/**
 * Reads the options of a shared world.
 * @returns null if there is none
 * @throws a usage error if its objects are missing
 */
export function sharedWorld(
  options: { world?: string; objects?: string },
  environment: Readonly<Record<string, string | undefined>>,
): SharedWorld | null {
  const world = options.world ?? environment.ESPALIER_WORLD
  if (world === undefined) return null
  const objects = options.objects ?? environment.ESPALIER_OBJECTS
  if (objects === undefined)
    throw wrongUsage(
      'A shared world keeps large bodies beside its database: name a folder that all machines mount, or s3://bucket, with --objects.',
    )
  const url = URL.parse(world)
  return { world, objects, name: url === null ? world : `${url.host}${url.pathname}` }
}
