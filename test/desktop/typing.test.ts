import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { Machine } from '../../shared/environments/desktop/host/machine-client.ts'
import { type Desktop, openDesktop } from '../../shared/environments/desktop/host/open-desktop.ts'

let desktop: Desktop

beforeAll(async () => {
  desktop = await openDesktop({ log: () => undefined })
})

afterAll(() => desktop.close())

const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index))

/** The action types a text into a window of its own, and fails unless the window receives that text. */
const typed = (text: string, typing: string) => `
import os
from Xlib import X, display
screen = display.Display(os.environ['DISPLAY'])
root = screen.screen().root
events = X.KeyPressMask | X.StructureNotifyMask
window = root.create_window(0, 0, 200, 200, 0, X.CopyFromParent, event_mask=events, override_redirect=True)
window.map()
while screen.next_event().type != X.MapNotify:
    pass
window.set_input_focus(X.RevertToParent, X.CurrentTime)
screen.sync()
text = ${JSON.stringify(text)}
${typing}
received = ''
while len(received) < len(text):
    event = screen.next_event()
    if event.type == X.KeyPress:
        shifted = screen.keycode_to_keysym(event.detail, 1) if event.state & X.ShiftMask else 0
        # A key with one symbol has it with shift too.
        symbol = shifted or screen.keycode_to_keysym(event.detail, 0)
        received += chr(symbol) if symbol < 256 else ''
assert received == text, received
`

/** A virtual machine of OSWorld lacks the routes of our own sessions. */
async function osworldServer(): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    if (incoming.url?.startsWith('/espalier/')) return outgoing.writeHead(404).end()
    const answer = await fetch(`${desktop.address}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: { 'content-type': 'application/json' },
      body: await buffer(incoming),
    })
    outgoing.writeHead(answer.status).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([
  ['our own sessions', async () => desktop.address],
  ['a machine of OSWorld', osworldServer],
])('on %s, each printable character that is typed or pressed arrives as itself', async (_, addressOf) => {
  const machine = new Machine(await addressOf())
  const texts = fc.string({ unit: fc.constantFrom(...printable), minLength: 1, maxLength: 60 })
  const typings = fc.constantFrom('pyautogui.typewrite(text)', 'pyautogui.press(list(text))')
  await fc.assert(
    fc.asyncProperty(texts, typings, async (text, typing) => {
      expect(await machine.act(typed(text, typing))).toBeNull()
    }),
    {
      numRuns: 6,
      examples: [
        [printable.join(''), 'pyautogui.typewrite(text)'],
        [printable.join(''), 'pyautogui.press(list(text))'],
      ],
    },
  )
})
