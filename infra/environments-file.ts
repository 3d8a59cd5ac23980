import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { EspalierError } from '../shared/core/contracts/errors.ts'
import type { AddedEnvironment } from '../shared/environments/added/environments-file.ts'
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
    const found = notOnAws(entry)
    if (found === null) continue
    const param = `environments.${id}.${found.field}`
    throw new EspalierError('invalid_request', `${path}: ${param}: ${found.wrong}`, { param })
  }
  return path
}

const byOwnService = 'Play it by a service on your own machines (espalier serve).'

/** Finds the first field that names something a stage lacks: a program, module, folder or variable of the user. */
function notOnAws(entry: AddedEnvironment): { field: string; wrong: string } | null {
  if (entry.kind === 'module') {
    const wrong =
      'A function carries no module of yours. Serve it with a host, and add that by its address: {"kind": "host", "address": "https://…"}.'
    return { field: 'kind', wrong }
  }
  if (entry.kind === 'browsergym' || entry.kind === 'program') {
    return { field: 'kind', wrong: `A stage does not play the kind ${entry.kind}. ${byOwnService}` }
  }
  if (entry.kind === 'mcp' && 'command' in entry.server) {
    const wrong =
      'A function starts no program. Serve it over streamable HTTP, and name its address: {"address": "https://…/mcp"}.'
    return { field: 'server', wrong }
  }
  if (entry.kind === 'osworld') {
    const at = entry.machines.findIndex(({ reset }) => 'command' in reset)
    const wrong =
      'A host on AWS has no program of yours. Name an address that is posted to: {"address": "https://…"}.'
    if (at >= 0) return { field: `machines.${at}.reset`, wrong }
  }
  if ('storage_states' in entry && entry.storage_states.folder !== undefined) {
    return { field: 'storage_states.folder', wrong: `A stage has no folder of yours. ${byOwnService}` }
  }
  const variable = fieldWithVariable(entry, [])
  return variable === null
    ? null
    : { field: variable, wrong: `A stage has no environment variables of yours. ${byOwnService}` }
}

/** The first field of JSON that names an environment variable: `header_variables`, or `{"variable": "NAME"}`. */
function fieldWithVariable(value: unknown, path: readonly string[]): string | null {
  if (typeof value !== 'object' || value === null) return null
  if ('variable' in value && typeof value.variable === 'string') return path.join('.')
  for (const [name, inner] of Object.entries(value)) {
    const at = [...path, name]
    if (name === 'header_variables' && Object.keys(inner).length > 0) return at.join('.')
    const found = fieldWithVariable(inner, at)
    if (found !== null) return found
  }
  return null
}
