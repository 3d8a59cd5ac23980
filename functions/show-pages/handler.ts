import { join } from 'node:path'
import type { Context } from 'aws-lambda'
import type { LambdaEvent } from 'hono/aws-lambda'
import { observed } from '../aws/observe.ts'
import { answerPages } from './answer-pages.ts'

const answer = answerPages(join(import.meta.dirname, 'pages'), process.env.ESPALIER_STORAGE_ORIGIN)

export const handler = observed(async (event: LambdaEvent, context: Context) => answer(event, context))
