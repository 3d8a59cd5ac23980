import { OpenAPIHono, type RouteConfig } from '@hono/zod-openapi'
import { requestId } from 'hono/request-id'
import { routePath } from 'hono/route'
import { z } from 'zod'
import packageFile from '../../package.json' with { type: 'json' }
import { describeInvalid } from '../../shared/core/contracts/validation/describe-invalid.ts'
import type { ApiApp, ApiContext, ApiEnvironment } from './api-app.ts'
import type { ApiServices } from './api-services.ts'
import { type Authenticate, requirePrincipal } from './authentication/authenticate.ts'
import { answerError } from './errors/answer-error.ts'
import { answerUnknownRoute } from './errors/answer-unknown-route.ts'
import type { FollowTimes } from './follow-stream.ts'
import { type Log, logToStderr } from './log.ts'
import { expandRunPreset } from './middleware/expand-run-preset.ts'
import { limitBody } from './middleware/limit-body.ts'
import { requireJson } from './middleware/require-json.ts'
import { addCatalogueRoutes } from './routes/catalogue.ts'
import { addDatasetKindRoutes } from './routes/dataset-kinds.ts'
import { addDatasetRoutes } from './routes/datasets.ts'
import { addDocsRoutes } from './routes/docs.ts'
import { addEndpointRoutes } from './routes/endpoints.ts'
import { addEpisodeRoutes } from './routes/episodes.ts'
import { addHealthRoute } from './routes/health.ts'
import { addInspectionRoutes } from './routes/inspection.ts'
import { addJudgementRoutes } from './routes/judgements.ts'
import { addKeyRoutes } from './routes/keys.ts'
import { addLabelRoutes } from './routes/labels.ts'
import { addLibraryRoutes } from './routes/libraries.ts'
import { addLimitRoutes } from './routes/limits.ts'
import { addLoopRoutes } from './routes/loops.ts'
import { addMemoryRoutes } from './routes/memories.ts'
import { addQuestionRoutes } from './routes/questions.ts'
import { addRegisteredModelRoutes } from './routes/registered-models.ts'
import { addReportRoutes } from './routes/reports.ts'
import { addRolloutRoutes } from './routes/rollouts.ts'
import { addRunActionRoutes } from './routes/run-actions.ts'
import { addRunEventRoute } from './routes/run-events.ts'
import { addRunRoutes } from './routes/runs.ts'
import { addSessionRoutes } from './routes/sessions.ts'
import { addTrainingRoutes } from './routes/trainings.ts'
import { addTrajectoryRoutes } from './routes/trajectories.ts'
import { addTranscriptRoutes } from './routes/transcripts.ts'
import { addWorkerRoutes } from './routes/workers.ts'
import { SharedPolls } from './shared-polls.ts'

export interface AppOptions {
  authenticate: Authenticate
  log?: Log
  eventTimes?: Partial<FollowTimes>
  closing?: AbortSignal
}

const usualTimes: FollowTimes = { poll: 500, snapshot: 1000, keepAlive: 15_000 }

/**
 * Creates the HTTP API over its services: the same app in the `api` Lambda and in the embedded service.
 * @example
 * const app = createApp(services, { authenticate: keyPrincipal(services.keys) })
 * const answer = await app.request('/v1/runs', { headers: { Authorization: `Bearer ${key}` } })
 */
export function createApp(services: ApiServices, options: AppOptions): ApiApp {
  const { authenticate, log = logToStderr, eventTimes, closing = new AbortController().signal } = options
  const app: ApiApp = new OpenAPIHono<ApiEnvironment>({
    strict: true,
    defaultHook: (result, context: ApiContext) => {
      if (result.success) return
      const schema = findPartSchema(
        app.openAPIRegistry,
        context.req.method,
        routePath(context),
        result.target,
      )
      throw describeInvalid(result.error, {
        part: result.target,
        schema,
        value: 'data' in result ? result.data : undefined,
      })
    },
  })
  app.onError(answerError(log))
  app.notFound(answerUnknownRoute(() => app.routes))
  app.use(requestId())
  app.use(requirePrincipal(authenticate))
  app.use(limitBody)
  app.use(requireJson)
  app.use(expandRunPreset)
  addRunRoutes(app, services)
  addRunActionRoutes(app, services)
  addLabelRoutes(app, services)
  const streams = { log, closing, polls: new SharedPolls(), times: { ...usualTimes, ...eventTimes } }
  addRunEventRoute(app, services, streams)
  addEpisodeRoutes(app, services)
  addInspectionRoutes(app, services)
  addQuestionRoutes(app, services)
  addTranscriptRoutes(app, services)
  addJudgementRoutes(app, services)
  addReportRoutes(app, services)
  addMemoryRoutes(app, services)
  addLibraryRoutes(app, services)
  addDatasetRoutes(app, services)
  addTrainingRoutes(app, services)
  addRolloutRoutes(app, services, streams)
  addTrajectoryRoutes(app, services)
  addLoopRoutes(app, services)
  addDatasetKindRoutes(app)
  addCatalogueRoutes(app, services)
  addEndpointRoutes(app, services)
  addSessionRoutes(app, services)
  addRegisteredModelRoutes(app, services)
  addKeyRoutes(app, services)
  addLimitRoutes(app, services)
  addWorkerRoutes(app, services)
  addHealthRoute(app, services)
  addDocsRoutes(app, {
    title: 'Espalier',
    version: packageFile.version,
    description: packageFile.description,
  })
  return app
}

function findPartSchema(
  registry: OpenAPIHono['openAPIRegistry'],
  method: string,
  routingPath: string,
  part: string,
): z.ZodType | undefined {
  const definition = registry.definitions.find(
    (candidate) =>
      candidate.type === 'route' &&
      candidate.route.method.toUpperCase() === method &&
      candidate.route.path.replaceAll(/\{(.+?)\}/g, ':$1') === routingPath,
  )
  return definition?.type === 'route' ? partSchema(definition.route, part) : undefined
}

function partSchema({ request }: RouteConfig, part: string): z.ZodType | undefined {
  const media = request?.body?.content['application/json']
  const body = media !== undefined && 'schema' in media ? media.schema : undefined
  const schema = part === 'json' ? body : part === 'query' ? request?.query : undefined
  return schema instanceof z.ZodType ? schema : undefined
}
