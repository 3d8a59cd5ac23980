import { join } from 'node:path'
import { S3Client } from '@aws-sdk/client-s3'
import type { CloudFormationCustomResourceEvent } from 'aws-lambda'
import { logError, observed } from '../aws/observe.ts'
import { answerStack } from './answer-stack.ts'
import { putPages, removePages } from './put-pages.ts'

const client = new S3Client()
const folder = join(import.meta.dirname, 'pages')

export const handler = observed(async (event: CloudFormationCustomResourceEvent): Promise<void> => {
  const bucket = String(event.ResourceProperties.Bucket)
  try {
    if (event.RequestType === 'Delete') await removePages(client, bucket)
    else await putPages(client, { folder, bucket, now: Date.now() })
  } catch (error) {
    logError(error, 'put-pages')
    await answerStack(event, { resource: bucket, failure: String(error) })
    return
  }
  await answerStack(event, { resource: bucket, failure: null })
})
