import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readServerSentEvents, type ServerSentEvent } from '../../../shared/core/client/follow-events.ts'

async function read(text: string, cuts: number[] = []): Promise<ServerSentEvent[]> {
  const bytes = new TextEncoder().encode(text)
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  const chunks = places.slice(1).map((end, index) => bytes.slice(places[index], end))
  const events: ServerSentEvent[] = []
  for await (const event of readServerSentEvents(ReadableStream.from(chunks))) events.push(event)
  return events
}

describe('readServerSentEvents', () => {
  it('reads ids, names and data over several lines, and leaves comments and unknown fields out', async () => {
    const stream =
      ': hello\n\nid: 1\nevent: run.status\ndata: {"a":\ndata: 1}\nretry: 10\n\ndata:bare\n\nid\ndata: x\n\n'
    expect(await read(stream)).toEqual([
      { id: '1', event: 'run.status', data: '{"a":\n1}' },
      { id: '1', event: 'message', data: 'bare' },
      { id: '', event: 'message', data: 'x' },
    ])
  })

  it('leaves out what the stream broke off in', async () => {
    expect(await read('data: whole\n\nid: 2\ndata: ha')).toEqual([
      { id: null, event: 'message', data: 'whole' },
    ])
  })

  it('reads the same however the bytes are cut and lines are ended', async () => {
    const text = 'id: 7\ndata: Baum ü 木\ndata: 2\n\n: c\ndata: 3\n\n'
    const whole = await read(text)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(), { maxLength: 6 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        async (cuts, ending) => {
          const got = await read(`${text.replaceAll('\n', ending)}\n`, cuts)
          expect(got).toEqual(whole)
        },
      ),
    )
  })
})
