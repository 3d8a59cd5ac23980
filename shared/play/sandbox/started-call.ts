/**
 * The function that a text begins to call, whether or not the call is readable; null if it is none of these.
 *
 * @example
 * startedCall('carry(ball1, left', ['carry']) // 'carry'
 */
export function startedCall(text: string, names: readonly string[]): string | null {
  const name = /^[\s`]*(?:await\s+)?([\p{ID_Continue}$]+)\(/u.exec(text)?.[1]
  return name !== undefined && names.includes(name) ? name : null
}
