export const longestOutsideAnswer = 16 * 1024 * 1024

export function tooLong(most: number): Error {
  return new Error(`The answer is longer than ${most} bytes.`)
}

/**
 * Wraps a response so that its body fails above the limit of an outside server's answer.
 * @param onTooLong is also called with the error, in case the reader of the body swallows it
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
