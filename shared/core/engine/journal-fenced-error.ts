export class JournalFencedError extends Error {
  override readonly name = 'JournalFencedError'

  constructor(key: string) {
    super(`Another worker has written ${key}.`)
  }
}
