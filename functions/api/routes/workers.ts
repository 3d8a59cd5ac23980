import { listSchema } from '../../../shared/core/contracts/list.ts'
import { workerInfoSchema } from '../../../shared/core/contracts/machine.ts'
import { type ApiApp, principalOf } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { listRoute } from '../openapi/list-route.ts'
import { pageOf } from '../page-of.ts'

const listWorkers = listRoute({
  path: '/v1/workers',
  operationId: 'listWorkers',
  summary: 'List the workers with their machines and load',
  description:
    'Lists the service’s own workers, and those that joined with keys of your tenant. Workers on AWS are not listed; see them in the AWS console.',
  tags: ['Workers'],
  role: 'runs:read',
  page: 'A page of workers.',
  schema: listSchema(workerInfoSchema).meta({ id: 'WorkerList' }),
})

export function addWorkerRoutes(app: ApiApp, { workers }: Pick<ApiServices, 'workers'>): void {
  app.openapi(listWorkers, async (context) =>
    context.json(pageOf(await workers(principalOf(context).tenant), context.req.valid('query')), 200),
  )
}
