/** A function of a stage, `functions/{name}/handler.ts`. */
export type FunctionName =
  | 'advance-episodes'
  | 'api'
  | 'authorizer'
  | 'build-dataset'
  | 'call-host'
  | 'dead-letters'
  | 'put-pages'
  | 'scale-hosts'
  | 'sweep'

/**
 * The functions whose messages lead back to themselves, over queues, dead letters and other functions. Lambda takes such a chain for a
 * runaway loop and, by default, drops the message after about 16 invocations: every run of more than some hundred episodes has
 * longer chains. So these are allowed to; no others are, so that a loop by mistake is stopped.
 */
export const selfFeeding: ReadonlySet<FunctionName> = new Set([
  'advance-episodes',
  'build-dataset',
  'dead-letters',
])
