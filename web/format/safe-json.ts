import type { Json } from '../../shared/core/contracts/json.ts'

/** Characters that a terminal or an editor would execute or hide instead of showing. */
const unsafe = /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu

export function safeJson(value: Json): string {
  return JSON.stringify(value, null, 2).replaceAll(unsafe, escapeUnits)
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('')
}

export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !/(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/u.test(text)
}
