/** The body with that number: each third one is large enough to be a file, and every byte depends on the number. */
export function bodyOf(number: number): Uint8Array {
  const size = number % 3 === 0 ? 200_000 + number : 100 + number
  return new Uint8Array(size).fill(number % 251)
}
