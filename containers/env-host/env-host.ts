import { resolve } from 'node:path'
import { loadModule } from '../../shared/environments/added/load-module.ts'
import { definitions } from '../../shared/environments/environments.ts'
import { serveDescribedProgram } from '../program/serve-program.ts'
import { logEvent } from './host-log.ts'
import { overFolders } from './over-folder.ts'
import { runHost } from './run-host.ts'
import { servePure } from './serve-pure.ts'

await runHost(async ({ modules, moduleLimits, programs, data }) => {
  const given = (await Promise.all(modules.map((path) => loadModule(resolve(path), moduleLimits)))).flat()
  const played = await overFolders([...definitions, ...given], data)
  const pure = await Promise.all(played.map(servePure))
  const described = programs.map((command) => serveDescribedProgram({ command, log: logEvent }))
  return [...pure.filter((environment) => environment !== null), ...(await Promise.all(described))]
})
