export interface HeldPlace {
  host: string
  session: string
  token: number
}

/** Where a session is, and the right to it. */
export interface SessionPlace {
  /** As it was when it was last held. */
  readonly last: HeldPlace
  /**
   * Makes sure that the place is still ours.
   *
   * @throws SessionLostError when it is another's by now
   */
  hold(): Promise<HeldPlace>
  /** Gives it back. */
  release(): Promise<void>
}
