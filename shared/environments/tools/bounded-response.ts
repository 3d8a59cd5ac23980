/** The longest answer of an outside server that is read, in bytes. */
export const longestOutsideAnswer = 16 * 1024 * 1024

/** What is said of an answer that is longer than what is read. */
export function tooLong(most: number): Error {
  return new Error(`The answer is longer than ${most} bytes.`)
}

/**
 * The same response, whose body fails once it is longer than what is read of an outside server.
 *
 * @param onTooLong is called with the error too, where what reads the body may keep it to itself
 */
export function boundResponse(
  response: Response,
  { most = longestOutsideAnswer, onTooLong }: { most?: number; onTooLong?: (error: Error) => void } = {},
): Response {
  if (response.body === null) return response
  let size = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength
      if (size <= most) return controller.enqueue(chunk)
      const error = tooLong(most)
      controller.error(error)
      onTooLong?.(error)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(counting), { status, statusText, headers })
}
