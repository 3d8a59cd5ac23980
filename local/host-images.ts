import { join } from 'node:path'

const containers = join(import.meta.dirname, '..', 'containers')

/** The entry point of each image, as a child process runs it. */
export const hostImages: Readonly<Record<string, string>> = {
  'env-host': join(containers, 'env-host', 'env-host.ts'),
  scienceworld: join(containers, 'scienceworld', 'scienceworld.ts'),
  'alfworld-textworld': join(containers, 'alfworld-textworld', 'alfworld-textworld.ts'),
}
