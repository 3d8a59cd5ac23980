/** Another worker has written to the journal first: this one must stop and change nothing. */
export class JournalFenced extends Error {
  override readonly name = 'JournalFenced'

  constructor(key: string) {
    super(`Another worker has written ${key}.`)
  }
}
