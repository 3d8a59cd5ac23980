import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * A real proxy on 127.0.0.1, which goes away with its test. It sends requests for any host to one port of this machine, as if that
 * were where the host's name leads.
 */
export async function proxyServer(target: number) {
  const seen: string[] = []
  const credentials: (string | undefined)[] = []
  const bodies: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    credentials.push(request.headers['proxy-authorization'])
    const { pathname, search } = new URL(request.url ?? '/')
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !/^(proxy-|connection$|content-length$)/.test(name)),
    )
    const body: Buffer[] = []
    request.on('data', (piece) => body.push(piece))
    request.on('end', async () => {
      bodies.push(Buffer.concat(body).toString())
      const answer = await fetch(`http://127.0.0.1:${target}${pathname}${search}`, {
        method: request.method ?? 'GET',
        headers: { 'content-type': String(headers['content-type'] ?? 'text/plain') },
        ...(body.length > 0 && { body: Buffer.concat(body) }),
      })
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'text/plain',
      })
      response.end(Buffer.from(await answer.arrayBuffer()))
    })
  })
  server.on('connect', (request, client) => {
    seen.push(`CONNECT ${request.url}`)
    credentials.push(request.headers['proxy-authorization'])
    const onward = connect(target, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.pipe(client).pipe(onward)
    })
    for (const socket of [client, onward])
      socket.on('error', () => [client, onward].map((end) => end.destroy()))
    onTestFinished(() => {
      client.destroy()
      onward.destroy()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, credentials, bodies }
}
