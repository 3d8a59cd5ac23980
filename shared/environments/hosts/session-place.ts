export interface HeldPlace {
  host: string
  session: string
  token: number
}

export interface SessionPlace {
  readonly last: HeldPlace
  /**
   * Ensures that the place is still held.
   * @throws SessionLostError if another caller holds it by now
   */
  hold(): Promise<HeldPlace>
  release(): Promise<void>
}
