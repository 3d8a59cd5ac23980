import { InvalidArgumentError, Option } from 'commander'
import { didYouMean } from '../shared/core/contracts/validation/nearest-name.ts'

/** An option that takes one of several words, and suggests the closest for any other. */
export function choiceOption(flags: string, description: string, words: readonly string[]): Option {
  return new Option(flags, description).choices(words).argParser((word: string) => {
    if (words.includes(word)) return word
    throw new InvalidArgumentError(`Allowed choices are ${words.join(', ')}.${didYouMean(word, words)}`)
  })
}
