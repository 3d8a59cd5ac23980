/** Another worker has written to the journal first: this one must stop and change nothing. */
export class JournalFencedError extends Error {
  override readonly name = 'JournalFencedError'

  constructor(key: string) {
    super(`Another worker has written ${key}.`)
  }
}
