/** The longest answer of an outside server that is read, in bytes. */
export const longestOutsideAnswer = 16 * 1024 * 1024

/** The same response, whose body fails once it is longer than what is read of an outside server. */
export function boundResponse(response: Response, most = longestOutsideAnswer): Response {
  if (response.body === null) return response
  let size = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength
      if (size > most) controller.error(new Error(`The answer is longer than ${most} bytes.`))
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(counting), { status, statusText, headers })
}
