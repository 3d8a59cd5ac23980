const patience = 60_000

/** Asks again and again, as long as `expect.poll` does. An error of the question ends it. @returns the first state as wanted */
export async function untilWanted<State>(
  ask: () => Promise<State>,
  isAsWanted: (state: State) => boolean,
): Promise<State> {
  const late = performance.now() + patience
  for (;;) {
    const state = await ask()
    if (isAsWanted(state)) return state
    if (performance.now() > late) throw new Error(`It never came: ${JSON.stringify(state)}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
