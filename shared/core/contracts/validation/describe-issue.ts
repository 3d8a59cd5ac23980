import type { z } from 'zod'
import { didYouMean } from './nearest-name.ts'

export function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  const values = issue.code === 'invalid_value' ? issue.values.map(String) : []
  return describeFault(issue, value) + didYouMean(value, values)
}

function describeFault(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return `is missing. It must be ${typeName(issue.expected)}.`
      return `must be ${typeName(issue.expected)}, not ${valueName(value)}.`
    case 'invalid_value':
      return `${ownWords(issue.message) ?? `must be ${oneOf(issue.values)}`}${value === undefined ? '; it is missing' : `, not ${valueName(value)}`}.`
    case 'too_small':
      return describeBound(issue.origin, issue.minimum, issue.inclusive ? 'at least' : 'more than')
    case 'too_big':
      return describeBound(issue.origin, issue.maximum, issue.inclusive ? 'at most' : 'less than')
    case 'invalid_union': {
      const [branches, ...others] = issue.errors
        .map((branch) => branch[0])
        .filter((branch) => branch !== undefined)
      const all = branches === undefined ? [] : [branches, ...others]
      const choices = all.map((branch) => describeFault(branch, value).replace(/\.$/, ''))
      return choices.length === 0
        ? `${lowerFirst(issue.message)}.`
        : `${[...new Set(choices)].join(', or it ')}.`
    }
    case 'invalid_key':
    case 'invalid_element': {
      const [first] = issue.issues
      const name = issue.code === 'invalid_key' ? `the name ${valueName(issue.path.at(-1))}` : 'a name'
      return `has ${name} that is not allowed${first === undefined ? '.' : `; a name ${describeFault(first, '')}`}`
    }
    default:
      return issue.message.startsWith('must ')
        ? `${lowerFirst(issue.message)}.`
        : `is not valid: ${lowerFirst(issue.message)}.`
  }
}

const typeNames: Record<string, string> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  tuple: 'an array',
  object: 'a JSON object',
  record: 'a JSON object',
  null: 'null',
}

function typeName(expected: string): string {
  return typeNames[expected] ?? expected
}

function valueName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'a JSON object'
  return typeof value === 'string' && value.length > 60
    ? `${JSON.stringify(value.slice(0, 60))}…`
    : JSON.stringify(value)
}

function describeBound(origin: string, bound: number | bigint, comparison: string): string {
  if (origin === 'string')
    return `must have ${comparison} ${bound} ${bound === 1 ? 'character' : 'characters'}.`
  if (origin === 'array') return `must have ${comparison} ${bound} ${bound === 1 ? 'entry' : 'entries'}.`
  return `must be ${comparison} ${bound}.`
}

function ownWords(message: string): string | null {
  return message.startsWith('must be ') ? message : null
}

function oneOf(values: readonly unknown[]): string {
  const names = values.map((value) => JSON.stringify(value) ?? String(value))
  return names.length === 1 ? String(names[0]) : `one of ${names.join(', ')}`
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '')
}
