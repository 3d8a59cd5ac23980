// node infra/images/pin-bases.ts [--check]: pins the base images to the digests that their tags have now. With --check
// it writes nothing, and ends with 1 if a base is not pinned or its tag has moved.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { type ImageBases, imageBases } from './image-bases.ts'

const tokenSchema = z.object({ token: z.string() })
// The index of all platforms: a digest of one platform would not build on another.
const manifests = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
].join(', ')

if (import.meta.main) await updatePins()

async function updatePins(): Promise<void> {
  try {
    const found: ImageBases = {}
    for (const [base, digest] of Object.entries(imageBases)) {
      found[base] = await lookUpDigest(base, process.env.ESPALIER_REGISTRY)
      const state =
        digest === null ? 'not pinned' : digest === found[base] ? 'pinned' : `moved from ${digest}`
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
}

/**
 * Asks a registry for the digest behind a tag, by the registry's own HTTP API.
 * @param base an official image of Docker Hub, such as `node:24-slim`
 * @throws EspalierError `invalid_request` if the registry does not answer or lacks the tag
 */
export async function lookUpDigest(base: string, registry = 'https://registry-1.docker.io'): Promise<string> {
  const [name = '', tag = ''] = base.split(':')
  const address = `${registry}/v2/library/${name}/manifests/${tag}`
  try {
    const first = await ask(address)
    const challenge = first.headers.get('www-authenticate')
    const answer =
      first.status === 401 && challenge !== null ? await ask(address, await tokenFor(challenge)) : first
    const digest = answer.headers.get('docker-content-digest')
    if (answer.ok && /^sha256:[0-9a-f]{64}$/.test(digest ?? '')) return digest ?? ''
    throw refused(base, `${registry} answered ${answer.status}.`)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw refused(base, `${registry} cannot be reached.`, error)
  }
}

function ask(address: string, token?: string): Promise<Response> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return fetch(address, { method: 'HEAD', headers: { accept: manifests, ...authorization } })
}

async function tokenFor(challenge: string): Promise<string> {
  const words = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
  )
  const { realm = '', service = '', scope = '' } = words as Record<string, string>
  const answer = await fetch(`${realm}?${new URLSearchParams({ service, scope })}`)
  return tokenSchema.parse(await answer.json()).token
}

function refused(base: string, reason: string, cause?: unknown): EspalierError {
  return new EspalierError('invalid_request', `The digest of ${base} was not found: ${reason}`, { cause })
}
