import { InvalidArgumentError, Option } from 'commander'
import { didYouMean } from '../shared/core/contracts/validation/nearest-name.ts'

export function choiceOption(flags: string, description: string, words: readonly string[]): Option {
  return new Option(flags, description).choices(words).argParser((word: string) => {
    if (words.includes(word)) return word
    throw new InvalidArgumentError(`Allowed choices are ${words.join(', ')}.${didYouMean(word, words)}`)
  })
}
