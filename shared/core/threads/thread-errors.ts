export class ThreadTimeoutError extends Error {
  override readonly name = 'ThreadTimeoutError'
  readonly limit: number

  constructor(limit: number) {
    super(`The call took more than ${limit} ms, and was ended.`)
    this.limit = limit
  }
}

export class ThreadLostError extends Error {
  override readonly name = 'ThreadLostError'
  readonly reason: string
  readonly isKilled: boolean

  constructor(pool: string, reason: string, isKilled = false) {
    super(`The thread "${pool}" ended during a call: ${reason}`)
    this.reason = reason
    this.isKilled = isKilled
  }
}

/** No thread can start here, so the call was not sent. */
export class ThreadUnavailableError extends Error {
  override readonly name = 'ThreadUnavailableError'
  readonly reason: string

  constructor(pool: string, reason: string) {
    super(
      `No thread "${pool}" could be started: ${reason} Its calls are not made without one: look whether its file is beside the code, and whether this process may start threads.`,
    )
    this.reason = reason
  }
}

export class RemoteCallError extends Error {
  override readonly name = 'RemoteCallError'
  readonly thrown: string
  readonly code: string | null

  constructor({ name, message, code }: { name: string; message: string; code: string | null }) {
    super(message)
    this.thrown = name
    this.code = code
  }
}
