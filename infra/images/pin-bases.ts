// node infra/images/pin-bases.ts [--check]: pins the base images to the digests that their tags have now. With --check
// it writes nothing, and ends with 1 if a base is not pinned or its tag has moved.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { type ImageBases, imageBases } from './image-bases.ts'
import { lookUpDigest } from './look-up-digest.ts'

try {
  const found: ImageBases = {}
  for (const [base, digest] of Object.entries(imageBases)) {
    found[base] = await lookUpDigest(base, process.env.ESPALIER_REGISTRY)
    const state = digest === null ? 'not pinned' : digest === found[base] ? 'pinned' : `moved from ${digest}`
    console.log(`${base} ${found[base]} (${state})`)
  }
  const isCurrent = Object.entries(imageBases).every(([base, digest]) => found[base] === digest)
  if (process.argv.includes('--check')) process.exitCode = isCurrent ? 0 : 1
  else await writeFile(join(import.meta.dirname, 'image-bases.json'), `${JSON.stringify(found, null, 2)}\n`)
} catch (error) {
  if (!EspalierError.isInstance(error)) throw error
  console.error(error.message)
  process.exitCode = 2
}
