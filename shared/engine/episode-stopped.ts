/** Why an episode leaves its worker before it has ended. It stays as it is and can be taken up again. */
export type StopReason = 'paused' | 'cancelled' | 'deadline' | 'fenced'

/** Thrown inside an effect to make the episode leave, without that being a failure. */
export class EpisodeStopped extends Error {
  override readonly name = 'EpisodeStopped'
  readonly reason: StopReason

  constructor(reason: StopReason, message: string) {
    super(message)
    this.reason = reason
  }
}
