import type { EndpointInfo, EnvironmentInfo, MethodInfo, TaskInfo } from '../../shared/contracts/catalogue.ts'
import { EspalierError } from '../../shared/contracts/errors.ts'
import type { EnvironmentTask } from '../../shared/environments/environment.ts'
import type { Catalogue } from './api-services.ts'
import { pageOf } from './page-of.ts'

/** What the catalogue is made of. Endpoints are described anew each time: a key may come or go. */
export interface CatalogueParts {
  environments: readonly { info: EnvironmentInfo; tasks(): readonly EnvironmentTask[] }[]
  methods: readonly MethodInfo[]
  endpoints(): EndpointInfo[]
}

/** The catalogue over environments, methods and endpoints as the entry point knows them. */
export function openCatalogue(parts: CatalogueParts): Catalogue {
  return {
    environments: () => parts.environments.map(({ info }) => info),
    tasks(environment, { split, type, ...page }) {
      const found = parts.environments.find(({ info }) => info.id === environment)
      refuseUnknown('split', split, Object.keys(found?.info.splits ?? {}))
      refuseUnknown('type', type, found?.info.types ?? [])
      const tasks = (found?.tasks() ?? []).filter(
        (task) => (split === undefined || task.split === split) && (type === undefined || task.type === type),
      )
      return pageOf(tasks.map(toTaskInfo), page)
    },
    methods: () => [...parts.methods],
    endpoints: parts.endpoints,
  }
}

function refuseUnknown(name: string, value: string | undefined, known: string[]): void {
  if (value === undefined || known.includes(value)) return
  const message = `There is no ${name} "${value}". Choose one of: ${known.join(', ')}.`
  throw new EspalierError('invalid_request', message, { param: name })
}

function toTaskInfo({ id, split, type, description }: EnvironmentTask): TaskInfo {
  return { id, object: 'task', split, type, description }
}
