import { transcriptHitsSchema, transcriptQuerySchema } from '../../../shared/contracts/transcript-search.ts'
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
    'Finds passages of ended episodes: what the environment showed, what models answered and what methods wrote, over all nodes of their trees. Newest runs come first, in each the episodes and nodes in their order. Ended episodes that are not in the index yet are added first, for some seconds: `not_indexed` says how many are left, and the same search again goes on. A page looks at 1,000 runs, and for ten seconds: where it ends before, `has_more` is true however few were found, and `last_id` goes on from there as `after`.',
  tags: ['Transcripts'],
  role: 'runs:read',
  filters,
  page: 'A page of what was found.',
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
