import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HouseFigures } from './measure-house.ts'
import { readTexts } from './read-sources.ts'

const oldWords =
  /\b(told|tells?|telling|reckon\w*|voice[sd]?|voicing|shelf|shelves|shelved|whoever|nobody|in vain|somebody|standings?)\b/i

/**
 * Files that use such a word literally: objects of the games, texts that models read (a change would change recorded
 * runs' prompts), and this list.
 */
const exempt: readonly RegExp[] = [
  /^shared\/environments\/(?!added|data-packs|hosts)[a-z-]+\//,
  /^shared\/play\/simulated\//,
  /-prompts?\.ts$/,
  /^scripts\/house\//,
  /^docs\/(own-environments|environments)\.md$/,
  /^CHANGELOG\.md$/,
]

export function findOldWords(root: string): HouseFigures['oldWords'] {
  return readTexts(root)
    .filter((file) => !exempt.some((pattern) => pattern.test(file)))
    .flatMap((file) => {
      const lines = readFileSync(join(root, file), 'utf8').split('\n')
      return lines.flatMap((text, index) =>
        oldWords.test(text) ? [{ file, line: index + 1, text: text.trim().slice(0, 160) }] : [],
      )
    })
}
