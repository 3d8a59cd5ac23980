import {
  transcriptHitsSchema,
  transcriptQuerySchema,
} from '../../../shared/core/contracts/transcript-search.ts'
import type { ApiApp } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { notFound } from '../openapi/answers.ts'
import { listRoute } from '../openapi/list-route.ts'
import { hitsExample } from '../openapi/transcript-examples.ts'
import { ownServices } from '../own-services.ts'

const { limit: _limit, after: _after, ...filters } = transcriptQuerySchema.shape

const searchTranscripts = listRoute({
  path: '/v1/transcripts',
  operationId: 'searchTranscripts',
  summary: 'Search the transcripts of episodes',
  description:
    'Finds passages of ended episodes: observations, models’ answers and methods’ texts, over all nodes of their trees. The newest runs come first; within a run, episodes and nodes keep their order. The search first spends some seconds on indexing new ended episodes. `not_indexed` is the number left; repeat the search to continue. A page searches at most 1,000 runs, for at most ten seconds. If it stops before the end, `has_more` is true, even if few passages matched; pass `last_id` as `after` to continue.',
  tags: ['Transcripts'],
  role: 'runs:read',
  filters,
  page: 'A page of matches.',
  schema: transcriptHitsSchema,
  example: hitsExample,
  answers: notFound,
})

export function addTranscriptRoutes(app: ApiApp, services: ApiServices): void {
  app.openapi(searchTranscripts, async (context) => {
    const { transcripts } = ownServices(services, context)
    return context.json(await transcripts.search(context.req.valid('query')), 200)
  })
}
