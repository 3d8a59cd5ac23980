import { EspalierError } from '../../contracts/errors.ts'

export interface AwsCall {
  /** To follow "Could not", such as `write "runs/run_1/run.json"`. */
  doing: string
  resource: string
  setting: string
}

const missing =
  /^(NoSuchBucket|ResourceNotFoundException|QueueDoesNotExist|NonExistentQueue|ClusterNotFoundException)$/
const denied =
  /^(AccessDenied|AccessDeniedException|AuthorizationError|KmsAccessDenied|UnauthorizedOperation)$/
const unknownCaller =
  /^(CredentialsProviderError|TokenProviderError|ExpiredToken|ExpiredTokenException|InvalidAccessKeyId|InvalidClientTokenId|UnrecognizedClientException|SignatureDoesNotMatch|InvalidSignatureException|InvalidToken|MissingAuthenticationToken)/
const passing =
  /throttl|throughput|slowdown|requestlimit|overlimit|toomany|timeout|internal(server)?(error|failure)|unavailable|conflict|operationaborted/i
const wrongTime = /^(RequestTimeTooSkewed|RequestExpired|RequestInTheFuture)$/

/**
 * Runs a call. Failures in AWS, on the way or by its settings become an error that names operation, resource and way
 * out; a wrong request that AWS refuses is a bug, and its error stays unchanged.
 * @throws EspalierError `storage_failed`
 */
export async function awsCall<Result>(call: AwsCall, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw awsError(error, call)
  }
}

export function awsError(error: unknown, { doing, resource, setting }: AwsCall): unknown {
  if (EspalierError.isInstance(error) || !(error instanceof Error)) return error
  const way = wayOut(error, setting)
  if (way === null) return error
  const { attempts } = metadataOf(error)
  const tries = attempts > 1 ? ` after ${attempts} tries` : ''
  // A signature's complaint quotes the request, and with it the session's token.
  const isSafe = !unknownCaller.test(nameOf(error))
  // A refusal names the role and the account, which the tenant who reads it need not know.
  const isTold = isSafe && !denied.test(nameOf(error))
  const why = isTold ? `${nameOf(error)}: ${firstLine(error.message)}` : nameOf(error)
  return new EspalierError('storage_failed', `Could not ${doing} in ${resource}${tries} (${why}). ${way}`, {
    ...(isSafe && { cause: error }),
  })
}

export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name.replace(/^AWS\.SimpleQueueService\./, '') : ''
}

/** The HTTP status of the answer (0 without one), and the number of tries. */
export function metadataOf(error: unknown): { status: number; attempts: number } {
  if (typeof error !== 'object' || error === null || !('$metadata' in error))
    return { status: 0, attempts: 1 }
  const { httpStatusCode = 0, attempts = 1 } = error.$metadata as {
    httpStatusCode?: number
    attempts?: number
  }
  return { status: httpStatusCode, attempts }
}

/** True if AWS answered, and refused for now: 5xx, `SlowDown`, throttling. */
export function isRefusedForNow(error: unknown): boolean {
  const { status } = metadataOf(error)
  return status === 429 || status >= 500 || /slowdown|throttl|throughput/i.test(nameOf(error))
}

/** True if a retry may succeed: throttled, conflicted with others, failed inside AWS, or lost on the way. */
export function isPassing(error: unknown): boolean {
  const { status } = metadataOf(error)
  if (status === 429 || status >= 500 || passing.test(nameOf(error)) || metOthers(error)) return true
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z]/.test(error.code)
  )
}

function wayOut(error: Error, setting: string): string | null {
  const name = nameOf(error)
  if (missing.test(name))
    return `It does not exist in this account and region: look at ${setting} and AWS_REGION.`
  if (unknownCaller.test(name)) {
    return 'AWS does not accept the credentials: look at the role of the function, or at AWS_PROFILE and the other AWS_ variables of this process.'
  }
  if (wrongTime.test(name)) return 'The clock of this machine is wrong: set it by the network’s time.'
  // SQS throttles with 403 too.
  if (denied.test(name) || (metadataOf(error).status === 403 && !isPassing(error))) {
    return `The role of this process lacks the right to it: look at its policy, and whether ${setting} names what is meant.`
  }
  if (/region is missing/i.test(error.message)) return 'Set AWS_REGION to the region of the stage.'
  return isPassing(error) ? 'Try again later; nothing was half done.' : null
}

function firstLine(message: string): string {
  const [line = ''] = message.split('\n')
  return line.length <= 300 ? line : `${line.slice(0, 300)}…`
}

const passingReasons = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
])

interface CancellationReason {
  Code?: string | undefined
  Message?: string | undefined
}

export function cancellationsIn(error: unknown): CancellationReason[] {
  if (!(error instanceof Error) || error.name !== 'TransactionCanceledException') return []
  const { CancellationReasons: reasons = [] } = error as { CancellationReasons?: CancellationReason[] }
  return reasons.filter(({ Code = 'None' }) => Code !== 'None')
}

export function metOthers(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (/^(TransactionConflictException|TransactionInProgressException)$/.test(error.name)) return true
  const reasons = cancellationsIn(error)
  return reasons.length > 0 && reasons.every(({ Code = '' }) => passingReasons.has(Code))
}
