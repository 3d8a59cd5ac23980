export interface TextWord {
  word: string
  start: number
  end: number
}

/** Letters, digits and the marks on them; other characters separate words and are not compared. */
const pattern = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu

/** In scripts without spaces each character is a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const pieces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]\p{M}*|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu

const longestWord = 100

export function* textWords(text: string): Generator<TextWord> {
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (isPlain(found)) {
      yield { word: found.slice(0, longestWord).toLowerCase(), start: index, end: index + found.length }
    } else if (unspaced.test(found)) {
      for (const piece of found.matchAll(pieces)) yield* toWord(piece[0], index + piece.index)
    } else {
      yield* toWord(found, index)
    }
  }
}

function isPlain(found: string): boolean {
  return /^[A-Za-z0-9]*$/.test(found)
}

function* toWord(found: string, start: number): Generator<TextWord> {
  const bare = found
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}\p{Co}]/gu, '')
  const word = [...bare.toLowerCase()].slice(0, longestWord).join('')
  if (word !== '') yield { word, start, end: start + found.length }
}
