export type HostLog = (level: 'info' | 'warn' | 'error', event: string, fields?: object) => void

/**
 * Writes one line of JSON to stderr, which the local driver keeps in a file and ECS in CloudWatch. Never an action or
 * a state.
 */
export const logEvent: HostLog = (level, event, fields = {}) => {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}
`)
}

export function errorText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
