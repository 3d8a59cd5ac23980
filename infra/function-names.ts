export type FunctionName =
  | 'advance-episodes'
  | 'api'
  | 'authorizer'
  | 'build-dataset'
  | 'call-host'
  | 'dead-letters'
  | 'put-pages'
  | 'scale-hosts'
  | 'show-pages'
  | 'sweep'

/**
 * Functions whose messages lead back to themselves, over queues, dead letters and other functions. Lambda takes such
 * a chain for a runaway loop and drops the message after about 16 invocations. Every run of more than some hundred
 * episodes has longer chains, so these functions allow loops. No others do, so Lambda stops accidental loops.
 */
export const selfFeeding: ReadonlySet<FunctionName> = new Set([
  'advance-episodes',
  'build-dataset',
  'dead-letters',
])
