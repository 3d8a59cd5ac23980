import { EspalierError } from '../../shared/core/contracts/errors.ts'

const credentials =
  'Sign in with `aws sso login` (or `aws configure`) and name the profile in AWS_PROFILE, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'

const advice: [pattern: RegExp, message: string][] = [
  [/^(CredentialsProviderError|TokenProviderError)/, `There are no AWS credentials. ${credentials}`],
  [
    /^(ExpiredToken|RequestExpired|UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch|InvalidAccessKeyId)/,
    `The AWS credentials are not valid, or no longer. ${credentials}`,
  ],
  [/^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|TimeoutError)/, 'AWS cannot be reached. Check the network.'],
]

export function explainAwsError(error: unknown): unknown {
  if (!(error instanceof Error) || EspalierError.isInstance(error)) return error
  if (error.message === 'Region is missing') {
    return new EspalierError(
      'invalid_request',
      'No region is chosen. Set AWS_REGION, for example to us-east-1.',
    )
  }
  const names = [error.name, 'code' in error ? String(error.code) : '']
  const known = advice.find(([pattern]) => names.some((name) => pattern.test(name)))
  if (known !== undefined) return new EspalierError('invalid_request', known[1], { cause: error })
  if (!error.name.startsWith('AccessDenied')) return error
  return new EspalierError('invalid_request', `The credentials lack a right: ${error.message}`, {
    cause: error,
  })
}
