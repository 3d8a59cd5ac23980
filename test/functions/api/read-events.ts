export interface ServerEvent {
  id: string | undefined
  event: string
  data: unknown
}

/** The server-sent events of an answer, comments left out; leaving the loop closes the connection. */
export async function* readEvents(answer: Response): AsyncGenerator<ServerEvent, undefined> {
  let text = ''
  for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]))
      const data = fields.get('data')
      if (data !== undefined)
        yield { id: fields.get('id'), event: fields.get('event') ?? '', data: JSON.parse(data) }
    }
  }
}

export async function readAllEvents(answer: Response): Promise<ServerEvent[]> {
  const events: ServerEvent[] = []
  for await (const event of readEvents(answer)) events.push(event)
  return events
}
