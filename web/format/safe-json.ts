import type { Json } from '../../shared/contracts/json.ts'

/** Characters that a terminal or an editor would act on, or hide, in place of showing them. */
const unsafe = /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu

/** JSON for people to copy: indented, with characters that cannot be seen escaped. */
export function safeJson(value: Json): string {
  return JSON.stringify(value, null, 2).replaceAll(unsafe, escapeUnits)
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('')
}

/** Whether a text can be pasted into a terminal between quotes: nothing in it but line ends does anything there. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !/(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/u.test(text)
}
