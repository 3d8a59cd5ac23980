/** Fails as a bug does, and answers with the stack that a log would have. */
export function handler(): string {
  try {
    return answer(undefined)
  } catch (error) {
    return String((error as Error).stack)
  }
}

function answer(nothing: unknown): string {
  return (nothing as { text: string }).text
}
