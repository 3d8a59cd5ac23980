const causes: readonly [pattern: RegExp, advice: string][] = [
  [
    /must be verified before you can add new CloudFront/i,
    'AWS refuses CloudFront to accounts that it has not verified. Deploy without the dashboard for now (npm run deploy -- --no-web), use the dashboard of your own machine with the API, and ask AWS Support to verify the account for CloudFront.',
  ],
  [
    /(unable to assume the service linked role|service[- ]linked role .*(does not exist|not (yet )?(exist|ready|found)))/i,
    'ECS was still making its role in this account, as at its first use. Deploy again.',
  ],
  [
    /(already exists|AlreadyExists)/,
    'A resource of that name is there already, left by an earlier deployment or made by hand. Remove it, or deploy under another name (--stage).',
  ],
  [
    /(LimitExceeded|quota|maximum number of)/i,
    'A quota of the account is used up. Raise it in the console of Service Quotas, or remove what is no longer needed.',
  ],
]

export function explainFailure(output: string): string[] {
  return causes.filter(([pattern]) => pattern.test(output)).map(([, advice]) => advice)
}
