import type { CloudFormationCustomResourceEvent } from 'aws-lambda'

/** CloudFormation takes answers of 4 KB. */
const longestReason = 1000

/**
 * Reports to CloudFormation how a custom resource fared, at the address that its request carries.
 *
 * @param outcome.resource names the resource: the same name as before, or CloudFormation takes it for another
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
  // Without a type: the address is signed, and a type would have to be signed with it.
  const response = await fetch(event.ResponseURL, {
    method: 'PUT',
    headers: { 'Content-Type': '' },
    body,
  })
  if (!response.ok) throw new Error(`CloudFormation refused the answer: ${response.status}.`)
}
