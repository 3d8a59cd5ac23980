import { join } from 'node:path'
import { createApp } from '../functions/api/create-app.ts'
import type { Log } from '../functions/api/log.ts'
import { addFileRoute } from '../local/file-route.ts'
import { localPrincipal, newFolderWord } from '../local/local-principal.ts'
import { openService, type Service, type ServiceOptions } from '../local/open-service.ts'
import { wireServices } from '../local/wire-services.ts'
import { EspalierError } from '../shared/core/contracts/errors.ts'
import { readMethodsFile } from '../shared/play/methods/added/methods-file.ts'
import { warnOfOtherSkill } from './compare-skill.ts'
import type { EmbeddedNeeds } from './connect.ts'
import { machineLabels } from './machine-labels.ts'
import { loadEndpointsWith } from './simulated-endpoint.ts'
import type { Terminal } from './terminal.ts'

interface Embedded {
  address: string
  word: string
  app: { request(address: string, init: RequestInit): Response | Promise<Response> }
  close(): Promise<void>
}

const capacity = 256
const grace = 3

export async function openEmbedded(
  folder: string,
  terminal: Terminal,
  needs: EmbeddedNeeds,
): Promise<Embedded> {
  const log: Log = ({ level, event, error, reason }) => {
    if (level === 'error') terminal.note(`${event}: ${error ?? ''}`)
    if (event === 'method.unavailable') terminal.note(String(reason))
  }
  const endpoints = await loadEndpointsWith(folder, terminal.environment, needs.simulated)
  const { methodFiles } = needs
  if (needs.purpose === 'look')
    return openForLooking({ folder, capacity, log, endpoints, ...(methodFiles && { methodFiles }) })
  // An endless loop in a file's method blocks its process, so the answering process plays none.
  const hasMethods = (await readMethodsFile(join(folder, 'methods.json'))).size > 0
  const workers = hasMethods ? 1 : 0
  const labels = machineLabels({}, terminal.environment)
  const service = await openOnPort({ folder, capacity, workers, labels, log, endpoints }, needs.port ?? 0)
  await warnOfOtherSkill(folder, endpoints, service, terminal)
  return { ...service, close: () => service.close({ grace }) }
}

async function openOnPort(options: ServiceOptions, port: number): Promise<Service> {
  try {
    return await openService({ ...options, port })
  } catch (error) {
    if (port === 0 || !EspalierError.isInstance(error) || error.param !== 'port') throw error
    return openService({ ...options, port: 0 })
  }
}

async function openForLooking(options: Parameters<typeof wireServices>[0]): Promise<Embedded> {
  const wiring = await wireServices(options)
  const word = newFolderWord()
  const authenticate = localPrincipal({ keys: wiring.services.keys, auth: 'none', word })
  const app = createApp(wiring.services, { authenticate, log: options.log })
  addFileRoute(app, wiring.files)
  return { address: 'http://espalier.invalid', word, app, close: () => wiring.close(0) }
}
