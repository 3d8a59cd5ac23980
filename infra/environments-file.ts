import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { EspalierError } from '../shared/core/contracts/errors.ts'
import { readEnvironmentsFile } from '../shared/environments/added/read-environments-file.ts'
import { definitions } from '../shared/environments/environments.ts'

/**
 * Finds and checks `environments.{stage}.json`, or else `environments.json`: a mistake stops the deployment.
 *
 * @returns its path. Null if there is none: the stage then has the built-in environments
 * @throws EspalierError `invalid_request`, naming the field
 */
export async function findEnvironmentsFile(folder: string, stage: string): Promise<string | null> {
  const path = [`environments.${stage}.json`, 'environments.json']
    .map((name) => join(folder, name))
    .find((candidate) => existsSync(candidate))
  if (path === undefined) return null
  const known = definitions.map(({ id }) => id)
  for (const [id, entry] of await readEnvironmentsFile(path, known)) {
    if ('storage_states' in entry && typeof entry.storage_states.folder === 'string') {
      const param = `environments.${id}.storage_states.folder`
      const message = `A function carries no folder of yours. Name an environment variable for each state: {"shopping_state.json": {"variable": "SHOPPING_STATE"}}.`
      throw new EspalierError('invalid_request', `${path}: ${param}: ${message}`, { param })
    }
    if (entry.kind === 'browsergym' || entry.kind === 'program') {
      const param = `environments.${id}.kind`
      const message = `The kind ${entry.kind} is played on the machine of a service that runs there (espalier serve), not on AWS.`
      throw new EspalierError('invalid_request', `${path}: ${param}: ${message}`, { param })
    }
    if (entry.kind === 'osworld') {
      const at = entry.machines.findIndex(({ reset }) => 'command' in reset)
      if (at >= 0) {
        const param = `environments.${id}.machines.${at}.reset`
        const message = `A host on AWS has no program of yours. Name an address that is posted to: {"address": "https://…"}.`
        throw new EspalierError('invalid_request', `${path}: ${param}: ${message}`, { param })
      }
    }
    const isProgram = entry.kind === 'mcp' && 'command' in entry.server
    if (entry.kind !== 'module' && !isProgram) continue
    const param = `environments.${id}.${isProgram ? 'server' : 'kind'}`
    const message = isProgram
      ? 'A function starts no program. Serve it over streamable HTTP, and name its address: {"address": "https://…/mcp"}.'
      : 'A function carries no module of yours. Serve it with a host, and add that by its address: {"kind": "host", "address": "https://…"}.'
    throw new EspalierError('invalid_request', `${path}: ${param}: ${message}`, { param })
  }
  return path
}
