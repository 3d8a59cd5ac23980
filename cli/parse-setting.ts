import { InvalidArgumentError } from 'commander'
import type { Json, JsonObject } from '../shared/contracts/json.ts'
import { wrongUsage } from './command-error.ts'

/** `iterations=8` and its like. A value that is JSON is taken as JSON, anything else as text. */
export function parseSettings(settings: readonly string[]): JsonObject {
  return Object.fromEntries(settings.map(parseSetting))
}

function parseSetting(setting: string): [string, Json] {
  const at = setting.indexOf('=')
  if (at < 1) throw wrongUsage(`"${setting}" is not a setting. Write name=value, such as iterations=8.`)
  return [setting.slice(0, at), parseValue(setting.slice(at + 1))]
}

function parseValue(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

/** `value=openai:gpt-5-mini`: which model plays a role. */
export function parseRoles(roles: readonly string[]): JsonObject {
  return Object.fromEntries(
    roles.map((role) => {
      const match = /^([^=]+)=([^:]+):(.+)$/.exec(role)
      if (match === null) {
        throw wrongUsage(
          `"${role}" is not a role. Write role=endpoint:model, such as value=openai:gpt-5-mini.`,
        )
      }
      return [match[1], { endpoint: match[2], id: match[3] }]
    }),
  )
}

/** `0-50`: positions from the first, up to but without the second. */
export function parseRange(range: string): [number, number] {
  const match = /^(\d+)-(\d+)$/.exec(range)
  if (match === null) throw wrongUsage(`"${range}" is not a range. Write from-to, such as 0-50.`)
  return [Number(match[1]), Number(match[2])]
}

/** A number as an option takes it. Whether it is a sensible one, the service says. */
export function parseNumber(text: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isFinite(number)) throw new InvalidArgumentError('It takes a number.')
  return number
}

/** A port as an option takes it, refused before anything is opened. 0 takes one that is free. */
export function parsePort(text: string): number {
  const port = parseNumber(text)
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new InvalidArgumentError('It takes a whole number from 0 to 65535.')
  }
  return port
}

/** Adds to an option that may be given several times. */
export function collect(text: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), text]
}
