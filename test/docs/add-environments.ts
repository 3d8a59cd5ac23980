import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { environmentsFileSchema } from '../../shared/environments/added/environments-file.ts'
import { type DocumentedHost, startDocumentedHost } from './documented-host.ts'
import { fencesOf } from './documents.ts'

/**
 * Adds to a data folder the environments of the file that the guide shows, with a host of ours in the place of its AgentGym
 * server.
 *
 * @param work where the module lies that the file names
 */
export async function addEnvironments(folder: string, work: string): Promise<DocumentedHost> {
  const shown = fencesOf('json').find(
    ({ file, text }) => file === 'docs/own-environments.md' && text.includes('"kind": "agentgym"'),
  )
  const host = await startDocumentedHost('PORT=0 node containers/env-host/env-host.ts', work)
  const text = (shown?.text ?? '').replace('http://lab:36001', `${host.address}/agentgym/textcraft`)
  environmentsFileSchema.parse(JSON.parse(text))
  await writeFile(join(folder, 'environments.json'), text)
  await copyFile(join(work, 'guess-number.ts'), join(folder, 'guess-number.ts'))
  return host
}
