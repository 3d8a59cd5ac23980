const passingReasons = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
])

export interface CancellationReason {
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
