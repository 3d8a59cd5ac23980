import { InvalidArgumentError } from 'commander'
import type { Json, JsonObject } from '../shared/core/contracts/json.ts'
import { wrongUsage } from './command-error.ts'

/** The bounds of the simulated endpoint's schema, which would load the contracts for every command. */
const mostLatency = 600_000
const mostSeed = 2_147_483_647

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

export function parseRoles(roles: readonly string[]): Record<string, JsonObject> {
  const parsed: Record<string, JsonObject> = {}
  for (const text of roles) {
    const [role, settings] = parseRole(text)
    parsed[role] = { ...parsed[role], ...settings }
  }
  return parsed
}

function parseRole(text: string): [string, JsonObject] {
  const [, role, field, value] = /^([^=.]+)(?:\.([^=]+))?=(.+)$/s.exec(text) ?? []
  if (role !== undefined && value !== undefined) {
    if (field !== undefined) return [role, { [field]: parseValue(value) }]
    const [, endpoint, id] = /^([^:]+):(.+)$/.exec(value) ?? []
    if (endpoint !== undefined && id !== undefined) return [role, { endpoint, id }]
  }
  throw wrongUsage(
    `--role "${text}" is not a role. Write role=endpoint:model, such as value=openai:gpt-5-mini, or a setting of it, such as value.temperature=0.2.`,
  )
}

/**
 * Parses `judge-question=@question.txt` or `judge-question=Where does it stand?`: a replacement for one of the
 * method's prompts.
 */
export function parsePrompts(prompts: readonly string[]): Record<string, string> {
  return Object.fromEntries(prompts.map(parsePrompt))
}

function parsePrompt(prompt: string): [id: string, text: string] {
  const at = prompt.indexOf('=')
  const text = prompt.slice(at + 1)
  if (at > 0 && text !== '') return [prompt.slice(0, at), text]
  throw wrongUsage(
    `--prompt "${prompt}" is not a prompt. Write id=@file or id=text; \`espalier methods METHOD --prompts\` lists the ids.`,
  )
}

export function parseRange(range: string): [number, number] {
  const match = /^(\d+)-(\d+)$/.exec(range)
  if (match === null) throw wrongUsage(`"${range}" is not a range. Write from-to, such as 0-50.`)
  return [Number(match[1]), Number(match[2])]
}

export function parseNumber(text: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isFinite(number)) throw new InvalidArgumentError('It takes a number.')
  return number
}

export function parseShare(text: string): number {
  const share = parseNumber(text)
  if (share < 0 || share > 1) throw new InvalidArgumentError('It takes a number from 0 to 1.')
  return share
}

export function parseLatency(text: string): number {
  const latency = parseNumber(text)
  if (latency < 0 || latency > mostLatency) {
    throw new InvalidArgumentError(`It takes milliseconds from 0 to ${mostLatency}.`)
  }
  return latency
}

export function parseSeed(text: string): number {
  return wholeNumber(text, 0, mostSeed)
}

export function parseDollars(text: string): number {
  const dollars = parseNumber(text)
  if (dollars <= 0) throw new InvalidArgumentError('It takes a number above 0.')
  return dollars
}

export function parseCount(text: string): number {
  const count = parseNumber(text)
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('It takes a whole number from 1 on.')
  return count
}

export function parsePort(text: string): number {
  return wholeNumber(text, 0, 65535)
}

export function parseWorkers(text: string): number {
  return wholeNumber(text, 0, 256)
}

function wholeNumber(text: string, least: number, most: number): number {
  const number = parseNumber(text)
  if (!Number.isInteger(number) || number < least || number > most) {
    throw new InvalidArgumentError(`It takes a whole number from ${least} to ${most}.`)
  }
  return number
}

export function collect(text: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), text]
}
