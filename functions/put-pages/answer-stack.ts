import type { CloudFormationCustomResourceEvent } from 'aws-lambda'

const longestReason = 1000

/**
 * Reports the result of a custom resource to CloudFormation, at the address in its request.
 * @param outcome.resource names the resource: use the same name as before, or CloudFormation treats it as another
 * resource
 */
export async function answerStack(
  event: Pick<
    CloudFormationCustomResourceEvent,
    'ResponseURL' | 'StackId' | 'RequestId' | 'LogicalResourceId'
  >,
  outcome: { resource: string; failure: string | null },
): Promise<void> {
  const { StackId, RequestId, LogicalResourceId } = event
  const body = JSON.stringify({
    Status: outcome.failure === null ? 'SUCCESS' : 'FAILED',
    Reason: outcome.failure?.slice(0, longestReason),
    PhysicalResourceId: outcome.resource,
    StackId,
    RequestId,
    LogicalResourceId,
  })
  // Without a content type: the signature of the address would have to include it.
  const response = await fetch(event.ResponseURL, {
    method: 'PUT',
    headers: { 'Content-Type': '' },
    body,
  })
  if (!response.ok) throw new Error(`CloudFormation refused the answer: ${response.status}.`)
}
